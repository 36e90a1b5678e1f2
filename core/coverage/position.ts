import type { Bounds } from '../config.ts';

/** A position as it was asked for: the text, which answers repeat, and its numbers in degrees. */
export interface AskedPosition {
  latText: string;
  lngText: string;
  lat: number;
  lng: number;
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
