import path from 'node:path';
import { sieve } from '@covermap/geometry/sieve.ts';
import { classRows } from '@covermap/propagation/class-rows.ts';
import { closeGridFile, createGridFile, rowsOfFile, writeRow } from '@covermap/propagation/grid-file.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { speedProfiles } from '../../ingest/towers/speed-profiles.ts';

type Picture = { width: number; height: number; labels: Int16Array };

/** Pixels of each region by flooding, the simple way. */
function regionsOf({ width, labels }: Picture): number[][] {
  const seen = new Set<number>();
  return [...labels.keys()].flatMap((start) => {
    if (seen.has(start)) return [];
    const region = [start];
    seen.add(start);
    for (const pixel of region) {
      const x = pixel % width;
      const beside = [
        pixel - width,
        pixel + width,
        ...(x > 0 ? [pixel - 1] : []),
        ...(x < width - 1 ? [pixel + 1] : []),
      ];
      for (const other of beside) {
        // Beyond the first and the last row there is no label.
        if (seen.has(other) || labels[other] !== labels[start]) continue;
        seen.add(other);
        region.push(other);
      }
    }
    return [region];
  });
}

const reachesBorder = ({ width, height }: Picture, region: number[]) =>
  region.some((pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return x === 0 || y === 0 || x === width - 1 || y === height - 1;
  });

const upTo = (max: number) => fc.integer({ min: 1, max });
const pictures = (maxWidth: number, maxHeight: number, min: number, max: number) =>
  fc.tuple(upTo(maxWidth), upTo(maxHeight)).chain(([width, height]) => {
    const size = width * height;
    const labels = fc.array(fc.integer({ min, max }), { minLength: size, maxLength: size });
    return labels.map((all): Picture => ({ width, height, labels: Int16Array.from(all) }));
  });
const picture = pictures(14, 14, -1, 2);

function sieved(before: Picture, fewest: number): Picture & { changed: number } {
  const labels = before.labels.slice();
  const changed = sieve(labels, before.width, before.height, fewest);
  return { ...before, labels, changed };
}

test('a sieve for pixels leaves no region of fewer pixels within the window, and every other as it was', () => {
  fc.assert(
    fc.property(picture, fc.integer({ min: 2, max: 30 }), (before, fewest) => {
      const after = sieved(before, fewest);
      const small = regionsOf(after).filter((region) => region.length < fewest);
      expect(small.filter((region) => !reachesBorder(after, region))).toEqual([]);
      const isKept = (region: number[]) => region.length >= fewest || reachesBorder(before, region);
      const kept = regionsOf(before).filter(isKept);
      expect(kept.flat().filter((pixel) => after.labels[pixel] !== before.labels[pixel])).toEqual([]);
      const changed = after.labels.filter((label, pixel) => label !== before.labels[pixel]).length;
      expect(after.changed).toBe(changed);
    }),
  );
});

test('a sieve for pixels gives a speck the class around it, a hole in coverage too', () => {
  const labels = new Int16Array(49).fill(3);
  labels[24] = -1;
  labels[16] = 5;
  expect(sieve(labels, 7, 7, 2)).toBe(2);
  expect([...new Set(labels)]).toEqual([3]);
});

test('a sieve for pixels gives a speck between two classes that of the larger region', () => {
  const labels = Int16Array.from({ length: 70 }, (_, pixel) => (pixel % 10 < 4 ? 1 : 2));
  labels[33] = 7;
  sieve(labels, 10, 7, 2);
  expect(labels[33]).toBe(2);
});

const folder = scratchFolder();
/** The classes of a grid whose pixels have the power of theirs, a few rows at a time. */
function sievedByRows({ width, height, labels }: Picture, fewest: number, most: number): Picture {
  const grid = { west: 170, north: -40, dLng: 0.001, dLat: 0.001, width, height };
  const file = createGridFile(grid, path.join(folder, 'signal.raw'));
  try {
    for (let row = 0; row < height; row++) {
      const power = Float32Array.from(labels.subarray(row * width, (row + 1) * width), (label) =>
        label === 0 ? -9999 : (classes[label - 1]?.dbm ?? 0),
      );
      writeRow(file, row, 0, { power, servers: new Uint32Array(width) });
    }
    const after = new Int16Array(width * height);
    let rows = 0;
    for (const part of classRows(rowsOfFile(file), classes, fewest, most)) {
      expect(part.top).toBe(rows);
      after.set(part.labels.subarray(0, part.height * width), part.top * width);
      rows += part.height;
    }
    expect(rows).toBe(height);
    return { width, height, labels: after };
  } finally {
    closeGridFile(file);
  }
}

const { classes } = speedProfiles['fixed-wireless'];

test('a sieve for modelled classes leaves no region of fewer pixels anywhere, however many rows it takes at a time', () => {
  fc.assert(
    fc.property(pictures(20, 40, 0, 4), upTo(9), upTo(40), (before, fewest, most) => {
      const after = sievedByRows(before, fewest, most);
      const regions = regionsOf(after);
      if (regions.length > 1) expect(regions.filter(({ length }) => length < fewest)).toEqual([]);
      const kept = regionsOf(before).filter(({ length }) => length >= fewest);
      expect(kept.flat().filter((pixel) => after.labels[pixel] !== before.labels[pixel])).toEqual([]);
    }),
  );
});

test.each([255, 256])(
  'a sieve for modelled classes takes an island of 5 pixels around row and column %i for one of 5',
  (at) => {
    const [width, height] = [520, 520];
    const labels = new Int16Array(width * height).fill(1);
    for (const pixel of [0, 1, -1, width, -width]) labels[at * width + at + pixel] = 3;
    const before: Picture = { width, height, labels };
    const isSieved = (fewest: number, to: Int16Array) =>
      sievedByRows(before, fewest, 256).labels.every((label, pixel) => label === to[pixel]);
    expect(isSieved(5, labels)).toBe(true);
    expect(isSieved(6, new Int16Array(width * height).fill(1))).toBe(true);
  },
);
