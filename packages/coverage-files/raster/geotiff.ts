import { explained, FileError, imageTooLarge } from '../errors.ts';
import type { PixelClass, Warning } from '../format.ts';
import type { PixelSummary } from '../pixel-summary.ts';
import { type GeoKeys, parseGeoKeys, pixelIsPoint, systemByKeys } from './geo-keys.ts';
import type { LabelledPart } from './labels.ts';
import { type Affine, affineThrough, type ControlPoint } from './placement.ts';
import type { GeoTags } from './plain-tiff.ts';
import { openBlocks, type TiffBlocks } from './tiff-blocks.ts';
import { openTiffFile, type TiffFile, type TiffImage, TiffNotSupported } from './tiff-file.ts';
import { findMask, maskPixels } from './tiff-mask.ts';
import { type PixelReader, pixelReader, type Store } from './tiff-pixels.ts';
import { tag } from './tiff-tags.ts';

/** 50,000 x 50,000 pixels of 20 m are a continent. */
export const maxPixels = 2_500_000_000;
const maxControlPoints = 10_000;
/** The approximate side of parts of whole blocks, in pixels, */
const partSize = 512;
/** or this many bytes. */
const partBytes = 48 * 1024 * 1024;

export type GeoTiff = Awaited<ReturnType<typeof openImage>>;

/**
 * Opens the first image of a GeoTIFF, with its mask.
 * @param name for messages
 * @throws FileError `raster_damaged`, `raster_not_supported`, `image_too_large`, `classes_do_not_fit`
 */
export async function openGeoTiff(path: string, name: string, classes: PixelClass[] | undefined) {
  let file: TiffFile | undefined;
  try {
    file = await openTiffFile(path);
    return await openImage(file, name, classes);
  } catch (error) {
    await file?.close();
    throw meaningOf(error, name);
  }
}

function meaningOf(error: unknown, name: string): unknown {
  if (error instanceof TiffNotSupported)
    return new FileError('raster_not_supported', `${name} cannot be read: ${error.message}.`, error.hint);
  return explained(error, 'raster_damaged', name);
}

async function openImage(file: TiffFile, name: string, classes: PixelClass[] | undefined) {
  const images = await file.images();
  const [image] = images as [TiffImage];
  const width = (await image.number(tag.width)) ?? 0;
  const height = (await image.number(tag.height)) ?? 0;
  if (width * height > maxPixels) throw imageTooLarge(name, width, height, maxPixels);
  const blocks = await openBlocks(image);
  const warnings: Warning[] = [];
  const mask = await findMask(images);
  const pixels = await pixelReader(image, blocks, mask !== undefined, name, classes, warnings);
  const geoTags = await readGeoTags(image);
  const keys = parseGeoKeys(geoTags.directory);
  return {
    width,
    height,
    /** From pixel corners; undefined if unknown. */
    transform: await transformOf(image, keys, name),
    system: systemByKeys(keys),
    geoTags,
    ofValues: pixels.ofValues,
    warnings,
    close: () => file.close(),
    finish: () => pixels.classifier.finish(),
    summary: (): PixelSummary => pixels.classifier.summary(width * height),
    async *parts(order?: 'down' | 'spread'): AsyncGenerator<LabelledPart> {
      try {
        yield* readParts(blocks, mask, pixels, order);
      } catch (error) {
        throw meaningOf(error, name);
      }
    },
  };
}

/** Yields the image in parts of whole blocks, classified. One part is in memory. */
async function* readParts(
  blocks: TiffBlocks,
  mask: TiffBlocks | undefined,
  pixels: PixelReader,
  order: 'down' | 'spread' = 'down',
): AsyncGenerator<LabelledPart> {
  const { blockWidth, blockHeight, columns, rows } = blocks;
  const bytesOf = (across: number, down: number) =>
    across * blockWidth * down * blockHeight * pixels.bytesPerPixel;
  let across = Math.min(columns, Math.ceil(partSize / blockWidth));
  let down = Math.min(rows, Math.ceil(partSize / blockHeight));
  while (down > 1 && bytesOf(across, down) > partBytes) down = Math.ceil(down / 2);
  while (across > 1 && bytesOf(across, down) > partBytes) across = Math.ceil(across / 2);
  const wide = Math.ceil(columns / across);
  const count = wide * Math.ceil(rows / down);
  const step = order === 'spread' ? spreadStep(count) : 1;
  for (let i = 0; i < count; i++) {
    const part = (i * step) % count;
    const [column, row] = [(part % wide) * across, Math.floor(part / wide) * down];
    yield readPart(blocks, mask, pixels, { column, row, across, down });
  }
}

/** A step that visits each of `count` parts once, and far apart in succession. */
function spreadStep(count: number): number {
  const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));
  let step = Math.max(1, Math.round(count * 0.618));
  while (common(step, count) > 1) step++;
  return step;
}

