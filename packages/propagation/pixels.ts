import { type Grid, type GridFile, readRow, writeRow } from './grid-file.ts';
import { boxAround, Plane } from './plane.ts';
import { nearestPoint, type RadialGrid } from './radials.ts';

/* Draws the points of a site's radials into the pixels around it. */

export interface PixelWindow {
  file: GridFile;
  lat: number;
  lng: number;
  /** In metres. */
  range: number;
  /** The gain of the receiver's antenna. */
  gain: number;
  /** By antenna: its number among all towers. */
  servers: readonly number[];
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Where its place is to be noted as one that serves. */
  ground?: GroundWindow | undefined;
}

/** Notes each pixel of a window where a place is received well enough: a bit a pixel, in rows of whole words of 32. */
export interface GroundWindow {
  /** The first column of the grid: a multiple of 32. */
  left: number;
  /** The words of a row. */
  words: number;
  /** The weakest power that serves, in dBm. */
  weakest: number;
  /** The losses of receivers in land cover, pixel by pixel of the grid; undefined where there is none. */
  losses: number | undefined;
  /** In memory that threads share. */
  served: Uint32Array;
}

export function windowAround(
  grid: Grid,
  lat: number,
  lng: number,
  range: number,
): Pick<PixelWindow, 'left' | 'right' | 'top' | 'bottom'> {
  // A little more: the plane and the degrees differ.
  const { west, south, east, north } = boxAround(lat, lng, 1.02 * range);
  return {
    left: Math.max(0, Math.floor((west - grid.west) / grid.dLng)),
    right: Math.min(grid.width, Math.ceil((east - grid.west) / grid.dLng)),
    top: Math.max(0, Math.floor((grid.north - north) / grid.dLat)),
    bottom: Math.min(grid.height, Math.ceil((grid.north - south) / grid.dLat)),
  };
}

/** Puts a site's signal into rows of the grid where it is the stronger: each pixel takes the nearest point of the nearest radial. */
export function drawPoints(
  window: PixelWindow,
  radials: RadialGrid,
  power: Float32Array,
  strongest: Uint16Array,
  from: number,
  to: number,
): void {
  const { file, range, gain, left, right } = window;
  const { grid } = file;
  const width = right - left;
  const stretch = { power: new Float32Array(width), servers: new Uint32Array(width) };
  const { ground } = window;
  const losses = new Float32Array(width);
  const lngs = Float64Array.from({ length: width }, (_, x) => grid.west + (left + x + 0.5) * grid.dLng);
  const plane = new Plane(window.lat, window.lng, lngs);
  for (let row = from; row < to; row++) {
    readRow(file, row, left, stretch);
    if (ground?.losses !== undefined)
      readRow({ ...file, power: ground.losses }, row, left, { power: losses });
    plane.beginRow(grid.north - (row + 0.5) * grid.dLat);
    for (let x = 0; x < width; x++) {
      if (!plane.measure(x, range)) continue;
      const at = nearestPoint(radials, plane.azimuth, plane.distance);
      const received = (power[at] as number) + gain;
      // As it is kept: what it is subtracted from has been rounded.
      if (ground && Math.fround(Math.fround(received) - (losses[x] as number)) >= ground.weakest) {
        const column = left + x - ground.left;
        const word = (row - window.top) * ground.words + (column >>> 5);
        ground.served[word] = ((ground.served[word] as number) | (1 << (column & 31))) >>> 0;
      }
      if (!(received > (stretch.power[x] as number))) continue;
      stretch.power[x] = received;
      stretch.servers[x] = window.servers[strongest[at] as number] as number;
    }
    writeRow(file, row, left, stretch);
  }
}
