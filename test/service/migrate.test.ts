import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../core/database/database.ts';
import { migrate } from '../../core/database/migrate.ts';
import { makePlace, type Place } from '../setup/service.ts';

let place: Place;
let database: Database;
let folder: string;
let url: URL;

beforeAll(async () => {
  place = await makePlace();
  database = await place.open();
});
afterAll(async () => {
  await database?.close();
  await place?.remove();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-migrations-'));
  cpSync(new URL('../../migrations/', import.meta.url), folder, { recursive: true });
  url = pathToFileURL(`${folder}/`);
  return () => rmSync(folder, { recursive: true });
});

const newest = readdirSync(new URL('../../migrations/', import.meta.url))
  .sort()
  .at(-1) as string;
const last = Number(newest.slice(0, 4));
/** The number of a migration that comes so many after the newest. */
const numberAfter = (steps: number) => String(last + steps).padStart(4, '0');
const add = (name: string, sql: string) => writeFileSync(path.join(folder, name), sql);

describe('migrations', () => {
  test('that ran do not run again', async () => {
    expect(await migrate(database, url)).toEqual([]);
  });
  test('run once, also when several processes start at the same time', async () => {
    add(`${numberAfter(1)}_first.sql`, 'create table first (id integer); insert into first values (1);');
    add(`${numberAfter(2)}_second.sql`, 'insert into first values (2);');
    // Where there is a server, from connections of their own.
    const others =
      database.kind === 'server'
        ? [await place.open(), await place.open(), await place.open()]
        : [database, database];
    const applied = await Promise.all([database, ...others].map((each) => migrate(each, url)));
    expect(applied.flat().sort()).toEqual([`${numberAfter(1)}_first.sql`, `${numberAfter(2)}_second.sql`]);
    expect((await database.query('select id from first order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    for (const other of others) if (other !== database) await other.close();
    await database.query(`drop table first; delete from schema_migration where number > ${last}`);
  });
  test('that fail leave nothing: neither the change nor its row in the ledger', async () => {
    add(`${numberAfter(1)}_broken.sql`, 'create table broken (id integer); select 1 / 0;');
    await expect(migrate(database, url)).rejects.toMatchObject({ code: '22012' });
    expect((await database.query(`select to_regclass('broken') as broken`)).rows).toEqual([{ broken: null }]);
    const { rows } = await database.query('select 1 from schema_migration where number > $1', [last]);
    expect(rows).toEqual([]);
  });
  test('that were edited after they ran are refused', async () => {
    add(newest, `${readFileSync(path.join(folder, newest), 'utf8')}\n-- better`);
    await expect(migrate(database, url)).rejects.toMatchObject({ code: 'migration_changed' });
  });
  test('that this program does not know are refused', async () => {
    rmSync(path.join(folder, newest));
    await expect(migrate(database, url)).rejects.toMatchObject({ code: 'database_newer' });
    // Nor does it take another one of the same number for it.
    add(`${numberAfter(0)}_another.sql`, 'select 1;');
    await expect(migrate(database, url)).rejects.toMatchObject({
      code: 'database_newer',
      message: `The database has migration ${newest}, which this version of covermap does not know.`,
    });
  });
  test('have to be numbered, each with a number of its own', async () => {
    add(`${numberAfter(0)}_z_again.sql`, 'select 1;');
    await expect(migrate(database, url)).rejects.toThrow(`${numberAfter(0)}_z_again.sql: expected the name`);
  });
});

describe('the schema itself refuses', () => {
  let dataset: number;
  let tier: number;
  beforeAll(async () => {
    const { rows } = await database.query<{ dataset: number }>(
      `with p as (insert into provider (name) values ('Schema') returning id),
         s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
           select id, 'f', 'k', 1, sha256('x'), '{}' from p returning id, provider_id)
       insert into dataset (submission_id, provider_id, technology_id) select id, provider_id, 1 from s returning id as dataset`,
    );
    dataset = rows[0]?.dataset as number;
    const made = await database.query<{ id: number }>(
      `insert into tier ${columns} values (${dataset}, 'available', 1, 2, 1, 2, null) returning id`,
    );
    tier = made.rows[0]?.id as number;
  });
  const columns =
    '(dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date)';
  const insertTier = (values: string) => () => `insert into tier ${columns} values (${dataset}, ${values})`;
  const insertCoverage =
    (geom: string, id = () => tier) =>
    () =>
      `insert into coverage values (${id()}, ${geom}, gen_random_uuid())`;

  const publishedIn = (scope: string, count: number) =>
    `with s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
       select provider_id, n::text, 'k', 1, sha256('x'), '{}'
       from dataset, generate_series(1, ${count}) as n where dataset.id = ${dataset}
       returning id, provider_id, file_name)
     insert into dataset (submission_id, provider_id, technology_id, scope, scope_key, state, published_at)
     select s.id, s.provider_id, 1, ${scope}, lower(${scope}), 'published', now() from s cross join lateral (select file_name::integer as n) as numbered`;
  const violations = { check: '23514', foreignKey: '23503', unique: '23505', invalid: '22023' };
  test.each<[string, string, () => string]>([
    ['an availability that is none', violations.check, insertTier(`'maybe', 1, 2, 1, 2, null`)],
    ['a negative speed', violations.check, insertTier(`'available', -1, 2, 1, 2, null`)],
    ['a minimum above its maximum', violations.check, insertTier(`'available', 3, 2, 1, 2, null`)],
    ['an upload minimum above its maximum', violations.check, insertTier(`'available', 1, 2, 3, 2, null`)],
    ['a speed that is not a number', violations.check, insertTier(`'available', 'NaN', 'NaN', 1, 2, null`)],
    [
      'a planned date for what is available',
      violations.check,
      insertTier(`'available', 1, 2, 1, 2, '2027-01-01'`),
    ],
    ['a date that never comes', violations.check, insertTier(`'planned', 1, 2, 1, 2, 'infinity'`)],
    ['a second tier that says the same', violations.unique, insertTier(`'available', 1, 2, 1, 2, null`)],
    [
      'a tier of no dataset',
      violations.foreignKey,
      () => `insert into tier ${columns} values (-1, 'available', 1, 2, 1, 2, null)`,
    ],
    ['a line', violations.invalid, insertCoverage(`st_geomfromtext('LINESTRING(174 -37, 175 -37)', 4326)`)],
    [
      'several polygons in one',
      violations.invalid,
      insertCoverage(`st_multi(st_makeenvelope(174, -37, 175, -36, 4326))`),
    ],
    [
      'another reference system',
      violations.invalid,
      insertCoverage(`st_makeenvelope(174, -37, 175, -36, 2193)`),
    ],
    ['an empty polygon', violations.check, insertCoverage(`st_geomfromtext('POLYGON EMPTY', 4326)`)],
    [
      'coverage of no tier',
      violations.foreignKey,
      insertCoverage(`st_makeenvelope(174, -37, 175, -36, 4326)`, () => -1),
    ],
    [
      'a technology that does not exist',
      violations.foreignKey,
      () => `update dataset set technology_id = 99 where id = ${dataset}`,
    ],
    [
      'a failed submission without its error',
      violations.check,
      () => `update submission set state = 'failed', finished_at = now()`,
    ],
    [
      'a state that is none',
      violations.check,
      () => `update dataset set state = 'done' where id = ${dataset}`,
    ],
    ['a provider of the same name', violations.unique, () => `insert into provider (name) values ('SCHEMA')`],
    [
      'a wholesale kind that is none',
      violations.check,
      () => `insert into provider (name, wholesale_network) values ('W', 'Maybe')`,
    ],
    [
      'a scope that is not trimmed',
      violations.check,
      () => `update dataset set scope = ' a' where id = ${dataset}`,
    ],
    [
      'a scope that is too long',
      violations.check,
      () => `update dataset set scope = repeat('a', 61) where id = ${dataset}`,
    ],
    [
      'two published versions of a scope that differ in case',
      violations.unique,
      () => publishedIn(`case n when 1 then 'North' else 'NORTH' end`, 2),
    ],
    ['more than 50 published scopes', violations.check, () => publishedIn(`'Scope ' || n`, 51)],
    [
      'two published versions of the same coverage',
      violations.unique,
      () => `with s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
               select provider_id, 'f', 'k', 1, sha256('x'), '{}'
               from dataset, generate_series(1, 2) where dataset.id = ${dataset} returning id, provider_id)
             insert into dataset (submission_id, provider_id, technology_id, state, published_at)
             select s.id, s.provider_id, 1, 'published', now() from s`,
    ],
  ])('%s', async (_, code, statement) => {
    await expect(database.query(statement())).rejects.toMatchObject({ code });
  });
});
