import { Readable } from 'node:stream';
import {
  type ShapefileField,
  type ShapefileLayer,
  writeShapefile,
} from '@covermap/testing/write-shapefile.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, EndOfBytes } from '../byte-reader.ts';
import { type DbfReader, openDbf } from '../shapefile/dbf.ts';

/* dBASE tables row by row. */

const name: ShapefileField = { name: 'NAME', type: 'C', length: 20 };
const speed: ShapefileField = { name: 'SPEED', type: 'N', length: 9, decimals: 3 };

type TableInput = Partial<ShapefileLayer> & { rows: { [field: string]: string | number | null }[] };

const tableOf = ({ rows, ...layer }: TableInput): Buffer =>
  writeShapefile({
    fields: [name, speed],
    features: rows.map((attributes) => ({ rings: null, attributes })),
    ...layer,
  }).dbf as Buffer;

const readerOf = (bytes: Uint8Array, cpg?: string, chunkLength = bytes.length) => {
  const count = Math.ceil(bytes.length / chunkLength);
  const chunks = Array.from({ length: count }, (_, i) =>
    bytes.subarray(i * chunkLength, (i + 1) * chunkLength),
  );
  return openDbf(new ByteReader(Readable.from(chunks)), cpg);
};

async function textsOf(table: DbfReader): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = [];
  for (let row = await table.next(); row; row = await table.next()) {
    rows.push(table.fields.map((_, i) => row.text(i)));
  }
  return rows;
}

test('a table gives its fields, its count, and each row', async () => {
  const table = await readerOf(tableOf({ rows: [{ NAME: 'Taupō', SPEED: 100 }, { NAME: 'Ōpōtiki', SPEED: 0.5 }] }), 'UTF-8'); // biome-ignore format: rows
  expect(table.fields.map((field) => field.name)).toEqual(['NAME', 'SPEED']);
  expect(table.rowCount).toBe(2);
  expect((await textsOf(table)).flat()).toEqual(['Taupō', '100.000', 'Ōpōtiki', '0.500']);
});

test.each<[string, cpg?: string]>([['utf-8', 'UTF-8'], ['cp850']])(
  'names and texts in %s are read by .cpg %j, else by the language driver',
  async (encoding, cpg) => {
    const fields: ShapefileField[] = [{ name: 'GRÖßE', type: 'C', length: 20 }];
    const rows = [{ GRÖßE: 'Café über Ñandú' }];
    const table = await readerOf(tableOf({ fields, rows, encoding, languageDriver: 0x02 }), cpg);
    expect(table.fields.map((field) => field.name)).toEqual(['GRÖßE']);
    expect(await textsOf(table)).toEqual([['Café über Ñandú']]);
  },
);

test('blanks around a text and NULs at its end go, and a text of nothing else is null', async () => {
  const empty = [' '.repeat(20), '\0'.repeat(20), ' \0 \0'.repeat(5)];
  const rows = ['  North  Shore ', 'A\0\0\0\0\0\0', ...empty].map((NAME) => ({ NAME }));
  const texts = await textsOf(await readerOf(tableOf({ fields: [name], rows })));
  expect(texts.flat()).toEqual(['North  Shore', 'A', null, null, null]);
});

test('a deleted row says so', async () => {
  const features = [{ rings: null }, { rings: null, deleted: true }, { rings: null }];
  const bytes = writeShapefile({ features }).dbf as Buffer;
  const table = await readerOf(bytes);
  const deleted: (boolean | undefined)[] = [];
  for (let i = 0; i < 3; i++) deleted.push((await table.next())?.deleted);
  expect(deleted).toEqual([false, true, false]);
  expect(await table.next()).toBeUndefined();
});

test('a name that fills its place whole has no NUL at its end', async () => {
  const bytes = tableOf({ rows: [] });
  bytes.write('ELEVENCHARS', 32, 'latin1');
  expect((await readerOf(bytes)).fields[0]?.name).toBe('ELEVENCHARS');
});

test('what Visual FoxPro adds after the fields is passed over', async () => {
  const bytes = tableOf({ rows: [{ NAME: 'A', SPEED: 1 }] });
  const headerLength = bytes.readUInt16LE(8);
  const [header, rows] = [bytes.subarray(0, headerLength), bytes.subarray(headerLength)];
  const longer = Buffer.concat([header, Buffer.alloc(263), rows]);
  longer.writeUInt16LE(headerLength + 263, 8);
  const table = await readerOf(longer);
  expect(table.fields).toHaveLength(2);
  expect(await textsOf(table)).toEqual([['A', '1.000']]);
});

test('a table without the mark at its end is whole', async () => {
  const bytes = tableOf({ rows: [{ NAME: 'A', SPEED: 1 }] });
  expect(await textsOf(await readerOf(bytes.subarray(0, -1)))).toEqual([['A', '1.000']]);
});

test('the mark of the end where a row should be is an early end', async () => {
  const bytes = tableOf({ rows: [{ NAME: 'A' }] });
  bytes.writeUInt32LE(2, 4);
  const table = await readerOf(Buffer.concat([bytes, Buffer.alloc(100, ' ')]));
  await table.next();
  await expect(table.next()).rejects.toThrow(EndOfBytes);
});

test('a table cut short anywhere is an early end', async () => {
  const rows = ['A', 'B'].map((NAME, i) => ({ NAME, SPEED: i + 1 }));
  const bytes = tableOf({ rows });
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 2), async (length) => {
      const whole = async () => textsOf(await readerOf(bytes.subarray(0, length)));
      await expect(whole()).rejects.toThrow(EndOfBytes);
    }),
  );
});

