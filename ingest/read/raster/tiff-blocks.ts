import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { Samples } from './classes.ts';
import { decompressLzw } from './lzw.ts';
import { type TiffDirectory, TiffError, type TiffFile } from './tiff-directory.ts';

/** Tags of TIFF 6.0 and its supplements that say how pixels are stored. */
const tag = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  predictor: 317,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  sampleFormat: 339,
  jpegTables: 347,
  lercParameters: 50674,
};

const compressions: Record<number, string> = {
  2: 'CCITT RLE',
  3: 'CCITT fax 3',
  4: 'CCITT fax 4',
  6: 'old JPEG',
  34661: 'JBIG',
  34712: 'JPEG 2000',
  34925: 'LZMA',
  50001: 'WebP',
  50002: 'JPEG XL',
};

/** Compressions that are read. */
const compression = {
  none: 1,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32773,
  oldDeflate: 32946,
  lerc: 34887,
  zstd: 50000,
};

/** A tile or strip larger than this, decompressed, would not leave room for anything else. */
const largestBlock = 256 * 1024 * 1024;
/** Uncompressed strips are read in parts of about this size. */
const partOfStrip = 4 * 1024 * 1024;

/** A compression or a layout of samples that is not read. */
export class TiffNotSupported extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

export interface Block {
  /** Columns and rows that it has, those beyond the image's edge included. */
  width: number;
  rows: number;
  /** Interleaved: by pixel, then by sample. undefined where the file holds none of them. */
  samples: Samples | undefined;
}

const inflateBytes = promisify(inflate);

