import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { outline } from './outline.ts';
import { positionIn, type Tile, tileExtent } from './tile.ts';
import { eachPolygon } from './wkb-rings.ts';

/** What is drawn alike, and its shapes in a tile. */
export interface TileFeature {
  properties: Record<string, string | number | null>;
  /** Polygons in degrees, as well-known binary. */
  wkb: Uint8Array | null;
  /** Squares of `cellsPerSide` a side that stand for small shapes: row times `cellsPerSide` plus column. */
  cells: readonly number[] | null;
}

/** How many squares there are on a tile's side where shapes are too small to be drawn: two pixels each. */
export const cellsPerSide = 256;

/** Closed, on the tile's grid. */
export type Ring = [x: number, y: number][];

/** What is drawn alike: polygons one after the other, each its outer ring clockwise as seen, then its holes. */
export interface DrawnFeature {
  properties: TileFeature['properties'];
  rings: Ring[];
}

/**
 * A Mapbox vector tile (version 2) of one layer.
 * @returns undefined where there is nothing to see
 */
export function encodeTile(
  layer: string,
  tile: Tile,
  features: readonly TileFeature[],
): Uint8Array | undefined {
  const place = positionIn(tile);
  return encodeDrawn(
    layer,
    features.map(({ properties, wkb, cells }) => {
      const rings: Ring[] = [];
      if (wkb) eachPolygon(wkb, (polygon) => rings.push(...drawnPolygon(polygon, place)));
      if (cells) rings.push(...drawnSquares(cells));
      return { properties, rings };
    }),
  );
}

/** The same of shapes that are on the tile's grid already. */
export function encodeDrawn(layer: string, features: readonly DrawnFeature[]): Uint8Array | undefined {
  const drawn = features
    .filter(({ rings }) => rings.length > 0)
    .map(({ properties, rings }) => ({
      type: 3 as const,
      geometry: rings,
      tags: withoutNulls(properties),
    }));
  if (drawn.length === 0) return undefined;
  const layers = { [layer]: { features: drawn } } as unknown as Parameters<typeof fromGeojsonVt>[0];
  return fromGeojsonVt(layers, { version: 2, extent: tileExtent });
}

/** Squares that lie side by side are one shape. */
function drawnSquares(cells: readonly number[]): Ring[] {
  const grid = new Uint8Array(cellsPerSide * cellsPerSide);
  for (const cell of cells) grid[cell] = 1;
  return outlined(grid, cellsPerSide).get(1) ?? [];
}

/**
 * The shapes that cells of a tile make, by their value.
 * @param width cells on a side
 * @param rim how many of them, on every side, are beyond the tile's edge
 */
export function outlined(cells: Uint8Array, width: number, rim = 0): Map<number, Ring[]> {
  const halfCell = tileExtent / (width - 2 * rim) / 2;
  const place = (half: number) => (half - 2 * rim) * halfCell;
  const shapes = new Map<number, Ring[]>();
  for (const [value, polygons] of outline(cells, width)) {
    shapes.set(
      value,
      polygons.flat().map((ring) => ring.map(([x, y]): [number, number] => [place(x), place(y)])),
    );
  }
  return shapes;
}

/** The rings of a polygon on the tile's grid, the outer one clockwise as seen; none where it is too small to be seen. */
function drawnPolygon(rings: Float64Array[], place: ReturnType<typeof positionIn>): Ring[] {
  const drawn: Ring[] = [];
  for (const [i, ring] of rings.entries()) {
    const points: Ring = [];
    for (let j = 0; j < ring.length; j += 2) {
      const point = place(ring[j] as number, ring[j + 1] as number);
      const last = points.at(-1);
      if (!last || last[0] !== point[0] || last[1] !== point[1]) points.push(point);
    }
    const area = areaOf(points);
    if (area === 0) {
      if (i === 0) return [];
      continue;
    }
    // y grows downwards here, so a positive area is clockwise as seen.
    drawn.push(area > 0 === (i === 0) ? points : points.reverse());
  }
  return drawn;
}

/** Twice the area of a closed ring. */
function areaOf(points: Ring): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [x1, y1] = points[i - 1] as [number, number];
    const [x2, y2] = points[i] as [number, number];
    sum += x1 * y2 - x2 * y1;
  }
  return sum;
}

function withoutNulls(properties: TileFeature['properties']): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(properties).filter((pair): pair is [string, string | number] => pair[1] !== null),
  );
}