test.each<[string, (bytes: Buffer) => void]>([
  ['a header shorter than a header', (bytes) => bytes.writeUInt16LE(20, 8)],
  ['rows of no length', (bytes) => bytes.writeUInt16LE(0, 10)],
  ['rows shorter than their fields', (bytes) => bytes.writeUInt16LE(12, 10)],
])('a table that claims %s makes no sense', async (_, change) => {
  const bytes = tableOf({ rows: [{ NAME: 'A' }] });
  change(bytes);
  await expect(readerOf(bytes)).rejects.toThrow(RangeError);
});

test('however the bytes come in, the rows are the same', async () => {
  const plainText = fc.stringMatching(/^[A-Za-zĀ-ſ]{1,8}$/);
  await fc.assert(
    fc.asyncProperty(fc.array(plainText), fc.integer({ min: 1, max: 60 }), async (names, chunkLength) => {
      const bytes = tableOf({ fields: [name], rows: names.map((NAME) => ({ NAME })) });
      expect(await textsOf(await readerOf(bytes, 'UTF-8', chunkLength))).toEqual(names.map((text) => [text]));
    }),
  );
});

interface BinaryField {
  type: string;
  values: readonly Buffer[];
  flags?: number;
}

/** A table of another version than dBASE III, as its documents lay it out. */
function binaryTable(
  version: number,
  fields: readonly BinaryField[],
  isDBase7 = (version & 7) === 4,
): Buffer {
  const [start, length, typeAt] = isDBase7 ? ([68, 48, 32] as const) : ([32, 32, 11] as const);
  const sizes = fields.map(({ values }) => values[0]?.length ?? 0);
  const count = fields[0]?.values.length ?? 0;
  const head = Buffer.alloc(start + length * fields.length + 1);
  head.writeUInt8(version, 0);
  head.writeUInt32LE(count, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(1 + sizes.reduce((sum, size) => sum + size, 0), 10);
  for (const [i, { type, flags = 0 }] of fields.entries()) {
    const at = start + length * i;
    head.write(`F${i}`, at, 'latin1');
    head.write(type, at + typeAt, 'latin1');
    head.writeUInt8(sizes[i] as number, at + (typeAt === 32 ? 33 : 16));
    if (typeAt === 11) head.writeUInt8(flags, at + 18);
  }
  head.writeUInt8(0x0d, head.length - 1);
  const rows = Array.from({ length: count }, (_, row) => [
    Buffer.from(' '),
    ...fields.map(({ values }) => values[row] as Buffer),
  ]);
  return Buffer.concat([head, ...rows.flat()]);
}

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

test.each<[what: string, version: number, type: string, values: Buffer[], texts: (string | null)[]]>([
  ['FoxPro', 0x30, 'I', [hex('32000000'), hex('0a000000'), hex('64000000'), hex('ffffffff')], ['50', '10', '100', '-1']],
  ['FoxPro', 0x31, '+', [hex('e8030000')], ['1000']],
  ['FoxPro', 0x30, 'B', [hex('0000000000405940'), hex('000000000000f87f')], ['101', null]],
  ['FoxPro', 0x30, 'Y', [hex('20a1070000000000'), hex('f8e5ffffffffffff')], ['50', '-0.6664']],
  // 2027-03-31 is the Julian day 2,461,496.
  ['FoxPro', 0x32, 'T', [hex('388f2500 40ebd201'), hex('0000000000000000'), hex('2020202020202020')], ['2027-03-31T08:30:00', null, null]],
  ['dBASE III', 0x03, 'I', [hex('32000000')], ['50']],
  ['dBASE 7', 0x04, 'I', [hex('80000032'), hex('7fffffff'), hex('00000000')], ['50', '-1', null]],
  ['dBASE 7', 0x8c, '+', [hex('800003e8')], ['1000']],
  ['dBASE 7', 0x04, 'O', [hex('c059400000000000'), hex('3fa6bfffffffffff'), hex('0000000000000000')], ['101', '-101', null]],
  // References to memos, and what is not known.
  ['dBASE III', 0x83, 'M', [Buffer.from('        12')], [null]],
  ['dBASE V', 0x05, 'B', [Buffer.from('        12')], [null]],
  ['FoxPro', 0x30, 'M', [hex('32000000')], [null]],
  ['FoxPro', 0x32, 'V', [hex('32300002')], [null]],
  ['dBASE 7', 0x04, '@', [hex('42cc418a99800000')], [null]],
  ['dBASE III', 0x03, '?', [Buffer.from('50')], [null]],
])('a field of %s (0x%x) of the type %s is read by its type, or not at all', async (_, version, type, values, texts) => {
  const table = await readerOf(binaryTable(version, [{ type, values }]));
  expect((await textsOf(table)).flat()).toEqual(texts);
  expect(table.fields[0]?.isRead).toBe(texts.some((text) => text !== null));
}); // biome-ignore format: rows

test('descriptions of dBASE III are read as that under the version of dBASE 7, too', async () => {
  const fields = ['Basic', '  50'].map((text) => ({ type: 'C', values: [Buffer.from(text)] }));
  expect(await textsOf(await readerOf(binaryTable(0x04, fields, false)))).toEqual([['Basic', '50']]);
});

test('a number that Visual FoxPro keeps as null is none', async () => {
  const fields: BinaryField[] = [
    { type: 'V', values: [hex('413101'), hex('413101')], flags: 2 },
    { type: 'I', values: [hex('00000000'), hex('00000000')], flags: 2 },
    { type: '0', values: [hex('04'), hex('00')], flags: 1 },
  ];
  const table = await readerOf(binaryTable(0x32, fields));
  expect(await textsOf(table)).toEqual([[null, null], [null, '0']]); // biome-ignore format: rows
});
