import { open } from 'node:fs/promises';
import { IngestError } from '../errors.ts';
import { openArchive } from './archive.ts';
import { endingOf, type FileEntry, type FileSet, looseFile } from './file-set.ts';
import type { ReadOptions, Source } from './format.ts';
import { isGeodatabaseTable, isVectorFile } from './gdal/datasets.ts';
import { openNestedArchives } from './nested.ts';

/*
 * The place where the format of a file is found out: by what is in it, and for the files of an archive by their endings.
 */

/** What is accepted, for people. */
const accepted =
  'Hand in a zipped shapefile or file geodatabase, a GeoPackage, GeoJSON, FlatGeobuf or MapInfo TAB (zipped), a KML or KMZ, or a GeoTIFF.';

interface Format {
  name: string;
  /** Which files of an archive are its own. */
  claims(entry: FileEntry, files: FileSet): boolean;
  /** The code of a format is loaded with its first file: with all of them, small files would take twice as long. */
  open(files: FileSet, options: ReadOptions): Promise<Source>;
  /** Whether files of it may lie beside coverage without being coverage. */
  incidental?: boolean;
}

const openWithGdal: Format['open'] = async (...given) => (await import('./gdal/gdal.ts')).openGdal(...given);

/** In the order of preference where an archive holds the same coverage in several formats: exact vectors first. */
const formats: Format[] = [
  {
    name: 'file geodatabase',
    claims: ({ path }) => isGeodatabaseTable(path),
    open: openWithGdal,
  },
  {
    name: 'shapefile',
    claims: ({ path }) => endingOf(path) === 'shp',
    open: async (...given) => (await import('./shapefile/shapefile.ts')).openShapefiles(...given),
  },
  {
    name: 'vector file',
    claims: (entry, files) => isVectorFile(entry, files) && !isPlainJson(entry.path),
    open: openWithGdal,
  },
  {
    name: 'KML',
    claims: ({ path }) => endingOf(path) === 'kml',
    open: async (...given) => (await import('./kml/kml.ts')).openKml(...given),
  },
  {
    // Images beside a KML are its own, or a picture of it.
    incidental: true,
    name: 'raster',
    claims: ({ path }) => /^(tiff?|png|jpe?g|gif|webp|bmp|p[gp]m)$/.test(endingOf(path)),
    open: async (...given) => (await import('./raster/raster.ts')).openRasters(...given),
  },
  {
    // A program's settings as often as GeoJSON.
    incidental: true,
    name: 'GeoJSON',
    claims: ({ path }) => isPlainJson(path),
    open: openWithGdal,
  },
];

const isPlainJson = (path: string) => endingOf(path) === 'json';

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
  const ending = endingByContent(start) ?? endingWithoutSignature(name);
  if (ending === 'zip') {
    return openFiles(await openArchive(file, scratch), options, nothingToRead);
  }
  const stem = name.replace(/\.[^./]*$/, '') || 'file';
  const loose = looseFile(file, ending ? `${stem}.${ending}` : stem, scratch);
  return openFiles(loose, options, () => formatUnknown(`${name} is in no format that can be read here.`));
}

async function openFiles(
  files: FileSet,
  options: ReadOptions,
  whyNone: (files: FileSet) => IngestError,
): Promise<Source> {
  let set = files;
  try {
    let found = formatsIn(set);
    if (found.length === 0) {
      set = (await openNestedArchives(files)) ?? files;
      found = formatsIn(set);
    }
    const [format, ...others] = found;
    if (!format) throw whyNone(set);
    const source = await format.open(set, options);
    const passedOver = others.filter(({ incidental }) => !incidental).map((other) => other.name);
    if (passedOver.length > 0) {
      source.layers[0]?.warnings.push({
        code: 'formats_passed_over',
        message: `Read as ${format.name}; passed over what the archive holds beside it: ${passedOver.join(', ')}.`,
      });
    }
    return source;
  } catch (error) {
    set.close();
    throw error;
  }
}

function formatsIn(files: FileSet): Format[] {
  return formats.filter((format) => files.entries.some((entry) => format.claims(entry, files)));
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The ending that files of this content go by. */
function endingByContent(bytes: Buffer): string | undefined {
  const hex = bytes.toString('hex', 0, 16);
  const magic = (...signatures: string[]) => signatures.some((signature) => hex.startsWith(signature));
  if (magic('504b0304', '504b0506', '504b0708')) return 'zip';
  if (magic('49492a00', '4d4d002a', '49492b00', '4d4d002b')) return 'tif';
  if (magic('53514c69746520666f726d6174203300')) return 'gpkg';
  if (magic('66676203')) return 'fgb';
  if (magic('89504e47')) return 'png';
  if (magic('ffd8ff')) return 'jpg';
  if (magic('47494638')) return 'gif';
  if (magic('52494646') && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  const text = bytes
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '');
  if (/^<(\?xml|!--|([\w-]+:)?kml\b)/i.test(text)) return 'kml';
  if (/^[{[]/.test(text)) return 'geojson';
  return undefined;
}

/** The ending of the name, unless files of it would have shown themselves by their content. */
function endingWithoutSignature(name: string): string {
  const ending = endingOf(name);
  return /^(zip|kmz|tiff?|gpkg|fgb|png|jpe?g|gif|webp)$/.test(ending) ? '' : ending;
}

function nothingToRead({ entries }: FileSet): IngestError {
  const names = entries.slice(0, 5).map((entry) => entry.path);
  const held = `${names.join(', ')}${entries.length > names.length ? ', ...' : ''}`;
  return formatUnknown(`The archive holds no coverage that can be read, but ${held}.`);
}

const formatUnknown = (message: string) => new IngestError('format_unknown', message, accepted);
