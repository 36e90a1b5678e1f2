import { EndOfBytes } from './byte-reader.ts';
import { type FaultCode, FileError } from './errors.ts';

/* Messages about unreadable files that readers of several formats share. */

export const exportAgain = 'Export the layer again from the program it was made with.';

/** @param where such as ", in line 4" */
export const fileTruncated = (file: string, where = '') =>
  new FileError('file_truncated', `${file} ends early${where}: a part of it is missing.`);

/** Damage of a file, described for its sender. Other errors have messages of libraries. */
export class Damage extends RangeError {}

/** @param otherwise for messages of libraries */
export const damageOf = (error: unknown, otherwise: string): string =>
  error instanceof Damage ? error.message : otherwise;

/** Translates errors of reading a file; returns others as they are. */
export function explained(error: unknown, code: FaultCode, file: string): unknown {
  if (error instanceof EndOfBytes) return fileTruncated(file);
  if (!(error instanceof RangeError)) return error;
  const why = damageOf(error, 'what it says of itself does not fit together');
  return new FileError(code, `${file} is damaged: ${why}.`).causedBy(error);
}

export const imageTooLarge = (name: string, width: number, height: number, maxPixels: number) =>
  new FileError(
    'image_too_large',
    `${name} has ${width} x ${height} pixels; at most ${maxPixels / 1e6} million are read.`,
  );

export const listed = (names: readonly string[], max = 5) =>
  `${names.slice(0, max).join(', ')}${names.length > max ? ', ...' : ''}`;
