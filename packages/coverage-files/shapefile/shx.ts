import { open } from 'node:fs/promises';
import { Damage } from '../errors.ts';
import { bytesAt, type FileEntry, firstBytes } from '../file-set.ts';

/* The index of a shapefile (ESRI Shapefile Technical Description, July 1998, page 23): offsets of records. Those that grew are appended, leaving a gap. */

const headerLength = 100;
const entryLength = 8;
const fileCode = 9994;
/** The read part of an index: twenty million records. */
const maxBytes = 160_000_000;
const windowLength = 256 * 1024;

export interface ShapeIndex {
  offsets: Float64Array;
  /** Of the records' contents, in bytes. */
  lengths: Float64Array;
  /** True where each record begins where the one before ends, and the last one ends the file. */
  isContiguous: boolean;
}

/** The index of `rows` records; undefined if it does not fit the file. */
export async function readIndex(
  shx: FileEntry,
  shp: FileEntry,
  rows: number,
): Promise<ShapeIndex | undefined> {
  if (shx.size !== headerLength + rows * entryLength || shx.size > maxBytes || rows === 0) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of shx.read()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.readInt32BE(0) !== fileCode) return undefined;
  const offsets = new Float64Array(rows);
  const lengths = new Float64Array(rows);
  let end = headerLength;
  let firstMoved: number | undefined;
  for (let i = 0; i < rows; i++) {
    const at = headerLength + i * entryLength;
    const offset = bytes.readInt32BE(at) * 2;
    if (offset < headerLength || offset + 8 > shp.size) return undefined;
    if (offset !== end) firstMoved ??= i;
    offsets[i] = offset;
    lengths[i] = bytes.readInt32BE(at + 4) * 2;
    end = offset + 8 + (lengths[i] as number);
  }
  if (firstMoved === undefined && end > shp.size) return undefined;
  const isContiguous = firstMoved === undefined && end === shp.size;
  // Bytes after the last record are no record.
  const telling = firstMoved ?? rows - 1;
  return (await isRecord(shp, offsets[telling] as number, telling + 1))
    ? { offsets, lengths, isContiguous }
    : undefined;
}

/** Tells if a record of that number begins at the offset: some programs write a useless index. */
async function isRecord(shp: FileEntry, offset: number, number: number): Promise<boolean> {
  const head = await firstBytes(await shp.unpack(), 8, offset);
  return head.length === 8 && head.readInt32BE(0) === number;
}

/** The bytes of a `.shp` with its records in the order of the index. A record whose length reaches into another gets that of the index. @param corrected called for each of these */
export async function* inOrder(
  shp: FileEntry,
  { offsets, lengths }: ShapeIndex,
  corrected: () => void,
): AsyncGenerator<Uint8Array> {
  const handle = await open(await shp.unpack());
  let window: Buffer = Buffer.alloc(0);
  let windowAt = 0;
  /** Copies bytes, as the consumer may keep them; fewer at the end of the file. */
  const copyAt = async (offset: number, length: number): Promise<Buffer> => {
    if (offset < windowAt || offset + length > windowAt + window.length) {
      const wanted = Math.max(0, Math.min(Math.max(length, windowLength), shp.size - offset));
      window = await bytesAt(handle, wanted, offset);
      windowAt = offset;
    }
    return Buffer.copyBytesFrom(window, offset - windowAt, length);
  };
  try {
    yield await copyAt(0, headerLength);
    let given = headerLength;
    const rooms = roomsOf(offsets, shp.size);
    for (const [i, offset] of offsets.entries()) {
      const head = await copyAt(offset, 8);
      const ofIndex = lengths[i] as number;
      const room = rooms.get(offset) as number;
      const isWrong = head.readInt32BE(4) * 2 > room && ofIndex >= 4 && ofIndex <= room;
      if (isWrong) {
        corrected();
        head.writeInt32BE(ofIndex / 2, 4);
      }
      const length = 8 + head.readInt32BE(4) * 2;
      given += Math.max(8, length);
      // Entries may refer to the same bytes repeatedly.
      if (length < 8 || given > shp.size) throw new Damage('its index (.shx) leads to more than it holds');
      yield head;
      for (let at = offset + 8; at < offset + length; at += windowLength)
        yield await copyAt(at, Math.min(windowLength, offset + length - at));
    }
  } finally {
    await handle.close();
  }
}

/** By offset, the greatest length of a record's content: up to the next record, or the end of the file. */
function roomsOf(offsets: Float64Array, size: number): Map<number, number> {
  const sorted = Float64Array.from(new Set(offsets)).sort();
  return new Map(Array.from(sorted, (offset, i) => [offset, (sorted[i + 1] ?? size) - offset - 8]));
}
