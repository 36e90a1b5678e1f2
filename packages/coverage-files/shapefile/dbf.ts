import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';
import { ByteReader, EndOfBytes, viewOf } from '../byte-reader.ts';
import { Damage } from '../errors.ts';
import type { FileEntry } from '../file-set.ts';
import type { SourceAttributes } from '../format.ts';
import { type FieldType, typeOf } from './dbf-types.ts';
import { detectEncoding, saysEncoding, Utf8Check } from './encoding.ts';

interface Field extends FieldType {
  name: string;
  offset: number;
  length: number;
  /** The bit of a row's flags that is set where the field is null; undefined if it cannot be. */
  nullBit: number | undefined;
}

/** Where descriptions of fields start, their length, that of the name, and where type and size are; in bytes. */
const descriptions = {
  dBase3: { start: 32, length: 32, name: 11, type: 11, size: 16 },
  dBase7: { start: 68, length: 48, name: 32, type: 32, size: 33 },
};
/** The last three bits of the first byte are the version. */
const versionBits = 7;
const dBase7 = 4;
/** Visual FoxPro's flags of a field: hidden, as the field that tells which others of a row are null; and nullable. */
const [hidden, nullable] = [1, 2];
const flagsAt = 18;
/** Types whose length differs by row: a flag that the value is shorter than the field precedes the flag of null. */
const varying = /[VQ]/;

const deletionMark = 0x2a;
const endOfFile = 0x1a;
const endOfFields = 0x0d;
/** The first of the three versions of Visual FoxPro. */
const foxPro = 0x30;
/** Every byte below 128. */
const ascii = Buffer.from(Array.from({ length: 128 }, (_, i) => i));

/** The byte of the header with the code page of the texts. */
const languageDriver = 29;
/** The number of rows checked for their encoding. */
const rowsThatTell = 100_000;

/** Tells if a table's texts are in UTF-8, for tables without a declared encoding. */
export async function textsAreUtf8(entry: Pick<FileEntry, 'read'>): Promise<boolean> {
  const bytes = new ByteReader(entry.read());
  const check = new Utf8Check();
  try {
    const table = await openDbf(bytes, undefined);
    if (saysEncoding(table.languageDriver)) return false;
    for (let i = 0; i < rowsThatTell; i++) {
      const row = await table.next();
      if (!row) break;
      for (const [field, { type }] of table.fields.entries()) if (type === 'C') check.add(row.bytes(field));
    }
  } catch (error) {
    // The reader of the table reports the fault.
    if (!(error instanceof EndOfBytes || error instanceof RangeError)) throw error;
  } finally {
    await bytes.close();
  }
  return check.isUtf8;
}

/** Tells if descriptions of fields end with their mark, and add up to a row. @param descriptors the header after its first 32 bytes */
function fits(
  { start, length, size }: typeof descriptions.dBase3,
  descriptors: Uint8Array,
  rowLength: number,
): boolean {
  let row = 1;
  let at = start - 32;
  for (; at + length <= descriptors.length && descriptors[at] !== endOfFields; at += length)
    row += descriptors[at + size] as number;
  return descriptors[at] === endOfFields && row === rowLength;
}

export type DbfReader = Awaited<ReturnType<typeof openDbf>>;

/**
 * Reads a dBASE table (level III to 7, as far as shapefiles use them) row by row.
 * @param cpg the `.cpg` file's text
 * @throws EndOfBytes where the header is cut off, RangeError where it makes no sense
 */
