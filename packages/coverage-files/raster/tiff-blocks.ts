import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { Samples } from './classes.ts';
import { decompressLzw } from './lzw.ts';
import { type Bytes, type TiffDirectory, TiffError, type TiffFile } from './tiff-directory.ts';
import { tag } from './tiff-tags.ts';

/** Those that are not read here. */
const compressions: Record<number, string> = {
  ...{ 2: 'CCITT RLE', 3: 'CCITT fax 3', 4: 'CCITT fax 4', 6: 'old JPEG', 34661: 'JBIG' },
  ...{ 34712: 'JPEG 2000', 34925: 'LZMA', 50001: 'WebP', 50002: 'JPEG XL' },
};

const compression = {
  ...{ none: 1, lzw: 5, jpeg: 7, deflate: 8 },
  ...{ packBits: 32773, oldDeflate: 32946, lerc: 34887, zstd: 50000 },
};

/** A larger tile or strip, decompressed, would exhaust the memory. */
const maxBlockBytes = 256 * 1024 * 1024;
/** Uncompressed strips are read in parts of about this size. */
const partBytes = 4 * 1024 * 1024;
const inflateBytes = promisify(inflate);

/** An unsupported compression or layout of samples. */
export class TiffNotSupported extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

type Layout = Awaited<ReturnType<typeof readLayout>>;

/** The tiles or strips of one image of a TIFF file. */
export type TiffBlocks = Awaited<ReturnType<typeof openBlocks>>;

type Stored = Samples | BigInt64Array | BigUint64Array;
interface ArrayOf<T> {
  BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, offset: number, length: number): T;
  new (length: number): T;
}

const bytes: [ArrayOf<Stored>, ArrayOf<Samples>] = [Uint8Array, Uint8Array];
/** By SampleFormat and bits: the stored array and the returned one. */
const sampleArrays: Record<number, Record<number, [stored: ArrayOf<Stored>, values: ArrayOf<Samples>]>> = {
  1: {
    ...{ 1: bytes, 2: bytes, 4: bytes, 8: bytes },
    ...{ 16: [Uint16Array, Uint16Array], 32: [Uint32Array, Uint32Array], 64: [BigUint64Array, Float64Array] },
  },
  2: {
    ...{ 8: [Int8Array, Int8Array], 16: [Int16Array, Int16Array] },
    ...{ 32: [Int32Array, Int32Array], 64: [BigInt64Array, Float64Array] },
  },
  3: { 16: [Uint16Array, Float32Array], 32: [Float32Array, Float32Array], 64: [Float64Array, Float64Array] },
};

const arraysOf = (format: number, bits: number) =>
  sampleArrays[format]?.[bits] as [ArrayOf<Stored>, ArrayOf<Samples>];

/** @throws TiffError, TiffNotSupported */
export async function openBlocks(file: TiffFile, directory: TiffDirectory) {
  const layout = await readLayout(directory);
  const { width, height, samplesPerPixel, bits, format, planes, tiled, blockWidth, blockHeight } = layout;
  const { storedHeight, perRow, rowBytes, offsets, byteCounts } = layout;
  const [Stored, Values] = arraysOf(format, bits);
  const decode = await decoderFor(file, directory, layout);
  const columns = Math.ceil(width / blockWidth);
  const allRows = Math.ceil(height / blockHeight);

  /** Rows of an uncompressed strip; its height need not be a multiple of the part's. */
  async function readPart(row: number, rows: number): Promise<Bytes> {
    const bytes = new Uint8Array(rowBytes * rows);
    for (let done = 0; done < rows; ) {
      const y = row * blockHeight + done;
      const strip = Math.floor(y / storedHeight);
      const count = Math.min(rows - done, (strip + 1) * storedHeight - y);
      const offset = (offsets[strip] as number) + (y - strip * storedHeight) * rowBytes;
      bytes.set(await file.read(offset, count * rowBytes), done * rowBytes);
      done += count;
    }
    return bytes;
  }

  async function readPlane(column: number, row: number, plane: number, rows: number) {
    const index = (plane * allRows + row) * columns + column;
    const size = rowBytes * rows;
    let bytes: Bytes;
    if (isByParts(layout.compression, tiled, planes)) bytes = await readPart(row, rows);
    else {
      const byteCount = byteCounts[index] as number;
      // GDAL omits empty blocks.
      if (byteCount === 0 || offsets[index] === 0) return undefined;
      if (byteCount > 2 * size + 65_536) throw new TiffError('a block of it is far longer than its pixels');
      bytes = await file.read(offsets[index] as number, byteCount);
    }
    const decoded = await decode(bytes, size, rows);
    if (decoded.length < size) throw new TiffError('a block of it has fewer pixels than it should');
    if (bits < 8) return unpackSamples(decoded, bits, perRow, rows);
    const stored = new Stored(decoded.buffer, decoded.byteOffset, perRow * rows);
    if (stored instanceof Values) return stored;
    return Values === Float32Array
      ? Float32Array.from(stored as Uint16Array, halfToNumber)
      : Float64Array.from(stored as BigInt64Array, Number);
  }

  return {
    ...{ width, height, samplesPerPixel, bits, format, blockWidth, blockHeight, columns },
    Values,
    rows: allRows,
    isJpeg: layout.compression === compression.jpeg,
    /** The size of a block, beyond the image's edge too, and its samples, interleaved; undefined for an omitted block. @throws TiffError */
    async read(column: number, row: number) {
      const rows = tiled ? blockHeight : Math.min(blockHeight, height - row * blockHeight);
      if (planes === 1) return { width: blockWidth, rows, samples: await readPlane(column, row, 0, rows) };
      let samples: Samples | undefined;
      for (let plane = 0; plane < planes; plane++) {
        const own = await readPlane(column, row, plane, rows);
        if (!own) continue;
        samples ??= new Values(own.length * samplesPerPixel);
        for (let i = 0, to = plane; i < own.length; i++, to += planes) samples[to] = own[i] as number;
      }
      return { width: blockWidth, rows, samples };
    },
  };
}

