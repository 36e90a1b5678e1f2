import type { TerrainListing, TerrainWork } from '../messages.ts';
import { GdalError, gdal } from '../read/gdal/webassembly.ts';
import { pulse } from '../read/pulse.ts';
import { metresOfDegree } from './plane.ts';
import { warpRasters } from './raster-folder.ts';
import { type ElevationModel, isHeight, noHeight, Terrain } from './terrain.ts';

/** Pixels of a side that are looked at to measure voids. */
const looked = 256;

/**
 * The models of a folder, the finest first; of the finest also the part of each that is void, by a sample of its pixels. What cannot be
 * used is beside them.
 * @throws IngestError `terrain_unusable`
 */
export async function listTerrain({
  file: folder,
  scratch,
  measured,
}: TerrainWork & { scratch: string }): Promise<TerrainListing> {
  const terrain = await Terrain.open(folder);
  const unusable = [...terrain.unusable];
  const models: TerrainListing['models'] = [];
  for (const [i, model] of [...terrain.models].reverse().entries()) {
    if (i >= measured) models.push(model);
    else {
      try {
        models.push({ ...model, void: await voidShare(folder, model, scratch) });
      } catch (error) {
        const module = await gdal();
        if (!(error instanceof GdalError) || module.broken) throw error;
        unusable.push({ name: model.name, reason: error.message });
      }
    }
    pulse();
  }
  return { models, unusable };
}

async function voidShare(folder: string, model: ElevationModel, scratch: string): Promise<number> {
  const [ofLat] = metresOfDegree((model.south + model.north) / 2);
  const reduction = ((model.north - model.south) * ofLat) / looked / model.resolution;
  const bytes = await warpRasters(folder, [{ ...model, reduction }], scratch, [
    ...['-ot', 'Float32', '-r', 'near', '-dstnodata', String(noHeight)],
    ...['-ts', String(looked), String(looked)],
  ]);
  const heights = new Float32Array(bytes.buffer, bytes.byteOffset, looked * looked);
  return heights.filter((height) => !isHeight(height)).length / heights.length;
}
