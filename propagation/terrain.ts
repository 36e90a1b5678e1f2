import { type Bounds, overlap } from '../geometry/bounds.ts';
import { PropagationError } from './errors.ts';
import { metresOfDegree, planeDefinition } from './plane.ts';
import {
  geoTiffDrivers,
  type NamedRaster,
  type RasterDescription,
  RasterError,
  type RasterFolder,
} from './rasters.ts';

/* A folder of elevation models, and the ground around a tower out of them. */

/** Files of a folder. */
export const maxModels = 10_000;
/** By the extension of what may be a model. */
export const terrainDrivers = { ...geoTiffDrivers, '.hgt': 'SRTMHGT' };
/** Given to GDAL for pixels without a height. */
const noHeight = -32768;
/** They are open at once while the ground of a tower is read. */
const maxAround = 2000;
/** GDAL gives the unit of a vertical reference system, too. */
const metres = /^(\[?m\b|met(re|er))/i;

/** Nothing on earth lies outside of this, in metres. */
export const isHeight = (height: number): boolean => height > -500 && height < 9000;

/** One file of heights. */
export interface ElevationModel extends NamedRaster, Bounds {
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

/** A file that has the name of an elevation model, and why it is none that can be used. */
export interface UnusableModel {
  name: string;
  reason: string;
}

export class Terrain {
  readonly folder: RasterFolder;
  /** The coarsest first. */
  readonly models: readonly ElevationModel[];
  /** Files that were left out. */
  readonly unusable: readonly UnusableModel[];

  private constructor(folder: RasterFolder, models: ElevationModel[], unusable: UnusableModel[] = []) {
    this.folder = folder;
    this.models = models;
    this.unusable = unusable;
  }

  /**
   * Looks at every GeoTIFF and .hgt of a folder and of those within; at no pixel. Those that cannot be used are left out.
   * @throws PropagationError `terrain_unusable` where no model is left, or the folder cannot be read
   */
  static async open(folder: RasterFolder): Promise<Terrain> {
    const files = await folder.list(terrainDrivers).catch((error) => {
      const message = `The folder ${folder.path} cannot be read: ${(error as Error).message}`;
      throw new PropagationError('terrain_unusable', message);
    });
    if (files.length === 0)
      throw new PropagationError(
        'terrain_unusable',
        `${folder.path} holds no GeoTIFF (.tif) and no SRTM tile (.hgt).`,
      );
    if (files.length > maxModels)
      throw new PropagationError(
        'terrain_unusable',
        `${folder.path} holds ${files.length} files; the limit is ${maxModels}.`,
      );
    const models: ElevationModel[] = [];
    const unusable: UnusableModel[] = [];
    const infos = await folder.describe(files).catch((error) => {
      throw error instanceof RasterError
        ? new PropagationError('terrain_unusable', `The terrain: ${error.message}`)
        : error;
    });
    for (const [i, info] of infos.entries()) {
      const file = files[i] as NamedRaster;
      const model = typeof info === 'string' ? info : modelOf(file, info);
      if (typeof model === 'string') unusable.push({ name: file.name, reason: model });
      else models.push(model);
    }
    if (models.length === 0) throw unusableError(unusable);
    return new Terrain(
      folder,
      models.sort((a, b) => b.resolution - a.resolution),
      unusable,
    );
  }

  /** @throws PropagationError `terrain_unusable` where a file was left out */
  requireAll(): this {
    if (this.unusable.length > 0) throw unusableError(this.unusable);
    return this;
  }

  /** Of a folder that was looked at before. */
  static of(folder: RasterFolder, models: readonly ElevationModel[]): Terrain {
    return new Terrain(folder, [...models]);
  }

  /** The models that have ground within a range, the coarsest first. @param range in metres */
  modelsAround(lat: number, lng: number, range: number): readonly ElevationModel[] {
    const [ofLat, ofLng] = metresOfDegree(lat);
    const [dLat, dLng] = [range / ofLat, range / ofLng];
    const box = { west: lng - dLng, south: lat - dLat, east: lng + dLng, north: lat + dLat };
    return this.models.filter((model) => overlap(model, box));
  }

  /** The side of the finest pixels around a place, in metres; undefined where there are none. @param range in metres */
  resolutionAround(lat: number, lng: number, range: number): number | undefined {
    const found = this.modelsAround(lat, lng, range);
    return found.length === 0 ? undefined : Math.min(...found.map(({ resolution }) => resolution));
  }

  /**
   * The ground around a tower: the finest model counts, and where it has voids the next. Heights between pixels are bilinear.
   * @param range and `step`: in metres
   * @param into memory of an earlier ground of that range and step, which nobody uses any more
   * @throws PropagationError `terrain_missing` where the tower's own place has none
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
    const models = this.modelsAround(lat, lng, half * step);
    const nothing = `There is no terrain at ${lat}, ${lng}: it lies outside the elevation models, or in the sea.`;
    if (models.length === 0) throw new PropagationError('terrain_missing', nothing);
    if (models.length > maxAround) {
      const message = `There are ${models.length} elevation models around ${lat}, ${lng}; the limit is ${maxAround}. gdalbuildvrt and gdal_translate make one of many.`;
      throw new PropagationError('terrain_unusable', message);
    }
    const edge = (half + 0.5) * step;
    const words = [
      ...['-ot', 'Float32', '-r', 'bilinear', '-dstnodata', `${noHeight}`],
      ...['-t_srs', planeDefinition(lat, lng)],
      ...['-te', `${-edge}`, `${-edge}`, `${edge}`, `${edge}`, '-ts', `${side}`, `${side}`],
    ];
    const heights = into ?? new Float32Array(new SharedArrayBuffer(side * side * 4));
    const sources = models.map((model) => ({ ...model, reduction: step / model.resolution }));
    heights.set(await this.#heights(sources, words, scratch));
    if (models.length > 1 && heights.some((height) => !isHeight(height) && height !== noHeight)) {
      // A void that its file does not declare: GDAL takes it for a height, and nothing fills it. So each model by itself.
      heights.fill(Number.NaN);
      for (const source of sources) {
        const own = await this.#heights([source], words, scratch);
        for (let i = 0; i < own.length; i++) if (isHeight(own[i] as number)) heights[i] = own[i] as number;
      }
    }
    let unknown = 0;
    for (let i = 0; i < heights.length; i++) {
      if (isHeight(heights[i] as number)) continue;
      heights[i] = Number.NaN;
      unknown++;
    }
    if (Number.isNaN(heights[half * side + half])) throw new PropagationError('terrain_missing', nothing);
    return { heights, side, step, unknown: unknown / heights.length };
  }

  /** @throws PropagationError `terrain_unusable` */
  async #heights(
    models: readonly (ElevationModel & { reduction: number })[],
    words: readonly string[],
    scratch: string,
  ): Promise<Float32Array> {
    const bytes = await this.folder.warp(models, scratch, words).catch((error) => {
      if (!(error instanceof RasterError)) throw error;
      const which = models.length > 1 ? ' (npm run admin -- terrain shows which of them)' : '';
      const names = namesOf(models.map(({ name }) => name));
      throw unusableError([{ name: names, reason: `${error.message.replace(/\.$/, '')}${which}` }]);
    });
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
}

/** The model, or why the file cannot be used as one. */
function modelOf(file: NamedRaster, raster: RasterDescription): ElevationModel | string {
  const { unit, scale, offset, isColour, place, rows } = raster;
  if (isColour) return 'it is an image, and has no heights';
  if (unit !== '' && !metres.test(unit))
    return `its heights are in ${unit.slice(0, 40)} and not in metres; gdal_calc makes metres of them (feet: times 0.3048)`;
  if (scale !== 1 || offset !== 0)
    return `its heights have a scale of ${scale} and an offset of ${offset}; gdal_translate -unscale -ot Float32 makes metres of them`;
  if (!place) return 'it has no reference system or no place in it';
  const [ofLat] = metresOfDegree((place.south + place.north) / 2);
  return { ...file, ...place, resolution: ((place.north - place.south) * ofLat) / rows };
}

const maxNamed = 10;

function namesOf(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function unusableError(files: readonly UnusableModel[]): PropagationError {
  const texts = files
    .slice(0, maxNamed)
    .map(({ name, reason }) => `The terrain ${name} cannot be used: ${reason.replace(/\.$/, '')}.`);
  const more = files.length - texts.length;
  return new PropagationError(
    'terrain_unusable',
    `${texts.join(' ')}${more > 0 ? ` And ${more} more files cannot.` : ''}`,
  );
}
