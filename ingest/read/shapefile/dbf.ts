import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';
import { ByteReader, EndOfBytes, viewOf } from '../byte-reader.ts';
import { Damage } from '../file-errors.ts';
import type { FileEntry } from '../file-set.ts';
import type { SourceAttributes } from '../format.ts';
import { detectEncoding, saysEncoding, Utf8Check } from './encoding.ts';

interface Field {
  name: string;
  /** N and F are numbers, written as text. */
  type: string;
  offset: number;
  length: number;
}

const deletionMark = 0x2a;
const endOfFile = 0x1a;
const endOfFields = 0x0d;
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
  const fields: Field[] = [];
  let offset = 1;
  for (let at = 0; at + 32 <= descriptors.length && descriptors[at] !== endOfFields; at += 32) {
    const name = descriptors.subarray(at, at + 11);
    const end = name.indexOf(0);
    const length = descriptors[at + 16] as number;
    fields.push({
      name: iconv.decode(Buffer.from(end < 0 ? name : name.subarray(0, end)), encoding.name).trim(),
      type: String.fromCharCode(descriptors[at + 11] as number),
      offset,
      length,
    });
    offset += length;
  }
  const noField = Buffer.from(' ');
  if (offset > rowLength) throw new Damage('the fields are longer than a row');
  const keepsAscii = iconv.decode(ascii, encoding.name) === ascii.toString('latin1');
  const texts = { fields, encoding: encoding.name, keepsAscii };
  let rowsRead = 0;
  return {
    fields,
    rowCount,
    encoding,
    languageDriver: view.getUint8(languageDriver),
    /** The next row; undefined after the last. @throws EndOfBytes if there are fewer rows than the header counts */
    async next(): Promise<Row | undefined> {
      if (rowsRead === rowCount) return undefined;
      // Without fields a row has nothing to lose: some writers let the end of the file overwrite the last one.
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
    const { offset = 0, length = 0 } = this.#texts.fields[index] ?? {};
    const { buffer, byteOffset } = this.#bytes;
    return Buffer.from(buffer, byteOffset + offset, length);
  }

  /** The trimmed text of a field; null if blank. */
  text(index: number): string | null {
    const { fields, encoding, keepsAscii } = this.#texts;
    const field = fields[index];
    if (!field) return null;
    const bytes = this.bytes(index);
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
