import { type Bounds, overlap } from '@covermap/geometry/bounds.ts';
import { PropagationError } from './errors.ts';
import { boxAround, metresOfDegree, planeDefinition } from './plane.ts';
import {
  describeAll,
  geoTiffDrivers,
  type NamedRaster,
  type RasterDescription,
  RasterError,
  type RasterFolder,
} from './rasters.ts';

/* A folder of elevation models, and the ground around a tower from them. */

/** GDAL's drivers by the extension of possible models. */
export const terrainDrivers = { ...geoTiffDrivers, '.hgt': 'SRTMHGT' };
const terrainKinds = 'GeoTIFF (.tif) and no SRTM tile (.hgt)';
/** The value of pixels without a height, for GDAL. */
const noHeight = -32768;
/** All of them are open at once while the ground of a tower is read. */
const maxAround = 2000;
/** GDAL also returns the unit of a vertical reference system. */
const metres = /^(\[?m\b|met(re|er))/i;

/** Tells if a height in metres is possible on earth. */
export const isHeight = (height: number): boolean => height > -500 && height < 9000;

export interface ElevationModel extends NamedRaster, Bounds {
  /** The side of a pixel, in metres. */
  resolution: number;
  /** Changes with the file, if the folder's listing has one. */
  stamp?: string;
}

/** The ground in the plane of a tower: `side` rows of `side`, from the north, the tower in the middle. NaN: sea, or unknown. */
export interface Ground {
  heights: Float32Array;
  side: number;
  unknown: number;
}

/** A file named like an elevation model that cannot be used, and why. */
export interface UnusableModel {
  name: string;
  reason: string;
}

export type Terrain = ReturnType<typeof terrainOf>;

/** Reads the headers of a folder's files, subfolders included. @throws PropagationError `terrain_unusable` if no file is left or readable */
export async function openTerrain(folder: RasterFolder): Promise<Terrain> {
  const models: ElevationModel[] = [];
  const unusable: UnusableModel[] = [];
  const none = (reason: string) => fault(`The terrain cannot be used: ${reason}.`);
  for (const { raster, info } of await describeAll(folder, terrainDrivers, terrainKinds, none)) {
    const model = typeof info === 'string' ? info : modelOf(raster, info);
    if (typeof model === 'string') unusable.push({ name: raster.name, reason: model });
    else models.push(model);
  }
  if (models.length === 0) throw unusableError(unusable);
  models.sort((a, b) => b.resolution - a.resolution);
  return terrainOf(folder, models, unusable);
}

/** A folder that was described before. @param models the coarsest first */
export function terrainOf(
  folder: RasterFolder,
  models: readonly ElevationModel[],
  unusable: readonly UnusableModel[] = [],
) {
  /** The models with ground within a range, the coarsest first. @param range in metres */
  function modelsAround(lat: number, lng: number, range: number): readonly ElevationModel[] {
    const box = boxAround(lat, lng, range);
    return models.filter((model) => overlap(model, box));
  }

  /** The side of the finest pixels around a place, in metres; undefined where there are none. @param range in metres */
  function resolutionAround(lat: number, lng: number, range: number): number | undefined {
    const found = modelsAround(lat, lng, range);
    return found.length === 0 ? undefined : Math.min(...found.map(({ resolution }) => resolution));
  }

  /**
   * The ground around a tower: the finest model counts, and the next one fills its voids. Heights between pixels are bilinear.
   * @param range and `step`: in metres
   * @param into memory of an unused ground of the same range and step
   * @throws PropagationError `terrain_missing` where the tower's own place has none
   */
  async function ground(
    lat: number,
    lng: number,
    range: number,
    step: number,
    scratch: string,
    into?: Float32Array,
  ): Promise<Ground> {
    const half = Math.ceil(range / step) + 1;
    const side = 2 * half + 1;
    const around = modelsAround(lat, lng, half * step);
    const nothing = `There is no terrain at ${lat}, ${lng}: it lies outside the elevation models, or in the sea.`;
    if (around.length === 0) throw new PropagationError('terrain_missing', nothing);
    if (around.length > maxAround) {
      throw fault(
        `There are ${around.length} elevation models around ${lat}, ${lng}; the limit is ${maxAround}. gdalbuildvrt and gdal_translate make one of many.`,
      );
    }
    const edge = (half + 0.5) * step;
    const words = [
      ...['-ot', 'Float32', '-r', 'bilinear', '-dstnodata', `${noHeight}`],
      ...['-t_srs', planeDefinition(lat, lng)],
      ...['-te', `${-edge}`, `${-edge}`, `${edge}`, `${edge}`, '-ts', `${side}`, `${side}`],
    ];
    const heights = into ?? new Float32Array(new SharedArrayBuffer(side * side * 4));
    const sources = around.map((model) => ({ ...model, reduction: step / model.resolution }));
    heights.set(await heightsOf(sources, words, scratch, heights.length));
    if (heights.some((height) => !isHeight(height) && height !== noHeight)) {
      // GDAL takes an undeclared void for a height that nothing fills, so each model is read by itself.
      heights.fill(Number.NaN);
      for (const source of sources) {
        let fromModel = await heightsOf([source], words, scratch, heights.length);
        // Interpolation between such a void and a height would make cliffs.
        if (fromModel.some((height) => !isHeight(height) && height !== noHeight && !Number.isNaN(height)))
          fromModel = await heightsOf(
            [source],
            words.with(words.indexOf('bilinear'), 'near'),
            scratch,
            fromModel.length,
          );
        for (let i = 0; i < fromModel.length; i++)
          if (isHeight(fromModel[i] as number)) heights[i] = fromModel[i] as number;
      }
    }
    let unknown = 0;
    for (let i = 0; i < heights.length; i++) {
      if (isHeight(heights[i] as number)) continue;
      heights[i] = Number.NaN;
      unknown++;
    }
    if (Number.isNaN(heights[half * side + half])) throw new PropagationError('terrain_missing', nothing);
    return { heights, side, unknown: unknown / heights.length };
  }

  /** @throws PropagationError `terrain_unusable` */
  async function heightsOf(
    sources: readonly (ElevationModel & { reduction: number })[],
    words: readonly string[],
    scratch: string,
    count: number,
  ): Promise<Float32Array> {
    const bytes = await folder.warp(sources, scratch, words).catch((error) => {
      if (!(error instanceof RasterError)) throw error;
      const which = sources.length > 1 ? ' (npm run admin -- terrain shows which of them)' : '';
      const more = sources.length > maxNamed ? ` and ${sources.length - maxNamed} more` : '';
      const names = sources.slice(0, maxNamed).map((model) => model.name);
      throw unusableError([
        { name: names.join(', ') + more, reason: `${error.message.replace(/\.$/, '')}${which}` },
      ]);
    });
    // A model with alpha has a second band behind the first.
    return new Float32Array(bytes.buffer, bytes.byteOffset, count);
  }

  return { models, unusable, modelsAround, resolutionAround, ground };
}

/** @throws PropagationError `terrain_unusable` where a file was left out */
export function requireAll({ unusable }: Terrain): void {
  if (unusable.length > 0) throw unusableError(unusable);
}

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

function unusableError(files: readonly UnusableModel[]): PropagationError {
  const texts = files
    .slice(0, maxNamed)
    .map(({ name, reason }) => `The terrain ${name} cannot be used: ${reason.replace(/\.$/, '')}.`);
  const more = files.length - texts.length;
  return fault(`${texts.join(' ')}${more > 0 ? ` And ${more} more files cannot.` : ''}`);
}

const fault = (message: string) => new PropagationError('terrain_unusable', message);
