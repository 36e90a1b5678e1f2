import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { PropagationError } from './errors.ts';
import { metresOfDegree } from './plane.ts';

/** More would make a file of more than 2 GB. */
const maxPixels = 400_000_000;
export const noSignal = -9999;
const stripPixels = 1024 * 1024;

/** Pixels in degrees, about square on the ground in the middle. */
export interface Grid {
  west: number;
  north: number;
  /** The width and height of a pixel, in degrees. */
  dLng: number;
  dLat: number;
  width: number;
  height: number;
}

/** @throws PropagationError `prediction_too_large` */
export function gridOf({ west, south, east, north }: Bounds, step: number): Grid {
  const [ofLat, ofLng] = metresOfDegree((south + north) / 2);
  const [dLat, dLng] = [step / ofLat, step / ofLng];
  const width = Math.ceil((east - west) / dLng);
  const height = Math.ceil((north - south) / dLat);
  if (width * height > maxPixels) {
    const message = `The towers lie so far apart that the result would have ${width} × ${height} pixels of ${step} m; the limit is ${maxPixels}.`;
    throw new PropagationError('prediction_too_large', message);
  }
  return { west, north, dLng, dLat, width, height };
}

/** The strongest signal of each pixel and its server, row by row in two files. All threads share their descriptors, and little is in memory. */
export interface GridFile {
  grid: Grid;
  power: number;
  servers: number;
}

/** The strongest signal of a grid, row by row from the north, wherever it is kept. */
export interface SignalRows {
  grid: Grid;
  /** Reads the power of a row's pixels in dBm; {@link noSignal} where there is none. */
  read(row: number, power: Float32Array): void;
}

export const rowsOfFile = (file: GridFile): SignalRows => ({
  grid: file.grid,
  read: (row, power) => readRow(file, row, 0, { power }),
});

/** @param file of the signal, as 32-bit numbers */
export function createGridFile(grid: Grid, file: string): GridFile {
  const created = { grid, power: openSync(file, 'w+'), servers: openSync(`${file}.servers`, 'w+') };
  const pixels = grid.width * grid.height;
  const strip = new Float32Array(Math.min(pixels, stripPixels)).fill(noSignal);
  for (let at = 0; at < pixels; at += strip.length)
    writeAll(created.power, strip.subarray(0, Math.min(strip.length, pixels - at)), at * 4);
  ftruncateSync(created.servers, pixels * 4);
  return created;
}

export function closeGridFile({ power, servers }: GridFile): void {
  closeSync(power);
  closeSync(servers);
}

/** By tower: the area where it is the strongest, in km². */
export function coveredKm2(file: GridFile, servers: number): Float64Array {
  const covered = new Float64Array(servers);
  const { width, height, north, dLat, dLng } = file.grid;
  const stretch = { power: new Float32Array(width), servers: new Uint32Array(width) };
  for (let row = 0; row < height; row++) {
    readRow(file, row, 0, stretch);
    const [ofLat, ofLng] = metresOfDegree(north - (row + 0.5) * dLat);
    const pixel = (dLat * ofLat * dLng * ofLng) / 1e6;
    for (let i = 0; i < width; i++) {
      if (stretch.power[i] === noSignal) continue;
      const server = stretch.servers[i] as number;
      covered[server] = (covered[server] as number) + pixel;
    }
  }
  return covered;
}

interface Stretch {
  power: Float32Array;
  servers?: Uint32Array;
}

export function readRow(file: GridFile, row: number, column: number, { power, servers }: Stretch): void {
  const at = (row * file.grid.width + column) * 4;
  readAll(file.power, power, at);
  if (servers) readAll(file.servers, servers, at);
}

/** Writes a stretch of a row; threads must not write the same one at once. */
export function writeRow(file: GridFile, row: number, column: number, { power, servers }: Stretch): void {
  const at = (row * file.grid.width + column) * 4;
  writeAll(file.power, power, at);
  if (servers) writeAll(file.servers, servers, at);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

function readAll(file: number, out: Float32Array | Uint32Array, position: number): void {
  const bytes = bytesOf(out);
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new Error('the scratch file of the prediction ends early');
    done += read;
  }
}

function writeAll(file: number, values: Float32Array | Uint32Array, position: number): void {
  const bytes = bytesOf(values);
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
}
