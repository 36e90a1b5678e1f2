import type { Polygon } from './polygon.ts';

const littleEndian = 1;
const pointType = 1;
const lineType = 2;
const polygonType = 3;
const multiPolygonType = 6;
/** PostGIS's flag for an SRID after the type. */
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

/** The polygons as {@link writeWkb} has them. */
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
  // The SRID stands between type and count: four bytes later, all but the first five are as they would be without.
  const end = writeWkb([polygon], target, offset + 4);
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  view.setUint8(offset, littleEndian);
  view.setUint32(offset + 1, polygonType | withSrid, true);
  view.setUint32(offset + 5, 4326, true);
  return end;
}

/** The polygons in a geometry of well-known binary that is little-endian and has x and y only. Points and lines have none. */
export function readPolygons(wkb: Uint8Array): Polygon[] {
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  const polygons: Polygon[] = [];
  readGeometry(view, 0, polygons);
  return polygons;
}

/** @returns where the geometry ends */
function readGeometry(view: DataView, begin: number, polygons: Polygon[]): number {
  const type = view.getUint32(begin + 1, true);
  let at = begin + 5;
  if (type === pointType) return at + 16;
  let count = view.getUint32(at, true);
  at += 4;
  if (type === lineType) return at + 16 * count;
  if (type !== polygonType) {
    for (; count > 0; count--) at = readGeometry(view, at, polygons);
    return at;
  }
  const polygon: Polygon = [];
  for (; count > 0; count--) {
    const length = 2 * view.getUint32(at, true);
    at += 4;
    const start = view.byteOffset + at;
    polygon.push(new Float64Array(view.buffer.slice(start, start + 8 * length)));
    at += 8 * length;
  }
  if (polygon.length > 0) polygons.push(polygon);
  return at;
}