export async function openDbf(bytes: ByteReader, cpg: string | undefined, textsAreUtf8 = false) {
  const head = (await bytes.require(32)).slice();
  const view = viewOf(head);
  const rowCount = view.getUint32(4, true);
  const headerLength = view.getUint16(8, true);
  const rowLength = view.getUint16(10, true);
  if (headerLength < 33 || rowLength < 1) throw new Damage('the header gives lengths that cannot be');
  const encoding = detectEncoding(cpg, view.getUint8(languageDriver), textsAreUtf8);
  const descriptors = await bytes.require(headerLength - 32);
  const version = view.getUint8(0);
  const isFoxPro = version >= foxPro && version <= foxPro + 2;
  // Other programs write that version, too, with the descriptions of dBASE III.
  const isDBase7 = (version & versionBits) === dBase7 && !fits(descriptions.dBase3, descriptors, rowLength);
  const description = isDBase7 ? descriptions.dBase7 : descriptions.dBase3;
  const fields: Field[] = [];
  let offset = 1;
  let nullFlags: Pick<Field, 'offset' | 'length'> | undefined;
  let bits = 0;
  let at = description.start - 32;
  for (; at + description.length <= descriptors.length; at += description.length) {
    if (descriptors[at] === endOfFields) break;
    const name = descriptors.subarray(at, at + description.name);
    const end = name.indexOf(0);
    const length = descriptors[at + description.size] as number;
    const type = String.fromCharCode(descriptors[at + description.type] as number);
    const flags = isFoxPro ? (descriptors[at + flagsAt] as number) : 0;
    if (isFoxPro && varying.test(type)) bits++;
    const field = {
      ...typeOf(type, length, { isFoxPro, isDBase7 }),
      name: iconv.decode(Buffer.from(end < 0 ? name : name.subarray(0, end)), encoding.name).trim(),
      offset,
      length,
      nullBit: flags & nullable ? bits++ : undefined,
    };
    if (isFoxPro && flags & hidden) nullFlags ??= field;
    else fields.push(field);
    offset += length;
  }
  const noField = Buffer.from(' ');
  if (offset > rowLength) throw new Damage('the fields are longer than a row');
  const keepsAscii = iconv.decode(ascii, encoding.name) === ascii.toString('latin1');
  const texts = { fields, encoding: encoding.name, keepsAscii, nullFlags };
  let rowsRead = 0;
  return {
    fields,
    rowCount,
    encoding,
    languageDriver: view.getUint8(languageDriver),
    /** The next row; undefined after the last. @throws EndOfBytes if there are fewer rows than the header counts */
    async next(): Promise<Row | undefined> {
      if (rowsRead === rowCount) return undefined;
      // A row without fields has no data: some writers let the end of the file overwrite the last one.
      const row = fields.length > 0 ? await bytes.require(rowLength) : ((await bytes.take(1)) ?? noField);
      if (row[0] === endOfFile && fields.length > 0) throw new EndOfBytes();
      rowsRead++;
      return new Row(row, texts);
    },
  };
}

interface RowTexts {
  fields: readonly Field[];
  encoding: string;
  /** True where bytes below 128 are ASCII. */
  keepsAscii: boolean;
  /** The place in a row of Visual FoxPro of the flags that tell which fields are null. */
  nullFlags: Pick<Field, 'offset' | 'length'> | undefined;
}

/** One row. Its bytes are valid until the next is read. */
class Row implements SourceAttributes {
  readonly deleted: boolean;
  readonly #bytes: Uint8Array;
  readonly #texts: RowTexts;

  constructor(bytes: Uint8Array, texts: RowTexts) {
    this.deleted = bytes[0] === deletionMark;
    this.#bytes = bytes;
    this.#texts = texts;
  }

  bytes(index: number): Buffer {
    return this.#bytesOf(this.#texts.fields[index]);
  }

  #bytesOf({ offset, length }: Pick<Field, 'offset' | 'length'> = { offset: 0, length: 0 }): Buffer {
    const { buffer, byteOffset } = this.#bytes;
    return Buffer.from(buffer, byteOffset + offset, length);
  }

  #isNull({ nullBit }: Field): boolean {
    const { nullFlags } = this.#texts;
    if (nullBit === undefined || !nullFlags) return false;
    return (((this.#bytesOf(nullFlags)[nullBit >> 3] ?? 0) >> (nullBit & 7)) & 1) === 1;
  }

  /** The trimmed text of a field; null if blank. */
  text(index: number): string | null {
    const { fields, encoding, keepsAscii } = this.#texts;
    const field = fields[index];
    if (!field?.isRead || this.#isNull(field)) return null;
    const bytes = this.bytes(index);
    if (field.binary) return field.binary(bytes);
    // Most texts are ASCII, and the encoding's decoder takes ten times as long.
    const isPlain = keepsAscii && isAscii(bytes);
    const trimmed = withoutPadding(isPlain ? bytes.toString('latin1') : iconv.decode(bytes, encoding));
    // Asterisks stand for a number that does not fit, or for none.
    if (trimmed === '' || (/[NF]/.test(field.type) && /^\*+$/.test(trimmed))) return null;
    return field.type === 'D' && /^0+$/.test(trimmed) ? null : trimmed;
  }
}

/** Without padding: blanks, or NUL from some writers. */
function withoutPadding(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPadding(text.charCodeAt(start))) start++;
  while (end > start && isPadding(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isPadding = (code: number) =>
  code === 0 ||
  code === 32 ||
  (code >= 9 && code <= 13) ||
  (code >= 160 && /\s/.test(String.fromCharCode(code)));