/** The tiles or strips of one image of a TIFF file. */
export class TiffBlocks {
  readonly width: number;
  readonly height: number;
  readonly samplesPerPixel: number;
  readonly bits: number;
  /** 1 unsigned, 2 signed, 3 floating point (SampleFormat). */
  readonly format: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly columns: number;
  readonly rows: number;
  readonly #file: TiffFile;
  readonly #layout: Layout;
  readonly #decode: (
    bytes: Uint8Array<ArrayBuffer>,
    size: number,
    rows: number,
  ) => Promise<Uint8Array<ArrayBuffer>>;

  private constructor(
    file: TiffFile,
    layout: Layout,
    decode: (bytes: Uint8Array<ArrayBuffer>, size: number, rows: number) => Promise<Uint8Array<ArrayBuffer>>,
  ) {
    this.#file = file;
    this.#layout = layout;
    this.#decode = decode;
    this.width = layout.width;
    this.height = layout.height;
    this.samplesPerPixel = layout.samplesPerPixel;
    this.bits = layout.bits;
    this.format = layout.format;
    this.blockWidth = layout.blockWidth;
    this.blockHeight = layout.part ?? layout.blockHeight;
    this.columns = Math.ceil(layout.width / this.blockWidth);
    this.rows = Math.ceil(layout.height / this.blockHeight);
  }

  /** @throws TiffError, TiffNotSupported */
  static async open(file: TiffFile, directory: TiffDirectory): Promise<TiffBlocks> {
    const layout = await readLayout(directory);
    return new TiffBlocks(file, layout, await decoderFor(file, directory, layout));
  }

  get isJpeg(): boolean {
    return this.#layout.compression === compression.jpeg;
  }

  /** @throws TiffError */
  async read(column: number, row: number): Promise<Block> {
    const { width, height, blockWidth, tiled, planes, samplesPerPixel } = this.#layout;
    const rows = tiled ? this.blockHeight : Math.min(this.blockHeight, height - row * this.blockHeight);
    if (planes === 1) {
      const samples = await this.#plane(column, row, 0, rows, samplesPerPixel);
      return { width: tiled ? blockWidth : width, rows, samples };
    }
    let all: Samples | undefined;
    for (let plane = 0; plane < planes; plane++) {
      const samples = await this.#plane(column, row, plane, rows, 1);
      if (!samples) continue;
      all ??= new (samples.constructor as new (length: number) => Samples)(samples.length * planes);
      for (let i = 0, to = plane; i < samples.length; i++, to += planes) all[to] = samples[i] as number;
    }
    return { width: blockWidth, rows, samples: all };
  }

  async #plane(
    column: number,
    row: number,
    plane: number,
    rows: number,
    samplesPerPixel: number,
  ): Promise<Samples | undefined> {
    const { offsets, byteCounts, blockWidth, blockHeight, bits, part } = this.#layout;
    const rowBytes = Math.ceil((blockWidth * samplesPerPixel * bits) / 8);
    const size = rowBytes * rows;
    let bytes: Uint8Array<ArrayBuffer>;
    if (part !== undefined) {
      // Rows of uncompressed strips are where they are expected; strips need not be whole multiples of parts.
      bytes = new Uint8Array(size);
      for (let done = 0; done < rows; ) {
        const y = row * part + done;
        const strip = Math.floor(y / blockHeight);
        const count = Math.min(rows - done, (strip + 1) * blockHeight - y);
        const offset = (offsets[strip] as number) + (y - strip * blockHeight) * rowBytes;
        bytes.set(await this.#file.read(offset, count * rowBytes), done * rowBytes);
        done += count;
      }
    } else {
      const index = (plane * this.rows + row) * this.columns + column;
      const offset = offsets[index] as number;
      const byteCount = byteCounts[index] as number;
      // GDAL leaves out blocks in which there is nothing.
      if (byteCount === 0 || offset === 0) return undefined;
      if (byteCount > 2 * size + 65_536) throw new TiffError('a block of it is far longer than its pixels');
      bytes = await this.#file.read(offset, byteCount);
    }
    const decoded = await this.#decode(bytes, size, rows);
    if (decoded.length < size) throw new TiffError('a block of it has fewer pixels than it should');
    return toSamples(decoded, size, this.#layout, blockWidth * samplesPerPixel, rows);
  }
}

interface Layout {
  width: number;
  height: number;
  samplesPerPixel: number;
  bits: number;
  format: number;
  compression: number;
  predictor: number;
  planes: number;
  tiled: boolean;
  blockWidth: number;
  blockHeight: number;
  /** Rows that are read at once of strips that are not compressed. */
  part: number | undefined;
  offsets: Float64Array;
  byteCounts: Float64Array;
}

async function readLayout(directory: TiffDirectory): Promise<Layout> {
  const width = (await directory.number(tag.width)) ?? 0;
  const height = (await directory.number(tag.height)) ?? 0;
  const samplesPerPixel = (await directory.number(tag.samplesPerPixel)) ?? 1;
  const bitsOf = (await directory.numbers(tag.bitsPerSample, 64)) ?? Float64Array.of(1);
  const formats = (await directory.numbers(tag.sampleFormat, 64)) ?? Float64Array.of(1);
  const bits = bitsOf[0] ?? 1;
  const format = formats[0] === 4 ? 1 : (formats[0] ?? 1);
  if (!(width >= 1 && height >= 1 && samplesPerPixel >= 1)) throw new TiffError('it promises no pixels');
  if (
    samplesPerPixel > 64 ||
    bitsOf.some((other) => other !== bits) ||
    formats.some((other) => other !== formats[0])
  ) {
    throw new TiffNotSupported(
      'its bands differ in their type, or are very many',
      'Export one band, or red, green, blue and alpha.',
    );
  }
  const readable =
    format === 3
      ? [16, 32, 64]
      : format === 2
        ? [8, 16, 32, 64]
        : format === 1
          ? [1, 2, 4, 8, 16, 32, 64]
          : [];
  if (!readable.includes(bits)) {
    throw new TiffNotSupported(
      `its pixels are of ${bits} bits in a form that is not read here`,
      'Export it with whole numbers of 8, 16 or 32 bits, or floating point numbers of 32.',
    );
  }
  const planar = ((await directory.number(tag.planarConfiguration)) ?? 1) === 2 && samplesPerPixel > 1;
  const planes = planar ? samplesPerPixel : 1;
  const tiled = directory.has(tag.tileWidth);
  const blockWidth = tiled ? ((await directory.number(tag.tileWidth)) ?? 0) : width;
  const blockHeight = tiled
    ? ((await directory.number(tag.tileLength)) ?? 0)
    : Math.min(height, (await directory.number(tag.rowsPerStrip)) || height);
  if (!(blockWidth >= 1 && blockHeight >= 1)) throw new TiffError('its tiles have no size');
  const method = (await directory.number(tag.compression)) ?? 1;
  const rowBytes = Math.ceil((blockWidth * (planar ? 1 : samplesPerPixel) * bits) / 8);
  const byParts = method === compression.none && !tiled && !planar;
  if (!byParts && rowBytes * blockHeight > largestBlock) {
    throw new TiffNotSupported(
      `its ${tiled ? 'tiles' : 'strips'} of ${blockWidth} x ${blockHeight} pixels are too large to be read one by one`,
      'Export it with tiles of 256 x 256 pixels.',
    );
  }
  const part = byParts ? Math.max(1, Math.min(height, Math.floor(partOfStrip / rowBytes))) : undefined;
  const blocks = Math.ceil(width / blockWidth) * Math.ceil(height / blockHeight) * planes;
  const offsetTag = tiled ? tag.tileOffsets : tag.stripOffsets;
  const countTag = tiled ? tag.tileByteCounts : tag.stripByteCounts;
  if (directory.count(offsetTag) < blocks || (!byParts && directory.count(countTag) < blocks))
    throw new TiffError('it lists fewer blocks than it has');
  const offsets = (await directory.numbers(offsetTag, blocks)) as Float64Array;
  const byteCounts = (await directory.numbers(countTag, blocks)) ?? new Float64Array(0);
  return {
    width,
    height,
    samplesPerPixel,
    bits,
    format,
    compression: method,
    predictor: (await directory.number(tag.predictor)) ?? 1,
    planes,
    tiled,
    blockWidth,
    blockHeight,
    part,
    offsets,
    byteCounts,
  };
}

type Decode = (
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  rows: number,
) => Promise<Uint8Array<ArrayBuffer>>;

/** How blocks are decompressed, to samples in this machine's byte order. */
async function decoderFor(file: TiffFile, directory: TiffDirectory, layout: Layout): Promise<Decode> {
  const { compression: method, predictor } = layout;
  const decompress = await decompressorFor(directory, layout);
  // These decoders hand out numbers of this machine; the others what the file's writer wrote.
  const ownOrder = method === compression.jpeg || method === compression.lerc;
  return async (bytes, size, rows) => {
    let decoded: Uint8Array<ArrayBuffer>;
    try {
      decoded = await decompress(bytes, size);
    } catch (error) {
      if (error instanceof TiffNotSupported) throw error;
      throw new TiffError('a block of it cannot be decompressed', { cause: error });
    }
    if (decoded.length < size) return decoded;
    if (ownOrder) return decoded;
    if (predictor === 3) return undoFloatPredictor(decoded, layout, rows);
    if (!file.littleEndian) swapBytes(decoded.subarray(0, size), layout.bits / 8);
    if (predictor === 2) undoPredictor(decoded, layout, rows);
    return decoded;
  };
}

async function decompressorFor(
  directory: TiffDirectory,
  layout: Layout,
): Promise<(bytes: Uint8Array<ArrayBuffer>, size: number) => Promise<Uint8Array<ArrayBuffer>>> {
  const method = layout.compression;
  switch (method) {
    case compression.none:
      return async (bytes) => bytes;
    case compression.lzw:
      return async (bytes, size) => decompressLzw(bytes, size);
    case compression.deflate:
    case compression.oldDeflate:
      // A block that inflates to more than its pixels is no block.
      return async (bytes, size) => aligned(await inflateBytes(bytes, { maxOutputLength: size + 65_536 }));
    case compression.packBits:
      return async (bytes, size) => unpackBits(bytes, size);
    case compression.jpeg:
    case compression.lerc:
    case compression.zstd: {
      // Loaded where it is needed: it would be a tenth of the start of every reading.
      const { getDecoder } = await import('geotiff');
      const decoder = await getDecoder(method, {
        tileWidth: layout.blockWidth,
        tileHeight: layout.blockHeight,
        planarConfiguration: layout.planes > 1 ? 2 : 1,
        bitsPerSample: Array(layout.samplesPerPixel).fill(layout.bits),
        predictor: 1,
        JPEGTables: await directory.bytes(tag.jpegTables),
        LercParameters: await directory.numbers(tag.lercParameters),
      } as Parameters<typeof getDecoder>[1]);
      return async (bytes) => aligned(new Uint8Array((await decoder.decode(bytes.buffer)) as ArrayBuffer));
    }
    default:
      throw new TiffNotSupported(
        `its compression, ${compressions[method] ?? `number ${method}`}, is not read here`,
        'Export it with deflate compression, for example: gdal_translate -co COMPRESS=DEFLATE -co TILED=YES.',
      );
  }
}

/** Bytes whose numbers stand where typed arrays want them. */
function aligned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer)
    return bytes as Uint8Array<ArrayBuffer>;
  return new Uint8Array(bytes);
}

