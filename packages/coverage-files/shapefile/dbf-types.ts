import type { ValueKind } from '../format.ts';

/*
 * Types of a dBASE table's fields, by their letter: those of dBASE III to V are texts; those of Visual FoxPro ("Table File Structure", Microsoft)
 * and of dBASE 7 ("Data File Header Structure for the dBASE Version 7 Table File") are binary.
 */

export interface FieldType {
  type: string;
  /** False for values in other files, such as memos, and for types that are not known. */
  isRead: boolean;
  kind: ValueKind;
  /** The text of a binary value; undefined for types that are texts. */
  binary?: ((bytes: Buffer) => string | null) | undefined;
}

interface Binary {
  length: number;
  kind: ValueKind;
  text(bytes: Buffer): string | null;
}

/** Written as text: character, number, float, date, logical. */
const asText = /[CNFDL]/;
const signBit = 0x80;
/** The Julian day of 1970-01-01. */
const julianEpoch = 2_440_588;
const dayMs = 86_400_000;
/** Of Date: further days are no dates. */
const maxDays = 100_000_000;

const foxProTypes: Record<string, Binary> = {
  I: { length: 4, kind: 'number', text: (bytes) => String(bytes.readInt32LE()) },
  '+': { length: 4, kind: 'number', text: (bytes) => String(bytes.readInt32LE()) },
  B: { length: 8, kind: 'number', text: (bytes) => finite(bytes.readDoubleLE()) },
  O: { length: 8, kind: 'number', text: (bytes) => finite(bytes.readDoubleLE()) },
  /** Currency, in ten thousandths. */
  Y: { length: 8, kind: 'number', text: (bytes) => String(Number(bytes.readBigInt64LE()) / 10_000) },
  /** A Julian day and milliseconds of it. */
  T: { length: 8, kind: undefined, text: momentOf },
  '@': { length: 8, kind: undefined, text: momentOf },
};

/** In an order that sorts as bytes: the highest byte first, its sign bit set for numbers that are not negative. */
const dBase7Types: Record<string, Binary> = {
  I: { length: 4, kind: 'number', text: sortedInteger },
  '+': { length: 4, kind: 'number', text: sortedInteger },
  O: { length: 8, kind: 'number', text: sortedDouble },
};

/** The type of a field by its letter and its length in bytes. */
export function typeOf(
  type: string,
  length: number,
  { isFoxPro, isDBase7 }: { isFoxPro: boolean; isDBase7: boolean },
): FieldType {
  if (asText.test(type)) return { type, isRead: true, kind: /[NF]/.test(type) ? 'number' : undefined };
  // Other versions have these types, too, as some programs write them.
  const binary = (isDBase7 ? dBase7Types : foxProTypes)[type];
  const isMemo = type === 'B' && !isFoxPro;
  if (!binary || binary.length !== length || isMemo) return { type, isRead: false, kind: undefined };
  return { type, isRead: true, kind: binary.kind, binary: binary.text };
}

const finite = (value: number) => (Number.isFinite(value) ? String(value) : null);

/** As 2027-03-31T08:30:00; null where it is blank or none. */
function momentOf(bytes: Buffer): string | null {
  const days = bytes.readInt32LE() - julianEpoch;
  const ms = bytes.readInt32LE(4);
  if (Math.abs(days) > maxDays - 1 || days === -julianEpoch || ms < 0 || ms >= dayMs) return null;
  return new Date(days * dayMs + ms).toISOString().slice(0, 19);
}

function sortedInteger(bytes: Buffer): string | null {
  return bytes.every((byte) => byte === 0) ? null : String((bytes.readUInt32BE() ^ 0x8000_0000) | 0);
}

function sortedDouble(bytes: Buffer): string | null {
  if (bytes.every((byte) => byte === 0)) return null;
  const isPositive = ((bytes[0] as number) & signBit) !== 0;
  const plain = Buffer.from(bytes.map((byte) => (isPositive ? byte : ~byte)));
  if (isPositive) plain[0] = (plain[0] as number) & ~signBit;
  return finite(plain.readDoubleBE());
}
