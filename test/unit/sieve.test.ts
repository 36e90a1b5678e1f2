import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sieve } from '../../ingest/geometry/sieve.ts';

interface Picture {
  width: number;
  height: number;
  labels: Int16Array;
}

/** Pixels of each region by flooding, the simple way. */
function regionsOf({ width, height, labels }: Picture): number[][] {
  const seen = new Set<number>();
  return [...labels.keys()].flatMap((start) => {
    if (seen.has(start)) return [];
    const region = [start];
    seen.add(start);
    for (const pixel of region) {
      const x = pixel % width;
      const y = Math.floor(pixel / width);
      for (const [dx, dy] of [
        [-1, 0],
        [1, 0],
        [0, -1],
        [0, 1],
      ] as const) {
        const other = pixel + dy * width + dx;
        const within = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
        if (!within || seen.has(other) || labels[other] !== labels[start]) continue;
        seen.add(other);
        region.push(other);
      }
    }
    return [region];
  });
}

const reachesBorder = ({ width, height }: Picture, region: number[]) =>
  region.some((pixel) => {
    const x = pixel % width;
    const y = Math.floor(pixel / width);
    return x === 0 || y === 0 || x === width - 1 || y === height - 1;
  });

const picture = fc.integer({ min: 1, max: 14 }).chain((width) =>
  fc.integer({ min: 1, max: 14 }).chain((height) =>
    fc
      .array(fc.integer({ min: -1, max: 2 }), { minLength: width * height, maxLength: width * height })
      .map((labels) => ({
        width,
        height,
        labels: Int16Array.from(labels),
      })),
  ),
);

function sieved(before: Picture, fewest: number): Picture & { changed: number } {
  const labels = before.labels.slice();
  const changed = sieve(labels, before.width, before.height, fewest);
  return { ...before, labels, changed };
}

describe('a sieve for pixels', () => {
  test('leaves no region of fewer pixels within the window, and every other as it was', () => {
    fc.assert(
      fc.property(picture, fc.integer({ min: 2, max: 30 }), (before, fewest) => {
        const after = sieved(before, fewest);
        const small = regionsOf(after).filter((region) => region.length < fewest);
        expect(small.filter((region) => !reachesBorder(after, region))).toEqual([]);
        for (const region of regionsOf(before)) {
          if (region.length < fewest && !reachesBorder(before, region)) continue;
          for (const pixel of region) expect(after.labels[pixel]).toBe(before.labels[pixel]);
        }
        const changed = after.labels.filter((label, pixel) => label !== before.labels[pixel]).length;
        expect(after.changed).toBe(changed);
      }),
    );
  });

  test('gives a speck the class around it, a hole in coverage too', () => {
    const labels = new Int16Array(49).fill(3);
    labels[24] = -1;
    labels[16] = 5;
    expect(sieve(labels, 7, 7, 2)).toBe(2);
    expect([...new Set(labels)]).toEqual([3]);
  });

  test('of two classes beside a speck the larger region takes it', () => {
    const labels = Int16Array.from({ length: 70 }, (_, pixel) => (pixel % 10 < 4 ? 1 : 2));
    labels[33] = 7;
    sieve(labels, 10, 7, 2);
    expect(labels[33]).toBe(2);
  });
});
