import type { Polygon } from '@covermap/geometry/polygon.ts';
import { rectangle } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import { type LoadedFigures, oddities, planarArea } from '../../ingest/report/plausibility.ts';
import { noLoss } from '../../ingest/report/problems.ts';
import { readConfig } from '../../platform/config.ts';
import type { Queryable } from '../../platform/database/database.ts';

/* When a file is held for review by what was dropped of it. */

const { plausibility, serviceArea } = readConfig({});
const whole: LoadedFigures = {
  ...{ tiers: [{ rows: 1, areaM2: 1e6 }], outsideM2: 0, crossing: 0, droppedAreas: [] },
  ...{ droppedUnmeasured: noLoss(), lostByRepair: noLoss(), uncovered: [], notProposed: 0 },
  features: { read: 1000, dropped: {} },
};
/** A service area that nothing fills. */
const database = { query: async () => ({ rows: [{ m2: 1e15 }], rowCount: 1 }) } as unknown as Queryable;

const one = { read: 1000, dropped: { not_on_earth: 1 } };
const droppedAreas = [0, 0.5].map((share, i) => ({ layer: `${i}`, share }));
test.each<[string, Partial<LoadedFigures>, string[]]>([
  ['nothing', {}, []],
  ['one of a thousand', { features: one }, []],
  ['many of them', { features: { read: 1000, dropped: { not_on_earth: 300 } } }, ['much_dropped']],
  ['one of a thousand, with half of the area', { features: one, droppedAreas }, ['much_dropped']],
  [
    'one of a thousand of unknown area',
    { droppedUnmeasured: { ...noLoss(), count: 1 } },
    ['dropped_area_unknown'],
  ],
  ['what a repair took', { lostByRepair: { count: 1, areaM2: 1, examples: [] } }, ['repair_lost_area']],
  ['what cannot be coverage', { features: { read: 1000, dropped: { no_coverage: 900 } } }, []],
])('%s', async (_, figures, codes) => {
  const warnings = await oddities(database, { ...whole, ...figures }, [1], serviceArea, plausibility);
  expect(warnings.map(({ code }) => code)).toEqual(codes);
});

test.each([
  [48.02e6, 53.46e6, '53.5 of 101.5 km2'],
  [12_000, 34_000, '0.034 of 0.046 km2'],
  [700.4e6, 500.4e6, '500.4 of 1,201 km2'],
])('of %f m2 inside and %f outside it says "%s"', async (areaM2, outsideM2, said) => {
  const figures = { ...whole, tiers: [{ rows: 1, areaM2 }], outsideM2 };
  const warnings = await oddities(database, figures, [1], serviceArea, plausibility);
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining(`(${said})`)]);
});

test('the area of a dropped feature is that of its polygons without their holes', () => {
  const [square, hole, beside] = [10, 2, 3].map((side) =>
    Float64Array.from(rectangle(0, 0, side, side).flat()),
  );
  const polygons = [[square, hole], [beside]] as Polygon[];
  expect(planarArea(polygons)).toBe(100 - 4 + 9);
});
