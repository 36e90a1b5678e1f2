import type { Polygon, Ring } from '@covermap/geometry/polygon.ts';
import { usableRing } from '@covermap/geometry/rings.ts';
import { type ByteReader, viewOf } from '../byte-reader.ts';
import { Damage } from '../errors.ts';

/** Shape types of the ESRI Shapefile Technical Description (July 1998), page 4: 10 more with Z, 20 more with M. */
const shapeNames: Record<number, string> = { 1: 'point', 3: 'line', 5: 'polygon', 8: 'point' };
const multipatch = 31;

function shapeName(type: number): string | undefined {
  if (type === 0) return 'null';
  if (type === multipatch) return 'multipatch';
  return type < 30 ? shapeNames[type % 10] : undefined;
}

/** Part types of a multipatch (page 21). Others are rings; an inner one follows its outer one. */
const part = { triangleStrip: 0, triangleFan: 1, innerRing: 3 };

/** Larger polygons are dropped: a reader may hold at most 80 MB of coordinates in one piece. */
export const maxVertices = 5_000_000;
/** For a multipatch, each of whose triangles is a polygon. */
const maxPatchVertices = 500_000;
/** With a part for each vertex, Z and M. */
const maxRecordBytes = 64 + 36 * maxVertices;
const headerLength = 100;
const fileCode = 9994;

/** A record with its rings as in the file; none for a null shape. */
export interface ShpRecord {
  number: number;
  rings: Ring[];
  /** The faces of a multipatch with an area seen from above, instead of rings. They overlap. */
  faces?: Polygon[];
  /** True beyond {@link maxVertices}; then there are no rings. */
  tooLarge?: boolean;
}

export type ShpReader = Awaited<ReturnType<typeof openShp>>;

/**
 * Reads the main file of a shapefile record by record.
 * @param lengths of the contents of all records, by a contiguous index: they count before those in the file
 * @throws EndOfBytes, RangeError if the header is damaged
 */
export async function openShp(bytes: ByteReader, lengths?: Float64Array) {
  const view = viewOf(await bytes.require(headerLength));
  if (view.getInt32(0) !== fileCode) throw new Damage('it does not begin as a .shp file does');
  const type = view.getInt32(32, true);
  const shape = shapeName(type);
  if (!shape) throw new Damage(`it has shapes of the unknown type ${type}`);
  const declaredLength = view.getInt32(24) * 2;
  // Some writers never fill in the length of the header.
  const isDeclared = declaredLength > headerLength && lengths === undefined;
  let count = 0;
  /** The number of the next record, after one with a wrong length. */
  let expected: number | undefined;
  return {
    shape,
    declaredLength,
    /** The records with another length than the index gives. */
    corrected: 0,
    /** The next record, without Z and M; undefined after the last. @throws EndOfBytes, or RangeError if it makes no sense */
    async next(): Promise<ShpRecord | undefined> {
      if (isDeclared && bytes.position >= declaredLength) return undefined;
      if (lengths && count === lengths.length) return undefined;
      const head = await bytes.take(8);
      if (!head) return undefined;
      const headView = viewOf(head);
      const number = headView.getInt32(0);
      const ownLength = headView.getInt32(4) * 2;
      const length = lengths?.[count] ?? ownLength;
      count++;
      if (expected !== undefined && number !== expected)
        throw new Damage(`record ${expected - 1} says it is of another length than in the index (.shx)`);
      expected = length === ownLength ? undefined : number + 1;
      if (length !== ownLength) this.corrected++;
      const tooLong = isDeclared && length > declaredLength ? ', more than the whole file' : '';
      if (length < 4 || tooLong)
        throw new Damage(`record ${number} says it is ${length} bytes long${tooLong}`);
      if (length <= maxRecordBytes) return readRecord(number, await bytes.require(length));
      await bytes.skip(length);
      return { number, rings: [], tooLarge: true };
    },
  };
}

function readRecord(number: number, content: Uint8Array): ShpRecord {
  const { length } = content;
  const view = viewOf(content);
  const type = view.getInt32(0, true);
  if (type === 0) return { number, rings: [] };
  const patches = type === multipatch;
  if (!patches && shapeName(type) !== 'polygon') throw new Damage(`record ${number} is not a polygon`);
  if (length < 44) throw new Damage(`record ${number} is too short for a polygon`);
  const partCount = view.getInt32(36, true);
  const pointCount = view.getInt32(40, true);
  const pointsAt = 44 + (patches ? 8 : 4) * partCount;
  if (partCount < 0 || pointCount < 0 || pointsAt + 16 * pointCount > length) {
    throw new Damage(`record ${number} says it has more points than fit into it`);
  }
  if (pointCount > (patches ? maxPatchVertices : maxVertices)) return { number, rings: [], tooLarge: true };
  const rings: Ring[] = [];
  for (let part = 0; part < partCount; part++) {
    const start = view.getInt32(44 + 4 * part, true);
    const end = part + 1 < partCount ? view.getInt32(48 + 4 * part, true) : pointCount;
    if (start < 0 || end < start || end > pointCount)
      throw new Damage(`record ${number} has its parts out of order`);
    const from = content.byteOffset + pointsAt + 16 * start;
    // Copied, as the bytes are reused. Like the machine, the file is little-endian.
    rings.push(new Float64Array(content.buffer.slice(from, from + 16 * (end - start)) as ArrayBuffer));
  }
  if (!patches) return { number, rings };
  const kinds = rings.map((_, i) => view.getInt32(44 + 4 * partCount + 4 * i, true));
  return { number, rings: [], faces: facesOf(rings, kinds) };
}

function facesOf(parts: readonly Ring[], kinds: readonly number[]): Polygon[] {
  const faces: Polygon[] = [];
  const add = (points: Ring, isHole: boolean) => {
    const ring = usableRing(points);
    // Seen from above, walls have no area.
    if (!ring) return;
    if (isHole) faces.at(-1)?.push(ring);
    else faces.push([ring]);
  };
  for (const [i, points] of parts.entries()) {
    const kind = kinds[i];
    if (kind === part.triangleStrip || kind === part.triangleFan) {
      for (let at = 0; at + 6 <= points.length; at += 2) {
        const first = kind === part.triangleFan ? 0 : at;
        const corners = [first, at + 2, at + 4].flatMap((from) => [...points.subarray(from, from + 2)]);
        add(Float64Array.from(corners), false);
      }
    } else add(points, kind === part.innerRing);
  }
  return faces;
}
