import { constants } from 'node:fs';
import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { damageOf, exportAgain, FileError } from '../errors.ts';
import { beside, extensionOf, type FileEntry, type FileSet, firstBytes, readText } from '../file-set.ts';
import type { SystemElsewhere } from '../format.ts';
import { type FormatName, formatNamed, formatOfExtension, isRaster } from '../formats.ts';
import { maxLayers, requireFields, requireLayers } from '../layers.ts';
import { writeStraight } from './esri-curves.ts';
import { declaredElements, gmlSize } from './gml.ts';
import { type JsonSystems, jsonKind, writeLines } from './json.ts';
import { PartialAnswer } from './partial-answer.ts';
import { reasonOf } from './reasons.ts';
import { readSchema } from './sqlite-schema.ts';
import { GdalError } from './webassembly.ts';
import { type AreaColumn, areaColumn, withoutSrid } from './wkt-table.ts';

export interface Dataset {
  format: FormatName;
  /** The path of the folder or file, for messages. */
  path: string;
  /** By extension, in lower case; in a geodatabase by base name. */
  parts: Map<string, FileEntry>;
  bytes: number;
  // Set by {@link layOut}:
  /** GeoJSON lines: the number of features or geometries. */
  texts?: number;
  /** JSON and GML: true where a service says that it sent only a part. */
  exceeded?: boolean;
  /** CSV: a .prj beside areas that name their system. GML: those that elements name. */
  systemsBeside?: SystemElsewhere[];
  /** JSON: types of geometries that are not known, and the features with coordinates, where they can be counted. */
  oddTypes?: readonly string[];
  withCoordinates?: number | undefined;
  /** JSON: systems that features or geometries name. */
  systems?: JsonSystems;
  /** JSON: true where it names an unknown reference system. */
  namesSystem?: boolean;
  /** JSON: attributes with both numbers and booleans, which GDAL makes 1 and 0. */
  mixed?: ReadonlySet<string>;
  /** EsriJSON: the texts of coded values, by attribute and code. */
  codedValues?: ReadonlyMap<string, Map<string, string>> | undefined;
  areas?: AreaColumn | undefined;
  /** GeoPackage: true where a program had it open, whose changes may not be in it. */
  isOpen?: boolean;
  /** The number of layers and attributes that GDAL will find, if known. */
  layers?: number;
  fields?: number;
}

