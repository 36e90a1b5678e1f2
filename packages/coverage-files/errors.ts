import { EndOfBytes } from './byte-reader.ts';

/* Faults of a file: a code for programs, a sentence for the person who has the file, and perhaps a hint. */

export const faultCodes = [
  'archive_damaged',
  'archive_empty',
  'archive_encrypted',
  'archive_method_unknown',
  'archive_too_large',
  'archive_unsafe',
  'classes_do_not_fit',
  'classes_needed',
  'csv_without_areas',
  'feature_too_large',
  'fields_too_many',
  'file_damaged',
  'file_empty',
  'file_truncated',
  'flatgeobuf_damaged',
  'format_unknown',
  'geodatabase_compressed',
  'geodatabase_damaged',
  'geojson_damaged',
  'geopackage_damaged',
  'geopackage_open',
  'geopackage_views',
  'image_damaged',
  'image_missing',
  'image_too_large',
  'kml_damaged',
  'kml_unsafe',
  'layer_not_found',
  'layers_too_many',
  'link_missing',
  'no_shapefile',
  'not_polygons',
  'overlay_not_placed',
  'overlay_unusable',
  'parts_missing',
  'quad_not_convex',
  'raster_damaged',
  'raster_not_placed',
  'raster_not_rectified',
  'raster_not_supported',
  'raster_too_fine',
  'reader_broke_off',
  'reader_out_of_memory',
  'reader_stalled',
  'reader_too_slow',
  'records_do_not_match',
  'reference_outside',
  'shapefile_damaged',
  'side_file_too_long',
  'tab_not_native',
  'world_file_damaged',
] as const;
export type FaultCode = (typeof faultCodes)[number];

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is here to find
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** A text from a file without control characters, which a terminal or a log would obey. */
export const shown = (text: string): string => text.replace(controlCharacters, '\ufffd');

/** A fault of the file, which its owner can repair. Reading it again fails in the same way. */
export class FileError extends Error {
  readonly code: FaultCode;
  readonly hint: string | undefined;

  constructor(code: FaultCode, message: string, hint?: string) {
    super(shown(message));
    this.name = 'FileError';
    this.code = code;
    this.hint = hint && shown(hint);
  }

  /** Adds a library's message for a log; the file's owner could not act on it. */
  causedBy(cause: unknown): this {
    this.cause = cause;
    return this;
  }
}

/** Pixels without a meaning, with the classes of `ReadOptions` (format.ts) to fill in. */
export class ClassesNeeded extends FileError {
  readonly classes: object[];

  constructor(message: string, classes: object[]) {
    super('classes_needed', message);
    this.classes = classes;
  }
}

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
