import { fromGeojsonVt } from '@maplibre/vt-pbf';
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
export const cellsPerSide = 128;

type Ring = [x: number, y: number][];

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
  const drawn = features.flatMap(({ properties, wkb, cells }) => {
    const rings: Ring[] = [];
    if (wkb) eachPolygon(wkb, (polygon) => rings.push(...drawnPolygon(polygon, place)));
    for (const cell of cells ?? []) rings.push(square(cell));
    return rings.length > 0 ? [{ type: 3 as const, geometry: rings, tags: withoutNulls(properties) }] : [];
  });
  if (drawn.length === 0) return undefined;
  const layers = { [layer]: { features: drawn } } as unknown as Parameters<typeof fromGeojsonVt>[0];
  return fromGeojsonVt(layers, { version: 2, extent: tileExtent });
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

function square(cell: number): Ring {
  const side = tileExtent / cellsPerSide;
  const x = (cell % cellsPerSide) * side;
  const y = Math.floor(cell / cellsPerSide) * side;
  return [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
    [x, y],
  ];
}

function withoutNulls(properties: TileFeature['properties']): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(properties).filter((pair): pair is [string, string | number] => pair[1] !== null),
  );
}
