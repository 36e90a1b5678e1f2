import { FileError } from '../errors.ts';
import { beside, extensionOf, type FileEntry, type FileSet, readText } from '../file-set.ts';
import { formats, isRaster } from '../formats.ts';
import type { Affine } from './placement.ts';

/** The extensions of world files of an image: its first and last letter with a w, all of them with a w, or wld. */
const endingsFor = (ending: string) => [`${ending.slice(0, 1)}${ending.slice(-1)}w`, `${ending}w`, 'wld'];

const imageEndings = formats.filter(isRaster).flatMap(({ extensions }) => extensions);

/** An image's world file; else one of another kind of image that is not there, such as the .tfw of a .bil. */
export function worldFileOf(files: FileSet, image: FileEntry): FileEntry | undefined {
  const ending = extensionOf(image.path);
  const own = beside(files, image, endingsFor(ending));
  if (own) return own;
  const other = beside(files, image, [...new Set(imageEndings.flatMap(endingsFor))]);
  const isOf = (one: string) => endingsFor(one).includes(extensionOf(other?.path ?? ''));
  return imageEndings.some((one) => isOf(one) && beside(files, image, [one])) ? undefined : other;
}

/**
 * Reads a world file: x = 1st × column + 3rd × row + 5th, y = 2nd × column + 4th × row + 6th, from a pixel's middle.
 * @returns from pixel corners, the upper left one being (0, 0)
 * @throws FileError `world_file_damaged`
 */
export async function readWorldFile(entry: FileEntry): Promise<Affine> {
  // Some programs write a decimal comma.
  const numbers = (await readText(entry))
    .trim()
    .split(/\s+/)
    .slice(0, 6)
    .map((text) => Number(text.replace(',', '.')));
  const [a, d, b, e, c, f] = numbers as [number, number, number, number, number, number];
  if (numbers.length < 6 || !numbers.every(Number.isFinite) || a * e - b * d === 0) {
    throw new FileError(
      'world_file_damaged',
      `${entry.path} is not a world file: it must have six numbers, for the size and position of pixels.`,
    );
  }
  return { a, b, c: c - a / 2 - b / 2, d, e, f: f - d / 2 - e / 2 };
}
