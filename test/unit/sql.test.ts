import { expect, test } from 'vitest';
import { raw, sql } from '../../core/database/sql.ts';

/* Statements with their values in place. */

test.each([
  ['without values', sql`select 1`, 'select 1', []],
  ['with values', sql`a = ${1} and b = ${'x'}`, 'a = $1 and b = $2', [1, 'x']],
  ['with nothing', sql`a = ${undefined} or b = ${null}`, 'a = $1 or b = $2', [null, null]],
  ['with a list and bytes', sql`${[1, 2]} ${Buffer.of(1)}`, '$1 $2', [[1, 2], Buffer.of(1)]],
  ['with a name', sql`select from ${raw('tier')} where id = ${7}`, 'select from tier where id = $1', [7]],
  [
    'with parts that have values',
    sql`${1} ${sql`x = ${2} or ${sql`y = ${3}`}`} ${sql`z`} ${4}`,
    '$1 x = $2 or y = $3 z $4',
    [1, 2, 3, 4],
  ],
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
