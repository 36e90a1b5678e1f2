import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ring } from '../polygon.ts';
import { wkbOf, wkbSize, writeWkb } from '../wkb.ts';

/* Well-known binary, OGC 06-103r4, section 8: byte order, type, count, then the parts. */

const triangle: Ring = Float64Array.of(0, 0, 0, 1, 1, 0, 0, 0);

/** Reads what the standard says and nothing else. */
function decode(bytes: Uint8Array): { type: number; polygons: number[][][]; length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const skip = (count: number) => {
    at += count;
    return at - count;
  };
  const uint32 = () => view.getUint32(skip(4), true);
  const double = () => view.getFloat64(skip(8), true);
  const times = <T>(count: number, read: () => T) => Array.from({ length: count }, read);
  const typed = () => {
    expect(view.getUint8(skip(1))).toBe(1);
    return uint32();
  };
  const rings = () => times(uint32(), () => times(2 * uint32(), double));
  const type = typed();
  const part = () => {
    expect(typed()).toBe(3);
    return rings();
  };
  const polygons = type === 3 ? [rings()] : times(uint32(), part);
  return { type, polygons, length: at };
}

const ring = fc.array(fc.double(), { minLength: 8, maxLength: 20 }).map((numbers): Ring => {
  return Float64Array.from(numbers.slice(0, numbers.length - (numbers.length % 2)));
});
const polygons = fc.array(fc.array(ring, { minLength: 1, maxLength: 4 }), { maxLength: 4 });

test('what is written reads back bit by bit, and takes the size that was foretold', () => {
  fc.assert(
    fc.property(polygons, (written) => {
      const bytes = wkbOf(written);
      const read = decode(bytes);
      expect(read.type).toBe(written.length === 1 ? 3 : 6);
      expect(read.polygons).toEqual(written.map((polygon) => polygon.map((numbers) => [...numbers])));
      expect(read.length).toBe(wkbSize(written));
    }),
  );
});

test('writing continues at the given offset, returns its end, and touches nothing else', () => {
  fc.assert(
    fc.property(polygons, fc.nat(20), fc.nat(20), (written, before, after) => {
      const size = wkbSize(written);
      // Within a larger buffer, as batches are.
      const target = new Uint8Array(7 + before + size + after).fill(0xaa).subarray(7);
      expect(writeWkb(written, target, before)).toBe(before + size);
      expect([...target.subarray(0, before)]).toEqual(Array(before).fill(0xaa));
      expect(target.slice(before, before + size)).toEqual(wkbOf(written));
      expect([...target.subarray(before + size)]).toEqual(Array(after).fill(0xaa));
    }),
  );
});

test('a ring that is part of a larger array is written alone', () => {
  const many = Float64Array.of(9, 9, ...triangle, 9, 9);
  expect(wkbOf([[many.subarray(2, 10)]])).toEqual(wkbOf([[triangle]]));
});
