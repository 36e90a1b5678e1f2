import { decimal, shortestSingle, textOf } from '../flatgeobuf/values.ts';
import { type Cursor, NotPlain } from './bytes.ts';
import type { Field } from './table.ts';

/**
 * Passes over an attribute's value, and gives its text as GDAL and FlatGeobuf make it; null where it is empty or no text.
 * @param inUtc whether the layer says so of its times
 */
export function valueText({ type }: Field, bytes: Buffer, cursor: Cursor, inUtc: boolean): string | null {
  switch (type) {
    case 'int16':
      return String(cursor.int16());
    case 'int32':
      return String(cursor.int32());
    case 'float32':
      return decimal(shortestSingle(cursor.float32()));
    case 'float64':
      return decimal(cursor.float64());
    case 'datetime':
      return textOf(dateText(cursor.float64()) + (inUtc ? 'Z' : ''), true);
    case 'guid':
    case 'globalid':
      return guidText(bytes, cursor.skip(16));
    case 'string':
    case 'xml': {
      const length = cursor.varuint();
      const from = cursor.skip(length);
      const zero = bytes.subarray(from, from + length).indexOf(0);
      return textOf(bytes.toString('utf8', from, from + (zero < 0 ? length : zero)), false);
    }
    case 'binary':
      cursor.skip(cursor.varuint());
      return null;
    default:
      throw new NotPlain();
  }
}

/** Days from 1899-12-30 to 1970-01-01. */
const unixEpoch = 25_569;
const [earliest, latest] = ['0001-01-01', '9999-12-31'].map(Date.parse) as [number, number];

/** To the second. @param days since 1899-12-30 */
function dateText(days: number): string {
  const ms = 1000 * Math.trunc((days - unixEpoch) * 3600 * 24 + 0.5);
  if (!(ms >= earliest && ms <= latest)) throw new NotPlain();
  return new Date(ms).toISOString().slice(0, 19);
}

/** The first three groups are little-endian. */
function guidText(bytes: Buffer, at: number): string {
  const hex = (...positions: number[]) =>
    positions.map((i) => bytes.toString('hex', at + i, at + i + 1)).join('');
  const [a, b, c] = [hex(3, 2, 1, 0), hex(5, 4), hex(7, 6)];
  return `{${a}-${b}-${c}-${hex(8, 9)}-${hex(10, 11, 12, 13, 14, 15)}}`.toUpperCase();
}
