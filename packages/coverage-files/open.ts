import { archivesIn, openArchive, openNestedArchives } from './archive.ts';
import { useExportedTexts } from './coded-values.ts';
import { FileError, listed } from './errors.ts';
import { extensionOf, type FileEntry, type FileSet, firstBytes, looseFile } from './file-set.ts';
import type { ReadOptions, Source } from './format.ts';
import { type FormatName, formatOfExtension, formats, isIncidental, isRaster } from './formats.ts';
import { formatOfFile } from './gdal/datasets.ts';
import { requireFields, SchemaSize } from './layers.ts';
import { asAreasOrTowers, type Recognised, recognise, showsItself, signatureLength } from './signatures.ts';

/* Finds the format of a file by its content, and of an archive's files by their extensions. */

type Format = (typeof formats)[number];

/** Imports the opened format alone: importing all doubles the time of small files. */
async function openAs({ name, reading }: Format, files: FileSet, options: ReadOptions): Promise<Source> {
  switch (reading.by) {
    case 'shapefile':
      return (await import('./shapefile/shapefile.ts')).openShapefiles(files, options);
    case 'kml':
      return (await import('./kml/kml.ts')).openKml(files, options);
    case 'gdal vector':
    case 'flatgeobuf': {
      const { HoldsNoLayers, openGdal } = await import('./gdal/gdal.ts');
      try {
        return await openGdal(files, name, options);
      } catch (error) {
        if (!(error instanceof HoldsNoLayers)) throw error;
        const ofFormat = files.entries.filter((entry) => formatOfFile(entry, files) === name);
        return (await import('./raster/raster.ts')).openRasters({ ...files, entries: ofFormat }, options);
      }
    }
    default:
      return (await import('./raster/raster.ts')).openRasters(files, options);
  }
}

/**
 * Opens an uploaded file by its original name. The caller removes the scratch folder, which is empty.
 * @throws FileError `file_empty`, `format_unknown`, `layers_too_many`, `fields_too_many`, or an error of archives or readers
 */
export async function openSource(
  file: string,
  name: string,
  scratch: string,
  options: ReadOptions,
): Promise<Source> {
  const start = await firstBytes(file, signatureLength);
  if (start.length === 0) {
    throw new FileError('file_empty', `The file ${name} is empty.`);
  }
  const known = recognise(start, name);
  if (known?.instead !== undefined) throw recognised(name, known);
  const given = extensionOf(name);
  const extension = known?.read ?? (showsItself(given) ? '' : given);
  if (extension === 'zip') return openFiles(await openArchive(file, scratch), options, nothingToRead);
  const stem = name.replace(/\.[^./]*$/, '') || 'file';
  // Content does not distinguish extensions of one format.
  const shownExtension =
    formatOfExtension(extension)?.name === formatOfExtension(given)?.name ? given : extension;
  const loose = looseFile(file, extension ? `${stem}.${shownExtension}` : stem, scratch);
  const what = known ? `: it is ${known.name}` : '';
  return openFiles(loose, options, async () =>
    !known && ['zip', 'kmz'].includes(given)
      ? new FileError(
          'format_unknown',
          `${name} is no zip archive, or its beginning is damaged.`,
          'Make the archive again and upload it again. /docs#/coverage-files lists the formats.',
        )
      : new FileError('format_unknown', `${name} is in no format that can be read here${what}.`),
  );
}

/** Tells if a file that often lies beside coverage, such as a preview, holds no coverage or lacks the layers to read. */
const isNoCoverage = (error: unknown): error is FileError =>
  error instanceof FileError &&
  ['raster_not_placed', 'csv_without_areas', 'geojson_damaged', 'layer_not_found'].includes(error.code);

