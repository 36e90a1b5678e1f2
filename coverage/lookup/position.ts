import type { Bounds } from '@covermap/geometry/bounds.ts';

/** A position of a request: its text, which answers repeat, and its numbers in degrees. */
export interface AskedPosition {
  latText: string;
  lngText: string;
  lat: number;
  lng: number;
}

/** The reason why two texts are no position of the service area. */
export type PositionFault = 'no_number' | 'outside';

const plainDecimal = /^-?\d+(?:\.\d+)?$/;

/** Reads a latitude and a longitude. Positions on the bounds are inside. */
export function readPosition(
  latText: string,
  lngText: string,
  bounds: Bounds,
): AskedPosition | PositionFault {
  if (!plainDecimal.test(latText) || !plainDecimal.test(lngText)) return 'no_number';
  const lat = Number(latText);
  const lng = Number(lngText);
  const inside =
    isBetween(latText, lat, bounds.south, bounds.north) && isBetween(lngText, lng, bounds.west, bounds.east);
  return inside ? { latText, lngText, lat, lng } : 'outside';
}

export function isPosition(position: AskedPosition | PositionFault): position is AskedPosition {
  return typeof position === 'object';
}

/** A number as a plain decimal, without the exponent that JavaScript writes small ones with. */
export function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(20).replace(/(?<!0)0+$/, '') : text;
}

/** A text may have more digits than a number holds: if its number is the bound itself, the digits decide. */
function isBetween(text: string, value: number, min: number, max: number): boolean {
  if (value === min) return compareDecimals(text, decimalText(min)) >= 0;
  if (value === max) return compareDecimals(text, decimalText(max)) <= 0;
  return value > min && value < max;
}

/** Compares two plain decimals of any length. @returns less than, equal to, or more than 0 */
function compareDecimals(a: string, b: string): number {
  const [partsA, partsB] = [a.split('.'), b.split('.')];
  const places = Math.max(partsA[1]?.length ?? 0, partsB[1]?.length ?? 0);
  const scaled = ([whole = '', fraction = '']: string[]) => BigInt(whole + fraction.padEnd(places, '0'));
  return Number(scaled(partsA) - scaled(partsB));
}