/** Uncompressed strips of any height are read in parts of rows. */
const isByParts = (method: number, tiled: boolean, planes: number) =>
  method === compression.none && !tiled && planes === 1;

async function readLayout(directory: TiffDirectory) {
  const numberOr = async (of: number, otherwise: number) => (await directory.number(of)) ?? otherwise;
  const width = await numberOr(tag.width, 0);
  const height = await numberOr(tag.height, 0);
  const samplesPerPixel = await numberOr(tag.samplesPerPixel, 1);
  const bitsOf = (await directory.numbers(tag.bitsPerSample, 64)) ?? Float64Array.of(1);
  const formats = (await directory.numbers(tag.sampleFormat, 64)) ?? Float64Array.of(1);
  const bits = bitsOf[0] ?? 1;
  const format = formats[0] === 4 ? 1 : (formats[0] ?? 1);
  if (!(width >= 1 && height >= 1 && samplesPerPixel >= 1)) throw new TiffError('it promises no pixels');
  const differ = [bitsOf, formats].some((all) => all.some((one) => one !== all[0]));
  if (samplesPerPixel > 64 || differ) {
    throw new TiffNotSupported(
      'its bands differ in their type, or are very many',
      'Export one band, or red, green, blue and alpha.',
    );
  }
  if (!sampleArrays[format]?.[bits]) {
    throw new TiffNotSupported(
      `its pixels are of ${bits} bits in a form that is not read here`,
      'Export it with whole numbers of 8, 16 or 32 bits, or floating point numbers of 32.',
    );
  }
  const planar = (await numberOr(tag.planarConfiguration, 1)) === 2 && samplesPerPixel > 1;
  const planes = planar ? samplesPerPixel : 1;
  const tiled = directory.has(tag.tileWidth);
  const blockWidth = tiled ? await numberOr(tag.tileWidth, 0) : width;
  const storedHeight = tiled
    ? await numberOr(tag.tileLength, 0)
    : Math.min(height, (await directory.number(tag.rowsPerStrip)) || height);
  if (!(blockWidth >= 1 && storedHeight >= 1)) throw new TiffError('its tiles have no size');
  const method = await numberOr(tag.compression, compression.none);
  const step = planar ? 1 : samplesPerPixel;
  const rowBytes = Math.ceil((blockWidth * step * bits) / 8);
  const byParts = isByParts(method, tiled, planes);
  if (!byParts && rowBytes * storedHeight > maxBlockBytes) {
    throw new TiffNotSupported(
      `its ${tiled ? 'tiles' : 'strips'} of ${blockWidth} x ${storedHeight} pixels are too large to be read one by one`,
      'Export it with tiles of 256 x 256 pixels.',
    );
  }
  const blocks = Math.ceil(width / blockWidth) * Math.ceil(height / storedHeight) * planes;
  const offsetTag = tiled ? tag.tileOffsets : tag.stripOffsets;
  const countTag = tiled ? tag.tileByteCounts : tag.stripByteCounts;
  if (directory.count(offsetTag) < blocks || (!byParts && directory.count(countTag) < blocks))
    throw new TiffError('it lists fewer blocks than it has');
  const offsets = (await directory.numbers(offsetTag, blocks)) as Float64Array;
  const byteCounts = (await directory.numbers(countTag, blocks)) ?? new Float64Array(0);
  const partHeight = Math.max(1, Math.min(height, Math.floor(partBytes / rowBytes)));
  return {
    ...{ width, height, samplesPerPixel, bits, planes, tiled, blockWidth, offsets, byteCounts },
    /** 1 unsigned, 2 signed, 3 floating point (SampleFormat). */
    format,
    compression: method,
    predictor: await numberOr(tag.predictor, 1),
    /** Rows of a tile or strip, */
    storedHeight,
    /** and those read at once: of uncompressed strips as many as fit. */
    blockHeight: byParts ? partHeight : storedHeight,
    /** Samples in a row of one plane of a block, and their bytes. */
    perRow: blockWidth * step,
    rowBytes,
    /** The distance between the same samples of adjacent pixels. */
    step,
  };
}

