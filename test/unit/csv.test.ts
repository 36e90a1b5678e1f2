import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Response } from 'express';
import { expect, test } from 'vitest';
import { type Column, csv } from '../../api/http/csv.ts';
import { harmlessInSpreadsheet } from '../../platform/csv-line.ts';
import { readText, sourcesIn } from '../setup/project.ts';

/* Tables as files: RFC 4180, and nothing in them that a spreadsheet would run. */

const columns: readonly Column<string | number | null>[] = [
  ['value', (value) => value],
  ['last', () => 'x'],
];

async function written(rows: Parameters<typeof csv<string | number | null>>[2]): Promise<string> {
  const headers: Record<string, string> = {};
  const setHeader = (name: string, value: string) => Object.assign(headers, { [name]: value });
  const response = Object.assign(new PassThrough(), { setHeader });
  const sent = csv('table', columns, rows)(response as unknown as Response);
  const [file] = await Promise.all([text(response), sent]);
  expect(headers).toMatchObject({
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="table.csv"',
  });
  return file;
}

test.each<[string, string | number | null, string]>([
  ['nothing', null, ''],
  ['a number', -5, '-5'],
  ['an amount', '-12.05', '-12.05'],
  ['a comma', 'a, b', '"a, b"'],
  ['a quote', 'say "hi"', '"say ""hi"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a carriage return', 'a\rb', '"a\rb"'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with quotes', '=cmd("x")', `"'=cmd(""x"")"`],
  ['a minus that begins a text', '-1+cmd', "'-1+cmd"],
  ['a line break before a formula', '\n=1+1', '"\'\n\'=1+1"'],
  ['a formula where semicolons separate', 'x;=HYPERLINK("y")', `"x;'=HYPERLINK(""y"")"`],
  ['accents', 'Whāngārei', 'Whāngārei'],
])('%s', async (_, value, field) => {
  expect(await written([value])).toBe(`value,last\r\n${field},x\r\n`);
});

test('in every file that the service writes, what begins a formula is quoted', async () => {
  const sources = sourcesIn(
    'access',
    'addresses',
    'api',
    'billing',
    'coverage',
    'mail',
    'platform',
    'registry',
    'workers',
  );
  const writers = sources.filter((file) => /csv-stringify|replaceAll\('"', '""'\)/.test(readText(file)));
  // Answers to lists of positions, and tables of the API.
  expect(writers.map((file) => path.basename(file))).toEqual(['csv.ts', 'csv-line.ts']);
  for (const file of writers) expect(readText(file)).toContain('harmlessInSpreadsheet(value)');
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    expect(harmlessInSpreadsheet(`${start}cmd`)).toBe(`'${start}cmd`);
  }
  for (const separator of [';', '\t', '|', '\r\n', '; ', ';"']) {
    expect(harmlessInSpreadsheet(`x${separator}=cmd;+y`)).toBe(`x${separator}'=cmd;'+y`);
  }
  for (const amount of ['-5', '-12.05', '7', 'a=b', 'a; b', ''])
    expect(harmlessInSpreadsheet(amount)).toBe(amount);
});

test('rows may come one after the other, and a table without rows has its headings', async () => {
  expect(await written([])).toBe('value,last\r\n');
  async function* rows() {
    yield 'a';
    yield 'b';
  }
  expect(await written(rows())).toBe('value,last\r\na,x\r\nb,x\r\n');
});
