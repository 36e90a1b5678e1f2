import type { Polygon } from '@covermap/geometry/polygon.ts';
import { Polygonizer } from '@covermap/geometry/polygonize.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClassRows, classRows } from '../class-rows.ts';
import { classesAt } from '../classes-at.ts';
import { gridOf, noSignal, type SignalRows } from '../grid-file.ts';

const classes = [{ dbm: -60 }, { dbm: -75 }, { dbm: -90.5 }];
const levels = [-50, -70, -80, -100, noSignal];

const signalOf = (width: number, height: number, values: readonly number[]): SignalRows => ({
  grid: { west: 174.1, north: -36.7, dLng: 0.0003598, dLat: 0.0002694, width, height },
  read: (row, power) => power.set(values.slice(row * width, (row + 1) * width)),
});

/** Polygons of pixels as `writeAreas` makes them, each with its class. */
function areasOf({ grid }: SignalRows, strips: readonly ClassRows[]) {
  const areas: { class: number; polygon: Polygon }[] = [];
  for (const { top, height, labels } of strips)
    new Polygonizer().polygonize(
      { labels: labels.subarray(0, height * grid.width), width: grid.width, height, none: 0 },
      {
        smoothing: false,
        place(x, y, to, at) {
          to[at] = grid.west + x * grid.dLng;
          to[at + 1] = grid.north - (top + y) * grid.dLat;
        },
        emit: (label, polygon) => areas.push({ class: label, polygon: polygon.map((ring) => ring.slice()) }),
      },
    );
  return areas;
}

/** A polygon with vertical and horizontal edges, its boundary included: on an edge, or an odd number of vertical edges to the east. */
function covers(polygon: Polygon, lng: number, lat: number): boolean {
  let isInside = false;
  for (const ring of polygon) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1, x2, y2] = ring.subarray(i, i + 4) as unknown as [number, number, number, number];
      const [[west, east], [south, north]] = [[Math.min(x1, x2), Math.max(x1, x2)] as const, [Math.min(y1, y2), Math.max(y1, y2)] as const]; // biome-ignore format: edge
      if (lng >= west && lng <= east && lat >= south && lat <= north) return true;
      if (x1 === x2 && lng < x1 && lat >= south && lat < north) isInside = !isInside;
    }
  }
  return isInside;
}

test('places have the best class of the areas that cover them, on edges and corners of pixels too, whatever is sieved', () => {
  const side = fc.integer({ min: 1, max: 12 });
  const signals = fc
    .tuple(side, side)
    .chain(([width, height]) =>
      fc.tuple(
        fc.constant(width),
        fc.constant(height),
        fc.array(fc.constantFrom(...levels), { minLength: width * height, maxLength: width * height }),
      ),
    );
  const halves = fc.array(fc.tuple(fc.integer({ min: -2, max: 26 }), fc.integer({ min: -2, max: 26 })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      signals,
      halves,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 6 }),
      (made, at, minPixels, rows) => {
        const signal = signalOf(...made);
        const { west, north, dLng, dLat } = signal.grid;
        // Halves of pixels: every other is an edge, to the last bit.
        const edge = (from: number, step: number, half: number) =>
          half % 2 === 0 ? from + (half / 2) * step : from + ((half - 1) / 2 + 0.37) * step;
        const lngs = Float64Array.from(at, ([x]) => edge(west, dLng, x));
        const lats = Float64Array.from(at, ([, y]) =>
          y % 2 === 0 ? north - (y / 2) * dLat : north - ((y - 1) / 2 + 0.41) * dLat,
        );
        const strips = () => classRows(signal, classes, minPixels, rows);
        const copies = Array.from(strips(), (one) => ({ ...one, labels: one.labels.slice() }));
        const areas = areasOf(signal, copies);
        const expected = at.map((_, i) => {
          const found = areas.filter(({ polygon }) => covers(polygon, lngs[i] as number, lats[i] as number));
          return found.reduce((best, { class: one }) => (best === 0 ? one : Math.min(best, one)), 0);
        });
        expect([...classesAt(signal.grid, strips(), classes.length, { lngs, lats }).classes]).toEqual(
          expected,
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('the ground of a class is that of its pixels', () => {
  const grid = gridOf({ west: 174, south: -37.1, east: 174.1, north: -37 }, 100);
  const signal: SignalRows = { grid, read: (row, power) => power.fill(row < grid.height / 2 ? -55 : -85) };
  const none = { lngs: new Float64Array(), lats: new Float64Array() };
  const { km2 } = classesAt(grid, classRows(signal, classes, 4, 256), classes.length, none);
  const whole = (grid.width * grid.height * 100 * 100) / 1e6;
  expect(km2[1]).toBe(0);
  for (const i of [0, 2]) expect((km2[i] as number) / (whole / 2)).toBeCloseTo(1, 1);
});
