import { fileURLToPath } from 'node:url';
import type { Polygon } from '@covermap/geometry/polygon.ts';
import { afterEach, expect, test } from 'vitest';
import { Normaliser } from '../../ingest/rows/normaliser.ts';

/* Time limits of normalising, by feature and by batch. The thread is a fake that does what its input says. */

const program = fileURLToPath(new URL('../setup/geometry-of-its-own.mjs', import.meta.url));
let normaliser: Normaliser;
const start = (feature = 400, batch = 60_000) => {
  normaliser = new Normaliser([166, -48, 179, -34], 2 ** 28, { feature, batch }, program);
};
afterEach(() => normaliser.close());

const [endless, crashing, faulty, givenUp] = [1, 2, 3, 4];
const featureAt = (x: number): Polygon[] => [[Float64Array.of(x, 0, x, 1, x + 1, 1, x, 0)]];
const all = (xs: number[]) => Promise.all(xs.map((x) => normaliser.normalise(featureAt(x))));

test('a feature that takes too long by itself is dropped with its thread, and all others are done, in their order', async () => {
  start();
  const expected = [10, 0, 11, 12, 0, 13].map((done) => (done ? { done } : 'not_in_time'));
  expect(await all([10, endless, 11, 12, endless, 13])).toEqual(expected);
});

test('a batch whose time is over loses what is left of it, and the next one has its own', async () => {
  start(300, 500);
  expect(await all([endless, endless, 10, 11])).toEqual(Array(4).fill('not_in_time'));
  normaliser.beginBatch();
  expect(await all([12])).toEqual([{ done: 12 }]);
});

test('what GEOS gives up on, or aborts at, is dropped', async () => {
  start();
  expect(await all([givenUp, crashing, 10])).toEqual(['not_repairable', 'not_repairable', { done: 10 }]);
});

test('a fault of ours is none of the file', async () => {
  start();
  await expect(all([faulty, 10])).rejects.toThrow('a fault of ours');
});
