import { GdalError, gdal } from '@covermap/coverage-files/gdal/webassembly.ts';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { metresOfDegree } from './plane.ts';
import { rasterFolder, sampleRaster } from './raster-folder.ts';
import { type ElevationModel, isHeight, openTerrain, type UnusableModel } from './terrain.ts';

/** The side of the sample that measures voids, in pixels. */
const sampleSide = 64;

export interface TerrainListing {
  models: (ElevationModel & { void?: number })[];
  unusable: UnusableModel[];
}

/**
 * The models of a folder, the finest first, some with the share of voids in a sample.
 * @param measured the number of models, the finest first, whose share of void pixels is measured
 * @throws PropagationError `terrain_unusable`
 */
export async function listTerrain(
  folder: string,
  { scratch, measured }: { scratch: string; measured: number },
): Promise<TerrainListing> {
  const terrain = await openTerrain(rasterFolder(folder));
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
  const reduction = ((model.north - model.south) * ofLat) / sampleSide / model.resolution;
  const { pixels, noData } = await sampleRaster(folder, { ...model, reduction }, scratch, sampleSide);
  return pixels.filter((height) => height === noData || !isHeight(height)).length / pixels.length;
}
