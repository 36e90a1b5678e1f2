import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { detectEncoding, Utf8Check } from '../shapefile/encoding.ts';

/* Which encoding a table's texts are in: the .cpg file, else the language driver, else Windows-1252. */

const noDriver = 0;
const driver1252 = 0x57;
const driver850 = 0x02;

/** The texts themselves tell: names of encodings have many spellings. */
function reads(bytes: string, cpg: string | undefined, driver = noDriver): string {
  return iconv.decode(Buffer.from(bytes, 'hex'), detectEncoding(cpg, driver).name);
}

const ofWindows = ['1252', 'ANSI 1252', 'ANSI1252', 'CP1252', 'cp1252', 'windows-1252', 'Windows 1252'];
/** Texts, with their bytes and the names of their encoding in .cpg files; the language driver says another. */
const named: [text: string, bytes: string, cpgs: string[]][] = [
  ['Łāngū', 'c581c4816e67c5ab', ['UTF-8', 'utf-8', 'UTF8', '65001', 'CP65001', ' UTF-8\r\n', '\ufeffUTF-8']],
  // In ISO-8859-1, 80 and 93 are control characters.
  ['€é“', '80e993', [...ofWindows, 'LDID/87', 'ldid/3']],
  ['éü', 'e9fc', ['ISO-8859-1', 'ISO 8859-1', 'iso8859-1', '88591', '8859_1']],
  // ISO-8859-13 has macrons.
  ['āĒ', 'e2c7', ['ISO-8859-13', '885913']],
  ['éü', '8281', ['OEM 850', '850', 'CP850', 'IBM850', 'LDID/2']],
  ['日本', '93fa967b', ['932', 'Shift_JIS']],
  ['中', 'a4a4', ['Big5']],
  ['中', 'd6d0', ['GBK']],
  ['а', 'c1', ['KOI8-R']],
];
const byName = named.flatMap(([text, bytes, cpgs]) => cpgs.map((cpg) => [cpg, bytes, text] as const));
test.each(byName)('by the .cpg %j, whatever the driver, %s is %s', (cpg, bytes, text) => {
  for (const driver of [noDriver, driver1252, driver850]) expect(reads(bytes, cpg, driver)).toBe(text);
});

test.each<[number, string, string]>([
  [0x57, '80e9', '€é'],
  [0x03, '80e9', '€é'],
  [0x02, '82', 'é'],
  [0x01, 'e1', 'ß'],
  [0xc8, '9c', 'ś'],
  [0xc9, 'e6', 'ж'],
  [0x65, 'a6', 'ж'],
  [0x13, '93fa', '日'],
])('without a .cpg, language driver %d counts', (driver, bytes, text) => {
  expect(reads(bytes, undefined, driver)).toBe(text);
});

test('without both, or with a driver that nobody knows, it is Windows-1252', () => {
  expect(reads('80e9', undefined)).toBe('€é');
  expect(reads('80e9', undefined, 0xff)).toBe('€é');
});

const unknown = ['klingon', '99999', 'LDID/250', 'UTF-9'];
test.each(unknown)('.cpg %j is reported as unknown, and the driver counts', (cpg) => {
  expect(detectEncoding(`${cpg}\n`, driver850).unknown).toBe(cpg);
  expect(reads('82', cpg, driver850)).toBe('é');
  expect(reads('80', cpg)).toBe('€');
});

test.each(['', ' \r\n', '\ufeff'])('an empty .cpg %j says nothing', (cpg) => {
  expect(detectEncoding(cpg, noDriver).unknown).toBeUndefined();
  expect(reads('82', cpg, driver850)).toBe('é');
});

test.each([
  ['letters of two and three bytes', ['Kaikohe', 'Te Ātiawa', 'Ōtāhuhu – north'], true],
  ['a text that its field cut within a letter', ['4b6169c481', 'c5'], true],
  ['ASCII only', ['Kaikohe'], false],
  ['Windows-1252', ['436166e9'], false],
  ['letters of both', ['Ā', '436166e96e'], false],
  ['a byte of no letter at its end', ['Ā', '4bff'], false],
])('%s: UTF-8 is %j that it is', (_, texts, expected) => {
  const check = new Utf8Check();
  for (const text of texts) check.add(Buffer.from(text, /^[\da-f]+$/.test(text) ? 'hex' : 'utf8'));
  expect(check.isUtf8).toBe(expected);
});

test('UTF-8 counts where neither the .cpg nor the header says otherwise', () => {
  expect(detectEncoding(undefined, noDriver, true).name).toBe('utf-8');
  expect(detectEncoding(undefined, driver850, true).name).toBe('cp850');
  expect(detectEncoding('1252', noDriver, true).name).toBe('cp1252');
});

test('every language driver names an encoding that can be read', () => {
  const names = Array.from({ length: 256 }, (_, driver) => detectEncoding(undefined, driver).name);
  expect(names.filter((name) => !iconv.encodingExists(name))).toEqual([]);
  expect(new Set(names).size).toBeGreaterThan(20);
});
