/** An area in degrees, WGS 84, ends included. */
export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Tells if two boxes overlap. Longitudes may go on past 180 degrees or count from 0 to 360. */
export function overlap(a: Bounds, b: Bounds): boolean {
  const isBeside = [-360, 0, 360].some((turn) => a.west < b.east + turn && a.east > b.west + turn);
  return isBeside && a.south < b.north && a.north > b.south;
}
