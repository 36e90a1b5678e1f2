import type { Bounds } from '../core/config.ts';

/** A position as it was asked for: the text, which answers repeat, and its numbers in degrees. */
export interface AskedPosition {
  latText: string;
  lngText: string;
  lat: number;
  lng: number;
}

/**
 * The two texts that a path ends with, decoded; they may be empty. Not left to the router, which would refuse a path
 * that does not decode before the caller's key is looked at.
 * @param path as in `/-36.9/174.8`
 * @returns undefined where there are fewer or more; a text that does not decode comes as it is, and is no number
 */
export function readPair(path: string): [string, string] | undefined {
  const match = /^\/([^/]*)\/([^/]*)\/?$/.exec(path);
  return match ? [decode(match[1] as string), decode(match[2] as string)] : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const plainDecimal = /^-?\d+(?:\.\d+)?$/;

/**
 * Reads a latitude and a longitude that came as text.
 * @returns undefined where either is not a plain decimal number or the position is outside the bounds, ends included
 */
export function readPosition(latText: string, lngText: string, bounds: Bounds): AskedPosition | undefined {
  if (!plainDecimal.test(latText) || !plainDecimal.test(lngText)) return undefined;
  const lat = Number(latText);
  const lng = Number(lngText);
  const inside = lat >= bounds.south && lat <= bounds.north && lng >= bounds.west && lng <= bounds.east;
  return inside ? { latText, lngText, lat, lng } : undefined;
}