/** Opens files as the first of the formats that they may be of. @throws FileError the first one, where they are of none */
async function openFiles(
  files: FileSet,
  options: ReadOptions,
  whyNone: (files: FileSet) => Promise<FileError>,
): Promise<Source> {
  let set = files;
  let why: FileError | undefined;
  try {
    for await (const found of setsIn(files)) {
      set = found.files;
      if (found.candidates.length > 0) why = undefined;
      for (const format of found.candidates) {
        try {
          const source = await openAs(format, set, options);
          checkAndNote(source, format, found, set === files);
          for (const layer of source.layers) useExportedTexts(layer);
          return source;
        } catch (error) {
          if (found.isCertain || !isNoCoverage(error)) throw error;
          why ??= error;
        }
      }
    }
    throw why ?? (await whyNone(set));
  } catch (error) {
    set.close();
    throw error;
  }
}

/** Checks the size of the schema, and warns of other files beside the source. */
function checkAndNote(source: Source, { name }: Format, { files, passedOver }: Found, isOutermost: boolean) {
  const size = new SchemaSize();
  for (const { name, fields } of source.layers) {
    requireFields(fields.length, name);
    size.add(1, fields.length);
  }
  const archives = isOutermost ? listed(archivesIn(files).map(({ path }) => path)) : '';
  const skipped = [...passedOver, archives].filter((name) => name !== '');
  if (skipped.length > 0) {
    source.layers[0]?.warnings.push({
      code: 'formats_passed_over',
      message: `Read as ${name}; skipped what else the archive holds: ${skipped.join(', ')}.`,
    });
  }
}

/** The files; then, unless these are certainly coverage, those of archives among them. */
async function* setsIn(files: FileSet): AsyncGenerator<Found> {
  const found = formatsIn(files);
  yield found;
  const inside = found.isCertain ? undefined : await openNestedArchives(files);
  if (inside) yield formatsIn(inside);
}

interface Found {
  files: FileSet;
  /** The format to read; for files that often lie beside coverage, all possible formats. */
  candidates: Format[];
  isCertain: boolean;
  passedOver: FormatName[];
}

function formatsIn(files: FileSet): Found {
  const named = (entries: FileEntry[]) => new Set(entries.map((entry) => formatOfFile(entry, files)));
  const all = named(files.entries);
  // A .json often holds the settings of a program.
  const beyondSettings = named(files.entries.filter(({ path }) => extensionOf(path) !== 'json'));
  const found = formats.filter(({ name }) => all.has(name));
  const certain = found.filter((format) => beyondSettings.has(format.name) && !isIncidental(format));
  const isCertain = certain.length > 0;
  // All rasters are opened together.
  const doubtful = [...found.filter(isRaster).slice(0, 1), ...found.filter((format) => !isRaster(format))];
  return {
    files,
    candidates: isCertain ? certain.slice(0, 1) : doubtful,
    isCertain,
    passedOver: certain.slice(1).map(({ name }) => name),
  };
}

/** The number of an archive's files that are recognised. */
const maxRecognised = 5;

async function nothingToRead({ entries }: FileSet): Promise<FileError> {
  const first = entries.slice(0, maxRecognised);
  // Office documents are zip files by their first bytes.
  if (first.some(({ path }) => /(^|\/)(\[Content_Types\]\.xml|mimetype)$/.test(path)))
    return recognised('The file', { name: 'an Office file', instead: asAreasOrTowers });
  for (const entry of first) {
    const reading = entry.read();
    const { value = Buffer.alloc(0) } = await reading.next();
    await reading.return(undefined);
    const known = recognise(Buffer.from(value.subarray(0, signatureLength)), entry.path);
    if (known?.instead !== undefined) return recognised(`${entry.path} in the archive`, known);
  }
  return new FileError(
    'format_unknown',
    `The archive holds no coverage that can be read, but ${listed(entries.map(({ path }) => path))}.`,
  );
}

const recognised = (what: string, { name, instead }: Recognised) =>
  new FileError('format_unknown', `${what} is ${name}, which is not read here.`, instead);
