import { IngestError } from '../../errors.ts';
import { beside, extensionOf, type FileEntry, type FileSet, readText } from '../file-set.ts';
import type { Affine } from './placement.ts';

/** An image's world file, whose extension is the image's first and last letter with a w, its own with a w, or wld. */
export function worldFileOf(files: FileSet, image: FileEntry): FileEntry | undefined {
  const ending = extensionOf(image.path);
  return beside(files, image, [`${ending.slice(0, 1)}${ending.slice(-1)}w`, `${ending}w`, 'wld']);
}

/**
 * Reads a world file: x = 1st × column + 3rd × row + 5th, y = 2nd × column + 4th × row + 6th, from a pixel's middle.
 * @returns from pixel corners, the upper left one being (0, 0)
 * @throws IngestError `world_file_damaged`
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
    throw new IngestError(
      'world_file_damaged',
      `${entry.path} is not a world file: it must have six numbers, for the size and position of pixels.`,
    );
  }
  return { a, b, c: c - a / 2 - b / 2, d, e, f: f - d / 2 - e / 2 };
}
