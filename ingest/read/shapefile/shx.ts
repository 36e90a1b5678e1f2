import { open } from 'node:fs/promises';
import { Damage } from '../file-errors.ts';
import { bytesAt, type FileEntry, firstBytes } from '../file-set.ts';

/* The index of a shapefile (ESRI Shapefile Technical Description, July 1998, page 23): offsets of records. Those that grew are appended, leaving a gap. */

const headerLength = 100;
const entryLength = 8;
const fileCode = 9994;
/** The read part of an index: twenty million records. */
const maxBytes = 160_000_000;
const windowLength = 256 * 1024;

/** Offsets of the `rows` records; undefined if they are contiguous, or the index does not fit the file. */
export async function readIndex(shx: FileEntry, shp: FileEntry, rows: number) {
  if (shx.size !== headerLength + rows * entryLength || shx.size > maxBytes || rows === 0) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of shx.read()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.readInt32BE(0) !== fileCode) return undefined;
  const offsets = new Float64Array(rows);
  let end = headerLength;
  let firstMoved: number | undefined;
  for (let i = 0; i < rows; i++) {
    const at = headerLength + i * entryLength;
    const offset = bytes.readInt32BE(at) * 2;
    if (offset < headerLength || offset + 8 > shp.size) return undefined;
    if (offset !== end) firstMoved ??= i;
    offsets[i] = offset;
    end = offset + 8 + bytes.readInt32BE(at + 4) * 2;
  }
  if (firstMoved === undefined) {
    if (end >= shp.size) return undefined;
    // Bytes after the last record are none.
    firstMoved = rows - 1;
  }
  return (await isRecord(shp, offsets[firstMoved] as number, firstMoved + 1)) ? offsets : undefined;
}

/** Tells if a record of that number begins at the offset: some programs write a useless index. */
async function isRecord(shp: FileEntry, offset: number, number: number): Promise<boolean> {
  const head = await firstBytes(await shp.unpack(), 8, offset);
  return head.length === 8 && head.readInt32BE(0) === number;
}

/** The bytes of a `.shp` with its records in the order of the index. */
export async function* inOrder(shp: FileEntry, offsets: Float64Array): AsyncGenerator<Uint8Array> {
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
    for (const offset of offsets) {
      const length = 8 + (await copyAt(offset, 8)).readInt32BE(4) * 2;
      given += Math.max(8, length);
      // Entries may refer to the same bytes repeatedly.
      if (length < 8 || given > shp.size) throw new Damage('its index (.shx) leads to more than it holds');
      for (let at = offset; at < offset + length; at += windowLength)
        yield await copyAt(at, Math.min(windowLength, offset + length - at));
    }
  } finally {
    await handle.close();
  }
}
