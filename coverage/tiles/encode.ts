import { outline } from '@covermap/geometry/outline.ts';
import { positionIn, type Tile, tileExtent } from '@covermap/geometry/tile.ts';
import { eachPolygon } from '@covermap/geometry/wkb.ts';
import { fromGeojsonVt } from '@maplibre/vt-pbf';

/** Shapes in a tile that are drawn alike. */
export interface TileFeature {
  properties: Record<string, string | number | null>;
  wkb: Uint8Array | null;
  /** Squares in place of small shapes: row times `cellsPerSide` plus column. */
  cells: readonly number[] | null;
}

/** Squares on a tile's side, of two pixels each, in place of shapes too small to draw. */
export const cellsPerSide = 256;

/** Closed, on the tile's grid. */
export type Ring = [x: number, y: number][];

/** Polygons one after the other: of each the outer ring, clockwise as seen, then its holes. */
export interface DrawnFeature {
  properties: TileFeature['properties'];
  rings: Ring[];
}

/** A Mapbox vector tile (version 2) of one layer; undefined where there is nothing to see. */
export function encodeTile(layer: string, tile: Tile, features: readonly TileFeature[]) {
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

/** A vector tile of shapes on the tile's grid. */
export function encodeDrawn(layer: string, features: readonly DrawnFeature[]): Uint8Array | undefined {
  const drawn = features
    .filter(({ rings }) => rings.length > 0)
    .map(({ properties, rings }) => ({
      type: 3 as const,
      geometry: rings,
      tags: withoutNulls(properties),
    }));
  if (drawn.length === 0) return undefined;
  return encodeLayer(layer, drawn);
}

/** A point on the tile's grid. */
export interface DrawnPoint {
  properties: TileFeature['properties'];
  at: [x: number, y: number];
}

/** A vector tile of points; undefined where there are none. */
export function encodePoints(layer: string, points: readonly DrawnPoint[]): Uint8Array | undefined {
  if (points.length === 0) return undefined;
  const drawn = points.map(({ properties, at }) => ({ type: 1 as const, geometry: [at], tags: properties }));
  return encodeLayer(layer, drawn);
}

/** @param features in the form of geojson-vt */
function encodeLayer(layer: string, features: readonly object[]): Uint8Array {
  const layers = { [layer]: { features } } as unknown as Parameters<typeof fromGeojsonVt>[0];
  return fromGeojsonVt(layers, { version: 2, extent: tileExtent });
}

/** Adjacent squares are one shape. */
function drawnSquares(cells: readonly number[]): Ring[] {
  const grid = new Uint8Array(cellsPerSide * cellsPerSide);
  for (const cell of cells) grid[cell] = 1;
  return outlined(grid, cellsPerSide).get(1) ?? [];
}

/** The shapes of a tile's cells, by value. @param width cells on a side @param rim of these, the cells beyond the tile's edge, on every side */
export function outlined(cells: Uint8Array, width: number, rim = 0): Map<number, Ring[]> {
  const halfCell = tileExtent / (width - 2 * rim) / 2;
  const place = (half: number) => (half - 2 * rim) * halfCell;
  const onTile = (ring: Ring): Ring => ring.map(([x, y]) => [place(x), place(y)]);
  const shapes = [...outline(cells, width)];
  return new Map(shapes.map(([value, polygons]) => [value, polygons.flat().map(onTile)]));
}

/** The rings of a polygon on the tile's grid, the outer one clockwise as seen; none for a polygon without area there. */
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
    if (area === 0 && i === 0) return [];
    // y grows downwards, so a positive area is clockwise as seen.
    if (area !== 0) drawn.push(area > 0 === (i === 0) ? points : points.reverse());
  }
  return drawn;
}

function areaOf(points: Ring): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [x1, y1] = points[i - 1] as [number, number];
    const [x2, y2] = points[i] as [number, number];
    sum += x1 * y2 - x2 * y1;
  }
  return sum;
}

function withoutNulls(properties: TileFeature['properties']) {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}
