import type { Samples } from './classes.ts';
import { decoderFor, swapBytes } from './tiff-decoders.ts';
import { byPackage, TiffError, type TiffImage, TiffNotSupported } from './tiff-file.ts';
import { tag } from './tiff-tags.ts';

/** A larger tile or strip, decompressed, would exhaust the memory. */
const maxBlockBytes = 256 * 1024 * 1024;
/** Uncompressed strips are read in parts of about this size. */
const partBytes = 4 * 1024 * 1024;

/** The tiles or strips of one image of a TIFF file. */
export type TiffBlocks = Awaited<ReturnType<typeof openBlocks>>;

interface ArrayOf<T> {
  BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, offset: number, length: number): T;
  new (length: number): T;
}

/** By SampleFormat and bits. Packed bits come as bytes. */
const sampleArrays: Record<number, Record<number, ArrayOf<Samples>>> = {
  1: {
    ...{ 1: Uint8Array, 2: Uint8Array, 4: Uint8Array },
    ...{ 8: Uint8Array, 16: Uint16Array, 32: Uint32Array },
  },
  2: { 8: Int8Array, 16: Int16Array, 32: Int32Array },
  3: { 32: Float32Array, 64: Float64Array },
};

/** @throws TiffError, TiffNotSupported */
export async function openBlocks(tiff: TiffImage) {
  const layout = await readLayout(tiff);
  const { width, height, samplesPerPixel, bits, format, planes, blockWidth, blockHeight } = layout;
  const { storedHeight, tiled, byParts, perRow, rowBytes, offsets, byteCounts } = layout;
  const { decoder, isJpeg, isNative } = await decoderFor(tiff, layout);
  const Values = sampleArrays[format]?.[bits] as ArrayOf<Samples>;
  const columns = Math.ceil(width / blockWidth);
  const allRows = Math.ceil(height / blockHeight);

  /** Rows of an uncompressed strip; its height need not be a multiple of the part's. */
  async function readPart(row: number, rows: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(rowBytes * rows);
    for (let done = 0; done < rows; ) {
      const y = row * blockHeight + done;
      const strip = Math.floor(y / storedHeight);
      const count = Math.min(rows - done, (strip + 1) * storedHeight - y);
      const offset = (offsets[strip] as number) + (y - strip * storedHeight) * rowBytes;
      bytes.set(await tiff.read(offset, count * rowBytes), done * rowBytes);
      done += count;
    }
    return bytes;
  }

  async function readBlock(column: number, row: number, plane: number, size: number) {
    const index = (plane * allRows + row) * columns + column;
    const [offset, byteCount] = [offsets[index] as number, byteCounts[index] as number];
    // GDAL omits empty blocks.
    if (byteCount === 0 || offset === 0) return undefined;
    if (byteCount > 2 * size + 65_536) throw new TiffError('a block of it is far longer than its pixels');
    if (!(offset + byteCount <= tiff.fileSize)) throw new TiffError('it ends early');
    const block = tiff.image.getTileOrStrip(column, row, plane, decoder);
    return (await byPackage(block, 'a block of it cannot be decompressed')).data as ArrayBuffer;
  }

  async function readPlane(column: number, row: number, plane: number, rows: number) {
    const bytes = byParts
      ? (await readPart(row, rows)).buffer
      : await readBlock(column, row, plane, rowBytes * rows);
    if (!bytes) return undefined;
    const count = perRow * rows;
    if (bytes.byteLength < count * Values.BYTES_PER_ELEMENT)
      throw new TiffError('a block of it has fewer pixels than it should');
    if (!isNative) swapBytes(bytes, bits);
    return new Values(bytes, 0, count);
  }

  return {
    ...{ width, height, samplesPerPixel, bits, format, blockWidth, blockHeight, columns, Values, isJpeg },
    rows: allRows,
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

async function readLayout(tiff: TiffImage) {
  const numberOr = async (of: number, otherwise: number) => (await tiff.number(of)) ?? otherwise;
  const { image } = tiff;
  const width = await numberOr(tag.width, 0);
  const height = await numberOr(tag.height, 0);
  const samplesPerPixel = await numberOr(tag.samplesPerPixel, 1);
  const bitsOf = (await tiff.numbers(tag.bitsPerSample, 64)) ?? Float64Array.of(0);
  const formats = (await tiff.numbers(tag.sampleFormat, 64)) ?? Float64Array.of(1);
  const bits = bitsOf[0] ?? 0;
  const format = formats[0] ?? 1;
  if (!(width >= 1 && height >= 1 && samplesPerPixel >= 1)) throw new TiffError('it promises no pixels');
  const differ = [bitsOf, formats].some((all) => all.some((one) => one !== all[0]));
  if (samplesPerPixel > 64 || differ) {
    throw new TiffNotSupported(
      'its bands differ in their type, or are very many',
      'Export one band, or red, green, blue and alpha.',
    );
  }
  const predictor = await numberOr(tag.predictor, 1);
  // Differences of eight bytes, and what the list does not have, are read by GDAL.
  if (!sampleArrays[format]?.[bits] || (predictor === 2 && bits === 64)) {
    throw new TiffNotSupported(
      `its pixels are of ${bits} bits in a form that is not read here`,
      'Export it with whole numbers of 8, 16 or 32 bits, or floating point numbers of 32.',
    );
  }
  const planes = image.planarConfiguration === 2 ? samplesPerPixel : 1;
  const tiled = image.isTiled;
  const [blockWidth, storedHeight] = [image.getTileWidth(), image.getTileHeight()];
  if (!(blockWidth >= 1 && storedHeight >= 1)) throw new TiffError('its tiles have no size');
  const compression = await numberOr(tag.compression, 1);
  const perRow = blockWidth * (samplesPerPixel / planes);
  const rowBytes = Math.ceil((perRow * bits) / 8);
  /** Uncompressed strips of any height are read in parts of rows. */
  const byParts = compression === 1 && bits >= 8 && !tiled && planes === 1;
  if (!byParts && rowBytes * storedHeight > maxBlockBytes) {
    throw new TiffNotSupported(
      `its ${tiled ? 'tiles' : 'strips'} of ${blockWidth} x ${storedHeight} pixels are too large to be read one by one`,
      'Export it with tiles of 256 x 256 pixels.',
    );
  }
  const blocks = Math.ceil(width / blockWidth) * Math.ceil(height / storedHeight) * planes;
  const none = new Float64Array(0);
  const offsets = (await tiff.numbers(tiled ? tag.tileOffsets : tag.stripOffsets)) ?? none;
  const byteCounts = (await tiff.numbers(tiled ? tag.tileByteCounts : tag.stripByteCounts)) ?? none;
  if (offsets.length < blocks || (!byParts && byteCounts.length < blocks))
    throw new TiffError('it lists fewer blocks than it has');
  const partHeight = Math.max(1, Math.min(height, Math.floor(partBytes / rowBytes)));
  return {
    ...{ width, height, samplesPerPixel, bits, planes, tiled, byParts, blockWidth, offsets, byteCounts },
    ...{ compression, predictor },
    /** 1 unsigned, 2 signed, 3 floating point (SampleFormat). */
    format,
    /** Rows of a tile or strip, */
    storedHeight,
    /** and those read at once: of uncompressed strips as many as fit. */
    blockHeight: byParts ? partHeight : storedHeight,
    /** Samples in a row of one plane of a block, and their bytes. */
    perRow,
    rowBytes,
  };
}
