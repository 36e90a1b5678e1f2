import { constants } from 'node:fs';
import { copyFile, link, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { IngestError } from '../../errors.ts';
import { endingOf, type FileEntry, type FileSet } from '../file-set.ts';
import { type FormatName, formatNamed, formatOfEnding } from '../formats.ts';
import { type AreaColumn, areaColumn, withoutSrid } from './csv.ts';
import { jsonKind, writeLines } from './json.ts';
import { readSchema, SqliteError } from './sqlite-schema.ts';

/** What belongs together in a set of files. */
export interface Dataset {
  format: FormatName;
  /** Of the folder or the file, as people know it. */
  path: string;
  /** By ending, in lower case; of a geodatabase by base name. */
  parts: Map<string, FileEntry>;
  bytes: number;
  /** Of GeoJSON lines, once laid out: how many features or geometries it is. */
  texts?: number;
  /** Of JSON, once laid out: whether a service says that it sent a part of what it has. */
  exceeded?: boolean;
  /** Of a table, once laid out. */
  areas?: AreaColumn | undefined;
}

/** The members of a geodatabase that are read. The others are indexes for searching, locks and thumbnails. */
const geodatabaseMember = /^(a[0-9a-f]{8}\.(gdbtable|gdbtablx|gdbindexes|cdf)|gdb|timestamps)$/;
const image = /\.(tiff?|png|jpe?g|gif|webp|bmp)$/;
const jsonFormats: readonly FormatName[] = ['GeoJSON', 'GeoJSON lines', 'TopoJSON', 'EsriJSON'];

/** The format that a file is in by its name, unless it is nothing by itself. */
export function formatOfFile(entry: FileEntry, files: FileSet): FormatName | undefined {
  const format = formatOfEnding(endingOf(entry.path))?.name;
  if (format === 'File Geodatabase' && !isGeodatabaseTable(entry.path)) return undefined;
  if (format === 'MapInfo TAB' && placesAnImage(entry, files)) return undefined;
  return format;
}

/** Whether a file is a table of a geodatabase, in a folder or at the top of its archive. */
function isGeodatabaseTable(file: string): boolean {
  return /(^|\/)a[0-9a-f]{8}\.gdbtable$/i.test(file);
}

/** A TAB without data of its own, beside an image of its name, says where that lies. */
function placesAnImage(tab: FileEntry, files: FileSet): boolean {
  const beside = filesNamed(files, withoutEnding(tab.path));
  return (
    beside.some(({ path }) => image.test(path.toLowerCase())) &&
    !beside.some(({ path }) => /^(dat|map)$/.test(endingOf(path)))
  );
}

/** The datasets of a format among the files. */
export function findDatasets(files: FileSet, format: FormatName): Dataset[] {
  if (format === 'File Geodatabase') return geodatabases(files);
  const entries = files.entries.filter((entry) => formatOfFile(entry, files) === format);
  // Beside GeoJSON that says so by its ending, JSON is something else.
  const named = entries.filter(({ path }) => endingOf(path) !== 'json');
  return (named.length > 0 ? named : entries).map((entry) => datasetOf(entry, files, format));
}

/** A file, with what belongs to it: what lies beside it under the same name. */
export function datasetOf(entry: FileEntry, files: FileSet, name: FormatName): Dataset {
  const format = formatNamed(name);
  const wanted = [...(format.needs ?? []), ...(format.takes ?? [])];
  const parts = new Map([[endingOf(entry.path), entry]]);
  // Also "cover.bmp.prj".
  for (const stem of [withoutEnding(entry.path), entry.path.toLowerCase()]) {
    for (const other of filesNamed(files, stem)) {
      const ending = endingOf(other.path);
      if (wanted.includes(ending) && !parts.has(ending)) parts.set(ending, other);
    }
  }
  const bytes = [...parts.values()].reduce((sum, { size }) => sum + size, 0);
  return { format: name, path: entry.path, parts, bytes };
}

const byStem = new WeakMap<FileSet, Map<string, FileEntry[]>>();

/** The files of that path without their ending, in lower case. */
function filesNamed(files: FileSet, stem: string): FileEntry[] {
  let all = byStem.get(files);
  if (!all) {
    all = new Map();
    for (const entry of files.entries) {
      const own = all.get(withoutEnding(entry.path)) ?? [];
      own.push(entry);
      all.set(withoutEnding(entry.path), own);
    }
    byStem.set(files, all);
  }
  return all.get(stem) ?? [];
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

function withoutEnding(file: string): string {
  return file.slice(0, -path.posix.extname(file).length).toLowerCase();
}

/**
 * Puts a dataset into a folder of its own, under names of our own but for the members of a geodatabase, whose names are
 * checked. What it refers to elsewhere is not there. Of JSON, the format of the dataset becomes the one that it is in.
 * @returns the name within `folder` of what GDAL is to open
 * @throws IngestError `geodatabase_damaged`, `tab_incomplete`, `tab_not_native`, `mif_incomplete`, `bil_incomplete`, and where the
 *   content is not of the format, `geopackage_damaged`, `geojson_damaged` and so on; `geopackage_views`, `csv_without_areas`
 */
export async function layOut(dataset: Dataset, folder: string): Promise<string> {
  await mkdir(folder);
  if (dataset.format === 'File Geodatabase') return layOutGeodatabase(dataset, folder);
  if (jsonFormats.includes(dataset.format)) return layOutJson(dataset, folder);
  const [ending = '', main] = [...dataset.parts][0] ?? [];
  const file = path.join(folder, `file.${ending}`);
  if (dataset.format === 'CSV with WKT') await layOutCsv(dataset, main as FileEntry, file);
  else await place(main as FileEntry, file);
  const start = await firstBytes(file, lookedAt);
  const text = start.toString('latin1');
  const begins = beginnings[dataset.format];
  if (begins && !begins(text)) throw beginsOtherwise(dataset);
  if (dataset.format === 'MapInfo TAB') requireNativeTab(dataset, text);
  requireParts(dataset);
  if (dataset.format === 'GeoPackage') await requireGeoPackage(file, dataset);
  for (const [other, entry] of [...dataset.parts].slice(1))
    await place(entry, path.join(folder, `file.${other}`));
  return `file.${ending}`;
}

/** Of the beginning of a file, to see what it is. */
const lookedAt = 64 * 1024;

/** How files begin, where that tells. */
const beginnings: Partial<Record<FormatName, (text: string) => boolean>> = {
  // OGC 12-128, requirement 1: an SQLite version 3 database.
  GeoPackage: (text) => text.startsWith('SQLite format 3\0'),
  'MapInfo TAB': (text) => /^\s*!table/i.test(text),
  'MapInfo MIF': (text) => /^(?:\xef\xbb\xbf)?\s*version\b/i.test(text),
  // No program that writes coverage declares entities; what they stand for may be of any length.
  GML: (text) => /^(?:\xef\xbb\xbf)?\s*</.test(text) && !/<!ENTITY/i.test(text),
  DXF: (text) => /^(?:AutoCAD Binary DXF|\s*(?:999|0)\s)/.test(text),
  'ESRI ASCII grid': (text) =>
    /^\s*(?:ncols|nrows|xll(?:corner|center)|yll(?:corner|center)|dx|dy|cellsize)\s/i.test(text),
  'ERDAS IMAGINE': (text) => text.startsWith('EHFA_HEADER_TAG'),
  'Surfer grid': (text) => /^DS(?:AA|BB|RB)/.test(text),
  BMP: (text) => text.startsWith('BM'),
};

async function layOutJson(dataset: Dataset, folder: string): Promise<string> {
  const [entry] = dataset.parts.values() as Iterable<FileEntry>;
  const { format, cut, members, texts, odd, exceeded } = await jsonKind(entry as FileEntry);
  if (format === undefined || cut) {
    const holds = members.length > 0 ? `an object of ${members.slice(0, 5).join(', ')}` : 'no object';
    const why = cut ? 'it ends early: a part of it is missing' : `it is ${holds}`;
    throw new IngestError(
      'geojson_damaged',
      `${dataset.path} cannot be read as GeoJSON: ${why}.`,
      'Export the layer again as GeoJSON, a FeatureCollection, from the program it was made with.',
    );
  }
  // GDAL passes over such texts without a word.
  if (odd) {
    throw new IngestError(
      'geojson_damaged',
      `${dataset.path} is several JSON texts, one after the other, and the one that begins on line ${odd.line} is no feature and no geometry: it is ${odd.what}.`,
      'Write one feature a line, or all of them as one FeatureCollection.',
    );
  }
  dataset.format = format;
  dataset.texts = texts;
  dataset.exceeded = exceeded;
  if (format !== 'GeoJSON lines') {
    await place(entry as FileEntry, path.join(folder, 'file.geojson'));
    return 'file.geojson';
  }
  await writeLines(await (entry as FileEntry).unpack(), path.join(folder, 'file.geojsonl'));
  return 'file.geojsonl';
}

/** Finds the column of areas, and puts the file where GDAL is to read it. */
async function layOutCsv(dataset: Dataset, entry: FileEntry, target: string): Promise<void> {
  const file = await entry.unpack();
  const start = await firstBytes(file, lookedAt);
  dataset.areas = areaColumn(start.toString('utf8'));
  if (!dataset.areas) {
    throw new IngestError(
      'csv_without_areas',
      `${dataset.path} is a table without areas: it has no column of polygons as text (WKT).`,
      'Export the areas with it, as GeoPackage or a shapefile, or as CSV with a column WKT: POLYGON ((174.7 -36.8, ...)).',
    );
  }
  if (dataset.areas.srid === undefined) await place(entry, target);
  else await withoutSrid(file, target, dataset.areas.srid);
}

/** What else SQLite databases are, by a table that tells. */
const otherDatabases = [
  { table: 'tiles', name: 'MBTiles, a map of tiles to be looked at' },
  { table: 'geometry_columns', name: 'a SpatiaLite database' },
  { table: 'gdb_items', name: 'a mobile geodatabase' },
];

/** A view is a query, which may take any time: none is run here. */
async function requireGeoPackage(file: string, dataset: Dataset): Promise<void> {
  const { views, names } = await readSchema(file).catch((error) => {
    if (!(error instanceof SqliteError || error instanceof RangeError)) throw error;
    throw new IngestError(
      'geopackage_damaged',
      `${dataset.path} cannot be read as GeoPackage: ${error.message}.`,
      'Export the layers again.',
    );
  });
  if (!names.has('gpkg_contents')) {
    const kind =
      otherDatabases.find(({ table }) => names.has(table))?.name ?? 'an SQLite database without coverage';
    throw new IngestError(
      'format_unknown',
      `${dataset.path} is ${kind}, and no GeoPackage.`,
      'Export its layers as a GeoPackage, or a raster as GeoTIFF.',
    );
  }
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
  const start = await firstBytes(file, lookedAt);
  if (![3, 4].includes(start.length >= 40 ? start.readUInt32LE(0) : 0)) throw beginsOtherwise(dataset);
  return 'folder.gdb';
}

function requireNativeTab(dataset: Dataset, definition: string): void {
  if (/^[ \t]*Type[ \t]+NATIVE\b/im.test(definition) && !/"\\IsSeamless"\s*=\s*"TRUE"/i.test(definition))
    return;
  const type = /^[ \t]*Type[ \t]+"?(\w{1,20})/im.exec(definition)?.[1] ?? 'unknown';
  throw new IngestError(
    'tab_not_native',
    `${dataset.path} is not a table of its own, but refers to other files (type ${type}).`,
    type.toUpperCase() === 'RASTER'
      ? 'Put the image that it is of into the zip with it, under the same name.'
      : 'Save a copy of the table in MapInfo as a native TAB and hand that in.',
  );
}

/** @throws IngestError `tab_incomplete`, `mif_incomplete`, `bil_incomplete` */
function requireParts({ format, path: file, parts }: Dataset): void {
  const { needs = [], endings } = formatNamed(format);
  const missing = needs.filter((ending) => !parts.has(ending));
  if (missing.length === 0) return;
  const stem = file.slice(0, -path.posix.extname(file).length);
  const [main = ''] = endings;
  throw new IngestError(
    `${main}_incomplete`,
    `${file} lacks ${missing.map((ending) => `${stem}.${ending}`).join(' and ')}.`,
    `Put the ${[main, ...needs.slice(0, -1)].map((ending) => `.${ending}`).join(', ')} and .${needs.at(-1)} files of it into one zip file.`,
  );
}

function beginsOtherwise({ path: file, format }: Dataset): IngestError {
  return new IngestError(
    damagedCode(format),
    `${file} is damaged, or no ${format}: it does not begin as one does.`,
    'Export the layer again from the program it was made with.',
  );
}

/** The code of the error for a file of the format that cannot be read. */
export function damagedCode(format: FormatName): string {
  if (format === 'File Geodatabase') return 'geodatabase_damaged';
  if (jsonFormats.includes(format)) return 'geojson_damaged';
  const ending =
    { GeoPackage: 'geopackage', 'CSV with WKT': 'csv' }[format as string] ?? formatNamed(format).endings[0];
  return `${ending}_damaged`;
}

/** Gives an unpacked file the path `target` too. Not a copy where it need not be one: it is only ever read. */
export async function place(entry: FileEntry, target: string): Promise<string> {
  const file = await entry.unpack();
  // Folders of other disks take no second name.
  await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_FICLONE));
  return target;
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

function geodatabaseDamaged(name: string, why: string): IngestError {
  return new IngestError(
    'geodatabase_damaged',
    `The geodatabase ${name} is damaged: ${why}.`,
    'Zip the whole .gdb folder while no program has it open.',
  );
}
