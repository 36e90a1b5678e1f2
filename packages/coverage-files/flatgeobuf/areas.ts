import type { Polygon, Ring } from '@covermap/geometry/polygon.ts';
import { type Assembly, usableRing } from '@covermap/geometry/rings.ts';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { viewOf } from '../byte-reader.ts';
import { Damage } from '../file-errors.ts';
import { type Areas, type DropReason, dropped } from '../format.ts';
import type { Table } from './flatbuffer.ts';

/** Features with more are dropped. */
export const maxVertices = 5_000_000;
/** The depth of nested collections: real data has one level. */
const maxDepth = 8;
/** Each part takes four bytes, but many entries can refer to the same parts. */
const maxParts = 2_000_000;

/** Field indexes of the table Geometry (feature.fbs). */
const field = { ends: 0, xy: 1, type: 6, parts: 7 };

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
  geometry: Table | undefined,
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

function collect(geometry: Table, layerType: GeometryType, depth: number, found: Found): void {
  if (depth > maxDepth || ++found.parts > maxParts) throw new Damage('its geometry is nested without end');
  const type = geometry.uint8(field.type, layerType) || layerType;
  if (curvedAreas.includes(type)) throw new Curved();
  const partType = partTypes.get(type);
  if (partType !== undefined) {
    for (const part of geometry.tables(field.parts)) collect(part, partType, depth + 1, found);
  } else if (
    type === GeometryType.Polygon ||
    type === GeometryType.Triangle ||
    (found.closedLines && type === GeometryType.LineString && isClosed(geometry))
  ) {
    addPolygon(geometry, found);
  } else found.others++;
}

function isClosed(geometry: Table): boolean {
  const xy = geometry.vector(field.xy, 8);
  return xy !== undefined && xy.length >= 64 && Buffer.compare(xy.subarray(0, 16), xy.subarray(-16)) === 0;
}

function addPolygon(geometry: Table, found: Found): void {
  const xy = geometry.vector(field.xy, 8);
  if (!xy) return;
  const vertices = Math.floor(xy.length / 16);
  // Checked before allocation: a few bytes can refer to the same vertices many times.
  found.vertices += vertices;
  if (found.vertices > maxVertices) throw new Unusable('too_many_vertices');
  const ends = geometry.vector(field.ends, 4);
  const polygon: Polygon = [];
  let from = 0;
  for (const end of ends && ends.length > 0 ? endsOf(ends) : [vertices]) {
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

function* endsOf(bytes: Uint8Array): Generator<number> {
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; at += 4) yield view.getUint32(at, true);
}

function ringOf(xy: Uint8Array, from: number, end: number): Ring {
  const ring = new Float64Array((end - from) * 2);
  // All processors that Node runs on have the format's byte order.
  new Uint8Array(ring.buffer).set(xy.subarray(from * 16, end * 16));
  for (let i = 0; i < ring.length; i++) {
    if (!Number.isFinite(ring[i])) throw new Unusable('coordinates_not_finite');
  }
  return ring;
}
