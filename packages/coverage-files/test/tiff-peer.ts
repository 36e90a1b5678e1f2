import { fromFile, type GeoTIFFImage } from 'geotiff';
import { expect } from 'vitest';
import type { PixelClass } from '../format.ts';
import { openGeoTiff } from '../raster/geotiff.ts';
import { openBlocks } from '../raster/tiff-blocks.ts';
import { openTiffFile, type TiffImage } from '../raster/tiff-file.ts';

/** One class for all values: only pixels without data have none. */
const anyValue: PixelClass[] = [{ uncovered: false, min: -Infinity, max: Infinity }];
const maxPixels = 500_000;

/** All samples of the first image, interleaved by pixel. */
async function samplesOf(path: string): Promise<Float64Array> {
  const file = await openTiffFile(path);
  try {
    const [image] = await file.images();
    const blocks = await openBlocks(image as TiffImage);
    const { width, height, samplesPerPixel: step, blockWidth, blockHeight } = blocks;
    const all = new Float64Array(width * height * step);
    for (let row = 0; row < blocks.rows; row++) {
      for (let column = 0; column < blocks.columns; column++) {
        const block = await blocks.read(column, row);
        for (let y = row * blockHeight; y < Math.min(height, row * blockHeight + block.rows); y++) {
          const from = (y - row * blockHeight) * block.width * step;
          const count = Math.min(blockWidth, width - column * blockWidth) * step;
          const line = block.samples?.subarray(from, from + count);
          if (line) all.set(line, (y * width + column * blockWidth) * step);
        }
      }
    }
    return all;
  } finally {
    await file.close();
  }
}

/** Compares what the reader and the `geotiff` package read of a TIFF that the reader accepts: samples, georeference, nodata. */
export async function compareWithGeotiff(path: string): Promise<void> {
  const peer = await fromFile(path);
  try {
    const image = await peer.getImage();
    const size = [image.getWidth(), image.getHeight()] as const;
    if (size[0] * size[1] > maxPixels) return;
    const raster = await image.readRasters({ interleave: true });
    expect(await samplesOf(path)).toEqual(Float64Array.from(raster as ArrayLike<number>));
    await compareHeader(path, image, raster as ArrayLike<number>);
  } finally {
    peer.close();
  }
}

async function compareHeader(path: string, image: GeoTIFFImage, raster: ArrayLike<number>): Promise<void> {
  const tiff = await openGeoTiff(path, 'peer', undefined).catch(() => undefined);
  const { ofValues = false, transform } = tiff ?? {};
  await tiff?.close();
  const directory = image.getFileDirectory();
  const isPlaced = directory.hasTag('ModelPixelScale') || directory.hasTag('ModelTransformation');
  if (isPlaced && transform && transform.b === 0 && transform.d === 0) {
    const { a, c, e, f } = transform;
    // The peer gives the place of the first pixel, which for points is its centre.
    const ofPoints = image.getGeoKeys()?.GTRasterTypeGeoKey === 2;
    const [x, y] = ofPoints ? [c + a / 2, f + e / 2] : [c, f];
    const theirs = [...image.getResolution().slice(0, 2), ...image.getOrigin().slice(0, 2)];
    expect([a, e, x, y]).toEqual(theirs.map((value) => expect.closeTo(value, 6)));
  }
  const noData = image.getGDALNoData();
  if (!ofValues || noData === null) return;
  const values = await openGeoTiff(path, 'peer', anyValue);
  const step = image.getSamplesPerPixel();
  try {
    for await (const part of values.parts()) {
      for (const [i, label] of part.labels.entries()) {
        const at = (part.y + Math.floor(i / part.width)) * image.getWidth() + part.x + (i % part.width);
        const value = raster[at * step] as number;
        if (Math.fround(value) === Math.fround(noData)) expect(label).toBeLessThan(0);
      }
    }
  } finally {
    await values.close();
  }
}
