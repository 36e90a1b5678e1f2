import { openArchive } from '@covermap/coverage-files/archive.ts';
import {
  extensionOf,
  type FileEntry,
  type FileSet,
  firstBytes,
  looseFile,
} from '@covermap/coverage-files/file-set.ts';
import { pointsAsCsv } from '@covermap/coverage-files/gdal/points-as-csv.ts';
import { unreadable } from './list-columns.ts';

/* A list of addresses in any of its formats, as the bytes of a CSV. */

interface OpenList {
  format: 'CSV' | 'ESRI Shapefile' | 'GeoPackage';
  /** What became of the coordinates of a table; undefined for CSV. */
  transformed: string | undefined;
  /** Its column of points as text, where it has one. */
  pointColumn: string;
  /** Of the CSV. */
  size: number;
  chunks: AsyncIterable<Uint8Array>;
  /** True where the last line that was read has no end. */
  endsOpen(): boolean;
  close(): void;
}

const texts = ['csv', 'txt', 'tsv'];
const tables = { shp: 'ESRI Shapefile', gpkg: 'GeoPackage' } as const;
const hint = 'Give one CSV, GeoPackage or zipped shapefile of addresses, by itself or in a zip file.';

/** @throws IngestError `addresses_unreadable`; FileError of archives and of GDAL's formats */
export async function openList(file: string, name: string, scratch: string): Promise<OpenList> {
  const start = (await firstBytes(file, 16)).toString('latin1');
  if (start === '') throw unreadable('It is empty.');
  const isArchive = start.startsWith('PK');
  const isSqlite = start.startsWith('SQLite format 3\0');
  const files = isArchive
    ? await openArchive(file, scratch)
    : looseFile(file, isSqlite ? `${name.replace(/\.gpkg$/i, '')}.gpkg` : name, scratch);
  try {
    return await openEntry(files, isArchive ? onlyList(files) : (files.entries[0] as FileEntry), isSqlite);
  } catch (error) {
    files.close();
    throw error;
  }
}

function onlyList({ entries }: FileSet): FileEntry {
  const isTable = ({ path }: FileEntry) => Object.hasOwn(tables, extensionOf(path));
  const isText = ({ path }: FileEntry) => texts.includes(extensionOf(path));
  const found = entries.filter(isTable);
  // Beside a table, a text is a readme or a licence.
  const lists = found.length > 0 ? found : entries.filter(isText);
  const csv = lists.filter(({ path }) => extensionOf(path) === 'csv');
  const [list, another] = csv.length > 0 ? csv : lists;
  if (!list) throw unreadable('The archive has none.', hint);
  if (another) throw unreadable(`The archive has several lists: ${list.path}, ${another.path}.`, hint);
  return list;
}

async function openEntry(files: FileSet, entry: FileEntry, isSqlite: boolean): Promise<OpenList> {
  const extension = isSqlite ? 'gpkg' : extensionOf(entry.path);
  const format = Object.hasOwn(tables, extension) ? tables[extension as keyof typeof tables] : undefined;
  if (extension === 'shp' && files.entries.length === 1)
    throw unreadable('The .shp has positions alone.', 'Zip it with its .dbf, .prj and .shx.');
  const table = format && (await pointsAsCsv(files, entry, format));
  const list = table?.csv ?? entry;
  let last: number | undefined;
  const chunks = async function* () {
    for await (const chunk of list.read()) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  };
  return {
    format: format ?? 'CSV',
    transformed:
      table &&
      (table.system
        ? `Coordinates are brought to degrees from the reference system ${table.system}.`
        : 'The file names no reference system: its coordinates are taken as degrees.'),
    pointColumn: table?.pointColumn ?? 'WKT',
    size: list.size,
    chunks: chunks(),
    endsOpen: () => last !== 10 && last !== 13,
    close: () => files.close(),
  };
}
