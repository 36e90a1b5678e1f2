import path from 'node:path';
import { gdal } from '../gdal/webassembly.ts';

/** Layers in FlatGeobuf, by name: files of one folder. */
export type LayerFiles = Readonly<Record<string, string>>;

/** Features that GDAL holds at a time: with its own number it takes 500 MB. */
const featuresAtOnce = 2_000;

/**
 * Converts files of {@link flatGeobufWriter} with GDAL, feature by feature, with a spatial index: to layers of one GeoPackage, or one to FlatGeobuf.
 * @param target a new file in the same folder @throws Error where GDAL leaves something out
 */
export async function convertLayers(
  layers: LayerFiles,
  driver: 'GPKG' | 'FlatGeobuf',
  target: string,
): Promise<void> {
  const module = await gdal();
  const mounted = module.mount(path.dirname(target));
  const seen = (file: string) => `${mounted}/${path.basename(file)}`;
  try {
    for (const [i, [name, file]] of Object.entries(layers).entries()) {
      const dataset = module.open(seen(file), 'FlatGeobuf', []);
      const options = [
        ...['-f', driver, '-nln', name, '-a_srs', 'EPSG:4326', '-lco', 'SPATIAL_INDEX=YES'],
        ...['-gt', String(featuresAtOnce), ...(i > 0 ? ['-update'] : [])],
      ];
      const [error] = module.translate(dataset, seen(target), options);
      module.close(dataset);
      if (error !== undefined) throw new Error(`GDAL could not write the layer ${name}: ${error}`);
    }
  } finally {
    module.unmount(mounted);
  }
}
