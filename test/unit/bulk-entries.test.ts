import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AskedEntry,
  type InputFormat,
  lineReader,
  readEntries,
} from '../../coverage/lookup/bulk/entries.ts';
import { entryCounter } from '../../coverage/lookup/bulk/entry-counter.ts';
import { readLines } from '../../coverage/lookup/bulk/lines.ts';

/* Lists of coordinates, as callers write them. */

/** Any character. `binary` makes a table of all of them first. */
const unit = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point).toWellFormed());
const entry = (lat: string, lng: string, id?: AskedEntry['id']) => ({ id, lat, lng });

/** The bytes of a text in parts of these sizes, again and again. */
async function* cut(text: string | Buffer, ...sizes: number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string);
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const size = sizes[i % sizes.length] as number;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}
const readAll = (text: string | Buffer, format: InputFormat, size = 7): Promise<AskedEntry[]> =>
  Readable.from(readEntries(cut(text, size), format)).toArray();

test.each([
  ['1,2', entry('1', '2')],
  ['1,2,a', entry('1', '2', 'a')],
  ['lng,lat\n2,1', entry('1', '2')],
  ['x,y,lon,lat\n1757000,5920000,2,1', entry('1', '2')],
  ['ID,Longitude,Name,Latitude\na,2,"x, y",1', entry('1', '2', 'a')],
  ['"Street, number";id;lat;lng\n"Quay, 1";a;"1";2', entry('1', '2', 'a')],
  ['1;2;a', entry('1', '2', 'a')],
  ['sep=;\r\nid;lat;lng\r\na;1;2', entry('1', '2', 'a')],
  ['\ufeff"sep=|"\nid|lng|lat\na|2|1', entry('1', '2', 'a')],
  ['sep=\t\n1\t2\ta', entry('1', '2', 'a')],
  ['lat;lng\n-36,9;174,8', entry('-36,9', '174,8')],
  ['id\tlat\tlng\na\t1\t2', entry('1', '2', 'a')],
  ['\ufefflat,lng\r\n\r\n "1" , 2 ', entry('1', '2')],
  ['1', entry('1', '')],
  ['"1,2', entry('', '')],
  ['"1","2","say ""ā"", b"', entry('1', '2', 'say "ā", b')],
  ['"","",""', entry('', '')],
  ['"1"x,2', entry('', '')],
  ['1"0",2', entry('', '')],
  ['1,2"', entry('', '')],
])('the columns of CSV are found, and its quotes read: %j', async (text, expected) => {
  expect((await readAll(text, 'csv')).at(-1)).toEqual(expected);
});

/** An entry without a position. */
const named = (address: AskedEntry['address'], id?: AskedEntry['id']) => ({ ...entry('', '', id), address });

test.each([
  ['{"address_id": 947446, "id": "a"}', 'ndjson', named({ reference: '947446' }, 'a')],
  ['{"address_id": " tlc:12 ", "address": "2 Rata St"}', 'ndjson', named({ reference: 'tlc:12' })],
  ['{"address_id": null, "lat": null, "address": " 2 Rata St "}', 'ndjson', named({ text: '2 Rata St' })],
  ['{"address_id": "", "address": "2 Rata St"}', 'ndjson', named({ text: '2 Rata St' })],
  ['{"address": ["2 Rata St"], "address_id": {}}', 'ndjson', entry('', '')],
  // A position that is given answers, right or wrong.
  ['{"lat": "1", "lng": 2, "address_id": 1, "address": "2 Rata St"}', 'ndjson', entry('1', '2')],
  ['{"lat": "x", "address": "2 Rata St"}', 'ndjson', entry('x', '')],
  ['id,address_id\na,947446', 'csv', named({ reference: '947446' }, 'a')],
  ['LINZ ID;Address\n;2 Rata St', 'csv', named({ text: '2 Rata St' })],
  ['AIMS_address_id,lat,lng\n7,1,2', 'csv', entry('1', '2')],
  ['AIMS_address_id,lat,lng\n7,,', 'csv', named({ reference: '7' })],
  // A line each, in quotes or not.
  ['address\n2/14 Rata St, Ponsonby, Auckland', 'csv', named({ text: '2/14 Rata St, Ponsonby, Auckland' })],
  ['address\n"2/14 Rata St, Ponsonby"', 'csv', named({ text: '2/14 Rata St, Ponsonby' })],
  // Parts in columns of their own, and a line of an address that was not quoted.
  [
    'id,Postcode,Address 1,address_line_2,City,Suburb\na,1011,Flat 2,14 Rata St,Auckland,Ponsonby',
    'csv',
    named({ text: 'Flat 2, 14 Rata St, Ponsonby, Auckland, 1011' }, 'a'),
  ],
  [
    'address,suburb,town\n"2 Rata St, Ponsonby",PONSONBY,Auckland',
    'csv',
    named({ text: '2 Rata St, Ponsonby, Auckland' }),
  ],
  ['address,suburb,town\n2 Auckland Road,,Auckland', 'csv', named({ text: '2 Auckland Road, Auckland' })],
  ['address,suburb\n,Ponsonby', 'csv', named({ text: 'Ponsonby' })],
  ['full_address,city\n"2 Rata St, Ponsonby",Auckland', 'csv', named({ text: '2 Rata St, Ponsonby' })],
  ['id,address\na,2 Rata St, Ponsonby', 'csv', named({ fault: 'cut' }, 'a')],
  ['id,address\na,2 Rata St,,', 'csv', named({ text: '2 Rata St' }, 'a')],
  ['id,address\na,', 'csv', entry('', '', 'a')],
] as const)('an entry may name an address: %j as %s', async (text, format, expected) => {
  expect((await readAll(text, format)).at(-1)).toEqual(expected);
  const counter = entryCounter(format);
  await Readable.from(counter.pass(cut(text, 5))).toArray();
  expect([counter.entries, counter.namesAddresses]).toEqual([1, 'address' in expected]);
});

