import { type FileHandle, open } from 'node:fs/promises';
import { viewOf } from '../byte-reader.ts';
import { Damage } from '../file-errors.ts';
import { bytesAt } from '../file-set.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

export class TiffError extends Damage {}

/** `offset`: the values' position in the file. */
type Field = { type: FieldType; count: number; offset: number };

/** The bytes of a value, and the function that reads it. */
type FieldType = [size: number, read: (view: DataView, at: number, little: boolean) => number];

const uint8: FieldType = [1, (view, at) => view.getUint8(at)];
const uint32: FieldType = [4, (view, at, little) => view.getUint32(at, little)];
const uint64: FieldType = [8, (view, at, little) => Number(view.getBigUint64(at, little))];

/** Field types (TIFF 6.0, section 2; 16 to 18 are BigTIFF's). 5 and 10 are fractions. */
const fieldTypes: Record<number, FieldType> = {
  1: uint8,
  2: uint8,
  3: [2, (view, at, little) => view.getUint16(at, little)],
  4: uint32,
  5: [8, (view, at, little) => view.getUint32(at, little) / view.getUint32(at + 4, little)],
  6: [1, (view, at) => view.getInt8(at)],
  7: uint8,
  8: [2, (view, at, little) => view.getInt16(at, little)],
  9: [4, (view, at, little) => view.getInt32(at, little)],
  10: [8, (view, at, little) => view.getInt32(at, little) / view.getInt32(at + 4, little)],
  11: [4, (view, at, little) => view.getFloat32(at, little)],
  12: [8, (view, at, little) => view.getFloat64(at, little)],
  13: uint32,
  16: uint64,
  17: [8, (view, at, little) => Number(view.getBigInt64(at, little))],
  18: uint64,
};

const maxFields = 4096;
/** Images in one file: the data, its mask, its overviews and theirs. */
const maxDirectories = 64;

export type TiffFile = Awaited<ReturnType<typeof openTiffFile>>;

/** Opens a TIFF or BigTIFF file. Nothing is allocated for data beyond its end. @throws TiffError */
export async function openTiffFile(path: string) {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return tiffFile(handle, size, viewOf(buffer));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function tiffFile(handle: FileHandle, size: number, head: DataView) {
  const order = head.getUint16(0);
  const littleEndian = order === 0x4949;
  const magic = head.getUint16(2, littleEndian);
  if (size < 8 || !(littleEndian || order === 0x4d4d) || (magic !== 42 && magic !== 43))
    throw new TiffError('it does not begin as a TIFF file does');
  const isBig = magic === 43;
  const [, numberAt] = isBig ? uint64 : uint32;
  const [countSize, entrySize, wordSize, inlineAt] = isBig ? [8, 20, 8, 12] : [2, 12, 4, 8];

  /** @throws TiffError if the file ends before */
  async function read(offset: number, length: number): Promise<Bytes> {
    if (!(offset >= 0 && length >= 0 && offset + length <= size)) throw new TiffError('it ends early');
    const bytes = await bytesAt(handle, length, offset);
    if (bytes.length < length) throw new TiffError('it ends early');
    return bytes;
  }

  /** The directories of its images, in order. @throws TiffError */
  async function directories(): Promise<TiffDirectory[]> {
    const found = new Map<number, TiffDirectory>();
    let at = numberAt(head, isBig ? 8 : 4, littleEndian);
    while (at !== 0 && !found.has(at) && found.size < maxDirectories) {
      try {
        const { fields, next } = await directoryAt(at);
        found.set(at, directoryOf(fields, littleEndian, read));
        at = next;
      } catch (error) {
        // Only the first one must be complete.
        if (found.size > 0 && error instanceof TiffError) break;
        throw error;
      }
    }
    if (found.size === 0) throw new TiffError('it holds no image');
    return [...found.values()];
  }

  async function directoryAt(at: number): Promise<{ fields: Map<number, Field>; next: number }> {
    const counted = viewOf(await read(at, countSize));
    const count = isBig ? numberAt(counted, 0, littleEndian) : counted.getUint16(0, littleEndian);
    if (count > maxFields) throw new TiffError('its directory is far too long');
    const start = at + countSize;
    const view = viewOf(await read(start, count * entrySize + wordSize));
    const fields = new Map<number, Field>();
    for (let entry = 0; entry < count * entrySize; entry += entrySize) {
      const type = fieldTypes[view.getUint16(entry + 2, littleEndian)];
      if (!type) continue;
      const values = numberAt(view, entry + 4, littleEndian);
      const inline = entry + inlineAt;
      const offset = values * type[0] <= wordSize ? start + inline : numberAt(view, inline, littleEndian);
      fields.set(view.getUint16(entry, littleEndian), { type, count: values, offset });
    }
    return { fields, next: numberAt(view, count * entrySize, littleEndian) };
  }

  return { littleEndian, read, directories, close: () => handle.close() };
}

export type TiffDirectory = ReturnType<typeof directoryOf>;

/** The description of one image: values by tag. All that read throw TiffError. */
function directoryOf(
  fields: ReadonlyMap<number, Field>,
  littleEndian: boolean,
  read: (offset: number, length: number) => Promise<Bytes>,
) {
  /** The values of a tag, at most the first `max` of them. */
  async function numbers(tag: number, max = Infinity): Promise<Float64Array | undefined> {
    const field = fields.get(tag);
    if (!field) return undefined;
    const [size, valueAt] = field.type;
    const count = Math.min(field.count, max);
    const view = viewOf(await read(field.offset, count * size));
    return Float64Array.from({ length: count }, (_, i) => valueAt(view, i * size, littleEndian));
  }

  async function bytes(tag: number): Promise<Bytes | undefined> {
    const field = fields.get(tag);
    return field && read(field.offset, field.count * field.type[0]);
  }

  async function text(tag: number): Promise<string | undefined> {
    const found = await bytes(tag);
    return found && new TextDecoder('utf-8').decode(found);
  }

  return {
    ...{ numbers, bytes, text },
    has: (tag: number) => fields.has(tag),
    count: (tag: number) => fields.get(tag)?.count ?? 0,
    /** The first value of a tag. */
    number: async (tag: number): Promise<number | undefined> => (await numbers(tag, 1))?.[0],
  };
}
