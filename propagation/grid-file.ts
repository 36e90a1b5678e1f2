import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { Bounds } from '../geometry/bounds.ts';
import { PropagationError } from './errors.ts';
import { metresOfDegree } from './plane.ts';

/** More make a file of more than 2 GB. */
const maxPixels = 400_000_000;
/** Where nothing is received. */
export const noSignal = -9999;
/** Read or written at once. */
const stripPixels = 1024 * 1024;

/** Pixels of degrees, about square on the ground in the middle. */
export interface Grid {
  west: number;
  north: number;
  /** Of a pixel, in degrees. */
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

/** The strongest signal of each pixel and whose it is, in files: only a part of them is in memory. */
export class GridFile {
  readonly grid: Grid;
  /** What threads reach its rows by: {@link readRow}, {@link writeRow}. */
  readonly descriptors: GridDescriptors;

  private constructor(grid: Grid, descriptors: GridDescriptors) {
    this.grid = grid;
    this.descriptors = descriptors;
  }

  /** @param file the signal, as rows of 32-bit numbers */
  static create(grid: Grid, file: string): GridFile {
    const own = { power: openSync(file, 'w+'), servers: openSync(`${file}.servers`, 'w+') };
    const pixels = grid.width * grid.height;
    const strip = new Float32Array(Math.min(pixels, stripPixels)).fill(noSignal);
    for (let at = 0; at < pixels; at += strip.length)
      writeAll(own.power, strip.subarray(0, Math.min(strip.length, pixels - at)), at * 4);
    ftruncateSync(own.servers, pixels * 4);
    return new GridFile(grid, own);
  }

  /** Reads a stretch of a row. */
  readPower(row: number, column: number, out: Float32Array): void {
    readAll(this.descriptors.power, out, (row * this.grid.width + column) * 4);
  }

  /** Writes a whole row. */
  writePower(row: number, power: Float32Array): void {
    writeAll(this.descriptors.power, power, row * this.grid.width * 4);
  }

  /** By server, up to a count: the pixels at which it is the strongest. */
  countPixels(servers: number): Float64Array {
    const counts = new Float64Array(servers);
    const pixels = this.grid.width * this.grid.height;
    for (let at = 0; at < pixels; at += stripPixels) {
      const length = Math.min(stripPixels, pixels - at);
      const [power, whose] = [new Float32Array(length), new Uint32Array(length)];
      readAll(this.descriptors.power, power, at * 4);
      readAll(this.descriptors.servers, whose, at * 4);
      for (let i = 0; i < length; i++) {
        if (power[i] === noSignal) continue;
        const server = whose[i] as number;
        counts[server] = (counts[server] as number) + 1;
      }
    }
    return counts;
  }

  close(): void {
    closeSync(this.descriptors.power);
    closeSync(this.descriptors.servers);
  }
}

/** Of files that belong to the process, and so to all of its threads. */
export interface GridDescriptors {
  power: number;
  servers: number;
}

/** Reads a stretch of a row, from a thread. */
export function readRow(
  { power, servers }: GridDescriptors,
  grid: Grid,
  row: number,
  column: number,
  into: { power: Float32Array; servers: Uint32Array },
): void {
  const at = (row * grid.width + column) * 4;
  readAll(power, into.power, at);
  readAll(servers, into.servers, at);
}

/** Writes a stretch of a row, from a thread; no two may write the same at once. */
export function writeRow(
  { power, servers }: GridDescriptors,
  grid: Grid,
  row: number,
  column: number,
  from: { power: Float32Array; servers: Uint32Array },
): void {
  const at = (row * grid.width + column) * 4;
  writeAll(power, from.power, at);
  writeAll(servers, from.servers, at);
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
