import { expect, test } from 'vitest';
import { raw, sql } from '../../platform/database/sql.ts';
import { readText, sourcesIn } from '../setup/project.ts';

/* Statements with their values in place. */

test.each([
  ['without values', sql`select 1`, 'select 1', []],
  ['with values', sql`a = ${1} and b = ${'x'}`, 'a = $1 and b = $2', [1, 'x']],
  ['with nothing', sql`a = ${undefined} or b = ${null}`, 'a = $1 or b = $2', [null, null]],
  ['with a list and bytes', sql`${[1, 2]} ${Buffer.of(1)}`, '$1 $2', [[1, 2], Buffer.of(1)]],
  ['with a name', sql`select from ${raw('tier')} where id = ${7}`, 'select from tier where id = $1', [7]],
  ['with parts', sql`${1} ${sql`${2} or ${sql`${3}`}`} ${sql`z`} ${4}`, '$1 $2 or $3 z $4', [1, 2, 3, 4]],
])('SQL %s', (_, { text, values }, expectedText, expectedValues) => {
  expect(text).toBe(expectedText);
  expect(values).toEqual(expectedValues);
});

test('outside input is a value wherever it stands', () => {
  const name = `'; drop table tier; -- $1`;
  expect(sql`select ${name}`).toMatchObject({ text: 'select $1', values: [name] });
});

test('a part without values is a text; one with values is not, as its parameters would be others', () => {
  expect(`select ${sql`a, b`}`).toBe('select a, b');
  expect(() => `select ${sql`a = ${1}`}`).toThrow('is not a text');
});

/** Insertions that the code itself has written, by file: names and parts of statements, none with outside input. */
const written = [
  'coverage/datasets/compare.ts: cell',
  'coverage/datasets/comparisons.ts: joinPublished, isPremisesComparisonDue, isGroundCompared',
  'coverage/submissions/submissions.ts: hasTowersToRead, isToLoad, hasAddress, joinPublished, isCompared',
  'coverage/lookup/lookup.ts: covers',
  'platform/database/database.ts: isolation',
  // The name of a file.
  'platform/database/embedded/data-directory-lock.ts: generation',
  'platform/database/embedded/database-thread.ts: request.target',
  'platform/database/replica.ts: position, identity',
  'platform/database/schema.ts: ours',
  'platform/database/server/listener.ts: pg.escapeIdentifier',
  'platform/database/server/server.ts: target',
  'coverage/jobs/figures.ts: Object.entries, step, query, putOff',
  'coverage/jobs/unfinished-work.ts: step, query',
  'registry/droplist.ts: seenAt, droplistHours, windowsEndedSql, lastRunSql, entriesSql, windowEndSql, nextRunSql',
  'registry/register.ts: windowsEndedSql',
  'registry/release.ts: lastRunSql',
  'api/guards.ts: ofProvider',
  'commands/demo.ts: token',
  // The names of a file's layer and columns, in GDAL's own SQL of that file, in the process that reads it.
  'packages/coverage-files/gdal/gdal.ts: columns.join, idColumn, layer',
  'packages/coverage-files/gdal/geopackage-systems.ts: text, identifier, maxSystems',
];
const isStatement =
  /^\s*(?:select|insert|update|delete|with|create|drop|alter|lock|listen|notify|copy .* from|begin|set|truncate|grant)\b/;

test('no statement is put together of strings outside the tag, but of parts that are known', () => {
  const sources = sourcesIn();
  const template = /(?<!\bsql(?:<[^`]*>)?)`((?:[^`\\$]|\\.|\$(?!\{)|\$\{[^}]*\})*)`/gs;
  const found = sources.flatMap((file) => {
    const templates = [...readText(file).matchAll(template)].map(([, text = '']) => text);
    const statements = templates.filter((text) => isStatement.test(text)).join();
    return [...statements.matchAll(/\$\{\s*([\w.]+)/g)].map(([, name]) => `${file}: ${name}`);
  });
  const known = written.flatMap((line) => {
    const [file, names = ''] = line.split(': ');
    return names.split(', ').map((name) => `${file}: ${name}`);
  });
  expect([...new Set(found)].filter((one) => !known.includes(one))).toEqual([]);
  // The search finds what there is.
  expect(found.length).toBeGreaterThan(10);
});
