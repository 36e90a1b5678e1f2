import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Bounds } from '../../core/config.ts';
import { IngestError } from '../errors.ts';
import { GdalError, type RasterInfo } from '../read/gdal/webassembly.ts';
import { pulse } from '../read/pulse.ts';
import { type Grid, type GridFile, noSignal } from './grid-file.ts';
import { metresOfDegree } from './plane.ts';
import {
  describeRasters,
  listRasters,
  type NamedRaster,
  overlap,
  placeOf,
  warpRasters,
} from './raster-folder.ts';

/*
 * What stands around a receiver: a folder with land cover as GeoTIFF, and `classes.csv`, which says of each class how high it stands and
 * what a receiver loses deep in it. The loss by height follows the terminal clutter loss of Recommendation ITU-R P.452-16, section 4.5.
 */

export const classTable = 'classes.csv';
const endings = { '.tif': 'GTiff', '.tiff': 'GTiff' };
const maxRasters = 10_000;
const maxTableBytes = 1024 * 1024;
const maxClasses = 1000;
const [maxCode, maxHeight, maxLoss] = [32_767, 500, 60];
const maxName = 100;
/** Where no raster says anything. */
const unknown = -1;
/** Rows that are brought in at once. */
const stripRows = 256;

/** A class of land cover. */
export interface ClutterClass {
  /** Of its pixels. */
  code: number;
  name: string | null;
  /** In metres. */
  height: number;
  /** Of a receiver near the ground in it. dB */
  loss: number;
}

/** What land cover took from the signal. */
export interface ClutterReport {
  /** By class, those that pixels have: the loss at the height of the receiver, and the part of all ground with a signal. */
  classes: { code: number; name: string | null; lossDb: number; share: number }[];
  /** The part of that ground whose class is not in the table, or that no raster knows. It counts as open. */
  unlisted: number;
}

type PlacedRaster = NamedRaster & Bounds;

/** What a receiver at that height loses in a class: half of all of it at 0.625 of the class's height, nothing above it. dB */
export function clutterLoss(
  { height, loss }: Pick<ClutterClass, 'height' | 'loss'>,
  receiver: number,
): number {
  return height > 0 ? (loss / 2) * (1 - Math.tanh(6 * (receiver / height - 0.625))) : 0;
}

export class Clutter {
  readonly folder: string;
  readonly rasters: readonly PlacedRaster[];
  readonly classes: readonly ClutterClass[];

  private constructor(folder: string, rasters: PlacedRaster[], classes: ClutterClass[]) {
    this.folder = folder;
    this.rasters = rasters;
    this.classes = classes;
  }

  /** Reads the table of a folder, and looks at its rasters; at no pixel. @throws IngestError `clutter_unusable` */
  static async open(folder: string): Promise<Clutter> {
    const classes = await readClasses(path.join(folder, classTable));
    const named = await listRasters(folder, endings).catch((error) => {
      throw unusable(`the folder cannot be read: ${(error as Error).message}`);
    });
    if (named.length === 0) throw unusable('its folder holds no GeoTIFF (.tif)');
    if (named.length > maxRasters)
      throw unusable(`its folder holds ${named.length} files; ${maxRasters} are taken`);
    const infos = await describeRasters(folder, named).catch((error) => {
      throw error instanceof GdalError ? unusable(error.message) : error;
    });
    const rasters = named.map((raster, i) => {
      const info = infos[i] as RasterInfo | string;
      if (typeof info === 'string') throw unusable(`${raster.name}: ${info}`);
      const place = placeOf(info);
      if (!place) throw unusable(`${raster.name} has no reference system or no place in it`);
      return { ...raster, ...place };
    });
    return new Clutter(folder, rasters, classes);
  }

  /**
   * The classes of rows of a grid, in the middles of its pixels; -1 where no raster says. (GDAL's `mode`, the class that most of a pixel has,
   * takes thirty times as long.)
   * @throws IngestError `clutter_unusable`
   */
  async classesOf(grid: Grid, top: number, rows: number, scratch: string): Promise<Int16Array> {
    const [west, north] = [grid.west, grid.north - top * grid.dLat];
    const [east, south] = [west + grid.width * grid.dLng, north - rows * grid.dLat];
    const around = this.rasters.filter((one) => overlap(one, { west, south, east, north }));
    if (around.length === 0) return new Int16Array(grid.width * rows).fill(unknown);
    try {
      const bytes = await warpRasters(this.folder, around, scratch, [
        ...['-ot', 'Int16', '-r', 'near', '-dstnodata', String(unknown), '-t_srs', 'EPSG:4326'],
        ...['-te', ...[west, south, east, north].map(String), '-ts', String(grid.width), String(rows)],
      ]);
      return new Int16Array(bytes.buffer, bytes.byteOffset, grid.width * rows);
    } catch (error) {
      if (error instanceof GdalError) throw unusable(error.message);
      throw error;
    }
  }