/** PackBits (TIFF 6.0, section 9). */
function unpackBits(input: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(size);
  let written = 0;
  let at = 0;
  while (written < size && at < input.length) {
    const head = ((input[at++] as number) << 24) >> 24;
    if (head >= 0) {
      const literal = input.subarray(at, at + Math.min(head + 1, size - written));
      output.set(literal, written);
      written += literal.length;
      at += head + 1;
    } else if (head !== -128) {
      output.fill(input[at++] as number, written, Math.min(size, written + 1 - head));
      written = Math.min(size, written + 1 - head);
    }
  }
  return output.subarray(0, written);
}

function swapBytes(bytes: Uint8Array<ArrayBuffer>, size: number): void {
  const buffer = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    bytes.length - (bytes.length % Math.max(1, size)),
  );
  if (size === 2) buffer.swap16();
  else if (size === 4) buffer.swap32();
  else if (size === 8) buffer.swap64();
}

/** Horizontal differencing (TIFF 6.0, section 14): each sample is stored as its difference from the one to the left. */
function undoPredictor(bytes: Uint8Array<ArrayBuffer>, layout: Layout, rows: number): void {
  const { bits, blockWidth, planes } = layout;
  const step = planes > 1 ? 1 : layout.samplesPerPixel;
  const perRow = blockWidth * step;
  if (bits < 8)
    throw new TiffNotSupported('its predictor is not one for so few bits', 'Export it without a predictor.');
  const length = perRow * rows;
  const samples =
    bits === 8
      ? bytes
      : bits === 16
        ? new Uint16Array(bytes.buffer, bytes.byteOffset, length)
        : bits === 32
          ? new Uint32Array(bytes.buffer, bytes.byteOffset, length)
          : undefined;
  if (!samples) {
    const wide = new BigUint64Array(bytes.buffer, bytes.byteOffset, length);
    for (let y = 0; y < rows; y++)
      for (let i = y * perRow + step, end = (y + 1) * perRow; i < end; i++)
        wide[i] = (wide[i] as bigint) + (wide[i - step] as bigint);
    return;
  }
  for (let y = 0; y < rows; y++) {
    for (let i = y * perRow + step, end = (y + 1) * perRow; i < end; i++)
      samples[i] = (samples[i] as number) + (samples[i - step] as number);
  }
}

