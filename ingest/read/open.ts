import { open } from 'node:fs/promises';
import { IngestError } from '../errors.ts';
import { openArchive } from './archive.ts';
import { endingOf, type FileEntry, type FileSet, looseFile } from './file-set.ts';
import type { ReadOptions, Source } from './format.ts';
import { type FileFormat, type FormatName, formatOfEnding, formats } from './formats.ts';
import { formatOfFile } from './gdal/datasets.ts';
import { openNestedArchives } from './nested.ts';
import { type Recognised, recognise, showsItself, signatureLength } from './signatures.ts';

/*
 * The place where the format of a file is found out: by what is in it, and for the files of an archive by their endings.
 */

/** What is accepted, for people. */
const accepted =
  'Hand in a zipped shapefile or file geodatabase, a GeoPackage, GeoJSON, FlatGeobuf, GML, MapInfo TAB or MIF (zipped), a KML or KMZ, or a GeoTIFF or another raster that says where it lies.';

/** A format of which something is among the files. */
interface Found {
  format: FileFormat & { name: FormatName };
  /** Whether files of it may lie beside coverage without being coverage. */
  incidental: boolean;
}

/** How the files of a format are opened. The code of a format is loaded with its first file: with all, small ones would take twice as long. */
async function openAs(
  { name, reading }: Found['format'],
  files: FileSet,
  options: ReadOptions,
): Promise<Source> {
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

const isPlainJson = (path: string) => endingOf(path) === 'json';
const isRaster = ({ reading }: FileFormat) => /tiff|picture|raster/.test(reading.by);

/**
 * Opens a file that was handed in.
 * @param file a path on this machine
 * @param name what it was called where it came from
 * @param scratch an empty folder for what has to lie on the disk; the caller removes it
 * @throws IngestError `file_empty`, `format_unknown`, and as archives and the readers do
 */
export async function openSource(
  file: string,
  name: string,
  scratch: string,
  options: ReadOptions,
): Promise<Source> {
  const start = await firstBytes(file);
  if (start.length === 0) {
    throw new IngestError(
      'file_empty',
      `The file ${name} is empty.`,
      'Hand it in again: the copy may have failed.',
    );
  }
  const known = recognise(start, name);
  if (known?.instead !== undefined) throw recognised(name, known);
  const ending = known?.read ?? (showsItself(endingOf(name)) ? '' : endingOf(name));
  if (ending === 'zip') {
    return openFiles(await openArchive(file, scratch), options, nothingToRead);
  }
  const stem = name.replace(/\.[^./]*$/, '') || 'file';
  // Endings of the same format are not told apart by what is in a file.
  const own = formatOfEnding(ending)?.name === formatOfEnding(endingOf(name))?.name ? endingOf(name) : ending;
  const loose = looseFile(file, ending ? `${stem}.${own}` : stem, scratch);
  return openFiles(loose, options, async () =>
    formatUnknown(`${name} is in no format that can be read here${known ? `: it is ${known.name}` : ''}.`),
  );
}

async function openFiles(
  files: FileSet,
  options: ReadOptions,
  whyNone: (files: FileSet) => Promise<IngestError>,
): Promise<Source> {
  let set = files;
  try {
    let found = formatsIn(set);
    if (found.length === 0) {
      set = (await openNestedArchives(files)) ?? files;
      found = formatsIn(set);
    }
    const [first, ...others] = found;
    if (!first) throw await whyNone(set);
    const source = await openAs(first.format, set, options);
    const passedOver = others.filter(({ incidental }) => !incidental).map(({ format }) => format.name);
    if (passedOver.length > 0) {
      source.layers[0]?.warnings.push({
        code: 'formats_passed_over',
        message: `Read as ${first.format.name}; passed over what the archive holds beside it: ${passedOver.join(', ')}.`,
      });
    }
    return source;
  } catch (error) {
    set.close();
    throw error;
  }
}

/** In the order of preference. Rasters are one, as they are read together. */
function formatsIn(files: FileSet): Found[] {
  const entries = new Map<FormatName, FileEntry[]>();
  for (const entry of files.entries) {
    const name = formatOfFile(entry, files);
    if (!name) continue;
    const own = entries.get(name) ?? [];
    own.push(entry);
    entries.set(name, own);
  }
  const found = formats.flatMap((format): Found[] => {
    const own = entries.get(format.name);
    if (!own) return [];
    // A program's settings as often as GeoJSON.
    const settings = own.every(({ path }) => isPlainJson(path));
    return [{ format, incidental: settings || format.incidental === true }];
  });
  const certain = found.filter(({ incidental }) => !incidental);
  const rasters = found.filter(({ incidental, format }) => incidental && isRaster(format)).slice(0, 1);
  return [
    ...certain,
    ...rasters,
    ...found.filter(({ incidental, format }) => incidental && !isRaster(format)),
  ];
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(signatureLength), 0, signatureLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Of these files of an archive it is told what they are. */
const mostRecognised = 5;

async function nothingToRead({ entries }: FileSet): Promise<IngestError> {
  const names = entries.slice(0, mostRecognised).map((entry) => entry.path);
  const held = `${names.join(', ')}${entries.length > names.length ? ', ...' : ''}`;
  if (names.some((name) => /(^|\/)(\[Content_Types\]\.xml|mimetype)$/.test(name)))
    return recognised('The file', officeFile);
  for (const entry of entries.slice(0, mostRecognised)) {
    const known = recognise(await startOf(entry), entry.path);
    if (known?.instead !== undefined) return recognised(`${entry.path} in the archive`, known);
  }
  return formatUnknown(`The archive holds no coverage that can be read, but ${held}.`);
}

/** They are zip files, by their first bytes. */
const officeFile: Recognised = {
  name: 'an Office file',
  instead: 'Export the coverage itself: areas as GeoPackage, a zipped shapefile or KML, a raster as GeoTIFF.',
};

async function startOf(entry: FileEntry): Promise<Buffer> {
  const reading = entry.read();
  const { value } = await reading.next();
  await reading.return(undefined);
  return Buffer.from(value ?? []).subarray(0, signatureLength);
}

function recognised(what: string, { name, instead }: Recognised): IngestError {
  return new IngestError(
    'format_unknown',
    `${what} is ${name}, which is not read here.`,
    instead ?? accepted,
  );
}

const formatUnknown = (message: string) => new IngestError('format_unknown', message, accepted);
