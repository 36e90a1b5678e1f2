import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { viewOf } from '../byte-reader.ts';
import { Damage } from '../errors.ts';

export interface Column {
  name: string;
  type: ColumnType;
}

/** The texts of a feature's properties, stored as column numbers and values in turn (feature.fbs). @throws RangeError for other columns */
export function propertyTexts(bytes: Uint8Array, columns: readonly Column[]): (string | null)[] {
  const texts: (string | null)[] = new Array(columns.length).fill(null);
  const view = viewOf(bytes);
  let at = 0;
  while (at < bytes.length) {
    const index = view.getUint16(at, true);
    at += 2;
    const column = columns[index];
    if (!column) throw new Damage(`a value belongs to the column ${index}, which is not there`);
    const fixedType = fixed[column.type];
    if (fixedType) {
      texts[index] = fixedType[1](view, at);
      at += fixedType[0];
      continue;
    }
    const length = view.getUint32(at, true);
    at += 4;
    if (at + length > bytes.length) throw new Damage('a text goes beyond its end');
    if (column.type !== ColumnType.Binary) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('utf8');
      texts[index] = textOf(text, column.type === ColumnType.DateTime);
    }
    at += length;
  }
  return texts;
}

/** Types of fixed size: bytes, and the text of a value. */
const fixed: Partial<
  Record<ColumnType, [size: number, text: (view: DataView, at: number) => string | null]>
> = {
  [ColumnType.Byte]: [1, (view, at) => String(view.getInt8(at))],
  [ColumnType.UByte]: [1, (view, at) => String(view.getUint8(at))],
  [ColumnType.Bool]: [1, (view, at) => (view.getUint8(at) === 0 ? 'false' : 'true')],
  [ColumnType.Short]: [2, (view, at) => String(view.getInt16(at, true))],
  [ColumnType.UShort]: [2, (view, at) => String(view.getUint16(at, true))],
  [ColumnType.Int]: [4, (view, at) => String(view.getInt32(at, true))],
  [ColumnType.UInt]: [4, (view, at) => String(view.getUint32(at, true))],
  [ColumnType.Long]: [8, (view, at) => String(view.getBigInt64(at, true))],
  [ColumnType.ULong]: [8, (view, at) => String(view.getBigUint64(at, true))],
  [ColumnType.Float]: [4, (view, at) => decimal(shortestSingle(view.getFloat32(at, true)))],
  [ColumnType.Double]: [8, (view, at) => decimal(view.getFloat64(at, true))],
};

export const isNumber = (type: ColumnType) => type !== ColumnType.Bool && fixed[type] !== undefined;

/** Null if blank; only the date for midnight. */
export function textOf(text: string, isTime: boolean): string | null {
  if (text.trim() === '') return null;
  // Geodatabases have no plain dates: they write midnight.
  return isTime ? text.replace(/T00:00:00(\.0+)?(Z|\+00(:?00)?)?$/, '') : text;
}

/** Without an exponent. */
export function decimal(value: number): string | null {
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  if (!text.includes('e')) return text;
  if (Math.abs(value) >= 1) return BigInt(value).toString();
  return value
    .toFixed(100)
    .replace(/(?<!0)0+$/, '')
    .replace(/\.$/, '');
}

/** The shortest decimals of a single: 0.1 in single precision is 0.10000000149 in double. */
function shortestSingle(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
