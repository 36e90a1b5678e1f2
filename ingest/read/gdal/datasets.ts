import { constants } from 'node:fs';
import { copyFile, link, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { IngestError } from '../../errors.ts';
import { endingOf, type FileEntry, type FileSet } from '../file-set.ts';
import { SqliteError, viewsThatAreRead } from './sqlite-schema.ts';

/** The formats that GDAL reads for us, in the order of preference where an archive holds several. */
export type FormatName = 'File Geodatabase' | 'GeoPackage' | 'FlatGeobuf' | 'MapInfo TAB' | 'GeoJSON';

/** What belongs together in a set of files. */
export interface Dataset {
  format: FormatName;
  /** Of the folder or the file, as people know it. */
  path: string;
  /** By ending, in lower case; of a geodatabase by base name. */
  parts: Map<string, FileEntry>;
  bytes: number;
}

/** The members of a geodatabase that are read. The others are indexes for searching, locks and thumbnails. */
const geodatabaseMember = /^(a[0-9a-f]{8}\.(gdbtable|gdbtablx|gdbindexes|cdf)|gdb|timestamps)$/;
const preference: FormatName[] = ['File Geodatabase', 'GeoPackage', 'FlatGeobuf', 'MapInfo TAB', 'GeoJSON'];
const tabParts = ['tab', 'dat', 'map', 'id'];

const formatOfEnding: Record<string, FormatName> = {
  gpkg: 'GeoPackage',
  fgb: 'FlatGeobuf',
  tab: 'MapInfo TAB',
  geojson: 'GeoJSON',
  json: 'GeoJSON',
};

const image = /\.(tiff?|png|jpe?g|gif|webp|bmp)$/;

/** Whether a file is a table of a geodatabase, in a folder or at the top of its archive. */
export function isGeodatabaseTable(file: string): boolean {
  return /(^|\/)a[0-9a-f]{8}\.gdbtable$/i.test(file);
}

/** Whether a file is, by its name, a dataset other than a geodatabase. */
export function isVectorFile(entry: FileEntry, files: FileSet): boolean {
  const format = formatOfEnding[endingOf(entry.path)];
  return format !== undefined && !(format === 'MapInfo TAB' && placesAnImage(entry, files));
}

/** A TAB without data of its own, beside an image of its name, says where that lies. */
function placesAnImage(tab: FileEntry, files: FileSet): boolean {
  const stem = withoutEnding(tab.path);
  const beside = files.entries.filter(({ path }) => withoutEnding(path) === stem);
  return (
    beside.some(({ path }) => image.test(path.toLowerCase())) &&
    !beside.some(({ path }) => /^(dat|map)$/.test(endingOf(path)))
  );
}

/** The datasets of the preferred format among the files, and the formats that others are in. */
export function findDatasets(files: FileSet): { datasets: Dataset[]; passedOver: FormatName[] } {
  const byThemselves = filesByThemselves(files);
  // Beside GeoJSON that says so by its ending, JSON is something else.
  const isPlain = ({ path }: Dataset) => endingOf(path) === 'json';
  const named = byThemselves.some((dataset) => dataset.format === 'GeoJSON' && !isPlain(dataset));
  const all = [...geodatabases(files), ...byThemselves.filter((dataset) => !(named && isPlain(dataset)))];
  const present = preference.filter((format) => all.some((dataset) => dataset.format === format));
  return {
    datasets: all.filter(({ format }) => format === present[0]),
    passedOver: present.slice(1),
  };
}

function geodatabases(files: FileSet): Dataset[] {
  const folders = new Map<string, Dataset>();
  for (const entry of files.entries) {
    const folder = path.posix.dirname(entry.path);
    const name = path.posix.basename(entry.path).toLowerCase();
    if (!geodatabaseMember.test(name)) continue;
    const known = folders.get(folder) ?? {
      format: 'File Geodatabase',
      path: folder,
      parts: new Map(),
      bytes: 0,
    };
    if (known.parts.has(name)) throw geodatabaseDamaged(folder, `it has ${name} twice`);
    known.parts.set(name, entry);
    known.bytes += entry.size;
    folders.set(folder, known);
  }
  return [...folders.values()].filter(({ parts }) =>
    [...parts.keys()].some((name) => name.endsWith('.gdbtable')),
  );
}

function filesByThemselves(files: FileSet): Dataset[] {
  const datasets: Dataset[] = [];
  for (const entry of files.entries) {
    const format = formatOfEnding[endingOf(entry.path)];
    if (!format || !isVectorFile(entry, files)) continue;
    const parts = new Map([[endingOf(entry.path), entry]]);
    if (format === 'MapInfo TAB') {
      for (const other of files.entries) {
        const ending = endingOf(other.path);
        if (tabParts.includes(ending) && withoutEnding(other.path) === withoutEnding(entry.path))
          parts.set(ending, other);
      }
    }
    const bytes = [...parts.values()].reduce((sum, { size }) => sum + size, 0);
    datasets.push({ format, path: entry.path, parts, bytes });
  }
  return datasets;
}

function withoutEnding(file: string): string {
  return file.slice(0, -path.posix.extname(file).length).toLowerCase();
}

/**
 * Puts a dataset into a folder of its own, under names of our own but for the members of a geodatabase, whose names are
 * checked. Returns the name within `folder` of what GDAL is to open.
 * @throws IngestError `geodatabase_damaged`, `tab_incomplete`, `tab_not_native`, and where the content is not of the format,
 *   `geopackage_damaged`, `geojson_damaged`; `geopackage_views`
 */
export async function layOut(dataset: Dataset, folder: string): Promise<string> {
  await mkdir(folder);
  switch (dataset.format) {
    case 'File Geodatabase':
      return layOutGeodatabase(dataset, folder);
    case 'MapInfo TAB':
      return layOutTab(dataset, folder);
    case 'GeoPackage': {
      const file = await place(part(dataset, 'gpkg'), path.join(folder, 'file.gpkg'));
      // OGC 12-128, requirement 1: an SQLite version 3 database.
      await requireStart(
        file,
        dataset,
        'geopackage_damaged',
        (bytes) => bytes.toString('latin1', 0, 16) === 'SQLite format 3\0',
      );
      await requireNoViews(file, dataset);
      return 'file.gpkg';
    }
    default: {
      const [entry] = dataset.parts.values();
      const file = await place(entry as FileEntry, path.join(folder, 'file.geojson'));
      // RFC 7946, section 2: a GeoJSON text is an object.
      await requireStart(file, dataset, 'geojson_damaged', (bytes) =>
        /^(\xef\xbb\xbf)?[ \t\r\n]*\{/.test(bytes.toString('latin1')),
      );
      return 'file.geojson';
    }
  }
}

/** A view is a query, which may take any time: none is run here. */
async function requireNoViews(file: string, dataset: Dataset): Promise<void> {
  const views = await viewsThatAreRead(file).catch((error) => {
    if (!(error instanceof SqliteError || error instanceof RangeError)) throw error;
    throw new IngestError(
      'geopackage_damaged',
      `${dataset.path} cannot be read as GeoPackage: ${error.message}.`,
      'Export the layers again.',
    );
  });
  if (views.length === 0) return;
  throw new IngestError(
    'geopackage_views',
    `${dataset.path} has views in the place of layers: ${views.slice(0, 10).join(', ')}. They are queries, and not run here.`,
    'Export what they show as layers of a GeoPackage, and submit that.',
  );
}

async function layOutGeodatabase(dataset: Dataset, folder: string): Promise<string> {
  const target = path.join(folder, 'folder.gdb');
  await mkdir(target);
  if ([...dataset.parts.keys()].some((name) => name.endsWith('.cdf'))) {
    throw new IngestError(
      'geodatabase_compressed',
      `${dataset.path} is a compressed geodatabase (CDF), which only ArcGIS reads.`,
      'Run "Uncompress File Geodatabase Data" on it in ArcGIS and hand it in again.',
    );
  }
  for (const name of ['a00000001.gdbtable', ...dataset.parts.keys()]) {
    const needed = name.endsWith('.gdbtable') ? [name, name.replace(/table$/, 'tablx')] : [];
    for (const file of needed) {
      if (!dataset.parts.has(file)) throw geodatabaseDamaged(dataset.path, `${file} is missing`);
    }
  }
  for (const [name, entry] of dataset.parts) await place(entry, path.join(target, name));
  const file = path.join(target, 'a00000001.gdbtable');
  // The version of the table format: 3 since ArcGIS 9, 4 with 64 bit object ids.
  await requireStart(file, dataset, 'geodatabase_damaged', (bytes) =>
    [3, 4].includes(bytes.length >= 40 ? bytes.readUInt32LE(0) : 0),
  );
  return 'folder.gdb';
}

async function layOutTab(dataset: Dataset, folder: string): Promise<string> {
  const tab = part(dataset, 'tab');
  const text = path.join(folder, 'file.tab');
  await place(tab, text);
  await requireStart(text, dataset, 'tab_damaged', (bytes) => /^\s*!table/i.test(bytes.toString('latin1')));
  const definition = (await firstBytes(text, 64 * 1024)).toString('latin1');
  if (!/^[ \t]*Type[ \t]+NATIVE\b/im.test(definition) || /"\\IsSeamless"\s*=\s*"TRUE"/i.test(definition)) {
    const type = /^[ \t]*Type[ \t]+"?(\w{1,20})/im.exec(definition)?.[1] ?? 'unknown';
    throw new IngestError(
      'tab_not_native',
      `${tab.path} is not a table of its own, but refers to other files (type ${type}).`,
      'Save a copy of the table in MapInfo as a native TAB and hand that in.',
    );
  }
  const missing = tabParts.filter((ending) => !dataset.parts.has(ending));
  if (missing.length > 0) {
    const stem = tab.path.slice(0, -'.tab'.length);
    throw new IngestError(
      'tab_incomplete',
      `${tab.path} lacks ${missing.map((ending) => `${stem}.${ending}`).join(' and ')}.`,
      'Put the .tab, .dat, .map and .id files of the table into one zip file.',
    );
  }
  for (const ending of tabParts.slice(1))
    await place(part(dataset, ending), path.join(folder, `file.${ending}`));
  return 'file.tab';
}

/** Gives an unpacked file the path `target` too. Not a copy where it need not be one: it is only ever read. */
async function place(entry: FileEntry, target: string): Promise<string> {
  const file = await entry.unpack();
  // Folders of other disks take no second name.
  await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_FICLONE));
  return target;
}

async function requireStart(
  file: string,
  dataset: Dataset,
  code: string,
  fits: (bytes: Buffer) => boolean,
): Promise<void> {
  if (fits(await firstBytes(file, 1024))) return;
  throw new IngestError(
    code,
    `${dataset.path} is damaged, or not a ${dataset.format} file: it does not begin as one does.`,
    'Export the layer again from the program it was made with.',
  );
}

async function firstBytes(file: string, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function part(dataset: Dataset, ending: string): FileEntry {
  const entry = dataset.parts.get(ending);
  if (!entry) throw new Error(`${dataset.path} has no .${ending}`);
  return entry;
}

function geodatabaseDamaged(name: string, why: string): IngestError {
  return new IngestError(
    'geodatabase_damaged',
    `The geodatabase ${name} is damaged: ${why}.`,
    'Zip the whole .gdb folder while no program has it open.',
  );
}