test('a file names addresses from the first entry on that does', async () => {
  const names = async (text: string, format: 'csv' | 'ndjson') => {
    const counter = entryCounter(format);
    await Readable.from(counter.pass(cut(text, 9))).toArray();
    return counter.namesAddresses;
  };
  expect(await names('lat,lng,address\n1,2,x\n1,2,y\n', 'csv')).toBe(false);
  expect(await names('lat,lng,address\n1,2,x\n,,y\n1,2,z\n', 'csv')).toBe(true);
  expect(await names('[1,2]\n\n{"lat":1,"lng":2,"address":"x"}\n', 'ndjson')).toBe(false);
  expect(await names('[1,2]\n\n{"id":1,"address":"x"}\n', 'ndjson')).toBe(true);
});

test('numbers keep their value, small ones too, without an exponent', async () => {
  expect(await readAll('[[-0.0000001, 174.80758340]]', 'json')).toEqual([entry('-0.0000001', '174.8075834')]);
});

test.each([
  ['{"id": 9007199254740993, "lat": 1, "lng": 2}', 9007199254740993n],
  ['{"lat": 1, "lng": 2, "id":-1234567890123456789}', -1234567890123456789n],
  ['{"id": 1, "of": {"id": 2}, "lat": 1, "lng": 2, "id" : 10000000000000000001}', 10000000000000000001n],
  ['{"id": 1e20, "lat": 1, "lng": 2}', 1e20],
  ['{"id": 1.5, "lat": 1, "lng": 2}', 1.5],
  ['{"id": 1e400, "lat": 1, "lng": 2}', '1e400'],
  ['{"id": 9007199254740991, "lat": 1, "lng": 2}', 9007199254740991],
])('a number of one’s own keeps its digits: %s', async (text, id) => {
  expect(await readAll(text, 'ndjson')).toEqual([entry('1', '2', id)]);
  expect(await readAll(`[${text}]`, 'json')).toEqual([entry('1', '2', id)]);
});

test('however the bytes of a file are cut, its lines are the same, and so is where they end', async () => {
  const text = fc.array(
    fc.oneof(fc.constantFrom('\n', '\r', '\r\n', 'a,1', ' '), fc.string({ unit, maxLength: 5 })),
    {
      maxLength: 12,
    },
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(text, sizes, async (parts, sizes) => {
      const text = parts.join('');
      const lines = text.split(/\r\n|\r|\n/);
      // No line follows the last line break.
      if (lines.at(-1) === '') lines.pop();
      const read = await Readable.from(readLines(cut(text, ...sizes))).toArray();
      expect(read.map((line) => line.text)).toEqual(lines);
      const whole = await Readable.from(readLines(cut(text, 1_000))).toArray();
      expect(read).toEqual(whole);
    }),
  );
});

test('a file has as many entries for the API that counts it as for the worker that reads it, wherever each one’s bytes are cut', async () => {
  for (const text of ['x\r\n-36.9,174.8\n-36.9,174.9\n', 'x\r1,2\n3,4\r\n\r5,6', 'x\n1,2\r3,4\r\n']) {
    for (let first = 0; first <= Buffer.byteLength(text); first++) {
      const counter = entryCounter('csv');
      await Readable.from(counter.pass(cut(text, first || 1, 1_000))).toArray();
      expect([text, first, counter.entries]).toEqual([
        text,
        first,
        (await readAll(text, 'csv', 1_000)).length,
      ]);
    }
  }
});

test('of a line without an end only its beginning is kept', async () => {
  const [line, ...more] = await Readable.from(readLines(cut('1'.repeat(5_000_000), 100_000))).toArray();
  expect([more.length, line?.end]).toEqual([0, 5_000_000]);
  expect(line?.text.length).toBeLessThan(20_000);
  expect(lineReader('csv')(line?.text as string)).toEqual(entry('', ''));
});

