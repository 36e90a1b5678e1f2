import { IngestError } from '../errors.ts';
import { openArchive } from './archive.ts';
import { requireFields, SchemaSize } from './bounds.ts';
import { listed } from './file-errors.ts';
import { extensionOf, type FileSet, firstBytes, looseFile } from './file-set.ts';
import type { ReadOptions, Source } from './format.ts';
import { type FormatName, formatOfExtension, formats, isIncidental, isRaster } from './formats.ts';
import { formatOfFile } from './gdal/datasets.ts';
import { archivesIn, openNestedArchives } from './nested.ts';
import { asAreas, type Recognised, recognise, showsItself, signatureLength } from './signatures.ts';

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
        const own = files.entries.filter((entry) => formatOfFile(entry, files) === name);
        return (await import('./raster/raster.ts')).openRasters({ ...files, entries: own }, options);
      }
    }
    default:
      return (await import('./raster/raster.ts')).openRasters(files, options);
  }
}

/**
 * Opens an uploaded file by its original name. The caller removes the scratch folder, which is empty.
 * @throws IngestError `file_empty`, `format_unknown`, `layers_too_many`, `fields_too_many`, or an error of archives or readers
 */
export async function openSource(
  file: string,
  name: string,
  scratch: string,
  options: ReadOptions,
): Promise<Source> {
  const start = await firstBytes(file, signatureLength);
  if (start.length === 0) {
    throw new IngestError('file_empty', `The file ${name} is empty.`);
  }
  const known = recognise(start, name);
  if (known?.instead !== undefined) throw recognised(name, known);
  const given = extensionOf(name);
  const extension = known?.read ?? (showsItself(given) ? '' : given);
  if (extension === 'zip') return openFiles(await openArchive(file, scratch), options, nothingToRead);
  const stem = name.replace(/\.[^./]*$/, '') || 'file';
  // Content does not distinguish extensions of one format.
  const own = formatOfExtension(extension)?.name === formatOfExtension(given)?.name ? given : extension;
  const loose = looseFile(file, extension ? `${stem}.${own}` : stem, scratch);
  const what = known ? `: it is ${known.name}` : '';
  return openFiles(loose, options, async () =>
    !known && ['zip', 'kmz'].includes(given)
      ? new IngestError(
          'format_unknown',
          `${name} is no zip archive, or its beginning is damaged.`,
          'Make the archive again and upload it again. /docs#/coverage-files lists the formats.',
        )
      : new IngestError('format_unknown', `${name} is in no format that can be read here${what}.`),
  );
}

/** Errors of what often lies beside coverage, such as a preview, without being it. */
const noCoverage = ['raster_not_placed', 'csv_without_areas', 'geojson_damaged'];

async function openFiles(
  files: FileSet,
  options: ReadOptions,
  whyNone: (files: FileSet) => Promise<IngestError>,
): Promise<Source> {
  let set = files;
  const foundInside = async () => {
    set = (await openNestedArchives(files)) ?? files;
    return formatsIn(set);
  };
  try {
    let found = formatsIn(files);
    if (!found.first) found = await foundInside();
    if (!found.first) throw await whyNone(set);
    const source = await openAs(found.first, set, options).catch(async (error) => {
      const isNone = error instanceof IngestError && noCoverage.includes(error.code);
      if (!isNone || found.isCertain || set !== files) throw error;
      found = await foundInside();
      if (set === files || !found.first) throw error;
      return openAs(found.first, set, options);
    });
    const { first, passedOver } = found;
    const skipped = [
      ...passedOver,
      ...(set === files ? [listed(archivesIn(set).map(({ path }) => path))] : []),
    ].filter((name) => name !== '');
    const size = new SchemaSize();
    for (const { name, fields } of source.layers) {
      requireFields(fields.length, name);
      size.add(1, fields.length);
    }
    if (skipped.length > 0) {
      source.layers[0]?.warnings.push({
        code: 'formats_passed_over',
        message: `Read as ${first.name}; skipped what else the archive holds: ${skipped.join(', ')}.`,
      });
    }
    return source;
  } catch (error) {
    set.close();
    throw error;
  }
}

/** The format to read, the preferred one of several. Files that often lie beside coverage come last: what is found is not certain then. */
function formatsIn(files: FileSet): {
  first: Format | undefined;
  isCertain: boolean;
  passedOver: FormatName[];
} {
  const names = new Set<FormatName | undefined>();
  /** A .json is often the settings of a program. */
  const beyondSettings = new Set<FormatName | undefined>();
  for (const entry of files.entries) {
    const name = formatOfFile(entry, files);
    names.add(name);
    if (extensionOf(entry.path) !== 'json') beyondSettings.add(name);
  }
  const found = formats.filter(({ name }) => names.has(name));
  const certain = found.filter((format) => beyondSettings.has(format.name) && !isIncidental(format));
  const others = found.filter((format) => !certain.includes(format));
  const first = certain[0] ?? others.find(isRaster) ?? others[0];
  return { first, isCertain: certain.length > 0, passedOver: certain.slice(1).map(({ name }) => name) };
}

/** The number of an archive's files that are recognised. */
const maxRecognised = 5;

async function nothingToRead({ entries }: FileSet): Promise<IngestError> {
  const first = entries.slice(0, maxRecognised);
  // By their first bytes these are zip files.
  if (first.some(({ path }) => /(^|\/)(\[Content_Types\]\.xml|mimetype)$/.test(path)))
    return recognised('The file', { name: 'an Office file', instead: asAreas });
  for (const entry of first) {
    const reading = entry.read();
    const { value = Buffer.alloc(0) } = await reading.next();
    await reading.return(undefined);
    const known = recognise(Buffer.from(value.subarray(0, signatureLength)), entry.path);
    if (known?.instead !== undefined) return recognised(`${entry.path} in the archive`, known);
  }
  return new IngestError(
    'format_unknown',
    `The archive holds no coverage that can be read, but ${listed(entries.map(({ path }) => path))}.`,
  );
}

const recognised = (what: string, { name, instead }: Recognised) =>
  new IngestError('format_unknown', `${what} is ${name}, which is not read here.`, instead);
