import { IngestError } from '../errors.ts';
import { EndOfBytes } from './byte-reader.ts';

/* What readers of several formats say of files that cannot be read. */

export const exportAgain = 'Export the layer again from the program it was made with.';

/** @param where such as ", in line 4" */
export const fileTruncated = (file: string, where = '') =>
  new IngestError('file_truncated', `${file} ends early${where}: a part of it is missing.`);

/** A reader's own errors as what they mean of the file; every other as it is. */
export function explained(error: unknown, code: string, file: string): unknown {
  if (error instanceof EndOfBytes) return fileTruncated(file);
  return error instanceof RangeError ? new IngestError(code, `${file} is damaged: ${error.message}.`) : error;
}

export const imageTooLarge = (name: string, width: number, height: number, maxPixels: number) =>
  new IngestError(
    'image_too_large',
    `${name} has ${width} x ${height} pixels; at most ${maxPixels / 1e6} million are read.`,
  );

export const listed = (names: readonly string[], max = 5) =>
  `${names.slice(0, max).join(', ')}${names.length > max ? ', ...' : ''}`;
