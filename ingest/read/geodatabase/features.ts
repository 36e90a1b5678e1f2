import path from 'node:path';
import { type Areas, dropped } from '../format.ts';
import { areasOf } from './areas.ts';
import { Cursor, NotPlain } from './bytes.ts';
import { type Field, Table } from './table.ts';
import { valueText } from './values.ts';

/*
 * The plain rows of a geodatabase's layer, without GDAL: it takes eight times as long to write them as FlatGeobuf and to have that read.
 */

export interface PlainFeature extends Areas {
  id: number;
  /** By {@link PlainLayer.fields}. */
  texts: (string | null)[];
  /** How much of the layer has been read, 0 to 1. */
  share: number;
}

export interface PlainLayer {
  fields: { name: string }[];
  /** Ends early, with `allRead` false, at the first row that is not plain. */
  features(): Generator<PlainFeature>;
  readonly allRead: boolean;
}

/** Types of GDAL for those of fields. */
const typesOfGdal: Partial<Record<Field['type'], string>> = {
  int16: 'Integer',
  int32: 'Integer',
  float32: 'Real',
  float64: 'Real',
  string: 'String',
  datetime: 'DateTime',
  binary: 'Binary',
  guid: 'String',
  globalid: 'String',
  xml: 'String',
};

/** The first table lists all of them. */
const catalog = 1;
const maxTables = 10_000;
/** What it says of a table. */
const maxCatalogRowBytes = 64 * 1024;

/**
 * Opens a layer whose rows look plain.
 * @param folder of the geodatabase, with checked names
 * @param known what GDAL found its fields to be
 * @param definition the layer's, as XML
 */
export function openPlainLayer(
  folder: string,
  name: string,
  known: readonly { name: string; type: string }[],
  definition: string,
): PlainLayer | undefined {
  try {
    const number = tableOf(folder, name);
    if (number === undefined) return undefined;
    const table = new Table(pathOf(folder, number));
    const fields = table.fields.filter(({ type }) => type !== 'objectid' && type !== 'geometry');
    const same =
      fields.length === known.length &&
      fields.every(({ name, type }, i) => name === known[i]?.name && typesOfGdal[type] === known[i].type);
    if (same && table.grid && new Set(fields.map(({ name }) => name)).size === fields.length)
      return plainLayer(table, fields, /<IsTimeInUTC>\s*true\s*</i.test(definition));
    table.close();
  } catch (error) {
    if (!isAboutFile(error)) throw error;
  }
  return undefined;
}

function plainLayer(table: Table, fields: Field[], inUtc: boolean): PlainLayer {
  let allRead = false;
  return {
    fields,
    get allRead() {
      return allRead;
    },
    *features() {
      try {
        for (const { value, share } of table.rows((id, bytes) => readRow(table, id, bytes, inUtc)))
          yield { ...value, share };
        allRead = true;
      } catch (error) {
        if (!isAboutFile(error)) throw error;
      } finally {
        table.close();
      }
    },
  };
}

/** RangeError: a number at the end of a file. ENOENT: a table that the catalog lists and is not there. */
const isAboutFile = (error: unknown) =>
  error instanceof NotPlain ||
  error instanceof RangeError ||
  (error as NodeJS.ErrnoException)?.code === 'ENOENT';

function readRow(table: Table, id: number, bytes: Buffer, inUtc: boolean) {
  const cursor = new Cursor(bytes, table.nullBytes);
  const texts: (string | null)[] = [];
  let areas = dropped('no_geometry');
  let bit = 0;
  for (const field of table.fields) {
    if (field.type === 'objectid') continue;
    const isGeometry = field.type === 'geometry';
    if (field.nullable) {
      const isNull = (((bytes[bit >> 3] as number) >> (bit & 7)) & 1) === 1;
      bit++;
      if (isNull) {
        if (!isGeometry) texts.push(null);
        continue;
      }
    }
    if (!isGeometry) texts.push(valueText(field, bytes, cursor, inUtc));
    else {
      const length = cursor.varuint();
      const from = cursor.skip(length);
      areas = areasOf(bytes, from, from + length, table.grid as NonNullable<Table['grid']>);
    }
  }
  return { id, texts, ...areas };
}

const pathOf = (folder: string, number: number) =>
  path.join(folder, `a${number.toString(16).padStart(8, '0')}`);

/** The number of the table of a name. */
function tableOf(folder: string, wanted: string): number | undefined {
  const table = new Table(pathOf(folder, catalog));
  try {
    const nameField = table.fields.findIndex(({ name }) => name === 'Name');
    const formatField = table.fields.findIndex(({ name }) => name === 'FileFormat');
    if (nameField < 0 || formatField < 0 || table.fields.some(({ type }) => type === 'geometry'))
      return undefined;
    // Of the texts of a row, which leave the object id out.
    const without = (field: number) =>
      table.fields.slice(0, field).filter(({ type }) => type !== 'objectid').length;
    let read = 0;
    for (const { value } of table.rows((id, bytes) => readRow(table, id, bytes, false), maxCatalogRowBytes)) {
      if (++read > maxTables) return undefined;
      const { id, texts } = value;
      if (texts[without(nameField)] === wanted && texts[without(formatField)] === '0') return id;
    }
    return undefined;
  } finally {
    table.close();
  }
}
