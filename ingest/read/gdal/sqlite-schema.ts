import { type FileHandle, open } from 'node:fs/promises';
import { Damage } from '../file-errors.ts';

/*
 * The schema of an SQLite database, read from its pages (sqlite.org/fileformat2.html) before SQLite opens it, as a view in it
 * can be a query that never ends.
 */

/** Far more than the tables of a delivery that are read here have. */
const maxPages = 10_000;
const maxRowBytes = 1024 * 1024;
const interiorPage = 5;
const leafPage = 13;

type Value = string | number | null;

export interface Schema {
  /** The views of a GeoPackage that reading its layers would run. */
  views: string[];
  /** Names of tables and views, in lower case. */
  names: Set<string>;
  /** How many tables there are, indexes and triggers included. */
  tables: number;
  /** The columns of each table that a GeoPackage lists, by name. */
  columns: Map<string, number>;
}

/** @throws RangeError where the file is damaged */
export async function readSchema(file: string): Promise<Schema> {
  const handle = await open(file);
  try {
    const { buffer: head, bytesRead } = await handle.read(Buffer.alloc(100), 0, 100, 0);
    if (bytesRead < 100) throw new Damage('it ends early');
    const tables = new Tables(handle, head);
    const schema: Value[][] = [];
    for await (const row of tables.rows(1)) schema.push(row);
    const names = new Set(schema.map(([, name]) => folded(name)));
    const all = schema.filter(([type]) => type === 'view').map(([, name]) => String(name));
    const contents = schema.find(([type, name]) => type === 'table' && folded(name) === 'gpkg_contents');
    const layers = new Set<string>();
    if (contents) {
      for await (const row of tables.rows(Number(contents[3])))
        for (const value of row) layers.add(folded(value));
    }
    const views = all.filter((name) => layers.has(folded(name)) || /^(gpkg|rtree)_/i.test(name));
    const columns = new Map(
      schema.flatMap(([type, name, , , statement]): [string, number][] =>
        type === 'table' && layers.has(folded(name)) ? [[String(name), columnsOf(String(statement))]] : [],
      ),
    );
    return { views, names, tables: schema.length, columns };
  } finally {
    await handle.close();
  }
}

/** Comments, quoted names and texts, and what parts columns. */
const partsOfStatement = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"]*"?|'[^']*'?|`[^`]*`?|\[[^\]]*\]?|[(),]/g;

/** The columns and constraints that a statement lists: what commas part within its outermost brackets. */
function columnsOf(statement: string): number {
  let depth = 0;
  let count = 1;
  for (const [part] of statement.matchAll(partsOfStatement)) {
    if (part === '(') depth++;
    else if (part === ')') depth--;
    else if (part === ',' && depth === 1) count++;
  }
  return count;
}

const folded = (value: Value | undefined) => String(value).toLowerCase();

/** The tables of a database, by the number of their first page. */
class Tables {
  readonly #handle: FileHandle;
  readonly #pageSize: number;
  /** Bytes of a page that are used. */
  readonly #usable: number;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #pages = 0;

  /** @param head the first 100 bytes */
  constructor(handle: FileHandle, head: Buffer) {
    this.#handle = handle;
    const size = head.readUInt16BE(16);
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#usable = this.#pageSize - head.readUInt8(20);
    if (this.#pageSize < 512 || this.#usable < 480) throw new Damage('its pages have a size that cannot be');
    this.#decoder = new TextDecoder(
      ['utf-8', 'utf-16le', 'utf-16be'][Math.max(1, head.readUInt32BE(56)) - 1],
    );
  }

  /** The rows of a table: texts and whole numbers as they are, of other values nothing. */
  async *rows(root: number): AsyncGenerator<Value[]> {
    const page = await this.#page(root);
    // The first page begins with the head of the file.
    const start = root === 1 ? 100 : 0;
    const type = page.readUInt8(start);
    if (type !== interiorPage && type !== leafPage) throw new Damage(`page ${root} is of no table`);
    const count = page.readUInt16BE(start + 3);
    const cells = start + (type === interiorPage ? 12 : 8);
    for (let i = 0; i < count; i++) {
      const at = page.readUInt16BE(cells + 2 * i);
      if (type === interiorPage) yield* this.rows(page.readUInt32BE(at));
      else yield this.#values(await this.#payload(page, at));
    }
    if (type === interiorPage) yield* this.rows(page.readUInt32BE(start + 8));
  }

  async #page(number: number): Promise<Buffer> {
    // Pages that lead in a circle end here, too.
    if (++this.#pages > maxPages) throw new Damage('its schema is too large');
    const page = Buffer.alloc(this.#pageSize);
    const { bytesRead } = await this.#handle.read(page, 0, page.length, (number - 1) * page.length);
    if (bytesRead < page.length) throw new Damage('it ends early');
    return page;
  }

  /** The bytes of a row, those of overflow pages included. */
  async #payload(page: Buffer, at: number): Promise<Buffer> {
    const length = varint(page, at);
    const { end: from } = varint(page, length.end);
    if (length.value > maxRowBytes) throw new Damage('a row of its schema is too long');
    const most = this.#usable - 35;
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length.value - least) % (this.#usable - 4));
    const local = length.value <= most ? length.value : fitting <= most ? fitting : least;
    const parts = [page.subarray(from, from + local)];
    let left = length.value - local;
    for (let next = left > 0 ? page.readUInt32BE(from + local) : 0; left > 0; ) {
      const overflow = await this.#page(next);
      next = overflow.readUInt32BE(0);
      parts.push(overflow.subarray(4, 4 + Math.min(left, this.#usable - 4)));
      left -= this.#usable - 4;
    }
    return Buffer.concat(parts);
  }

  #values(payload: Buffer): Value[] {
    const head = varint(payload, 0);
    const values: Value[] = [];
    let at = head.value;
    for (let from = head.end; from < head.value; ) {
      const { value: type, end } = varint(payload, from);
      from = end;
      const length = type >= 12 ? Math.floor((type - 12) / 2) : (lengths[type] ?? 0);
      if (at + length > payload.length) throw new Damage('a row of its schema is cut off');
      if (type >= 13 && type % 2 === 1) values.push(this.#decoder.decode(payload.subarray(at, at + length)));
      else if (type >= 1 && type <= 5) values.push(payload.readIntBE(at, length));
      else values.push(type === 8 ? 0 : type === 9 ? 1 : null);
      at += length;
    }
    return values;
  }
}

/** Bytes of a value by its serial type, below 12. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8];

/** A number of one to nine bytes, and where it ends. */
function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes.readUInt8(at + i);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + i + 1 };
  }
  return { value: value * 256 + bytes.readUInt8(at + 8), end: at + 9 };
}
