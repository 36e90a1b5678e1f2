import type { Sharp, SharpOptions } from 'sharp';
import { Damage, damageOf, FileError, imageTooLarge } from '../errors.ts';
import type { FileEntry } from '../file-set.ts';
import { type Image, openNetpbm } from './netpbm.ts';

/** Larger images are not decoded, whatever their file's size. */
const maxPixels = 20_000 * 20_000;
const formats: string[] = ['png', 'jpeg', 'gif', 'webp', 'tiff'];
/** These, and interlaced images, are decoded whole. */
const wholeFormats: string[] = ['gif', 'webp'];
const maxPixelsWhole = 64 * 1024 * 1024;
/** The number of pixels in memory at a time, of four bytes each. */
const pixelsAtOnce = 32 * 1024 * 1024;

/** Imported for the first image only, as it takes longer than all other code. */
async function decoder(path: string, options: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  // The reader runs beside a database: one thread, and no cache.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp(path, options);
}

/** Opens the first picture of an image, whatever its name. @throws FileError `image_too_large`, `image_damaged` */
export async function openImage(entry: FileEntry): Promise<Image> {
  const path = await entry.unpack();
  const name = entry.path;
  const orDamaged = (error: unknown) => {
    throw damaged(name, error);
  };
  const portable = await openNetpbm(path).catch(orDamaged);
  if (portable && portable.width * portable.height > maxPixels)
    throw imageTooLarge(name, portable.width, portable.height, maxPixels);
  if (portable) return portable;
  const image = await decoder(path, { limitInputPixels: false });
  const { width, height, format, isProgressive } = await image.metadata().catch(orDamaged);
  // The decoder supports more, such as SVG, which refers to other files.
  if (!formats.includes(format))
    throw damaged(name, new Damage(`it is of the format ${format}, which is not read here`));
  if (width * height > maxPixels) throw imageTooLarge(name, width, height, maxPixels);
  const whole = isProgressive || wholeFormats.includes(format);
  if (whole && width * height > maxPixelsWhole) {
    throw new FileError(
      'image_too_large',
      `${name} is ${isProgressive ? 'interlaced (progressive)' : `a ${format.toUpperCase()}`} and has ${width} x ${height} pixels; of such images at most ${Math.floor(maxPixelsWhole / 1e6)} million are read.`,
      'Save the image as PNG without interlacing, or cut it into several.',
    );
  }
  return {
    width,
    height,
    async *strips() {
      const rows = whole ? height : Math.max(1, Math.min(height, Math.floor(pixelsAtOnce / width)));
      for (let y = 0; y < height; y += rows) {
        const strip = Math.min(rows, height - y);
        // Truncated files fail, other flaws do not. Colours are the file's, without its profile.
        const part = await decoder(path, {
          limitInputPixels: whole ? maxPixelsWhole : maxPixels,
          failOn: 'truncated',
          ignoreIcc: true,
        });
        if (strip < height) part.extract({ left: 0, top: y, width, height: strip });
        const bytes = await part
          .toColourspace('srgb')
          .ensureAlpha()
          .raw({ depth: 'uchar' })
          .toBuffer()
          .catch(orDamaged);
        if (bytes.length !== width * strip * 4)
          throw damaged(name, new Damage('it has fewer pixels than it promises'));
        const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.copyBytesFrom(bytes);
        yield {
          y,
          height: strip,
          pixels: new Uint32Array(aligned.buffer, aligned.byteOffset, width * strip),
        };
      }
    },
  };
}

function damaged(name: string, error: unknown): FileError {
  const why = damageOf(error, 'it is damaged, ends early, or is no image');
  return new FileError(
    'image_damaged',
    `${name} cannot be decoded: ${why}.`,
    'Export the image again as PNG.',
  ).causedBy(error);
}
