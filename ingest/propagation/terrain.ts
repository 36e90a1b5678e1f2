import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { IngestError } from '../errors.ts';
import { GdalError, gdal, type RasterInfo } from '../read/gdal/webassembly.ts';
import { pulse } from '../read/pulse.ts';
import { metresOfDegree, planeDefinition } from './plane.ts';

/* A folder of elevation models, and the ground around a tower out of them. */

const maxModels = 10_000;
const endings: Record<string, string> = { '.tif': 'GTiff', '.tiff': 'GTiff', '.hgt': 'SRTMHGT' };
const missing = -32768;
/** GDAL gives the unit of a vertical reference system, too. */
const metres = /^(\[?m\b|met(re|er))/i;

/** One file of heights. */
export interface ElevationModel {
  /** Relative to the folder. */
  name: string;
  driver: string;
  west: number;
  south: number;
  east: number;
  north: number;
  /** Of a pixel's side, in metres. */
  resolution: number;
  /** Changes with the file, where whoever has listed it says so. */
  stamp?: string;
}

/** The ground in the plane of a tower: rows from the north, `side` of `side`, the tower in the middle. NaN: sea, or unknown. */
export interface Ground {
  heights: Float32Array;
  side: number;
  step: number;
  /** The part that no model knows. */
  unknown: number;
}

export class Terrain {
  readonly folder: string;
  /** The coarsest first. */
  readonly models: readonly ElevationModel[];

  private constructor(folder: string, models: ElevationModel[]) {
    this.folder = folder;
    this.models = models;
  }

  /**
   * Looks at every GeoTIFF and .hgt of a folder and of those within; at no pixel.
   * @throws IngestError `terrain_unusable`
   */
  static async open(folder: string): Promise<Terrain> {
    const names = (await readdir(folder, { recursive: true }))
      .filter((name) => path.extname(name).toLowerCase() in endings)
      .sort();
    if (names.length === 0)
      throw new IngestError('terrain_unusable', `${folder} holds no GeoTIFF (.tif) and no SRTM tile (.hgt).`);
    if (names.length > maxModels)
      throw new IngestError(
        'terrain_unusable',
        `${folder} holds ${names.length} files; ${maxModels} are taken.`,
      );
    const module = await gdal();
    const seen = module.mount(path.resolve(folder));
    const models: ElevationModel[] = [];
    try {
      for (const name of names) {
        const driver = endings[path.extname(name).toLowerCase()] as string;
        let info: RasterInfo;
        try {
          const dataset = module.open(`${seen}/${name}`, driver, [], 'raster');
          try {
            info = module.describeRaster(dataset);
          } finally {
            module.close(dataset);
          }
        } catch (error) {
          if (error instanceof GdalError) throw unusable(name, error.message);
          throw error;
        }
        models.push(modelOf(name, driver, info));
        pulse();
      }
    } finally {
      module.unmount(seen);
    }
    return new Terrain(
      folder,
      models.sort((a, b) => b.resolution - a.resolution),
    );
  }

  /** Of a folder that was looked at before. */
  static of(folder: string, models: readonly ElevationModel[]): Terrain {
    return new Terrain(folder, [...models]);
  }

  /** The models that have ground within a range, the coarsest first. */
  modelsAround(lat: number, lng: number, range: number): readonly ElevationModel[] {
    return this.#around(lat, lng, range);
  }

  /** The side of the finest pixels around a place; undefined where there are none. */
  resolutionAround(lat: number, lng: number, range: number): number | undefined {
    const found = this.#around(lat, lng, range);
    return found.length === 0 ? undefined : Math.min(...found.map(({ resolution }) => resolution));
  }

  /**
   * The ground around a tower: the finest model counts, and where it has voids the next. Heights between pixels are bilinear.
   * @param into memory of an earlier ground of that range and step, which nobody uses any more
   * @throws IngestError `terrain_missing` where the tower's own place has none
   */
  async ground(
    lat: number,
    lng: number,
    range: number,
    step: number,
    scratch: string,
    into?: Float32Array,
  ): Promise<Ground> {
    const half = Math.ceil(range / step) + 1;
    const side = 2 * half + 1;
    const models = this.#around(lat, lng, half * step);
    const nothing = `There is no terrain at ${lat}, ${lng}: it lies outside the elevation models, or in the sea.`;
    if (models.length === 0) throw new IngestError('terrain_missing', nothing);
    const module = await gdal();
    const [seen, out] = [module.mount(path.resolve(this.folder)), module.mount(scratch)];
    const edge = (half + 0.5) * step;
    const opened: number[] = [];
    try {
      for (const { name, driver } of models)
        opened.push(module.open(`${seen}/${name}`, driver, [], 'raster'));
      module.warp(opened, `${out}/ground.raw`, [
        ...['-of', 'ENVI', '-ot', 'Float32', '-r', 'bilinear', '-dstnodata', String(missing), '-b', '1'],
        ...['-t_srs', planeDefinition(lat, lng), '-te', `${-edge}`, `${-edge}`, `${edge}`, `${edge}`],
        ...['-ts', `${side}`, `${side}`],
      ]);
    } catch (error) {
      if (error instanceof GdalError)
        throw unusable(models.map(({ name }) => name).join(', '), error.message);
      throw error;
    } finally {
      for (const dataset of opened) module.close(dataset);
      module.unmount(seen);
      module.unmount(out);
    }
    const file = path.join(scratch, 'ground.raw');
    const bytes = await readFile(file);
    await rm(file);
    const heights = into ?? new Float32Array(new SharedArrayBuffer(side * side * 4));
    heights.set(new Float32Array(bytes.buffer, bytes.byteOffset, side * side));
    let unknown = 0;
    for (let i = 0; i < heights.length; i++) {
      const height = heights[i] as number;
      // Nothing on earth lies outside of this.
      if (height > -500 && height < 9000) continue;
      heights[i] = Number.NaN;
      unknown++;
    }
    if (Number.isNaN(heights[half * side + half])) throw new IngestError('terrain_missing', nothing);
    return { heights, side, step, unknown: unknown / heights.length };
  }

  #around(lat: number, lng: number, range: number): ElevationModel[] {
    const [ofLat, ofLng] = metresOfDegree(lat);
    const [dLat, dLng] = [range / ofLat, range / ofLng];
    return this.models.filter(
      ({ west, east, south, north }) =>
        west < lng + dLng && east > lng - dLng && south < lat + dLat && north > lat - dLat,
    );
  }
}

function modelOf(name: string, driver: string, info: RasterInfo): ElevationModel {
  const [band] = info.bands;
  const corners = info.wgs84Extent?.coordinates?.[0];
  if (!corners || !info.coordinateSystem?.wkt)
    throw unusable(name, 'it has no reference system or no place in it');
  const unit = band?.unit ?? '';
  if (unit !== '' && !metres.test(unit))
    throw unusable(
      name,
      `its heights are in ${unit.slice(0, 40)} and not in metres; gdal_calc makes metres of them (feet: times 0.3048)`,
    );
  const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)];
  const [west, east] = [Math.min(...lngs), Math.max(...lngs)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const [ofLat] = metresOfDegree((south + north) / 2);
  return { name, driver, west, east, south, north, resolution: ((north - south) * ofLat) / info.size[1] };
}

function unusable(name: string, reason: string): IngestError {
  return new IngestError('terrain_unusable', `The terrain ${name} cannot be used: ${reason}.`);
}
