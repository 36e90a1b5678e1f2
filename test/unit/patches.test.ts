import { byPatches } from '@covermap/geometry/patches.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projections, type Transform } from '../../ingest/systems/projections.ts';

const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const places = fc.array(fc.tuple(within(160, 185), within(-52, -30)), { maxLength: 20 });

describe.each([
  ['NZTM2000', 'EPSG:2193'],
  ['UTM zone 60S', 'EPSG:32760'],
  ['NZMG, whose datum is shifted by a grid', 'EPSG:27200'],
  ['Web Mercator', 'EPSG:3857'],
  ['Lambert', 'EPSG:3851'],
])('%s by patches', async (_, definition) => {
  const exact = (await projections()).between(definition, 'EPSG:4326') as Transform;
  const there = (await projections()).between('EPSG:4326', definition) as Transform;

  test('is the projection itself to a tenth of a millimetre, in the country and beyond', () => {
    const patched = byPatches(exact, 96_000);
    fc.assert(
      fc.property(places, (some) => {
        const expected = Float64Array.from(some.flat());
        there(expected);
        const positions = expected.slice();
        exact(expected);
        patched(positions);
        for (const [i, value] of expected.entries())
          expect(Math.abs((positions[i] as number) - value)).toBeLessThan(1e-9);
      }),
      { numRuns: 300 },
    );
  });

  test.skipIf(definition === 'EPSG:27200')('asks the projection once for each patch of the country', () => {
    const places = Float64Array.from({ length: 2_000 }, (_, i) =>
      i % 2 === 0 ? 167 + i / 170 : -47 + (i % 61) / 5,
    );
    there(places);
    let asked = 0;
    const patched = byPatches((positions) => {
      asked += positions.length / 2;
      exact(positions);
    }, 96_000);
    patched(places.slice());
    expect(asked % 40).toBe(0);
    const first = asked;
    patched(places.slice());
    expect(asked).toBe(first);
  });

  test('stays what it is where there is no earth', () => {
    const positions = Float64Array.of(1e13, -1e13, 1e300, 0);
    const expected = positions.slice();
    exact(expected);
    byPatches(exact, 96_000)(positions);
    expect([...positions]).toEqual([...expected]);
  });
});

test('a function with a step is calculated as it is', () => {
  const step = (positions: Float64Array) => {
    for (let i = 0; i < positions.length; i += 2) positions[i] = Math.sign(positions[i] as number);
  };
  const positions = Float64Array.of(-3000, 5, 3000, 5, -2, 5, 20_000, 5);
  byPatches(step, 96_000)(positions);
  for (const [i, value] of [-1, 5, 1, 5, -1, 5, 1, 5].entries()) expect(positions[i]).toBeCloseTo(value, 9);
});
