import { type FileHandle, open } from 'node:fs/promises';
import { Damage } from '../errors.ts';
import { bytesAt } from '../file-set.ts';

/* Reads the schema of an SQLite database from its pages (sqlite.org/fileformat2.html): SQLite might run a view that never ends. */

/** Far more than the tables of a supported file have. */
const maxPages = 10_000;
const maxRowBytes = 1024 * 1024;
const interiorPage = 5;
const leafPage = 13;

type Value = string | number | null;

/** @throws RangeError where the file is damaged */
export async function readSchema(file: string) {
  const handle = await open(file);
  try {
    const rows = tablesOf(handle, await bytesAt(handle, 100, 0));
    const schema: { type: Value; name: string; page: number; statement: string }[] = [];
    for await (const [type = '', name, , page, statement] of rows(1))
      schema.push({ type, name: String(name), page: Number(page), statement: String(statement) });
    const tables = schema.filter(({ type }) => type === 'table');
    const contents = tables.find(({ name }) => name.toLowerCase() === 'gpkg_contents');
    const layers = new Set<string>();
    if (contents) {
      for await (const row of rows(contents.page))
        for (const value of row) layers.add(String(value).toLowerCase());
    }
    const isLayer = ({ name }: { name: string }) => layers.has(name.toLowerCase());
    const isRead = (one: { name: string }) => isLayer(one) || /^(gpkg|rtree)_/i.test(one.name);
    const isVirtual = ({ name, page }: { name: string; page: number }) =>
      page === 0 && !/^rtree_/i.test(name);
    return {
      /** What reading the layers of a GeoPackage would run: views, tables of other modules than the index, and tables with calculated columns. */
      queries: [
        ...schema.filter(({ type }) => type === 'view'),
        ...tables.filter((one) => isVirtual(one) || calculates(one)),
      ]
        .filter(isRead)
        .map(({ name }) => name),
      names: new Set(schema.map(({ name }) => name.toLowerCase())),
      /** Indexes and triggers included. */
      entries: schema.length,
      /** The columns of each table that a GeoPackage lists, by name. */
      columns: new Map(tables.filter(isLayer).map(({ name, statement }) => [name, columnsOf(statement)])),
    };
  } finally {
    await handle.close();
  }
}

/** Comments, quoted names and texts, and brackets. */
const partsOfStatement = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"]*"?|'[^']*'?|`[^`]*`?|\[[^\]]*\]?|[()]/g;

/** What stands within the outermost brackets of a statement: without comments, `""` for quoted parts, `()` for all in further brackets. */
function declared(statement: string): string {
  let depth = 0;
  let from = 0;
  let text = '';
  for (const { 0: part, index } of statement.matchAll(partsOfStatement)) {
    if (depth === 1) text += statement.slice(from, index);
    from = index + part.length;
    if (part === '(' && ++depth === 2) text += '()';
    else if (part === ')') depth--;
    else if (depth === 1) text += /^(?:--|\/\*)/.test(part) ? ' ' : '""';
  }
  return depth === 1 ? text + statement.slice(from) : text;
}

/** Counts the columns and constraints of a statement. */
const columnsOf = (statement: string): number => declared(statement).split(',').length;

/** True where a column is made by an expression whenever it is read; what is `stored` is not (sqlite.org/gencol.html). */
const calculates = ({ statement }: { statement: string }): boolean =>
  /\bas\s*\(\)(?!\s*stored\b)/i.test(declared(statement));

/** The tables of a database. @returns a function from the number of a table's first page to its rows: texts and integers; null for other values */
function tablesOf(handle: FileHandle, head: Buffer) {
  if (head.length < 100) throw new Damage('it ends early');
  const size = head.readUInt16BE(16);
  const pageSize = size === 1 ? 65_536 : size;
  const usable = pageSize - head.readUInt8(20);
  if (pageSize < 512 || usable < 480) throw new Damage('its pages have a size that cannot be');
  const decoder = new TextDecoder(['utf-8', 'utf-16le', 'utf-16be'][Math.max(1, head.readUInt32BE(56)) - 1]);
  let pages = 0;

  async function pageAt(number: number): Promise<Buffer> {
    // Also ends circles of pages.
    if (++pages > maxPages) throw new Damage('its schema is too large');
    const page = await bytesAt(handle, pageSize, (number - 1) * pageSize);
    if (page.length < pageSize) throw new Damage('it ends early');
    return page;
  }

  /** The bytes of a row, those of overflow pages included. */
  async function payload(page: Buffer, at: number): Promise<Buffer> {
    const length = varint(page, at);
    const { end: from } = varint(page, length.end);
    if (length.value > maxRowBytes) throw new Damage('a row of its schema is too long');
    const most = usable - 35;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length.value - least) % (usable - 4));
    const local = length.value <= most ? length.value : fitting <= most ? fitting : least;
    const parts = [page.subarray(from, from + local)];
    let left = length.value - local;
    for (let next = left > 0 ? page.readUInt32BE(from + local) : 0; left > 0; left -= usable - 4) {
      const overflow = await pageAt(next);
      next = overflow.readUInt32BE(0);
      parts.push(overflow.subarray(4, 4 + Math.min(left, usable - 4)));
    }
    return Buffer.concat(parts);
  }

  function valuesOf(row: Buffer): Value[] {
    const head = varint(row, 0);
    const values: Value[] = [];
    let at = head.value;
    for (let from = head.end; from < head.value; ) {
      const { value: type, end } = varint(row, from);
      from = end;
      const length = type >= 12 ? Math.floor((type - 12) / 2) : (lengths[type] ?? 0);
      if (at + length > row.length) throw new Damage('a row of its schema is cut off');
      if (type >= 13 && type % 2 === 1) values.push(decoder.decode(row.subarray(at, at + length)));
      else if (type >= 1 && type <= 5) values.push(row.readIntBE(at, length));
      else values.push(type === 8 ? 0 : type === 9 ? 1 : null);
      at += length;
    }
    return values;
  }

  return async function* rows(root: number): AsyncGenerator<Value[]> {
    const page = await pageAt(root);
    // The first page begins with the file's header.
    const start = root === 1 ? 100 : 0;
    const type = page.readUInt8(start);
    if (type !== interiorPage && type !== leafPage) throw new Damage(`page ${root} is of no table`);
    const count = page.readUInt16BE(start + 3);
    const cells = start + (type === interiorPage ? 12 : 8);
    for (let i = 0; i < count; i++) {
      const at = page.readUInt16BE(cells + 2 * i);
      if (type === interiorPage) yield* rows(page.readUInt32BE(at));
      else yield valuesOf(await payload(page, at));
    }
    if (type === interiorPage) yield* rows(page.readUInt32BE(start + 8));
  };
}

/** Bytes of a value by its serial type, below 12. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8];

/** A number of one to nine bytes, and the end of it. */
function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes.readUInt8(at + i);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + i + 1 };
  }
  return { value: value * 256 + bytes.readUInt8(at + 8), end: at + 9 };
}
