import type { Polygon } from './polygon.ts';

const littleEndian = 1;
const pointType = 1;
const lineType = 2;
const polygonType = 3;
const multiPolygonType = 6;
/** PostGIS's flag for an SRID between the type and what follows. */
const withSrid = 0x20000000;

/** Bytes that {@link writeWkb} makes of the polygons. */
export function wkbSize(polygons: readonly Polygon[]): number {
  let size = polygons.length === 1 ? 0 : 9;
  for (const polygon of polygons) {
    size += 9;
    for (const ring of polygon) size += 4 + ring.byteLength;
  }
  return size;
}

/** Writes a Polygon, or a MultiPolygon of several, as little-endian WKB (OGC 06-103r4, section 8). @returns where the next byte goes */
export function writeWkb(polygons: readonly Polygon[], target: Uint8Array, offset: number): number {
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  let at = offset;
  if (polygons.length !== 1) at = writeHeader(view, at, multiPolygonType, polygons.length);
  for (const polygon of polygons) {
    at = writeHeader(view, at, polygonType, polygon.length);
    for (const ring of polygon) {
      view.setUint32(at, ring.length / 2, true);
      at += 4;
      // Every machine that Node runs on keeps its numbers little-endian, too.
      target.set(new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength), at);
      at += ring.byteLength;
    }
  }
  return at;
}

export function wkbOf(polygons: readonly Polygon[]): Uint8Array<ArrayBuffer> {
  const wkb = new Uint8Array(wkbSize(polygons));
  writeWkb(polygons, wkb, 0);
  return wkb;
}

function writeHeader(view: DataView, at: number, type: number, count: number): number {
  view.setUint8(at, littleEndian);
  view.setUint32(at + 1, type, true);
  view.setUint32(at + 5, count, true);
  return at + 9;
}

/** Bytes that {@link writeRow} makes of a polygon. */
export const rowSize = (polygon: Polygon) => wkbSize([polygon]) + 4;

/** Writes a polygon in degrees as a geometry of SRID 4326. @returns where the next byte goes */
export function writeRow(polygon: Polygon, target: Uint8Array, offset: number): number {
  // The SRID stands between type and count. So all but the first five bytes are those of a geometry without one, four bytes later.
  const end = writeWkb([polygon], target, offset + 4);
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  view.setUint8(offset, littleEndian);
  view.setUint32(offset + 1, polygonType | withSrid, true);
  view.setUint32(offset + 5, 4326, true);
  return end;
}

/** The polygons in geometries of well-known binary, one after the other. Points and lines have none. */
export function readPolygons(wkb: Uint8Array): Polygon[] {
  const polygons: Polygon[] = [];
  eachPolygon(wkb, (rings) => {
    if (rings.length > 0) polygons.push(rings);
  });
  return polygons;
}

/** Reusable memory for rings: a buffer for each would be collected late, and they would fill hundreds of megabytes. */
export class RingMemory {
  #numbers = new Float64Array(1024);
  #used = 0;

  clear(): void {
    this.#used = 0;
  }

  take(length: number): Float64Array {
    if (this.#used + length > this.#numbers.length) {
      // Rings that were taken keep the memory they have.
      this.#numbers = new Float64Array(2 * (this.#used + length));
      this.#used = 0;
    }
    this.#used += length;
    return this.#numbers.subarray(this.#used - length, this.#used);
  }
}

/** Calls `onPolygon` with every polygon of geometries that have x and y only. @param memory for rings that are not used after `onPolygon` returns */
export function eachPolygon(
  wkb: Uint8Array,
  onPolygon: (polygon: Polygon) => void,
  memory?: RingMemory,
): void {
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  for (let at = 0; at < wkb.length; ) at = readGeometry(wkb, view, at, onPolygon, memory);
}

/** @returns where the geometry ends */
function readGeometry(
  wkb: Uint8Array,
  view: DataView,
  begin: number,
  onPolygon: (polygon: Polygon) => void,
  memory: RingMemory | undefined,
): number {
  const little = view.getUint8(begin) === 1;
  const flagged = view.getUint32(begin + 1, little);
  const type = flagged & ~withSrid;
  let at = type === flagged ? begin : begin + 4;
  const count = view.getUint32(at + 5, little);
  at += 9;
  if (type === polygonType) {
    const rings: Polygon = [];
    memory?.clear();
    for (let i = 0; i < count; i++) {
      const length = 2 * view.getUint32(at, little);
      at += 4;
      const ring = memory?.take(length) ?? new Float64Array(length);
      readRing(wkb, view, at, ring, little);
      rings.push(ring);
      at += 8 * length;
    }
    onPolygon(rings);
    return at;
  }
  // A point has no count: those bytes are the beginning of its x.
  if (type === pointType) return at - 4 + 16;
  if (type === lineType) return at + 16 * count;
  for (let i = 0; i < count; i++) at = readGeometry(wkb, view, at, onPolygon, memory);
  return at;
}

function readRing(wkb: Uint8Array, view: DataView, at: number, ring: Float64Array, little: boolean): void {
  // Copied in one piece, as there are millions: every machine that Node runs on is little-endian, too.
  if (little)
    new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength).set(wkb.subarray(at, at + ring.byteLength));
  else for (let i = 0; i < ring.length; i++) ring[i] = view.getFloat64(at + 8 * i);
}
