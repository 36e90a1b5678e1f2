import { type Polygon, ringBox } from '@covermap/geometry/polygon.ts';

/*
 * Coarse outlines of regions for a map, of a bounded size together. Corners are put on a grid: neighbours share the corners of their border, and so have
 * the same border afterwards, without gaps.
 */

/** Whole numbers are steps of 10 m. */
const stepsPerDegree = 10_000;
/** The grid's steps, finest first. */
const grids = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560];
/** Corners of all regions together: 600 kB of GeoJSON. */
const maxCorners = 40_000;

/** A polygon's rings: x and y in turn, in steps. */
type Coarse = number[][];

export class Outlines {
  readonly #regions: Coarse[][] = [];

  /** @param polygon in degrees */
  add(region: number, polygon: Polygon): void {
    const rings = polygon.map((ring) =>
      onGrid(
        Array.from(ring, (degrees) => Math.round(degrees * stepsPerDegree)),
        5,
      ),
    );
    const outlines = this.#regions[region] ?? [];
    this.#regions[region] = outlines;
    if (rings[0] && rings[0].length >= 8) outlines.push(rings.filter(({ length }) => length >= 8));
    // Smaller than the grid: at least one thing is drawn.
    else if (outlines.length === 0 && polygon[0]) outlines.push([boxAround(polygon[0])]);
  }

  /** The coordinates of a GeoJSON MultiPolygon for each region. */
  take(): number[][][][][] {
    let all = this.#regions;
    for (const grid of grids) {
      if (cornersOf(all) <= maxCorners) break;
      all = all.map((polygons) => coarser(polygons, grid));
    }
    return all.map((polygons) =>
      polygons.map((rings) =>
        rings.map((ring) => {
          const corners: number[][] = [];
          for (let i = 0; i + 1 < ring.length; i += 2)
            corners.push([(ring[i] as number) / stepsPerDegree, (ring[i + 1] as number) / stepsPerDegree]);
          return corners;
        }),
      ),
    );
  }
}

const cornersOf = (all: readonly Coarse[][]) => {
  let corners = 0;
  for (const polygons of all)
    for (const rings of polygons) for (const ring of rings) corners += ring.length / 2;
  return corners;
};

/** The largest polygon stays, if need be as it was. */
function coarser(polygons: readonly Coarse[], grid: number): Coarse[] {
  const kept = polygons
    .map((rings) => rings.map((ring) => onGrid(ring, grid)).filter((ring, i) => i === 0 || ring.length >= 8))
    .filter(([outer]) => outer && outer.length >= 8);
  const largest = polygons.reduce<Coarse | undefined>(
    (most, one) => (!most || (one[0]?.length ?? 0) > (most[0]?.length ?? 0) ? one : most),
    undefined,
  );
  return kept.length > 0 || !largest ? kept : [[squareOf(largest[0] as number[])]];
}

/** Puts corners on a grid, without those that repeat the one before. */
function onGrid(ring: readonly number[], grid: number): number[] {
  const kept: number[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const x = Math.round((ring[i] as number) / grid) * grid;
    const y = Math.round((ring[i + 1] as number) / grid) * grid;
    if (kept.at(-2) !== x || kept.at(-1) !== y) kept.push(x, y);
  }
  return kept;
}

function boxAround(ring: Float64Array): number[] {
  const box = ringBox(ring).map((degrees) => Math.round(degrees * stepsPerDegree));
  return squareOf(box);
}

/** A square of four corners around the first one of a ring. */
function squareOf([x = 0, y = 0]: readonly number[]): number[] {
  const half = 5;
  return [x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half, x - half, y - half];
}