describe('a JSON list', () => {
  test('is read as JSON.parse reads it, however its bytes are cut', async () => {
    const plain = fc.oneof(fc.string({ unit }), fc.double(), fc.constant(null));
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, plain, tie('list'), tie('object')),
      list: fc.array(tie('any'), { maxLength: 3 }),
      object: fc.dictionary(fc.constantFrom('lat', 'lng', 'id', ']', '"', '\\'), tie('any')),
    })).any;
    const list = fc.array(value, { maxLength: 5 });
    const sizes = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(list, sizes, fc.constantFrom(0, 1), async (values, size, indent) => {
        const read = await readAll(JSON.stringify(values, undefined, indent), 'json', size);
        const alone = values.map((one) => readAll(`[${JSON.stringify(one)}]`, 'json', 1000));
        expect(read).toEqual((await Promise.all(alone)).flat());
        expect(read).toHaveLength(values.length);
      }),
    );
  });

  test.each([
    ...['', '{}', '5', '[', '[1', '[1,', '[1,]', '[,1]', '[1 2]', '[[1,2}]', '[1]]', '[1],', '[{"lat":NaN}]'],
    ...['["]', '[tru]', 'x'],
  ])('%j is none', async (text) => {
    await expect(readAll(text, 'json')).rejects.toMatchObject({ code: 'bulk_not_json' });
  });

  test.each(['[]', ' [ \n ] \n', '\ufeff[]'])('%j is empty', async (text) => {
    expect(await readAll(text, 'json')).toEqual([]);
  });

  test('of an element that is longer than any coordinate nothing is parsed', async () => {
    const deep = `[[1,2],${'['.repeat(100_000)}${']'.repeat(100_000)},"${'x'.repeat(100_000)}",[3,4]]`;
    const none = entry('', '');
    expect(await readAll(deep, 'json', 65_536)).toEqual([entry('1', '2'), none, none, entry('3', '4')]);
  });
});

test.each([
  ['csv', 'lat,lng\n1,2\n\n 3,4 \n', 2],
  ['csv', '1,2\r\n3,4', 2],
  ['csv', 'lat,lng', 0],
  ['csv', '\n\nlat,lng\n', 0],
  ['csv', 'x', 1],
  ['csv', '', 0],
  ['ndjson', '[1,2]\n\n{}\n', 2],
  ['ndjson', 'lat,lng', 1],
] as const)('the entries of %s %j are %i, however it is cut', async (format, text, expected) => {
  for (const size of [1, 3, 100]) {
    const counter = entryCounter(format);
    await Readable.from(counter.pass(cut(text, size))).toArray();
    expect(counter.entries).toBe(expected);
  }
});

/** A text in UTF-16, with its byte order mark. */
const wide = (text: string, coding: string) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return coding === 'utf-16le' ? bytes : bytes.swap16();
};

describe.each(['utf-16le', 'utf-16be'])('a list in %s, however its bytes are cut,', (coding) => {
  test('is read as in UTF-8, and passed on in that', async () => {
    const text = 'lat\tlng\tid\r\n-36.9\t174.8\tWhangārei 😀\r\n1\t2\t\r\n';
    const expected = await readAll(text, 'csv');
    expect(expected).toMatchObject([{ id: 'Whangārei 😀' }, { lat: '1' }]);
    for (const size of [1, 2, 3, 5, 1_000]) {
      expect(await readAll(wide(text, coding), 'csv', size)).toEqual(expected);
      const counter = entryCounter('csv');
      const passed = await Readable.from(counter.pass(cut(wide(text, coding), size))).toArray();
      expect([Buffer.concat(passed).toString(), counter.entries]).toEqual([text, 2]);
    }
    expect(await readAll(wide('[[1,2]]', coding), 'json', 3)).toMatchObject([{ lat: '1', lng: '2' }]);
  });
  test('without its mark is one sentence', async () => {
    for (const size of [1, 2, 3, 100]) {
      const bytes = wide('lat,lng\n1,2\n', coding).subarray(2);
      await expect(readAll(bytes, 'csv', size)).rejects.toMatchObject({ code: 'bulk_not_utf8' });
    }
  });
});

test('the head of a list of two lines is not counted, and what looks like one later is', async () => {
  const count = async (text: string) => {
    const counter = entryCounter('csv');
    await Readable.from(counter.pass(cut(text, 3))).toArray();
    return [counter.entries, (await readAll(text, 'csv')).length];
  };
  expect(await count('sep=;\n\nid;lat;lng\na;1;2\n')).toEqual([1, 1]);
  expect(await count('sep=;\nsep=;\n1;2\n')).toEqual([2, 2]);
  expect(await count('1,2\nsep=;\nlat,lng\n')).toEqual([3, 3]);
});