  /** The class at a place, and what a receiver at that height loses there; undefined where no class is known. */
  async at(
    lat: number,
    lng: number,
    step: number,
    receiver: number,
    scratch: string,
  ): Promise<{ name: string | null; lossDb: number } | undefined> {
    const [ofLat, ofLng] = metresOfDegree(lat);
    const [dLat, dLng] = [step / ofLat, step / ofLng];
    const pixel = { west: lng - dLng / 2, north: lat + dLat / 2, dLng, dLat, width: 1, height: 1 };
    const [code] = await this.classesOf(pixel, 0, 1, scratch);
    const found = this.classes.find((one) => one.code === code);
    return found && { name: found.name, lossDb: clutterLoss(found, receiver) };
  }

  /** Takes from a signal what a receiver at that height loses. Where no class is known, the ground counts as open. */
  async takeFrom(file: GridFile, receiver: number, scratch: string): Promise<ClutterReport> {
    const { grid } = file;
    const losses = new Float32Array(maxCode + 1).fill(Number.NaN);
    for (const one of this.classes) losses[one.code] = clutterLoss(one, receiver);
    const counts = new Float64Array(maxCode + 1);
    let [all, unlisted] = [0, 0];
    const power = new Float32Array(grid.width);
    for (let top = 0; top < grid.height; top += stripRows) {
      const rows = Math.min(stripRows, grid.height - top);
      const classes = await this.classesOf(grid, top, rows, scratch);
      for (let y = 0; y < rows; y++) {
        await file.readPower(top + y, 0, power);
        for (let x = 0; x < grid.width; x++) {
          if (power[x] === noSignal) continue;
          all++;
          const code = classes[y * grid.width + x] as number;
          const loss = code < 0 ? Number.NaN : (losses[code] as number);
          if (Number.isNaN(loss)) unlisted++;
          else {
            power[x] = (power[x] as number) - loss;
            counts[code] = (counts[code] as number) + 1;
          }
        }
        await file.writePower(top + y, power);
      }
      pulse();
    }
    const share = (count: number) => (all === 0 ? 0 : count / all);
    const classes = this.classes
      .map(({ code, name }) => ({
        ...{ code, name, lossDb: losses[code] as number, share: share(counts[code] as number) },
      }))
      .filter((one) => one.share > 0);
    return { classes, unlisted: share(unlisted) };
  }
}

/** A row of the table. Columns of other names are left alone. */
const columns = ['class', 'height_m', 'loss_db'] as const;

async function readClasses(file: string): Promise<ClutterClass[]> {
  let rows: Record<string, string>[];
  try {
    const { size } = await stat(file);
    if (size > maxTableBytes) throw unusable(`${classTable} is larger than a table can be`);
    rows = parse(await readFile(file, 'utf8'), {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (error instanceof IngestError) throw error;
    throw unusable(`${classTable} cannot be read: ${(error as Error).message}`);
  }
  if (rows.length === 0 || rows.length > maxClasses)
    throw unusable(`${classTable} has ${rows.length} classes, and can have 1 to ${maxClasses}`);
  const missing = columns.filter((column) => !(column in (rows[0] as object)));
  if (missing.length > 0) throw unusable(`${classTable} has no column ${missing.join(', ')}`);
  const known = new Set<number>();
  return rows.map((row, i) => {
    const number = (column: (typeof columns)[number], most: number) => {
      const text = row[column] as string;
      const value = Number(text);
      if (text !== '' && value >= 0 && value <= most) return value;
      throw unusable(
        `${classTable}, row ${i + 1}: ${column} is "${text.slice(0, 40)}", and can be 0 to ${most}`,
      );
    };
    const [code, height, loss] = [
      number('class', maxCode),
      number('height_m', maxHeight),
      number('loss_db', maxLoss),
    ];
    if (!Number.isInteger(code)) throw unusable(`${classTable}, row ${i + 1}: a class is a whole number`);
    if (known.has(code)) throw unusable(`${classTable}, row ${i + 1}: class ${code} comes again`);
    known.add(code);
    return { code, name: row.name?.slice(0, maxName) || null, height, loss };
  });
}

function unusable(reason: string): IngestError {
  return new IngestError('clutter_unusable', `The land cover cannot be used: ${reason}.`);
}
