import { Random, seed } from '@covermap/testing/random.ts';
import { expect, test } from 'vitest';
import { decodeSite, encodeSite, siteDigest } from '../site-file.ts';

/* The signal around a site, as it is kept. */

const points = 5000;
const antennas = 3;
const random = new Random(seed);

function signal() {
  const power = new Float32Array(points);
  let level = -40;
  for (let i = 0; i < points; i++) {
    level -= random.next() - 0.4;
    power[i] = random.chance(0.01) ? Number.NaN : Math.max(-320, level);
  }
  return {
    power,
    strongest: Uint16Array.from({ length: points }, () => random.below(antennas)),
    unknown: 0.125,
  };
}

test('comes back to the hundredth of a decibel, and the same each time', () => {
  const kept = signal();
  const file = encodeSite(kept);
  const back = decodeSite(file, points, antennas);
  expect(back?.unknown).toBe(0.125);
  expect([...(back?.strongest ?? [])]).toEqual([...kept.strongest]);
  const off = [...(back?.power ?? [])].map((dbm, i) => Math.abs(dbm - (kept.power[i] as number)));
  expect(Math.max(...off.filter((one) => !Number.isNaN(one)))).toBeLessThan(0.0051);
  expect(back?.power.map(Number)).toEqual(
    decodeSite(encodeSite(back as never), points, antennas)?.power.map(Number),
  );
  expect(file.length).toBeLessThan(4 * points);
});

test('is nothing where a byte has changed, the end is missing, or it is of another size', () => {
  const file = encodeSite(signal());
  const changed = Uint8Array.from(file);
  const at = random.below(file.length);
  changed[at] = (changed[at] as number) ^ (1 << random.below(8));
  const cut = file.subarray(0, random.below(file.length));
  for (const other of [changed, cut]) expect(decodeSite(other, points, antennas)).toBeUndefined();
  for (const size of [points + 1, points - 1]) expect(decodeSite(file, size, antennas)).toBeUndefined();
  expect(decodeSite(file, points, 1)).toBeUndefined();
});

test('has another digest with other terrain, another file of the same name, or another parameter', () => {
  const box = { west: 1, south: 1, east: 2, north: 2 };
  const model = { name: 'a.tif', driver: 'GTiff', ...box, resolution: 8, stamp: '1 2' };
  const inputs = { range: 1000, step: 10, antennas: [] } as never;
  const digests = [
    siteDigest(inputs, [model]),
    siteDigest(inputs, []),
    siteDigest(inputs, [{ ...model, stamp: '1 3' }]),
    siteDigest({ range: 1001, step: 10, antennas: [] } as never, [model]),
  ];
  expect(new Set(digests).size).toBe(4);
  expect(siteDigest(inputs, [{ ...model }])).toBe(digests[0]);
});
