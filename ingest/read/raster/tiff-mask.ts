import { openBlocks, type TiffBlocks } from './tiff-blocks.ts';
import { type TiffDirectory, TiffError, type TiffFile } from './tiff-directory.ts';

const tag = { newSubfileType: 254, width: 256, height: 257 };
/** Bits of NewSubfileType (TIFF 6.0, section 8). */
const reduced = 1;
const transparency = 4;

/** The mask of a file's first image, where it has one (TIFF 6.0, PhotometricInterpretation 4). @throws TiffError, TiffNotSupported */
export async function findMask(
  file: TiffFile,
  [image, ...others]: readonly TiffDirectory[],
): Promise<TiffBlocks | undefined> {
  for (const directory of others) {
    const kind = (await directory.number(tag.newSubfileType)) ?? 0;
    if ((kind & transparency) === 0 || (kind & reduced) !== 0) continue;
    for (const size of [tag.width, tag.height]) {
      if ((await directory.number(size)) !== (await image?.number(size)))
        throw new TiffError('its mask is not of its size');
    }
    return openBlocks(file, directory);
  }
  return undefined;
}

/** By pixel of a window, row by row: 0 where the image does not count. */
export async function readMask(
  mask: TiffBlocks,
  x: number,
  y: number,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const { blockWidth, blockHeight, samplesPerPixel } = mask;
  const shown = new Uint8Array(width * height);
  for (let row = Math.floor(y / blockHeight); row * blockHeight < y + height; row++) {
    for (let column = Math.floor(x / blockWidth); column * blockWidth < x + width; column++) {
      const block = await mask.read(column, row);
      // A block that the file omits is all zero.
      if (!block.samples) continue;
      const top = Math.max(y, row * blockHeight);
      const bottom = Math.min(y + height, row * blockHeight + block.rows);
      const left = Math.max(x, column * blockWidth);
      const right = Math.min(x + width, (column + 1) * blockWidth);
      for (let line = top; line < bottom; line++) {
        const from = (line - row * blockHeight) * block.width - column * blockWidth;
        const to = (line - y) * width - x;
        for (let i = left; i < right; i++) {
          if (block.samples[(from + i) * samplesPerPixel] !== 0) shown[to + i] = 1;
        }
      }
    }
  }
  return shown;
}
