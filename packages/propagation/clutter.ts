import { openSync } from 'node:fs';
import path from 'node:path';
import { overlap } from '@covermap/geometry/bounds.ts';
import {
  classTable,
  clutterLoss,
  clutterUnusable,
  maxClassCode,
  readClutterClasses,
} from './clutter-classes.ts';
import { type Grid, type GridFile, noSignal, readRow, writeRow } from './grid-file.ts';
import { metresOfDegree } from './plane.ts';
import { describeAll, geoTiffDrivers, RasterError, type RasterFolder } from './rasters.ts';

/* Land cover around receivers: a folder of GeoTIFF rasters, and the table of their classes. */

/** A place outside all rasters. */
const unknown = -1;
const stripRows = 256;

export interface ClutterReport {
  /** The classes that pixels have: the loss at the receiver's height, and their share of all ground with a signal. */
  classes: { code: number; name: string | null; lossDb: number; share: number }[];
  /** The share of that ground without a class in the table. It counts as open. */
  unlisted: number;
}

export type Clutter = Awaited<ReturnType<typeof openClutter>>;

/** Reads the table of a folder and the headers of its rasters. @throws PropagationError `clutter_unusable` */
export async function openClutter(folder: RasterFolder) {
  const classes = await readClutterClasses(path.join(folder.path, classTable));
  const described = await describeAll(folder, geoTiffDrivers, 'GeoTIFF (.tif)', clutterUnusable);
  const rasters = described.map(({ raster, info }) => {
    if (typeof info === 'string') throw clutterUnusable(`${raster.name}: ${info}`);
    const { place } = info;
    if (!place) throw clutterUnusable(`${raster.name} has no reference system or no place in it`);
    return { ...raster, ...place };
  });

  /** The classes in the middles of pixels, -1 where unknown; GDAL's `mode` takes thirty times as long. @throws PropagationError `clutter_unusable` */
  async function classesOf(grid: Grid, top: number, rows: number, scratch: string): Promise<Int16Array> {
    const [west, north] = [grid.west, grid.north - top * grid.dLat];
    const [east, south] = [west + grid.width * grid.dLng, north - rows * grid.dLat];
    const around = rasters.filter((one) => overlap(one, { west, south, east, north }));
    if (around.length === 0) return new Int16Array(grid.width * rows).fill(unknown);
    try {
      const bytes = await folder.warp(around, scratch, [
        ...['-ot', 'Int16', '-r', 'near', '-dstnodata', String(unknown), '-t_srs', 'EPSG:4326'],
        ...['-te', ...[west, south, east, north].map(String), '-ts', String(grid.width), String(rows)],
      ]);
      return new Int16Array(bytes.buffer, bytes.byteOffset, grid.width * rows);
    } catch (error) {
      if (error instanceof RasterError) throw clutterUnusable(error.message);
      throw error;
    }
  }

  /** The class in a pixel of side `step` around a place, if known, and the loss of a receiver at that height. @throws PropagationError `clutter_unusable` */
  async function at(lat: number, lng: number, step: number, receiver: number, scratch: string) {
    const [ofLat, ofLng] = metresOfDegree(lat);
    const [dLat, dLng] = [step / ofLat, step / ofLng];
    const pixel = { west: lng - dLng / 2, north: lat + dLat / 2, dLng, dLat, width: 1, height: 1 };
    const [code] = await classesOf(pixel, 0, 1, scratch);
    const found = classes.find((one) => one.code === code);
    return found && { name: found.name, lossDb: clutterLoss(found, receiver) };
  }

  /**
   * Subtracts the receiver's loss in land cover from a signal; ground of unknown class counts as open.
   * @throws PropagationError `clutter_unusable`
   * @param receiver its height above the ground, in metres
   * @param progress called after every part
   */
  async function takeFrom(file: GridFile, receiver: number, scratch: string, progress: () => void) {
    const { grid } = file;
    const losses = lossesOf(receiver);
    const counts = new Float64Array(maxClassCode + 1);
    let [all, unlisted] = [0, 0];
    const power = new Float32Array(grid.width);
    for (let top = 0; top < grid.height; top += stripRows) {
      const rows = Math.min(stripRows, grid.height - top);
      const codes = await classesOf(grid, top, rows, scratch);
      for (let y = 0; y < rows; y++) {
        readRow(file, top + y, 0, { power });
        for (let x = 0; x < grid.width; x++) {
          if (power[x] === noSignal) continue;
          all++;
          const code = codes[y * grid.width + x] as number;
          const loss = code < 0 ? Number.NaN : (losses[code] as number);
          if (Number.isNaN(loss)) unlisted++;
          else {
            power[x] = (power[x] as number) - loss;
            counts[code] = (counts[code] as number) + 1;
          }
        }
        writeRow(file, top + y, 0, { power });
      }
      progress();
    }
    const share = (count: number) => (all === 0 ? 0 : count / all);
    const found = classes
      .map(({ code, name }) => ({
        ...{ code, name, lossDb: losses[code] as number, share: share(counts[code] as number) },
      }))
      .filter((one) => one.share > 0);
    return { classes: found, unlisted: share(unlisted) };
  }

  /** By class: NaN for one that the table does not have. */
  function lossesOf(receiver: number): Float32Array {
    const losses = new Float32Array(maxClassCode + 1).fill(Number.NaN);
    for (const row of classes) losses[row.code] = clutterLoss(row, receiver);
    return losses;
  }

  /**
   * Writes what {@link takeFrom} would subtract at each pixel into a file of the scratch folder, as rows of 32-bit numbers.
   * @returns its descriptor, which the caller closes @throws PropagationError `clutter_unusable`
   */
  async function writeLosses(grid: Grid, receiver: number, scratch: string, progress: () => void) {
    const losses = lossesOf(receiver);
    const file = openSync(path.join(scratch, 'losses.raw'), 'w+');
    const stretch = { power: new Float32Array(grid.width) };
    for (let top = 0; top < grid.height; top += stripRows) {
      const rows = Math.min(stripRows, grid.height - top);
      const codes = await classesOf(grid, top, rows, scratch);
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < grid.width; x++) {
          const code = codes[y * grid.width + x] as number;
          stretch.power[x] = (code < 0 ? 0 : losses[code]) || 0;
        }
        writeRow({ grid, power: file, servers: file }, top + y, 0, stretch);
      }
      progress();
    }
    return file;
  }

  return { rasters, classes, at, takeFrom, writeLosses };
}
