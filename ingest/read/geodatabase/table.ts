import { Cursor, NotPlain, PiecesOfFile } from './bytes.ts';

/*
 * A table of a file geodatabase: the .gdbtable has its fields and rows, the .gdbtablx where the rows lie (format: Even Rouault's
 * "FGDB Spec", github.com/rouault/dump_gdbtable/wiki). Anything but what programs write for plain coverage is left to GDAL.
 */

const fieldTypes = [
  'int16',
  'int32',
  'float32',
  'float64',
  'string',
  'datetime',
  'objectid',
  'geometry',
  'binary',
  'raster',
  'guid',
  'globalid',
  'xml',
] as const;

export interface Field {
  name: string;
  type: Exclude<(typeof fieldTypes)[number], 'raster'>;
  /** Whether it has a bit among those at the beginning of a row. */
  nullable: boolean;
}

/** How coordinates are kept: whole numbers, to be divided by the scale and added to the origin. */
export interface Grid {
  x: number;
  y: number;
  scale: number;
}

const polygons = 4;
const maxDescriptionBytes = 1024 * 1024;
/** Rows that a block of the .gdbtablx holds the positions of. */
const blockRows = 1024;
/** Far more than the vertices take that a feature may have. */
const maxRowBytes = 128 * 1024 * 1024;

export class Table {
  readonly fields: Field[] = [];
  /** Undefined where the table has no polygons. */
  grid: Grid | undefined;
  /** At the beginning of a row. */
  readonly nullBytes: number;
  readonly #rows: PiecesOfFile;
  readonly #positions: PiecesOfFile;

  /** @param path of its files, without extension @throws NotPlain */
  constructor(path: string) {
    this.#rows = new PiecesOfFile(`${path}.gdbtable`);
    this.#positions = new PiecesOfFile(`${path}.gdbtablx`);
    try {
      this.#readFields();
    } catch (error) {
      this.close();
      throw error;
    }
    this.nullBytes = Math.ceil(this.fields.filter(({ nullable }) => nullable).length / 8);
  }

  close(): void {
    this.#rows.close();
    this.#positions.close();
  }

