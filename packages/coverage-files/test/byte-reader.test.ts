import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, EndOfBytes, viewOf } from '../byte-reader.ts';

/* Pieces of chosen length from chunks of any length. */

async function* chunksOf(...chunks: number[][]) {
  for (const chunk of chunks) yield Uint8Array.from(chunk);
}

test('however the bytes are chunked, the pieces are the same', async () => {
  const all = fc.array(fc.array(fc.nat(255), { maxLength: 12 }));
  const pieces = fc.infiniteStream(fc.integer({ min: 1, max: 15 }));
  await fc.assert(
    fc.asyncProperty(all, pieces, async (chunks, lengths) => {
      const whole = chunks.flat();
      const reader = new ByteReader(chunksOf(...chunks));
      let at = 0;
      for (const length of lengths) {
        if (at + length > whole.length) break;
        expect([...((await reader.take(length)) ?? [])]).toEqual(whole.slice(at, at + length));
        at += length;
        expect(reader.position).toBe(at);
      }
    }),
  );
});

test('after the last byte there is nothing, however often one asks', async () => {
  const reader = new ByteReader(chunksOf([1, 2]));
  await reader.take(2);
  expect(await reader.take(1)).toBeUndefined();
  expect(await reader.take(5)).toBeUndefined();
  expect(reader.position).toBe(2);
  expect(await new ByteReader(chunksOf([], [])).take(1)).toBeUndefined();
});

test('bytes that end within a piece, or before one that is required, are an error', async () => {
  const reader = new ByteReader(chunksOf([1, 2], [3]));
  expect([...(await reader.require(1))]).toEqual([1]);
  await expect(reader.take(3)).rejects.toThrow(EndOfBytes);
  await expect(new ByteReader(chunksOf([])).require(1)).rejects.toThrow(EndOfBytes);
});

test('an error of the source comes through', async () => {
  async function* failing() {
    yield Uint8Array.of(1);
    throw new Error('the disk is gone');
  }
  const reader = new ByteReader(failing());
  await expect(reader.take(2)).rejects.toThrow('the disk is gone');
});

test('no more is read from the source than the piece takes, and closing lets go of it', async () => {
  let [given, released] = [0, false];
  async function* endless() {
    try {
      for (; ; given++) yield new Uint8Array(10);
    } finally {
      released = true;
    }
  }
  const reader = new ByteReader(endless());
  await reader.take(15);
  await reader.take(5);
  // Counted once the next is asked for.
  expect(given).toBe(1);
  await reader.close();
  expect(released).toBe(true);
});

test('a view of a piece begins at the piece, not at the memory that it lies in', () => {
  const memory = Uint8Array.of(9, 9, 1, 2, 9);
  const view = viewOf(memory.subarray(2, 4));
  expect(view.byteLength).toBe(2);
  expect(view.getUint16(0)).toBe(0x0102);
});
