import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { Polygon, Ring } from '../../geometry/polygon.ts';
import { isStraight } from '../../geometry/rings.ts';
import { viewOf } from '../byte-reader.ts';
import type { SourceFeature } from '../format.ts';
import type { Table } from './flatbuffer.ts';

/** More in one feature, and it is dropped. */
export const mostVertices = 5_000_000;
/** Collections in collections: real data has one. */
const deepest = 8;
/** Every part takes an entry of four bytes, but many entries can lead to the same parts again. */
const mostParts = 2_000_000;

/** Fields of the table Geometry, by their position in feature.fbs. */
const field = { ends: 0, xy: 1, type: 6, parts: 7 };

type Areas = Pick<SourceFeature, 'polygons' | 'repaired' | 'dropped'>;

/** Why a geometry cannot be used, thrown from its depths. */
class Unusable {
  readonly reason: NonNullable<SourceFeature['dropped']>;

  constructor(reason: NonNullable<SourceFeature['dropped']>) {
    this.reason = reason;
  }
}

interface Collected {
  polygons: Polygon[];
  vertices: number;
  parts: number;
  others: number;
  repaired: boolean;
  closedLines: boolean;
}

/**
 * The polygons of a FlatGeobuf geometry: of a polygon the first ring is the outer one, whatever its direction, the others
 * are its holes. x is east, y is north.
 * @throws RangeError where the geometry is damaged
 */
export function areasOf(
  geometry: Table | undefined,
  layerType: GeometryType,
  { closedLines } = { closedLines: false },
): Areas {
  if (!geometry) return dropped('no_geometry');
  const collected: Collected = {
    polygons: [],
    vertices: 0,
    parts: 0,
    others: 0,
    repaired: false,
    closedLines,
  };
  try {
    collect(geometry, layerType, 0, collected);
  } catch (error) {
    if (error instanceof Unusable) return dropped(error.reason);
    throw error;
  }
  const { polygons, others, vertices, repaired } = collected;
  if (polygons.length > 0) return { polygons, repaired: repaired || others > 0 };
  if (others > 0) return dropped('not_a_polygon');
  return dropped(vertices > 0 ? 'no_area' : 'no_geometry');
}

function dropped(reason: NonNullable<SourceFeature['dropped']>): Areas {
  return { polygons: [], repaired: false, dropped: reason };
}

function collect(geometry: Table, layerType: GeometryType, depth: number, collected: Collected): void {
  if (depth > deepest || ++collected.parts > mostParts)
    throw new RangeError('its geometry is nested without end');
  const type = geometry.uint8(field.type, layerType) || layerType;
  if (type === GeometryType.Polygon || type === GeometryType.Triangle) addPolygon(geometry, collected);
  else if (polygonParts.has(type)) {
    // Parts need not say what they are.
    for (const part of geometry.tables(field.parts))
      collect(part, GeometryType.Polygon, depth + 1, collected);
  } else if (type === GeometryType.GeometryCollection) {
    for (const part of geometry.tables(field.parts))
      collect(part, GeometryType.Unknown, depth + 1, collected);
  } else if (collected.closedLines && type === GeometryType.LineString && isClosed(geometry)) {
    addPolygon(geometry, collected);
  } else collected.others++;
}

/** What is made of polygons. */
const polygonParts = new Set([GeometryType.MultiPolygon, GeometryType.PolyhedralSurface, GeometryType.TIN]);

/** Whether a line ends where it begins. */
function isClosed(geometry: Table): boolean {
  const xy = geometry.vector(field.xy, 8);
  return xy !== undefined && xy.length >= 64 && Buffer.compare(xy.subarray(0, 16), xy.subarray(-16)) === 0;
}

function addPolygon(geometry: Table, collected: Collected): void {
  const xy = geometry.vector(field.xy, 8);
  if (!xy) return;
  const vertices = Math.floor(xy.length / 16);
  // Before anything of that size is made: a few bytes can lead to the same vertices many times.
  collected.vertices += vertices;
  if (collected.vertices > mostVertices) throw new Unusable('too_many_vertices');
  const ends = geometry.vector(field.ends, 4);
  const polygon: Polygon = [];
  let from = 0;
  for (const end of ends && ends.length > 0 ? endsOf(ends) : [vertices]) {
    if (end < from || end > vertices) throw new RangeError('a ring ends where there are no vertices');
    const ring = ringOf(xy, from, end);
    from = end;
    if (ring.length === 0) continue;
    const closed = closeRing(ring);
    if (closed !== ring) collected.repaired = true;
    if (closed.length < 8 || isStraight(closed)) {
      collected.repaired = true;
      // Holes in nothing are nothing.
      if (polygon.length === 0) return;
      continue;
    }
    polygon.push(closed);
  }
  if (polygon.length > 0) collected.polygons.push(polygon);
}

function* endsOf(bytes: Uint8Array): Generator<number> {
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; at += 4) yield view.getUint32(at, true);
}

function ringOf(xy: Uint8Array, from: number, end: number): Ring {
  const ring = new Float64Array((end - from) * 2);
  // Every processor that Node runs on has the byte order of the format.
  new Uint8Array(ring.buffer).set(xy.subarray(from * 16, end * 16));
  for (let i = 0; i < ring.length; i++) {
    if (!Number.isFinite(ring[i])) throw new Unusable('coordinates_not_finite');
  }
  return ring;
}

function closeRing(ring: Ring): Ring {
  const last = ring.length - 2;
  if (ring[0] === ring[last] && ring[1] === ring[last + 1] && ring.length > 2) return ring;
  const closed = new Float64Array(ring.length + 2);
  closed.set(ring);
  closed[ring.length] = ring[0] as number;
  closed[ring.length + 1] = ring[1] as number;
  return closed;
}
