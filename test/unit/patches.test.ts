import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byPatches } from '../../ingest/geometry/patches.ts';
import { fromTransverseMercator } from '../../ingest/geometry/transverse-mercator.ts';

const grs80 = { axis: 6378137, inverseFlattening: 298.257222101 };
const nztm = { ...grs80, lat0: 0, lng0: 173, scale: 0.9996, easting: 1_600_000, northing: 10_000_000 };
const utm60 = { ...grs80, lat0: 0, lng0: 177, scale: 0.9996, easting: 500_000, northing: 10_000_000 };

const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe.each([
  ['NZTM2000', nztm],
  ['UTM zone 60S', utm60],
])('%s by patches', (_, projection) => {
  const exact = fromTransverseMercator(projection);

  test.each([
    ['in the country', 900_000, 2_200_000, 4_700_000, 6_300_000],
    ['as far as the projection goes', -3_000_000, 5_000_000, 1_000_000, 18_000_000],
    ['beyond the earth', -1e13, 1e13, -1e13, 1e13],
  ])('is the projection itself %s', (_where, west, east, south, north) => {
    const patched = byPatches(exact);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(within(west, east), within(south, north)), { maxLength: 20 }),
        (places) => {
          const expected = Float64Array.from(places.flat());
          const positions = expected.slice();
          exact(expected);
          patched(positions);
          for (const [i, value] of expected.entries()) {
            if (Number.isNaN(value)) expect(positions[i]).toBeNaN();
            else expect(Math.abs((positions[i] as number) - value)).toBeLessThan(1e-11);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('a function with a step is calculated as it is', () => {
  const step = (positions: Float64Array) => {
    for (let i = 0; i < positions.length; i += 2) positions[i] = Math.sign(positions[i] as number);
  };
  const positions = Float64Array.of(-3000, 5, 3000, 5, -2, 5, 20_000, 5);
  byPatches(step)(positions);
  expect([...positions]).toEqual([-1, 5, 1, 5, -1, 5, expect.closeTo(1, 11), expect.closeTo(5, 8)]);
});