/** The decompressor of blocks, to samples in this machine's byte order. */
async function decoderFor(file: TiffFile, directory: TiffDirectory, layout: Layout) {
  const { compression: method, predictor, bits } = layout;
  const decompress = await decompressorFor(directory, layout);
  // These decoders return native byte order, the others the file's.
  const ownOrder = method === compression.jpeg || method === compression.lerc;
  return async (bytes: Bytes, size: number, rows: number) => {
    let decoded: Bytes;
    try {
      decoded = await decompress(bytes, size);
    } catch (error) {
      if (error instanceof TiffNotSupported) throw error;
      throw new TiffError('a block of it cannot be decompressed', { cause: error });
    }
    if (decoded.length < size || ownOrder) return decoded;
    if (predictor === 3) return undoFloatPredictor(decoded, layout, rows);
    if (!file.littleEndian) swapBytes(decoded.subarray(0, size), bits);
    if (predictor === 2) undoPredictor(decoded, layout, rows);
    return decoded;
  };
}

async function decompressorFor(
  directory: TiffDirectory,
  { compression: method, samplesPerPixel, bits, planes, blockWidth, storedHeight }: Layout,
): Promise<(bytes: Bytes, size: number) => Bytes | Promise<Bytes>> {
  switch (method) {
    case compression.none:
      return (bytes) => bytes;
    case compression.lzw:
      return decompressLzw;
    case compression.deflate:
    case compression.oldDeflate:
      // A block that inflates to more than its pixels is refused.
      return async (bytes, size) => aligned(await inflateBytes(bytes, { maxOutputLength: size + 65_536 }));
    case compression.packBits:
      return unpackBits;
    case compression.jpeg:
    case compression.lerc:
    case compression.zstd: {
      // Imported if needed: it would be a tenth of the start of every reading.
      const { getDecoder } = await import('geotiff');
      const decoder = await getDecoder(method, {
        tileWidth: blockWidth,
        tileHeight: storedHeight,
        planarConfiguration: planes > 1 ? 2 : 1,
        bitsPerSample: Array(samplesPerPixel).fill(bits),
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

const aligned = (bytes: Uint8Array) =>
  bytes.byteOffset % 8 === 0 ? (bytes as Bytes) : new Uint8Array(bytes);

/** PackBits (TIFF 6.0, section 9). */
function unpackBits(input: Uint8Array, size: number): Bytes {
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

function swapBytes({ buffer, byteOffset, length }: Bytes, bits: number): void {
  const bytes = Buffer.from(buffer, byteOffset, length);
  if (bits === 16) bytes.swap16();
  else if (bits === 32) bytes.swap32();
  else if (bits === 64) bytes.swap64();
}

/** Horizontal differencing (TIFF 6.0, section 14): each sample is stored as its difference from the one to the left. */
function undoPredictor(bytes: Bytes, { bits, perRow, step }: Layout, rows: number): void {
  if (bits < 8)
    throw new TiffNotSupported('its predictor is not one for so few bits', 'Export it without a predictor.');
  const [Unsigned] = arraysOf(1, bits);
  // Big integers add up like numbers.
  const samples = new Unsigned(bytes.buffer, bytes.byteOffset, perRow * rows) as Uint32Array;
  for (let y = 0; y < rows; y++) {
    for (let i = y * perRow + step, end = (y + 1) * perRow; i < end; i++)
      samples[i] = (samples[i] as number) + (samples[i - step] as number);
  }
}

/** Floating point predictor (Adobe Photoshop TIFF Technical Note 3): the highest bytes of a row, then the next ones. */
function undoFloatPredictor(bytes: Bytes, { bits, perRow, step }: Layout, rows: number): Bytes {
  const size = bits / 8;
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

/** Unpacks samples of 1, 2 or 4 bits, the highest bits first; rows are aligned to bytes. */
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
