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

/** A TIFF or BigTIFF file on disk. Nothing is allocated for data beyond its end. */
export class TiffFile {
  readonly size: number;
  readonly littleEndian: boolean;
  readonly #handle: FileHandle;
  readonly #big: boolean;
  readonly #first: number;

  private constructor(handle: FileHandle, size: number, head: DataView) {
    this.#handle = handle;
    this.size = size;
    const order = head.getUint16(0);
    this.littleEndian = order === 0x4949;
    const magic = head.getUint16(2, this.littleEndian);
    if (size < 8 || !(this.littleEndian || order === 0x4d4d) || (magic !== 42 && magic !== 43))
      throw new TiffError('it does not begin as a TIFF file does');
    this.#big = magic === 43;
    this.#first = (this.#big ? uint64 : uint32)[1](head, this.#big ? 8 : 4, this.littleEndian);
  }

  static async open(path: string): Promise<TiffFile> {
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
      return new TiffFile(handle, size, viewOf(buffer));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** @throws TiffError if the file ends before */
  async read(offset: number, length: number): Promise<Bytes> {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.size)) throw new TiffError('it ends early');
    const bytes = await bytesAt(this.#handle, length, offset);
    if (bytes.length < length) throw new TiffError('it ends early');
    return bytes;
  }

  /** The directories of its images, in order. @throws TiffError */
  async directories(): Promise<TiffDirectory[]> {
    const found = new Map<number, TiffDirectory>();
    for (let at = this.#first; at !== 0 && !found.has(at) && found.size < maxDirectories; ) {
      try {
        const { fields, next } = await this.#directory(at);
        found.set(at, fields);
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

  async #directory(at: number): Promise<{ fields: TiffDirectory; next: number }> {
    const little = this.littleEndian;
    const big = this.#big;
    const numberAt = (view: DataView, offset: number) => (big ? uint64 : uint32)[1](view, offset, little);
    const head = viewOf(await this.read(at, big ? 8 : 2));
    const count = big ? numberAt(head, 0) : head.getUint16(0, little);
    if (count > maxFields) throw new TiffError('its directory is far too long');
    const [entrySize, wordSize, inlineAt] = big ? [20, 8, 12] : [12, 4, 8];
    const start = at + (big ? 8 : 2);
    const view = viewOf(await this.read(start, count * entrySize + wordSize));
    const fields = new Map<number, Field>();
    for (let entry = 0; entry < count * entrySize; entry += entrySize) {
      const type = fieldTypes[view.getUint16(entry + 2, little)];
      if (!type) continue;
      const values = numberAt(view, entry + 4);
      const inline = entry + inlineAt;
      const offset = values * type[0] <= wordSize ? start + inline : numberAt(view, inline);
      fields.set(view.getUint16(entry, little), { type, count: values, offset });
    }
    return { fields: new TiffDirectory(this, fields), next: numberAt(view, count * entrySize) };
  }
}

/** The description of one image: values by tag. */
export class TiffDirectory {
  readonly #file: TiffFile;
  readonly #fields: Map<number, Field>;

  constructor(file: TiffFile, fields: Map<number, Field>) {
    this.#file = file;
    this.#fields = fields;
  }

  has(tag: number): boolean {
    return this.#fields.has(tag);
  }

  count(tag: number): number {
    return this.#fields.get(tag)?.count ?? 0;
  }

  /** The first value of a tag. @throws TiffError */
  async number(tag: number): Promise<number | undefined> {
    return (await this.numbers(tag, 1))?.[0];
  }

  /** The values of a tag, at most the first `max` of them. @throws TiffError */
  async numbers(tag: number, max = Infinity): Promise<Float64Array | undefined> {
    const field = this.#fields.get(tag);
    if (!field) return undefined;
    const [size, read] = field.type;
    const count = Math.min(field.count, max);
    const view = viewOf(await this.#file.read(field.offset, count * size));
    return Float64Array.from({ length: count }, (_, i) => read(view, i * size, this.#file.littleEndian));
  }

  async text(tag: number): Promise<string | undefined> {
    const bytes = await this.bytes(tag);
    return bytes && new TextDecoder('utf-8').decode(bytes);
  }

  async bytes(tag: number): Promise<Bytes | undefined> {
    const field = this.#fields.get(tag);
    return field && this.#file.read(field.offset, field.count * field.type[0]);
  }
}
