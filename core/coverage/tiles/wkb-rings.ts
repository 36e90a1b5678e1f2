/* Reads the rings of polygons in well-known binary, for drawing. */

const polygonType = 3;
/** MultiPolygon, GeometryCollection. Points and lines, which clipping may leave, show nothing. */
const collectionTypes = [6, 7];

/** PostGIS's flag for an SRID between the type and what follows. */
const withSrid = 0x20000000;

/** Calls `onPolygon` with the rings of every polygon in a geometry: x and y in turn. */
export function eachPolygon(wkb: Uint8Array, onPolygon: (rings: Float64Array[]) => void): void {
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  let at = 0;
  const readGeometry = (): void => {
    const little = view.getUint8(at) === 1;
    const flagged = view.getUint32(at + 1, little);
    const type = flagged & ~withSrid;
    if (type !== flagged) at += 4;
    const count = view.getUint32(at + 5, little);
    at += 9;
    if (type === polygonType) {
      onPolygon(Array.from({ length: count }, () => readRing(little)));
    } else if (collectionTypes.includes(type)) {
      for (let i = 0; i < count; i++) readGeometry();
    } else {
      at = skipOther(type, count, little);
    }
  };
  const readRing = (little: boolean): Float64Array => {
    const length = 2 * view.getUint32(at, little);
    at += 4;
    const ring = new Float64Array(length);
    for (let i = 0; i < length; i++, at += 8) ring[i] = view.getFloat64(at, little);
    return ring;
  };
  /** Where a point, a line or several of them end. */
  const skipOther = (type: number, count: number, little: boolean): number => {
    // A point has no count: those bytes are the beginning of its x.
    if (type === 1) return at - 4 + 16;
    if (type === 2) return at + 16 * count;
    let end = at;
    for (let i = 0; i < count; i++) end += type === 4 ? 21 : 9 + 16 * view.getUint32(end + 5, little);
    return end;
  };
  readGeometry();
}