/** The members of a geodatabase that are read: no search indexes, locks and thumbnails. */
const geodatabaseMember = /^(a[0-9a-f]{8}\.(gdbtable|gdbtablx|gdbindexes|cdf)|gdb|timestamps)$/;
const images = ['tif', 'tiff', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp'];
const auxEnding = 'aux.xml';
const jsonFormats: readonly FormatName[] = ['GeoJSON', 'GeoJSON lines', 'TopoJSON', 'EsriJSON'];

/** The format of a file by its name; undefined for companion files. */
export function formatOfFile(entry: FileEntry, files: FileSet): FormatName | undefined {
  const format = formatOfExtension(extensionOf(entry.path))?.name;
  if (format === 'File Geodatabase' && !/(^|\/)a[0-9a-f]{8}\.gdbtable$/i.test(entry.path)) return undefined;
  if (format === 'MapInfo TAB' && placesAnImage(entry, files)) return undefined;
  return format;
}

/** Tells if a TAB only georeferences an image of its name. */
function placesAnImage(tab: FileEntry, files: FileSet): boolean {
  return beside(files, tab, images) !== undefined && !beside(files, tab, ['dat', 'map']);
}

export function findDatasets(files: FileSet, format: FormatName): Dataset[] {
  if (format === 'File Geodatabase') return geodatabases(files);
  const entries = files.entries.filter((entry) => formatOfFile(entry, files) === format);
  // Beside a .geojson, a .json is something else.
  const named = entries.filter(({ path }) => extensionOf(path) !== 'json');
  return (named.length > 0 ? named : entries).map((entry) => datasetOf(entry, files, format));
}

/** A file with its companions of the same name. */
export function datasetOf(entry: FileEntry, files: FileSet, name: FormatName): Dataset {
  const { needs, takes } = formatNamed(name);
  const parts = new Map([[extensionOf(entry.path), entry]]);
  // Of rasters, what GDAL keeps beside formats that have no place for it, such as a scale.
  const aux = isRaster(formatNamed(name)) ? [auxEnding] : [];
  for (const ending of [...needs, ...takes, ...aux]) {
    const other = beside(files, entry, [ending]);
    if (other) parts.set(ending, other);
  }
  const bytes = [...parts.values()].reduce((sum, { size }) => sum + size, 0);
  return { format: name, path: entry.path, parts, bytes };
}

function geodatabases(files: FileSet): Dataset[] {
  const folders = new Map<string, Dataset>();
  for (const entry of files.entries) {
    const folder = path.posix.dirname(entry.path);
    const name = path.posix.basename(entry.path).toLowerCase();
    if (!geodatabaseMember.test(name)) continue;
    const empty: Dataset = { format: 'File Geodatabase', path: folder, parts: new Map(), bytes: 0 };
    const known = folders.get(folder) ?? empty;
    if (known.parts.has(name)) throw geodatabaseDamaged(folder, `it has ${name} twice`);
    known.parts.set(name, entry);
    known.bytes += entry.size;
    folders.set(folder, known);
  }
  return [...folders.values()].filter(({ parts }) =>
    [...parts.keys()].some((name) => name.endsWith('.gdbtable')),
  );
}

/**
 * Puts a dataset into its own folder, under safe names. Corrects the format of JSON.
 * @returns the name within `folder` for GDAL to open
 * @throws FileError where the content is not of the format, or a part of it is missing
 */
export async function layOut(dataset: Dataset, folder: string): Promise<string> {
  await mkdir(folder);
  if (dataset.format === 'File Geodatabase') return layOutGeodatabase(dataset, folder);
  if (jsonFormats.includes(dataset.format)) return layOutJson(dataset, folder);
  const [ending = '', main] = [...dataset.parts][0] ?? [];
  const file = path.join(folder, `file.${ending}`);
  if (dataset.format === 'CSV with WKT') await layOutCsv(dataset, main as FileEntry, file);
  else await linkTo(main as FileEntry, file);
  const start = await firstBytes(file, lookedAt);
  const text = start.toString('latin1');
  const { begins } = formatNamed(dataset.format);
  if (begins && !begins.test(text)) throw beginsOtherwise(dataset);
  if (dataset.format === 'MapInfo TAB') requireNativeTab(dataset, text);
  requireParts(dataset);
  if (dataset.format === 'GeoPackage') await requireGeoPackage(file, dataset);
  if (/^MapInfo/.test(dataset.format)) dataset.fields = await mapInfoFields(file, dataset);
  if (dataset.format === 'GML') await measureGml(dataset, text);
  for (const [other, entry] of [...dataset.parts].slice(1)) {
    const stem = other === auxEnding ? `file.${ending}` : 'file';
    await linkTo(entry, path.join(folder, `${stem}.${other}`));
  }
  return `file.${ending}`;
}

const lookedAt = 64 * 1024;

async function layOutJson(dataset: Dataset, folder: string): Promise<string> {
  const [entry] = [...dataset.parts.values()] as [FileEntry];
  const { format, cut, members, odd, hasCurves, ...found } = await jsonKind(entry).catch((error) => {
    if (!(error instanceof RangeError)) throw error;
    throw cannotBeRead(dataset, error.message);
  });
  if (format === undefined || cut) {
    const holds = members.length > 0 ? `an object of ${members.slice(0, 5).join(', ')}` : 'no object';
    const why = cut ? 'it ends early: a part of it is missing' : `it is ${holds}`;
    throw new FileError('geojson_damaged', `${dataset.path} cannot be read as GeoJSON: ${why}.`);
  }
  // GDAL skips such texts silently.
  if (odd) {
    throw new FileError(
      'geojson_damaged',
      `${dataset.path} is a sequence of JSON texts, and the one on line ${odd.line} is neither a feature nor a geometry: it is ${odd.what}.`,
      'Write one feature a line, or all of them as one FeatureCollection.',
    );
  }
  Object.assign(dataset, { format, ...found });
  const isLines = format === 'GeoJSON lines';
  const name = isLines ? 'file.geojsonl' : 'file.geojson';
  if (isLines) await writeLines(entry, path.join(folder, name));
  else if (hasCurves) await writeStraight(entry, path.join(folder, name));
  else await linkTo(entry, path.join(folder, name));
  return name;
}

async function layOutCsv(dataset: Dataset, entry: FileEntry, target: string): Promise<void> {
  const start = await firstBytes(await entry.unpack(), lookedAt);
  const { columns, area } = areaColumn(start.toString('utf8'));
  requireFields(columns, dataset.path);
  dataset.areas = area;
  dataset.fields = columns;
  if (!area) {
    throw new FileError(
      'csv_without_areas',
      `${dataset.path} has no column of polygons as text (WKT), and no columns of tower data.`,
    );
  }
  if (area.srid === undefined) await linkTo(entry, target);
  else await withoutSrid(entry, target, area.srid);
  const prj = area.srid === undefined ? undefined : dataset.parts.get('prj');
  if (prj) dataset.systemsBeside = [{ definition: (await readText(prj)).trim(), where: prj.path }];
}

/** Other SQLite databases, by a table of theirs. */
const otherDatabases = [
  { table: 'tiles', name: 'MBTiles, map tiles for display' },
  { table: 'geometry_columns', name: 'a SpatiaLite database' },
  { table: 'gdb_items', name: 'a mobile geodatabase' },
];

/** The schema entries of a GeoPackage layer: a table, the five of its index, and its triggers. */
const entriesOfTable = 20;

/** Refuses views, virtual tables and calculated columns, as such queries may take any time and memory. */
async function requireGeoPackage(file: string, dataset: Dataset): Promise<void> {
  const { queries, names, entries, columns } = await readSchema(file).catch((error) => {
    if (!(error instanceof RangeError)) throw error;
    throw cannotBeRead(dataset, damageOf(error, 'its schema is damaged'));
  });
  if (!names.has('gpkg_contents')) {
    const kind =
      otherDatabases.find(({ table }) => names.has(table))?.name ?? 'an SQLite database without coverage';
    throw new FileError('format_unknown', `${dataset.path} is ${kind}, and no GeoPackage.`);
  }
  const journal = dataset.parts.get('gpkg-wal');
  if (journal && journal.size > 0)
    throw new FileError('geopackage_open', `${dataset.path} has changes that are in ${journal.path} only.`);
  // The version of SQLite's format for whoever reads it: 2 with a journal of changes (sqlite.org/fileformat2.html, 1.3.3).
  dataset.isOpen = (await firstBytes(file, 1, 19))[0] === 2;
  dataset.layers = columns.size;
  dataset.fields = [...columns.values()].reduce((sum, count) => sum + count, 0);
  for (const [name, count] of columns) requireFields(count, name);
  if (entries > maxLayers * entriesOfTable)
    throw new FileError('layers_too_many', `${dataset.path} has ${entries} tables and indexes.`);
  if (queries.length === 0) return;
  throw new FileError(
    'geopackage_views',
    `${dataset.path} has views, virtual tables or calculated columns instead of layers: ${queries.slice(0, 10).join(', ')}. They are queries, and are not run.`,
  );
}

async function layOutGeodatabase(dataset: Dataset, folder: string): Promise<string> {
  const target = path.join(folder, 'folder.gdb');
  await mkdir(target);
  const names = [...dataset.parts.keys()];
  const tables = names.filter((name) => name.endsWith('.gdbtable'));
  if (names.some((name) => name.endsWith('.cdf'))) {
    throw new FileError(
      'geodatabase_compressed',
      `${dataset.path} is a compressed geodatabase (CDF), which only ArcGIS reads.`,
    );
  }
  const catalog = 'a00000001.gdbtable';
  const needed = [catalog, ...tables].flatMap((name) => [name, name.replace(/table$/, 'tablx')]);
  const missing = needed.find((name) => !dataset.parts.has(name));
  if (missing) throw geodatabaseDamaged(dataset.path, `${missing} is missing`);
  dataset.layers = tables.length;
  requireLayers(tables.length - tablesOfItself);
  dataset.fields = 0;
  for (const [name, entry] of dataset.parts) {
    const table = await linkTo(entry, path.join(target, name));
    if (!name.endsWith('.gdbtable')) continue;
    const { version, fields } = await headOf(table);
    if (name === catalog && version !== 3 && version !== 4) throw beginsOtherwise(dataset);
    requireFields(fields, `${dataset.path}/${name}`);
    dataset.fields += fields;
  }
  return 'folder.gdb';
}

const tablesOfItself = 16;

/** The version of a geodatabase table (3 since ArcGIS 9, 4 with 64 bit object ids), and its attributes, whose position is in bytes 32 to 39. */
async function headOf(table: string): Promise<{ version: number; fields: number }> {
  const head = await firstBytes(table, 40);
  if (head.length < 40) return { version: 0, fields: 0 };
  const at = Number(head.readBigUInt64LE(32));
  const description =
    at > 0 && at <= Number.MAX_SAFE_INTEGER ? await firstBytes(table, 14, at) : head.subarray(0, 0);
  return {
    version: head.readUInt32LE(0),
    fields: description.length < 14 ? 0 : description.readUInt16LE(12),
  };
}

/** The greatest size of the description of a MapInfo table. */
const maxDescription = 1024 * 1024;

async function mapInfoFields(file: string, dataset: Dataset): Promise<number> {
  const text = (await firstBytes(file, maxDescription)).toString('latin1');
  const isMif = dataset.format === 'MapInfo MIF';
  const end = isMif ? /^[ \t]*data[ \t]*\r?$/im.exec(text)?.index : text.length;
  if (end === undefined || (text.length === maxDescription && !isMif)) throw beginsOtherwise(dataset);
  const counts = text
    .slice(0, end)
    .matchAll(isMif ? /^[ \t]*columns[ \t]+(\d{1,9})/gim : /^[ \t]*fields[ \t]+(\d{1,9})/gim);
  const count = [...counts].reduce((sum, [, number]) => sum + Number(number), 0);
  requireFields(count, dataset.path);
  return count;
}

/** @throws FileError `layers_too_many`, `fields_too_many` */
async function measureGml(dataset: Dataset, start: string): Promise<void> {
  dataset.exceeded = new PartialAnswer().take(start).isPart;
  const [main, schema] = ['gml', 'xsd'].map((ending) => dataset.parts.get(ending));
  if (main) {
    const { systems, ...size } = await gmlSize(main);
    Object.assign(dataset, size, { systemsBeside: systems });
  }
  if (!schema) return;
  dataset.fields = (dataset.fields ?? 0) + (await declaredElements(schema));
}

function requireNativeTab(dataset: Dataset, definition: string): void {
  if (/^[ \t]*Type[ \t]+NATIVE\b/im.test(definition) && !/"\\IsSeamless"\s*=\s*"TRUE"/i.test(definition))
    return;
  const type = /^[ \t]*Type[ \t]+"?(\w{1,20})/im.exec(definition)?.[1] ?? 'unknown';
  throw new FileError(
    'tab_not_native',
    `${dataset.path} has no data of its own, but refers to other files (type ${type}).`,
    type.toUpperCase() === 'RASTER' ? 'Put its image into the zip with it, under the same name.' : undefined,
  );
}

function requireParts({ format, path: file, parts }: Dataset): void {
  const { needs, extensions } = formatNamed(format);
  const missing = needs.filter((ending) => !parts.has(ending));
  if (missing.length === 0) return;
  const stem = file.slice(0, -path.posix.extname(file).length);
  const [main = ''] = extensions;
  throw new FileError(
    'parts_missing',
    `${file} lacks ${missing.map((ending) => `${stem}.${ending}`).join(' and ')}.`,
    `Put the ${[main, ...needs.slice(0, -1)].map((ending) => `.${ending}`).join(', ')} and .${needs.at(-1)} files of it into one zip file.`,
  );
}

function beginsOtherwise({ path: file, format }: Dataset): FileError {
  return new FileError(
    formatNamed(format).damaged,
    `${file} is damaged, or no ${format}: it does not begin as one does.`,
    format === 'ERDAS IMAGINE'
      ? 'ENVI and other programs name their rasters .img, too: export it as GeoTIFF, for example: gdal_translate coverage.img coverage.tif'
      : exportAgain,
  );
}

type Named = Pick<Dataset, 'path' | 'format'>;

export function cannotBeRead({ path: file, format }: Named, why: string): FileError {
  const message = `${file} cannot be read as ${format}: ${why}.`;
  return new FileError(formatNamed(format).damaged, message, exportAgain);
}

/** Translates GDAL's errors about unreadable files; returns other errors as they are. */
export function meaningOf(error: unknown, dataset: Named): unknown {
  if (!(error instanceof GdalError)) return error;
  // GDAL's limit for one feature of GeoJSON is 200 MB.
  if (!/too complex\/large/.test(error.message))
    return cannotBeRead(dataset, reasonOf(error.message)).causedBy(error);
  const message = `${dataset.path} has a feature that is larger than is accepted.`;
  return new FileError('feature_too_large', message);
}

/** Gives an unpacked file another path, without copying if possible. */
export async function linkTo(entry: FileEntry, target: string): Promise<string> {
  const file = await entry.unpack();
  // Hard links do not cross disks.
  await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_FICLONE));
  return target;
}

const geodatabaseDamaged = (name: string, why: string) =>
  new FileError('geodatabase_damaged', `The geodatabase ${name} is damaged: ${why}.`);
