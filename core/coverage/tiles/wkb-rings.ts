/* Reads the rings of polygons in well-known binary, for drawing. */

const polygonType = 3;
/** MultiPolygon, GeometryCollection. Points and lines, which clipping may leave, show nothing. */
const collectionTypes = [6, 7];

/** PostGIS's flag for an SRID between the type and what follows. */
const withSrid = 0x20000000;

type OnPolygon = (rings: Float64Array[]) => void;

/** Memory for the rings of one polygon after another: buffers of their own would be collected late, and fill hundreds of megabytes. */
export class RingMemory {
  #numbers = new Float64Array(1024);
  #used = 0;

  /** What was taken before is free again. */
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

/**
 * Calls `onPolygon` with the rings of every polygon in a geometry: x and y in turn.
 * @param memory for rings that are not used after `onPolygon` returns
 */
export function eachPolygon(wkb: Uint8Array, onPolygon: OnPolygon, memory?: RingMemory): void {
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  readGeometry(wkb, view, 0, onPolygon, memory);
}

/** @returns where the geometry ends, as those below do */
function readGeometry(
  wkb: Uint8Array,
  view: DataView,
  begin: number,
  onPolygon: OnPolygon,
  memory: RingMemory | undefined,
): number {
  const little = view.getUint8(begin) === 1;
  const flagged = view.getUint32(begin + 1, little);
  const type = flagged & ~withSrid;
  let at = type === flagged ? begin : begin + 4;
  const count = view.getUint32(at + 5, little);
  at += 9;
  if (type === polygonType) {
    const rings: Float64Array[] = [];
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
  if (!collectionTypes.includes(type)) return skipOther(view, at, type, count, little);
  for (let i = 0; i < count; i++) at = readGeometry(wkb, view, at, onPolygon, memory);
  return at;
}

function readRing(wkb: Uint8Array, view: DataView, at: number, ring: Float64Array, little: boolean): void {
  // Every machine that Node runs on is little-endian, too: in one piece, as there are millions of them.
  if (little)
    new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength).set(wkb.subarray(at, at + ring.byteLength));
  else for (let i = 0; i < ring.length; i++) ring[i] = view.getFloat64(at + 8 * i);
}

/** A point, a line or several of them. */
function skipOther(view: DataView, at: number, type: number, count: number, little: boolean): number {
  // A point has no count: those bytes are the beginning of its x.
  if (type === 1) return at - 4 + 16;
  if (type === 2) return at + 16 * count;
  let end = at;
  for (let i = 0; i < count; i++) end += type === 4 ? 21 : 9 + 16 * view.getUint32(end + 5, little);
  return end;
}
