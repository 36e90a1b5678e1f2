import type { Ring } from '../../geometry/polygon.ts';
import { assembleWhereClear, usableRing } from '../../geometry/rings.ts';
import { maxVertices } from '../flatgeobuf/areas.ts';
import { type Areas, dropped } from '../format.ts';
import { Cursor, NotPlain } from './bytes.ts';
import type { Grid } from './table.ts';

/** The kinds of polygons: with x and y, z and m, z, m, and any of them by flags ("Extended Shapefile Record Format", Esri 2012). */
const [xy, zm, z, m, general] = [5, 15, 19, 25, 51];
const [zFlag, mFlag, curveFlag] = [0x80000000, 0x40000000, 0x20000000];
/** More are left to GDAL. */
const maxParts = 100_000;
/** Stands in place of all measures. */
const noMeasures = 66;

/** The polygons of a row. @throws NotPlain for curves, for rings that contradict each other, and where the bytes are damaged */
export function areasOf(bytes: Buffer, start: number, end: number, grid: Grid): Areas {
  const cursor = new Cursor(bytes, start, end);
  const type = cursor.varuint();
  const kind = type & 0xff;
  if (kind === 0) return dropped('no_geometry');
  if (![xy, zm, z, m, general].includes(kind)) throw new NotPlain();
  const hasZ = kind === z || kind === zm || (type & zFlag) !== 0;
  const hasM = type === m || type === zm || (type & mFlag) !== 0;
  const vertices = cursor.varuint();
  if (vertices === 0) return dropped('no_geometry');
  const parts = cursor.varuint();
  // Each takes two bytes, which bounds what is allocated.
  const isBounded = vertices <= maxVertices && 2 * vertices <= end - cursor.at && parts <= maxParts;
  if (!isBounded || parts > vertices) throw new NotPlain();
  if ((type & curveFlag) !== 0 && cursor.varuint() > 0) throw new NotPlain();
  if (parts === 0) return dropped('no_geometry');
  // The box.
  for (let i = 0; i < 4; i++) skipNumbers(cursor, 1);
  const counts: number[] = [];
  let left = vertices;
  for (let part = 1; part < parts; part++) {
    const count = cursor.varuint();
    left -= count;
    if (left < 0) throw new NotPlain();
    counts.push(count);
  }
  counts.push(left);
  const rings = readRings(bytes, cursor, end, counts, grid);
  if (hasZ) skipNumbers(cursor, vertices);
  if (hasM && !(end - cursor.at === 1 && bytes[cursor.at] === noMeasures)) skipNumbers(cursor, vertices);
  return assembled(rings);
}

function assembled(rings: Ring[]): Areas {
  const [only] = rings;
  if (rings.length === 1 && only) {
    const closed = usableRing(only);
    return closed ? { polygons: [[closed]], repaired: closed !== only } : dropped('no_area');
  }
  const polygons = assembleWhereClear(rings);
  if (!polygons) throw new NotPlain();
  return { polygons, repaired: false };
}

function skipNumbers(cursor: Cursor, count: number): void {
  for (let i = 0; i < count; i++) while (cursor.uint8() >= 128);
}

/**
 * Coordinates are differences to the one before, across rings too: of a first byte six bits and one for the sign, then seven bits a
 * byte. A layer has millions of them: this is one loop without calls.
 */
function readRings(bytes: Buffer, cursor: Cursor, end: number, counts: number[], grid: Grid): Ring[] {
  const { x: originX, y: originY, scale } = grid;
  let at = cursor.at;
  let x = 0;
  let y = 0;
  const rings: Ring[] = [];
  for (const count of counts) {
    const ring = new Float64Array(2 * count);
    for (let i = 0; i < ring.length; i++) {
      if (at >= end) throw new NotPlain();
      const first = bytes[at++] as number;
      let difference = first & 63;
      if (first >= 128) {
        let factor = 64;
        let byte: number;
        do {
          if (at >= end) throw new NotPlain();
          byte = bytes[at++] as number;
          difference += (byte & 127) * factor;
          factor *= 128;
        } while (byte >= 128);
      }
      // Whole numbers up to here are exact, and so are their sums below.
      if (!(difference <= Number.MAX_SAFE_INTEGER)) throw new NotPlain();
      if ((first & 64) !== 0) difference = -difference;
      let value: number;
      if (i % 2 === 0) {
        x += difference;
        if (!(Math.abs(x) <= Number.MAX_SAFE_INTEGER)) throw new NotPlain();
        value = x / scale + originX;
      } else {
        y += difference;
        if (!(Math.abs(y) <= Number.MAX_SAFE_INTEGER)) throw new NotPlain();
        value = y / scale + originY;
      }
      if (!Number.isFinite(value)) throw new NotPlain();
      ring[i] = value;
    }
    rings.push(ring);
  }
  cursor.at = at;
  return rings;
}
