import { type FileHandle, open } from 'node:fs/promises';

/** What is wrong with a TIFF file, for people. */
export class TiffError extends Error {}

interface Field {
  type: number;
  count: number;
  /** Where the values begin in the file. */
  offset: number;
}

/** By field type (TIFF 6.0, section 2; 16 to 18 are BigTIFF's): bytes of a value. */
const sizes: Record<number, number> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};

const mostFields = 4096;
/** Images in one file: the data, its mask, its overviews and theirs. */
const mostDirectories = 64;

/** A TIFF or BigTIFF file on the disk. Nothing that its header says is taken for true beyond the file's end. */
export class TiffFile {
  readonly size: number;
  readonly littleEndian: boolean;
  readonly #handle: FileHandle;
  readonly #big: boolean;
  readonly #first: number;

  private constructor(handle: FileHandle, size: number, littleEndian: boolean, big: boolean, first: number) {
    this.#handle = handle;
    this.size = size;
    this.littleEndian = littleEndian;
    this.#big = big;
    this.#first = first;
  }

  /** @throws TiffError */
  static async open(path: string): Promise<TiffFile> {
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
      const order = buffer.toString('latin1', 0, 2);
      const little = order === 'II';
      const view = new DataView(buffer.buffer, buffer.byteOffset, 16);
      const magic = view.getUint16(2, little);
      if (bytesRead < 8 || !(little || order === 'MM') || (magic !== 42 && magic !== 43))
        throw new TiffError('it does not begin as a TIFF file does');
      const big = magic === 43;
      const first = big ? Number(view.getBigUint64(8, little)) : view.getUint32(4, little);
      return new TiffFile(handle, size, little, big, first);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** @throws TiffError where the file ends before */
  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.size)) throw new TiffError('it ends early');
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#handle.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new TiffError('it ends early');
      done += bytesRead;
    }
    return bytes;
  }

  /** The directories of its images, in order. @throws TiffError */
  async directories(): Promise<TiffDirectory[]> {
    const found: TiffDirectory[] = [];
    const seen = new Set<number>();
    let at = this.#first;
    while (at !== 0 && !seen.has(at) && found.length < mostDirectories) {
      seen.add(at);
      // Only the first one has to be whole: nothing else is read for its data.
      const directory = await this.#directory(at).catch((error) => {
        if (found.length > 0 && error instanceof TiffError) return undefined;
        throw error;
      });
      if (!directory) break;
      found.push(directory.fields);
      at = directory.next;
    }
    if (found.length === 0) throw new TiffError('it holds no image');
    return found;
  }

  async #directory(at: number): Promise<{ fields: TiffDirectory; next: number }> {
    const little = this.littleEndian;
    const big = this.#big;
    const head = new DataView((await this.read(at, big ? 8 : 2)).buffer);
    const count = big ? Number(head.getBigUint64(0, little)) : head.getUint16(0, little);
    if (count > mostFields) throw new TiffError('its directory is far too long');
    const entrySize = big ? 20 : 12;
    const start = at + (big ? 8 : 2);
    const view = new DataView((await this.read(start, count * entrySize + (big ? 8 : 4))).buffer);
    const fields = new Map<number, Field>();
    for (let i = 0; i < count; i++) {
      const entry = i * entrySize;
      const type = view.getUint16(entry + 2, little);
      const size = sizes[type];
      if (size === undefined) continue;
      const values = big ? Number(view.getBigUint64(entry + 4, little)) : view.getUint32(entry + 4, little);
      const inline = entry + (big ? 12 : 8);
      const within = values * size <= (big ? 8 : 4);
      const offset = within
        ? start + inline
        : big
          ? Number(view.getBigUint64(inline, little))
          : view.getUint32(inline, little);
      fields.set(view.getUint16(entry, little), { type, count: values, offset });
    }
    const end = count * entrySize;
    const next = big ? Number(view.getBigUint64(end, little)) : view.getUint32(end, little);
    return { fields: new TiffDirectory(this, fields), next };
  }
}

/** Description of one image: values by tag. */
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

  /** The values of a tag, at most the first `most` of them. @throws TiffError */
  async numbers(tag: number, most = Infinity): Promise<Float64Array | undefined> {
    const field = this.#fields.get(tag);
    if (!field) return undefined;
    const { type, offset } = field;
    const size = sizes[type] as number;
    const count = Math.min(field.count, most);
    const view = new DataView((await this.#file.read(offset, count * size)).buffer);
    const little = this.#file.littleEndian;
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = numberAt(view, i * size, type, little);
    return values;
  }

  /** @throws TiffError */
  async text(tag: number): Promise<string | undefined> {
    const bytes = await this.bytes(tag);
    return bytes && new TextDecoder('utf-8').decode(bytes);
  }

  /** @throws TiffError */
  async bytes(tag: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const field = this.#fields.get(tag);
    return field && this.#file.read(field.offset, field.count * (sizes[field.type] as number));
  }
}

function numberAt(view: DataView, at: number, type: number, little: boolean): number {
  switch (type) {
    case 3:
      return view.getUint16(at, little);
    case 4:
    case 13:
      return view.getUint32(at, little);
    case 5:
      return view.getUint32(at, little) / view.getUint32(at + 4, little);
    case 6:
      return view.getInt8(at);
    case 8:
      return view.getInt16(at, little);
    case 9:
      return view.getInt32(at, little);
    case 10:
      return view.getInt32(at, little) / view.getInt32(at + 4, little);
    case 11:
      return view.getFloat32(at, little);
    case 12:
      return view.getFloat64(at, little);
    case 16:
    case 18:
      return Number(view.getBigUint64(at, little));
    case 17:
      return Number(view.getBigInt64(at, little));
    default:
      return view.getUint8(at);
  }
}
