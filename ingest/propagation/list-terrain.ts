import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TerrainWork } from '../messages.ts';
import { gdal } from '../read/gdal/webassembly.ts';
import { pulse } from '../read/pulse.ts';
import { type ElevationModel, Terrain } from './terrain.ts';

/** Pixels of a side that are looked at to measure voids. */
const looked = 256;
const missing = -32768;

/** The models of a folder; of the finest also the part of each that is void, by a sample of its pixels. @throws IngestError `terrain_unusable` */
export async function listTerrain({ file: folder, scratch, measured }: TerrainWork & { scratch: string }) {
  const { models } = await Terrain.open(folder);
  const listed: (ElevationModel & { void?: number })[] = [...models].reverse();
  for (const model of listed.slice(0, measured)) {
    model.void = await voidShare(folder, model, scratch);
    pulse();
  }
  return listed;
}

async function voidShare(folder: string, { name, driver }: ElevationModel, scratch: string): Promise<number> {
  const module = await gdal();
  const [seen, out] = [module.mount(path.resolve(folder)), module.mount(scratch)];
  const raw = path.join(scratch, 'sample.raw');
  try {
    const dataset = module.open(`${seen}/${name}`, driver, [], 'raster');
    try {
      module.warp([dataset], `${out}/sample.raw`, [
        ...['-of', 'ENVI', '-ot', 'Float32', '-r', 'near', '-dstnodata', String(missing), '-b', '1'],
        ...['-ts', String(looked), String(looked), '-overwrite'],
      ]);
    } finally {
      module.close(dataset);
    }
  } finally {
    module.unmount(seen);
    module.unmount(out);
  }
  const bytes = await readFile(raw);
  await rm(raw);
  const heights = new Float32Array(bytes.buffer, bytes.byteOffset, looked * looked);
  // The same limits as those of the ground.
  return heights.filter((height) => !(height > -500 && height < 9000)).length / heights.length;
}
