import { promisify } from 'node:util';
import { inflate, type ZlibOptions } from 'node:zlib';
import { decompressLzw } from './lzw.ts';
import { TiffError, type TiffImage, TiffNotSupported } from './tiff-file.ts';
import { tag } from './tiff-tags.ts';

/** Those that are not read here. */
const notRead: Record<number, string> = {
  ...{ 2: 'CCITT RLE', 3: 'CCITT fax 3', 4: 'CCITT fax 4', 6: 'old JPEG', 34661: 'JBIG' },
  ...{ 34712: 'JPEG 2000', 34925: 'LZMA', 50001: 'WebP', 50002: 'JPEG XL' },
};

const compression = { lzw: 5, jpeg: 7, packBits: 32773, lerc: 34887 };
/** With those of the package. */
const read = new Set([1, 8, 32946, 50000, ...Object.values(compression)]);

type Decompress = (
  input: Uint8Array,
  size: number,
) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;

/** Those of LZW and PackBits take a fifteenth of the time of the package's, and that of Deflate, in both its numbers, is bounded. */
const own: Record<number, Decompress> = {
  [compression.lzw]: decompressLzw,
  [compression.packBits]: unpackBits,
  ...{ 8: inflateBounded, 32946: inflateBounded },
};

const inflateBlock = promisify(inflate) as (
  input: Uint8Array,
  options: ZlibOptions,
) => Promise<Uint8Array<ArrayBuffer>>;

/** A block that inflates to far more than its pixels is refused. */
function inflateBounded(input: Uint8Array, size: number): Promise<Uint8Array<ArrayBuffer>> {
  return inflateBlock(input, { maxOutputLength: size + 65_536 });
}

/** Of tiles or strips; `rowBytes`: of a row of one plane. */
interface StoredBlocks {
  compression: number;
  predictor: number;
  bits: number;
  samplesPerPixel: number;
  planes: number;
  blockWidth: number;
  storedHeight: number;
  rowBytes: number;
}

/** The decoder of an image's blocks. @throws TiffNotSupported */
export async function decoderFor(tiff: TiffImage, blocks: StoredBlocks) {
  const { compression: method, bits, samplesPerPixel, planes, blockWidth, storedHeight } = blocks;
  const isJpeg = method === compression.jpeg;
  const isImage = isJpeg || method === compression.lerc;
  const predictor = isImage ? 1 : blocks.predictor;
  if (!read.has(method)) {
    throw new TiffNotSupported(
      `its compression, ${notRead[method] ?? `number ${method}`}, is not read here`,
      'Export it with deflate compression, for example: gdal_translate -co COMPRESS=DEFLATE -co TILED=YES.',
    );
  }
  if (predictor !== 1 && bits < 8)
    throw new TiffNotSupported('its predictor is not one for so few bits', 'Export it without a predictor.');
  const { BaseDecoder, getDecoder } = await import('geotiff');
  const parameters = {
    ...{ predictor, samplesPerPixel, planarConfiguration: planes > 1 ? 2 : 1 },
    ...{ tileWidth: blockWidth, tileHeight: storedHeight, bitsPerSample: Array(samplesPerPixel).fill(bits) },
    JPEGTables: await tiff.numbers(tag.jpegTables).then((bytes) => bytes && Uint8Array.from(bytes)),
    LercParameters: await tiff.numbers(tag.lercParameters),
  };
  const decompress = own[method];
  const theirs = await getDecoder(method, { ...parameters, predictor: 1 });
  const size = blocks.rowBytes * storedHeight;
  // Differences of bytes have an order of their own.
  const swapped = !tiff.littleEndian && predictor === 2;
  class Decoder extends BaseDecoder {
    override async decodeBlock(buffer: ArrayBuffer): Promise<ArrayBufferLike> {
      const decoded = decompress
        ? exactly(await decompressed(decompress, new Uint8Array(buffer), size))
        : ((await theirs.decode(buffer)) as ArrayBuffer);
      if (swapped) swapBytes(decoded, bits);
      return decoded;
    }
  }
  return {
    decoder: new Decoder(parameters),
    isJpeg,
    /** True where decoded samples have this machine's byte order. */
    isNative: tiff.littleEndian || predictor !== 1 || isImage,
  };
}

async function decompressed(decompress: Decompress, input: Uint8Array, size: number) {
  try {
    return await decompress(input, size);
  } catch (error) {
    throw new TiffError('a block of it cannot be decompressed', { cause: error });
  }
}

const exactly = (bytes: Uint8Array<ArrayBuffer>) =>
  bytes.length === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;

/** @param bytes of the other byte order than this machine's, which has the one of all that Node runs on */
export function swapBytes(bytes: ArrayBuffer, bits: number): void {
  const all = Buffer.from(bytes, 0, bytes.byteLength - (bytes.byteLength % (bits / 8)));
  if (bits === 16) all.swap16();
  else if (bits === 32) all.swap32();
  else if (bits === 64) all.swap64();
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
