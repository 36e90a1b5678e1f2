/** A tile of the usual pyramid: Web Mercator, the whole world at zoom 0, y counted from the north. */
export interface Tile {
  z: number;
  x: number;
  y: number;
}

/** Steps across a tile in which its coordinates are given. */
export const tileExtent = 4096;
/** How far shapes go on beyond a tile's edge, so that no edge of theirs shows there, in the same steps. */
export const tileBuffer = 64;

export const maxZoom = 20;

/** Corners in degrees, the buffer included. */
export function tileBox({ z, x, y }: Tile): { west: number; south: number; east: number; north: number } {
  const margin = tileBuffer / tileExtent;
  const side = 2 ** z;
  return {
    west: ((x - margin) / side) * 360 - 180,
    east: ((x + 1 + margin) / side) * 360 - 180,
    north: latitudeAt((y - margin) / side),
    south: latitudeAt((y + 1 + margin) / side),
  };
}

/** The latitude in degrees at a height of the Mercator square: 0 is its north, 1 its south. */
function latitudeAt(height: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * height))) * 180) / Math.PI;
}

/** The other way round. */
function heightAt(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** A function that gives where in a tile, in its steps, a position in degrees is. */
export function positionIn({ z, x, y }: Tile): (lng: number, lat: number) => [x: number, y: number] {
  const side = 2 ** z;
  return (lng, lat) => [
    Math.round((((lng + 180) / 360) * side - x) * tileExtent),
    Math.round((heightAt(lat) * side - y) * tileExtent),
  ];
}

/**
 * Moves positions in degrees, lng and lat one after the other, to where they are in a tile.
 * @param units across the tile
 */
export function placeInTile({ z, x, y }: Tile, positions: Float64Array, units: number): void {
  const side = 2 ** z;
  for (let i = 0; i < positions.length; i += 2) {
    positions[i] = ((((positions[i] as number) + 180) / 360) * side - x) * units;
    positions[i + 1] = (heightAt(positions[i + 1] as number) * side - y) * units;
  }
}