async function readPart(
  blocks: TiffBlocks,
  mask: TiffBlocks | undefined,
  pixels: PixelReader,
  { column, row, across, down }: { column: number; row: number; across: number; down: number },
): Promise<LabelledPart> {
  const { blockWidth, blockHeight } = blocks;
  const [x, y] = [column * blockWidth, row * blockHeight];
  const width = Math.min(blocks.width, (column + across) * blockWidth) - x;
  const height = Math.min(blocks.height, (row + down) * blockHeight) - y;
  const part = { x, y, width, height };
  const store = await readWindow(blocks, part, pixels, pixels.newStore(width * height));
  if (mask) {
    const shown = maskPixels(mask);
    const { pixels: bits } = await readWindow(mask, part, shown, shown.newStore(width * height));
    for (let at = 0; at < bits.length; at++) if (bits[at] === 0) pixels.hide(store, at);
  }
  const labels = new Int16Array(width * height);
  pixels.classify(store, labels);
  return { ...part, labels };
}

/** Copies a window's pixels to a store, from all its blocks. */
async function readWindow(
  blocks: TiffBlocks,
  { x, y, width, height }: Omit<LabelledPart, 'labels'>,
  pixels: Pick<PixelReader, 'copy'>,
  store: Store,
): Promise<Store> {
  const { blockWidth, blockHeight } = blocks;
  for (let row = Math.floor(y / blockHeight); row * blockHeight < y + height; row++) {
    for (let column = Math.floor(x / blockWidth); column * blockWidth < x + width; column++) {
      const block = await blocks.read(column, row);
      const top = Math.max(y, row * blockHeight);
      const bottom = Math.min(y + height, row * blockHeight + block.rows);
      const left = Math.max(x, column * blockWidth);
      const count = Math.min(x + width, (column + 1) * blockWidth) - left;
      for (let line = top; line < bottom; line++) {
        const from = (line - row * blockHeight) * block.width + left - column * blockWidth;
        pixels.copy(store, (line - y) * width + left - x, block.samples, from, count);
      }
    }
  }
  return store;
}

export async function readGeoTags(image: TiffImage): Promise<GeoTags> {
  return {
    directory: (await image.numbers(tag.geoKeyDirectory, 65_536)) ?? new Float64Array(0),
    doubles: (await image.numbers(tag.geoDoubles, 65_536)) ?? new Float64Array(0),
    ascii: ((await image.text(tag.geoAscii)) ?? '').slice(0, 65_536),
  };
}

/**
 * The transform of pixels (OGC 19-008r4, annex B.6): ModelTransformation, or ModelTiepoint with ModelPixelScale, of pixel centres where a
 * pixel is a point; else many ModelTiepoints, fitted by least squares.
 */
export async function transformOf(image: TiffImage, keys: GeoKeys, name: string) {
  const matrix = (await image.numbers(tag.transformation, 16)) ?? [];
  const scale = (await image.numbers(tag.pixelScale, 3)) ?? [];
  const isPlaced = scale.length >= 2 || matrix.length >= 8;
  const points = await controlPoints(image, isPlaced ? 1 : maxControlPoints);
  const [tie] = points;
  let transform: Affine | undefined;
  if (scale.length >= 2 && tie) {
    // Who writes a negative height means north up all the same, against the standard: GDAL reads it so, and with it QGIS.
    const [scaleX, scaleY] = [scale[0] as number, Math.abs(scale[1] as number)];
    const { column, row, x, y } = tie;
    transform = { a: scaleX, b: 0, c: x - column * scaleX, d: 0, e: -scaleY, f: y + row * scaleY };
  } else if (matrix.length >= 8) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0, , f = 0] = matrix;
    transform = { a, b, c, d, e, f };
  } else if (scale.length === 0) {
    transform = affineThrough(name, points);
  }
  if (!transform || !Object.values(transform).every(Number.isFinite)) return undefined;
  const { a, b, c, d, e, f } = transform;
  if (a * e - b * d === 0) return undefined;
  return pixelIsPoint(keys) ? { a, b, c: c - a / 2 - b / 2, d, e, f: f - d / 2 - e / 2 } : transform;
}

/** ModelTiepoint: column, row, a height, x, y, a height. */
async function controlPoints(image: TiffImage, max: number): Promise<ControlPoint[]> {
  const numbers = (await image.numbers(tag.tiepoint, 6 * max)) ?? new Float64Array(0);
  return Array.from({ length: Math.floor(numbers.length / 6) }, (_, i): ControlPoint => {
    const [column = 0, row = 0, , x = 0, y = 0] = numbers.subarray(6 * i);
    return { column, row, x, y };
  });
}
