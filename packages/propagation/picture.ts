import type { Bounds } from '@covermap/geometry/bounds.ts';
import { heightAt, latitudeAt } from '@covermap/geometry/tile.ts';
import sharp from 'sharp';
import { type GridFile, readRow } from './grid-file.ts';

/* The signal as a picture. Pages colour it by thresholds. */

/** In pixels. */
const maxSide = 2000;
/** A grey of 1 is the power above this; each further one is a decibel more, and 0 is no signal. dBm */
export const pictureFloor = -200;

/** Writes the signal as a PNG of greys, each the power in its middle. @returns its bounds; its rows are even in Web Mercator */
export async function writePicture(file: GridFile, target: string): Promise<Bounds> {
  const { west, north, dLng, dLat, width: columns, height: rows } = file.grid;
  const [south, east] = [north - rows * dLat, west + columns * dLng];
  const scale = Math.min(1, maxSide / Math.max(columns, rows));
  const [width, height] = [Math.max(1, Math.round(columns * scale)), Math.max(1, Math.round(rows * scale))];
  const greys = new Uint8Array(width * height);
  const power = new Float32Array(columns);
  const [top, bottom] = [heightAt(north), heightAt(south)];
  let inMemory = -1;
  for (let y = 0; y < height; y++) {
    const lat = latitudeAt(top + ((y + 0.5) / height) * (bottom - top));
    const at = Math.min(rows - 1, Math.max(0, Math.floor((north - lat) / dLat)));
    if (at !== inMemory) readRow(file, at, 0, { power });
    inMemory = at;
    for (let x = 0; x < width; x++) {
      greys[y * width + x] = greyOf(power[Math.floor(((x + 0.5) * columns) / width)] as number);
    }
  }
  await sharp(greys, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 9 })
    .toFile(target);
  return { west, south, east, north };
}

/** Rounded down: a pixel never shows a class that its power does not reach. */
function greyOf(dbm: number): number {
  const grey = Math.floor(dbm) - pictureFloor;
  return grey < 1 ? 0 : Math.min(255, grey);
}
