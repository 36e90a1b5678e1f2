import { openBlocks, type TiffBlocks } from './tiff-blocks.ts';
import { TiffError, type TiffImage } from './tiff-file.ts';
import type { PixelReader } from './tiff-pixels.ts';
import { subfile, tag } from './tiff-tags.ts';

/** The mask of a file's first image, if any (TIFF 6.0, PhotometricInterpretation 4). @throws TiffError, TiffNotSupported */
export async function findMask([image, ...others]: readonly TiffImage[]) {
  for (const one of others) {
    const kind = (await one.number(tag.newSubfileType)) ?? 0;
    if ((kind & subfile.transparency) === 0 || (kind & subfile.reduced) !== 0) continue;
    for (const size of [tag.width, tag.height]) {
      if ((await one.number(size)) !== (await image?.number(size)))
        throw new TiffError('its mask is not of its size');
    }
    return openBlocks(one);
  }
  return undefined;
}

/** Reads a mask: 0 hides the image's pixel, also in omitted blocks. */
export function maskPixels({ samplesPerPixel }: TiffBlocks): Pick<PixelReader, 'newStore' | 'copy'> {
  return {
    newStore: (pixels) => ({ pixels: new Uint8Array(pixels) }),
    copy({ pixels }, at, samples, from, count) {
      if (!samples) return;
      for (let i = 0; i < count; i++) if (samples[(from + i) * samplesPerPixel] !== 0) pixels[at + i] = 1;
    },
  };
}
