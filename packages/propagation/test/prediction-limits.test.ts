import { expect, test } from 'vitest';
import { checkSize, checkTower } from '../prediction-limits.ts';
import { modelDefaults, type PredictionOptions } from '../prediction-options.ts';

/* Predictions that are too large and towers that are refused, before the first site is computed. */

const tower = {
  ...{ name: 'A', lat: -41, lng: 174, height_m: 30, azimuth_deg: undefined, beam_width_deg: 360 },
  ...{ power_dbm: 40, frequency_mhz: 3500, speeds: {} },
};

test.each<[string, number, number, number, string | undefined]>([
  ['the most points of a site, on as many sites as may have them', 16_000_000, 617, 1, undefined],
  ['one site more', 16_000_000, 618, 1, '618 towers are too many for one prediction; the limit is 617'],
  ['a point more', 16_000_001, 1, 1, 'A range of 50 km in steps of 20 m has more than 16000000 points'],
  ['a thousand antennas on a mast', 1000, 2000, 1000, undefined],
  ['one more', 1000, 2000, 1001, '1001 towers are at one place (-41, 174) with one height'],
])('%s', (_, points, towers, crowd, message) => {
  const check = () =>
    checkSize(
      Array(towers).fill(tower),
      [[0], Array.from({ length: crowd }, (_, i) => i)],
      { points } as never,
      { range: 50_000, step: 20 },
    );
  if (message) expect(check).toThrow(message);
  else expect(check).not.toThrow();
});

test.each<[object, string | undefined]>([
  [{ frequency_mhz: 20, height_m: 0.5 }, undefined],
  [{ frequency_mhz: 19.9 }, 'The tower A: the frequency in MHz is 19.9; the Irregular'],
  [{ height_m: 0.4 }, 'The tower A: the height of the antenna above the ground in metres is 0.4'],
  [{ lng: 0 }, 'No elevation model covers the tower A'],
])('%j', (change, message) => {
  const terrain = {
    resolutionAround: (_lat: number, lng: number, range: number) => (lng > 0 && range === 5 ? 30 : undefined),
  };
  const options = { ...modelDefaults, receiverHeight: 5, range: 5 } as PredictionOptions;
  const check = () => checkTower({ ...tower, ...change }, terrain as never, options);
  if (message) expect(check).toThrow(message);
  else expect(check).not.toThrow();
});
