import type { Bounds } from './bounds.ts';

/** A tile of the Web Mercator pyramid, y counted from the north. */
export interface Tile {
  z: number;
  x: number;
  y: number;
}

/** The units of a tile's coordinates across it. */
export const tileExtent = 4096;
/** The margin of shapes beyond a tile's edge, so that no edge of theirs shows there, in the same units. */
const tileBuffer = 64;

export const maxZoom = 20;

/** Corners in degrees, the buffer included. */
export function tileBox({ z, x, y }: Tile): Bounds {
  const margin = tileBuffer / tileExtent;
  const side = 2 ** z;
  return {
    west: ((x - margin) / side) * 360 - 180,
    east: ((x + 1 + margin) / side) * 360 - 180,
    north: latitudeAt((y - margin) / side),
    south: latitudeAt((y + 1 + margin) / side),
  };
}

/** The latitude in degrees at a height of the Mercator square: 0 is north, 1 south. */
export function latitudeAt(height: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * height))) * 180) / Math.PI;
}

export function heightAt(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** A function that projects a position in degrees to the units of a tile. */
export function positionIn({ z, x, y }: Tile): (lng: number, lat: number) => [x: number, y: number] {
  const side = 2 ** z;
  return (lng, lat) => [
    Math.round((((lng + 180) / 360) * side - x) * tileExtent),
    Math.round((heightAt(lat) * side - y) * tileExtent),
  ];
}
