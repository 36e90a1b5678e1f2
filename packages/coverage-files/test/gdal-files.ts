import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Dataset, type Gdal, gdal } from '../gdal/webassembly.ts';

/* Files that GDAL makes of others, as ogr2ogr and gdal_translate would. */

interface Input {
  /** With the ending of the file. */
  name: `in.${string}`;
  content: string | Uint8Array;
  driver: string;
  kind?: 'raster';
}

/** @param make writes files beside the input, at `at` @returns all that it made, by name */
export async function madeByGdal(
  folder: string,
  { name, content, driver, kind }: Input,
  make: (module: Gdal, input: Dataset, at: string) => void,
): Promise<Record<string, Buffer>> {
  const own = mkdtempSync(path.join(folder, 'made-'));
  writeFileSync(path.join(own, name), content);
  const module = await gdal();
  const at = module.mount(own);
  const input = module.open(`${at}/${name}`, [driver], [], kind);
  make(module, input, at);
  module.close(input);
  module.unmount(at);
  const files = readdirSync(own, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.startsWith('in.'))
    .map((file) => path.join(file.parentPath, file.name));
  return Object.fromEntries(files.map((file) => [path.relative(own, file), readFileSync(file)]));
}

/** Features as input: GeoJSON, or geometries as WKT. */
export function ofFeatures(features: object | string[]): Input {
  if (!Array.isArray(features))
    return { name: 'in.geojson', content: JSON.stringify(features), driver: 'GeoJSON' };
  const rows = ['WKT', ...features.map((wkt) => `"${wkt}"`)];
  return { name: 'in.csv', content: rows.join('\n'), driver: 'CSV' };
}

/** A GeoPackage with a layer `cover`, in which SQLite has run the statements. */
export async function geopackageWith(folder: string, input: Input, statements: string): Promise<Buffer> {
  const files = await madeByGdal(folder, input, (module, dataset, at) => {
    module.translate(dataset, `${at}/cover.gpkg`, ['-f', 'GPKG', '-nln', 'cover']);
    const update = ['-update', '-nln', 'more', '-doo', `PRELUDE_STATEMENTS=begin;${statements};commit`];
    module.translate(dataset, `${at}/cover.gpkg`, update);
  });
  return files['cover.gpkg'] as Buffer;
}
