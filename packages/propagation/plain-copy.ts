import { open } from 'node:fs/promises';
import path from 'node:path';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import type { Samples } from '@covermap/coverage-files/raster/classes.ts';
import { parseGeoKeys, pixelIsPoint } from '@covermap/coverage-files/raster/geo-keys.ts';
import { readGeoTags, transformOf } from '@covermap/coverage-files/raster/geotiff.ts';
import {
  doubles,
  geoFields,
  type PlainField,
  plainHead,
  text,
} from '@covermap/coverage-files/raster/plain-tiff.ts';
import { openBlocks, type TiffBlocks } from '@covermap/coverage-files/raster/tiff-blocks.ts';
import { openTiffFile, type TiffImage, TiffNotSupported } from '@covermap/coverage-files/raster/tiff-file.ts';
import { findMask } from '@covermap/coverage-files/raster/tiff-mask.ts';
import { subfile, tag } from '@covermap/coverage-files/raster/tiff-tags.ts';

/* Uncompressed copies of GeoTIFF in LERC, as in LINZ's elevation models, or ZSTD. Our own reader decompresses them, as this build of GDAL cannot. */

/** For rows that are decompressed together. */
const maxRowsBytes = 256 * 1024 * 1024;
const convert = 'Convert it: gdal_translate -co COMPRESS=DEFLATE -co TILED=YES.';

/** The copy's header without pixels: enough for GDAL to describe it. @throws TiffError, TiffNotSupported, IngestError `raster_not_rectified` */
export const plainCopyHead = (file: string): Promise<Buffer> => withImage(file, 1, async ({ head }) => head);

/**
 * Writes the copy of the smallest overview that is fine enough.
 * @returns its pixels
 * @throws as {@link plainCopyHead}; ENOSPC
 * @param reduction how many times larger pixels may be than the file's
 * @param maxPixels limit of the copy
 */
export const writePlainCopy = (
  file: string,
  to: string,
  reduction: number,
  maxPixels: number,
): Promise<number> =>
  withImage(file, reduction, async ({ head, blocks, noData }) => {
    const pixels = blocks.width * blocks.height;
    if (pixels > maxPixels) {
      const hint = 'Make overviews, of which one is read: gdaladdo -r average.';
      throw new TiffNotSupported('there are too many pixels to decompress at once', hint);
    }
    const handle = await open(to, 'w');
    try {
      await handle.write(head);
      for (let row = 0; row < blocks.rows; row++) {
        await handle.write(await rowsOf(blocks, row, noData));
        pulse();
      }
    } finally {
      await handle.close();
    }
    return pixels;
  });

/** The pixels of a row of blocks. Omitted blocks are void. */
async function rowsOf(blocks: TiffBlocks, row: number, noData: number): Promise<Uint8Array> {
  const { width, height, blockWidth, blockHeight, samplesPerPixel, Values } = blocks;
  const rows = Math.min(blockHeight, height - row * blockHeight);
  const pixels = new Values(width * rows).fill(noData);
  for (let column = 0; column < blocks.columns; column++) {
    const { samples, width: stride } = await blocks.read(column, row);
    if (!samples) continue;
    const left = column * blockWidth;
    const count = Math.min(blockWidth, width - left);
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < count; x++)
        pixels[y * width + left + x] = samples[(y * stride + x) * samplesPerPixel] as number;
  }
  return new Uint8Array(pixels.buffer);
}

/** One image of a file, and the header of its copy. */
interface Image {
  head: Buffer;
  blocks: TiffBlocks;
  noData: number;
}

async function withImage<T>(name: string, reduction: number, use: (image: Image) => Promise<T>): Promise<T> {
  const file = await openTiffFile(name);
  try {
    const images = await file.images();
    const [main] = images as [TiffImage];
    if (((await main.number(tag.photometric)) ?? 1) > 1)
      throw new TiffNotSupported('it is an image, and has no heights', convert);
    if (await findMask(images)) throw new TiffNotSupported('it has a mask', convert);
    const whole = await openBlocks(main);
    const overview = await coarsest(images, whole.width, reduction);
    const blocks = overview ? await openBlocks(overview) : whole;
    const fields = await fieldsOf(main, path.basename(name), whole, blocks);
    return await use({ ...fields, blocks });
  } finally {
    await file.close();
  }
}

/** The overview with the fewest pixels that are fine enough; undefined if none but the image itself is. */
async function coarsest(images: readonly TiffImage[], width: number, reduction: number) {
  let found: TiffImage | undefined;
  let narrowest = width;
  for (const image of images) {
    const overviewWidth = (await image.number(tag.width)) ?? 0;
    const isOverview = (await image.number(tag.newSubfileType)) === subfile.reduced;
    if (!isOverview || overviewWidth >= narrowest || width / overviewWidth > reduction) continue;
    found = image;
    narrowest = overviewWidth;
  }
  return found;
}

/** The TIFF fields about pixels and their place, for one of the file's images. */
async function fieldsOf(main: TiffImage, name: string, whole: TiffBlocks, blocks: TiffBlocks) {
  const { width, height, blockHeight, Values } = blocks;
  const rowsBytes = width * blockHeight * Values.BYTES_PER_ELEMENT;
  if (rowsBytes > maxRowsBytes) throw new TiffNotSupported('its tiles are too many in a row', convert);
  const geoTags = await readGeoTags(main);
  const keys = parseGeoKeys(geoTags.directory);
  const place = await transformOf(main, keys, name);
  const noData = (await main.text(tag.gdalNoData)) ?? '';
  const fields: PlainField[] = [
    ...geoFields(geoTags),
    text(tag.gdalMetadata, (await main.text(tag.gdalMetadata)) ?? ''),
    text(tag.gdalNoData, noData),
  ];
  if (place) {
    const [across, down] = [whole.width / width, whole.height / height];
    const [a, b, d, e] = [place.a * across, place.b * down, place.d * across, place.e * down];
    // The offset of the first pixel's position: its middle where a pixel is a point, else its corner.
    const into = pixelIsPoint(keys) ? 0.5 : 0;
    const [c, f] = [place.c + into * (a + b), place.f + into * (d + e)];
    fields.push(doubles(tag.transformation, [a, b, 0, c, d, e, 0, f, 0, 0, 0, 0, 0, 0, 0, 1]));
  }
  const layout = { width, height, rows: blockHeight, ...formOf(new Values(0)) };
  return { head: plainHead(layout, fields), noData: Number.parseFloat(noData) || 0 };
}

/** SampleFormat and bits per sample of an array. */
function formOf(samples: Samples): { format: number; bits: number } {
  const isFloat = samples instanceof Float32Array || samples instanceof Float64Array;
  const isSigned =
    samples instanceof Int8Array || samples instanceof Int16Array || samples instanceof Int32Array;
  return { format: isFloat ? 3 : isSigned ? 2 : 1, bits: 8 * samples.BYTES_PER_ELEMENT };
}
