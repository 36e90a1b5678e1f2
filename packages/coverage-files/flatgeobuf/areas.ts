import type { Polygon, Ring } from '@covermap/geometry/polygon.ts';
import { type Assembly, usableRing } from '@covermap/geometry/rings.ts';
import type { Geometry } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { Damage } from '../errors.ts';
import { type Areas, type DropReason, dropped } from '../format.ts';

/** Features with more are dropped. */
export const maxVertices = 5_000_000;
/** The depth of nested collections: real data has one level. */
const maxDepth = 8;
/** Each part takes four bytes, but many entries can refer to the same parts. */
const maxParts = 2_000_000;

/** Thrown where a geometry cannot be used, with the reason. */
class Unusable {
  readonly reason: DropReason;

  constructor(reason: DropReason) {
    this.reason = reason;
  }
}

/** Features that other formats lack or express otherwise than FlatGeobuf. */
export interface AreaOptions {
  /** Closed lines are areas, too. */
  closedLines?: boolean;
  /** Each ring is a polygon; this assembles the intended ones. */
  assemble?: ((rings: Ring[]) => Assembly) | undefined;
}

const nothingFound = { vertices: 0, parts: 0, others: 0, repaired: false };
type Found = typeof nothingFound & Pick<AreaOptions, 'closedLines'> & { polygons: Polygon[] };

/** Thrown for curved edges, which GDAL linearises. */
export class Curved extends Error {}

/** The polygons of a geometry, each an outer ring of any direction, then holes. @throws RangeError if damaged; {@link Curved} */
export function areasOf(
  geometry: Geometry | null,
  layerType: GeometryType,
  { closedLines = false, assemble }: AreaOptions = {},
): Areas {
  if (!geometry) return dropped('no_geometry');
  const found: Found = { ...nothingFound, polygons: [], closedLines };
  try {
    collect(geometry, layerType, 0, found);
  } catch (error) {
    if (error instanceof Unusable) return dropped(error.reason);
    throw error;
  }
  const { polygons, repaired } =
    assemble && found.polygons.length > 1 ? assemble(found.polygons.flat()) : found;
  if (polygons.length > 0) return { polygons, repaired: repaired || found.repaired || found.others > 0 };
  if (found.others > 0) return dropped('not_a_polygon');
  return dropped(found.vertices > 0 ? 'no_area' : 'no_geometry');
}

/** The types of a collection's parts, which may leave them out. */
const partTypes = new Map([
  [GeometryType.MultiPolygon, GeometryType.Polygon],
  [GeometryType.PolyhedralSurface, GeometryType.Polygon],
  [GeometryType.TIN, GeometryType.Polygon],
  [GeometryType.GeometryCollection, GeometryType.Unknown],
]);

const curvedAreas = [GeometryType.CurvePolygon, GeometryType.MultiSurface, GeometryType.Surface];

function collect(geometry: Geometry, layerType: GeometryType, depth: number, found: Found): void {
  if (depth > maxDepth || ++found.parts > maxParts) throw new Damage('its geometry is nested without end');
  const type = (geometry.type() || layerType) as GeometryType;
  if (curvedAreas.includes(type)) throw new Curved();
  const partType = partTypes.get(type);
  if (partType !== undefined) {
    for (let i = 0; i < geometry.partsLength(); i++)
      collect(geometry.parts(i) as Geometry, partType, depth + 1, found);
  } else if (
    type === GeometryType.Polygon ||
    type === GeometryType.Triangle ||
    (found.closedLines && type === GeometryType.LineString && isClosed(geometry))
  ) {
    addPolygon(geometry, found);
  } else found.others++;
}

function isClosed(geometry: Geometry): boolean {
  const xy = geometry.xyArray();
  return xy !== null && xy.length >= 8 && xy.at(0) === xy.at(-2) && xy.at(1) === xy.at(-1);
}

function addPolygon(geometry: Geometry, found: Found): void {
  const xy = geometry.xyArray();
  if (!xy) return;
  const vertices = Math.floor(xy.length / 2);
  // Checked before allocation: a few bytes can refer to the same vertices many times.
  found.vertices += vertices;
  if (found.vertices > maxVertices) throw new Unusable('too_many_vertices');
  const ends = geometry.endsArray() ?? [];
  const polygon: Polygon = [];
  let from = 0;
  for (const end of ends.length > 0 ? ends : [vertices]) {
    if (end < from || end > vertices) throw new Damage('a ring ends where there are no vertices');
    const ring = ringOf(xy, from, end);
    from = end;
    if (ring.length === 0) continue;
    const closed = usableRing(ring);
    if (closed !== ring) found.repaired = true;
    if (closed) polygon.push(closed);
    // Without an outer ring there are no holes.
    else if (polygon.length === 0) return;
  }
  if (polygon.length > 0) found.polygons.push(polygon);
}

function ringOf(xy: Float64Array, from: number, end: number): Ring {
  const ring = xy.slice(from * 2, end * 2) as Ring;
  for (const number of ring) if (!Number.isFinite(number)) throw new Unusable('coordinates_not_finite');
  return ring;
}