/** Floating point predictor (Adobe Photoshop TIFF Technical Note 3): the highest bytes of a row, then the next ones. */
function undoFloatPredictor(
  bytes: Uint8Array<ArrayBuffer>,
  layout: Layout,
  rows: number,
): Uint8Array<ArrayBuffer> {
  const step = layout.planes > 1 ? 1 : layout.samplesPerPixel;
  const perRow = layout.blockWidth * step;
  const size = layout.bits / 8;
  const out = new Uint8Array(perRow * size * rows);
  for (let y = 0; y < rows; y++) {
    const start = y * perRow * size;
    for (let i = start + step, end = start + perRow * size; i < end; i++)
      bytes[i] = (bytes[i] as number) + (bytes[i - step] as number);
    for (let i = 0; i < perRow; i++)
      for (let b = 0; b < size; b++)
        out[start + i * size + b] = bytes[start + (size - 1 - b) * perRow + i] as number;
  }
  return out;
}

function toSamples(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  layout: Layout,
  perRow: number,
  rows: number,
): Samples {
  const { bits, format } = layout;
  const { buffer, byteOffset } = bytes;
  const count = perRow * rows;
  if (bits < 8) return unpackSamples(bytes, bits, perRow, rows);
  if (bits === 8) return format === 2 ? new Int8Array(buffer, byteOffset, size) : bytes.subarray(0, size);
  if (format === 3) {
    if (bits === 16) return Float32Array.from(new Uint16Array(buffer, byteOffset, count), halfToNumber);
    return bits === 32
      ? new Float32Array(buffer, byteOffset, count)
      : new Float64Array(buffer, byteOffset, count);
  }
  if (bits === 64) {
    const wide =
      format === 2
        ? new BigInt64Array(buffer, byteOffset, count)
        : new BigUint64Array(buffer, byteOffset, count);
    return Float64Array.from(wide as BigInt64Array, Number);
  }
  if (bits === 16)
    return format === 2
      ? new Int16Array(buffer, byteOffset, count)
      : new Uint16Array(buffer, byteOffset, count);
  return format === 2
    ? new Int32Array(buffer, byteOffset, count)
    : new Uint32Array(buffer, byteOffset, count);
}

/** Samples of 1, 2 or 4 bits, the highest bits first; each row begins with a byte. */
function unpackSamples(bytes: Uint8Array, bits: number, perRow: number, rows: number): Uint8Array {
  const out = new Uint8Array(perRow * rows);
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const mask = (1 << bits) - 1;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < perRow; x++) {
      const bit = x * bits;
      out[y * perRow + x] = ((bytes[y * rowBytes + (bit >> 3)] as number) >> (8 - bits - (bit & 7))) & mask;
    }
  }
  return out;
}

/** IEEE 754 binary16. */
function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
