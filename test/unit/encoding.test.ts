import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { detectEncoding, Utf8Check } from '../../ingest/read/shapefile/encoding.ts';

/* Which encoding a table's texts are in: the .cpg file, else the language driver, else Windows-1252. */

const noDriver = 0;
const driver1252 = 0x57;
const driver850 = 0x02;

/** The texts themselves tell: names of encodings have many spellings. */
function reads(bytes: string, cpg: string | undefined, driver = noDriver): string {
  return iconv.decode(Buffer.from(bytes, 'hex'), detectEncoding(cpg, driver).name);
}

test.each(['UTF-8', 'utf-8', 'UTF8', '65001', 'CP65001', ' UTF-8\r\n', '\ufeffUTF-8'])(
  '.cpg %j is UTF-8',
  (cpg) => {
    expect(reads('c581c4816e67c5ab', cpg)).toBe('Łāngū');
  },
);

test.each([
  '1252',
  'ANSI 1252',
  'ANSI1252',
  'CP1252',
  'cp1252',
  'windows-1252',
  'Windows 1252',
  'LDID/87',
  'ldid/3',
])('.cpg %j is Windows-1252', (cpg) => {
  // In ISO-8859-1, 80 and 93 are control characters.
  expect(reads('80e993', cpg, driver850)).toBe('€é“');
});

test.each(['ISO-8859-1', 'ISO 8859-1', 'iso8859-1', '88591', '8859_1'])('.cpg %j is ISO-8859-1', (cpg) => {
  expect(reads('e9fc', cpg, driver850)).toBe('éü');
});

test.each(['ISO-8859-13', '885913'])('.cpg %j is ISO-8859-13, which has the macrons', (cpg) => {
  expect(reads('e2c7', cpg)).toBe('āĒ');
});

test.each(['OEM 850', '850', 'CP850', 'IBM850', 'LDID/2'])('.cpg %j is code page 850', (cpg) => {
  expect(reads('8281', cpg, driver1252)).toBe('éü');
});

test.each([
  ['932', '93fa967b', '日本'],
  ['Shift_JIS', '93fa967b', '日本'],
  ['Big5', 'a4a4', '中'],
  ['GBK', 'd6d0', '中'],
  ['KOI8-R', 'c1', 'а'],
])('.cpg %j is known too', (cpg, bytes, text) => {
  expect(reads(bytes, cpg)).toBe(text);
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

test('the .cpg wins over the language driver', () => {
  expect(reads('c3a9', 'UTF-8', driver850)).toBe('é');
});

test('without both, or with a driver that nobody knows, it is Windows-1252', () => {
  expect(reads('80e9', undefined)).toBe('€é');
  expect(reads('80e9', undefined, 0xff)).toBe('€é');
});

test.each(['klingon', '99999', 'LDID/250', 'UTF-9'])(
  '.cpg %j is reported as unknown, and the driver counts',
  (cpg) => {
    expect(detectEncoding(`${cpg}\n`, driver850).unknown).toBe(cpg);
    expect(reads('82', cpg, driver850)).toBe('é');
    expect(reads('80', cpg)).toBe('€');
  },
);

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
