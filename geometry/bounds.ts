/** An area in degrees, WGS 84, ends included. */
export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Whether two boxes overlap. One across the meridian of 180 degrees goes on beyond it, and some count from 0 to 360. */
export function overlap(a: Bounds, b: Bounds): boolean {
  const isBeside = [-360, 0, 360].some((turn) => a.west < b.east + turn && a.east > b.west + turn);
  return isBeside && a.south < b.north && a.north > b.south;
}