  #readFields(): void {
    const head = this.#rows.take(0, 40);
    // 3 up to ArcGIS Pro 3.1; 4 has object ids of 64 bits.
    if (head.readUInt32LE(0) !== 3) throw new NotPlain();
    const start = head.readBigUInt64LE(32);
    if (start > Number.MAX_SAFE_INTEGER) throw new NotPlain();
    const length = this.#rows.take(Number(start), 4).readUInt32LE(0);
    if (length > maxDescriptionBytes) throw new NotPlain();
    const description = this.#rows.take(Number(start) + 4, length);
    const cursor = new Cursor(description);
    const version = cursor.uint32();
    const geometryType = cursor.uint8();
    const utf8 = cursor.uint8() & 1;
    cursor.skip(1);
    const flags = cursor.uint8();
    if ((version !== 3 && version !== 4) || utf8 === 0) throw new NotPlain();
    const count = cursor.uint16();
    const text = (bytes: number) => {
      const from = cursor.skip(bytes);
      return description.toString('utf16le', from, from + bytes);
    };
    for (let i = 0; i < count; i++) {
      const name = text(2 * cursor.uint8());
      // What people are shown in place of the name.
      text(2 * cursor.uint8());
      const type = fieldTypes[cursor.uint8()];
      if (type === undefined || type === 'raster') throw new NotPlain();
      if (type !== 'geometry') {
        this.fields.push({ name, type, nullable: skipField(cursor, type) });
        continue;
      }
      if (this.fields.some((field) => field.type === 'geometry')) throw new NotPlain();
      cursor.skip(1);
      const nullable = (cursor.uint8() & 1) !== 0;
      // The reference system.
      cursor.skip(cursor.uint16());
      const [hasM, hasZ] = bits(cursor.uint8(), 2, 4);
      const grid = { x: cursor.float64(), y: cursor.float64(), scale: cursor.float64() };
      // Origin, scale and tolerance of each further dimension, the tolerance of x and y, the extent.
      cursor.skip(8 * (3 * Number(hasM) + 3 * Number(hasZ) + 1 + 4));
      const [coversM, coversZ] = bits(flags, 64, 128);
      cursor.skip(16 * (Number(coversM) + Number(coversZ)) + 1);
      cursor.skip(8 * cursor.uint32());
      this.fields.push({ name, type, nullable });
      if (geometryType === polygons && grid.scale !== 0) this.grid = grid;
    }
  }

  /**
   * The rows in the order of their object ids.
   * @param take gets the id, the bytes, good until it returns, and how much of the table has been read, 0 to 1
   * @param maxBytes that a row may have
   * @throws NotPlain where a row cannot be found
   */
  *rows<T>(
    take: (id: number, bytes: Buffer) => T,
    maxBytes = maxRowBytes,
  ): Generator<{ value: T; share: number }> {
    const head = this.#positions.take(0, 16);
    const [version, blocks, count, size] = [0, 4, 8, 12].map((at) => head.readUInt32LE(at)) as [
      number,
      number,
      number,
      number,
    ];
    if (version !== 3 || size < 4 || size > 6) throw new NotPlain();
    const isThere = this.#blockMap(16 + size * blockRows * blocks, blocks, count);
    let read = 0;
    for (let first = 0, block = 0; first < count; first += blockRows, block++) {
      if (!isThere(block)) continue;
      const positions = this.#positions.take(16 + size * blockRows * read++, size * blockRows);
      for (let i = 0; i < Math.min(blockRows, count - first); i++) {
        const position = positions.readUIntLE(i * size, size);
        // Rows that were deleted.
        if (position === 0) continue;
        const length = this.#rows.take(position, 4).readUInt32LE(0);
        if (length < Math.max(1, this.nullBytes) || length > maxBytes) throw new NotPlain();
        const value = take(first + i + 1, this.#rows.take(position + 4, length));
        yield { value, share: (first + i + 1) / count };
      }
    }
  }

  /** Blocks of deleted rows may be left out; a bit each says which are there. */
  #blockMap(trailer: number, blocks: number, count: number): (block: number) => boolean {
    if (count === 0 || blocks === 0) {
      if (count !== 0) throw new NotPlain();
      return () => false;
    }
    const [words, bitCount, blocksAgain] = [0, 4, 8].map((at) =>
      this.#positions.take(trailer, 16).readUInt32LE(at),
    ) as [number, number, number];
    if (blocksAgain !== blocks || bitCount > 2 ** 21) throw new NotPlain();
    if (words === 0) {
      if (bitCount !== blocks || count > blocks * blockRows) throw new NotPlain();
      return () => true;
    }
    if (count > bitCount * blockRows) throw new NotPlain();
    const map = Buffer.from(this.#positions.take(trailer + 16, Math.ceil(bitCount / 8)));
    let there = 0;
    const isThere = (block: number) => (((map[block >> 3] as number) >> (block & 7)) & 1) === 1;
    for (let block = 0; block < bitCount; block++) if (isThere(block)) there++;
    if (there !== blocks) throw new NotPlain();
    return isThere;
  }
}

const bits = (flags: number, ...masks: number[]) => masks.map((mask) => (flags & mask) !== 0);

/** Passes over the rest of a field's description. @returns whether the field is nullable */
function skipField(cursor: Cursor, type: Field['type']): boolean {
  let flags: number;
  let defaultLength = 0;
  if (type === 'string') {
    cursor.skip(4);
    flags = cursor.uint8();
    defaultLength = cursor.varuint();
  } else {
    cursor.skip(1);
    flags = cursor.uint8();
    if (['int16', 'int32', 'float32', 'float64', 'datetime'].includes(type)) defaultLength = cursor.uint8();
  }
  if (type === 'objectid' && flags !== 2) throw new NotPlain();
  if ((flags & 4) !== 0) cursor.skip(defaultLength);
  return (flags & 1) !== 0;
}
