import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineReader, readEntries } from '../../core/bulk/coordinates.ts';
import { readLines } from '../../core/bulk/lines.ts';

/* Lists of coordinates, as callers write them. */

const entry = (lat: string, lng: string, id?: string | number) => ({ id, lat, lng });

describe('the columns of CSV', () => {
  test.each([
    ['1,2', entry('1', '2')],
    ['1,2,a', entry('1', '2', 'a')],
    ['lng,lat\n2,1', entry('1', '2')],
    ['ID,Longitude,Name,Latitude\na,2,"x, y",1', entry('1', '2', 'a')],
    ['"lat";"lng"\n1;2', entry('1;2', '')],
    ['\ufefflat,lng\r\n\r\n "1" , 2 ', entry('1', '2')],
    ['1', entry('1', '')],
    ['"1,2', entry('', '')],
  ])('%j', (text, expected) => {
    expect(readEntries(text, 'csv').at(-1)).toEqual(expected);
  });
});

test('numbers keep their value, small ones too, without an exponent', () => {
  expect(readEntries('[[-0.0000001, 174.80758340]]', 'json')).toEqual([entry('-0.0000001', '174.8075834')]);
});

test('however the bytes of a file are cut, its lines are the same, and so is where they end', async () => {
  const lines = fc.array(
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\n', '')),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      async (texts, sizes) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const cut = async function* () {
          for (let from = 0, i = 0; from < bytes.length; i++) {
            const size = sizes[i % sizes.length] as number;
            yield bytes.subarray(from, from + size);
            from += size;
          }
        };
        const read: { text: string; end: number }[] = [];
        for await (const line of readLines(cut())) read.push(line);
        expect(read.map(({ text }) => text)).toEqual(
          bytes
            .toString('utf8')
            .split('\n')
            .slice(0, -1)
            .map((text) => `${text}\n`),
        );
        let end = 0;
        for (const line of read) {
          end = bytes.indexOf(10, end) + 1;
          expect(line.end).toBe(end);
        }
      },
    ),
  );
});

test('of a line without an end only its beginning is kept', async () => {
  const chunk = Buffer.alloc(100_000, '1');
  const cut = async function* () {
    for (let i = 0; i < 50; i++) yield chunk;
  };
  const read: { text: string; end: number }[] = [];
  for await (const line of readLines(cut())) read.push(line);
  expect(read).toHaveLength(1);
  expect(read[0]?.end).toBe(5_000_000);
  expect(read[0]?.text.length).toBeLessThan(20_000);
  expect(lineReader('csv')(read[0]?.text as string)).toEqual(entry('', ''));
});
