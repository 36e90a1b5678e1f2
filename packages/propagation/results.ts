import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type Dataset, type Gdal, gdal } from '@covermap/coverage-files/gdal/webassembly.ts';
import { windowSize, windowsOf } from '@covermap/coverage-files/raster/features.ts';
import { Polygonizer } from '@covermap/geometry/polygonize.ts';
import { classRows, type SignalClass } from './class-rows.ts';
import { type GridFile, noSignal, rowsOfFile } from './grid-file.ts';

/* The results of a prediction: the signal as GeoTIFF, and the areas of speeds as GeoPackage. */

const none = 0;

/** Writes the signal in dBm. @param raw the grid's file, in the scratch folder */
export async function writeSignal(grid: GridFile['grid'], raw: string, target: string): Promise<void> {
  const { width, height, west, north, dLng, dLat } = grid;
  const header = [
    'ENVI',
    ...[`samples = ${width}`, `lines = ${height}`, 'bands = 1', 'header offset = 0'],
    ...['file type = ENVI Standard', 'data type = 4', 'interleave = bsq', 'byte order = 0'],
  ];
  await writeFile(raw.replace(/\.raw$/, '.hdr'), `${header.join('\n')}\n`);
  const corners = [west, north, west + width * dLng, north - height * dLat].map(String);
  await converted(raw, 'ENVI', target, (module, dataset, to) =>
    module.translateRaster(dataset, to, [
      ...['-of', 'GTiff', '-a_srs', 'EPSG:4326', '-a_ullr', ...corners, '-a_nodata', String(noSignal)],
      ...['COMPRESS=DEFLATE', 'PREDICTOR=3', 'TILED=YES', 'BIGTIFF=IF_SAFER'].flatMap((one) => ['-co', one]),
    ]),
  );
}

/**
 * Writes the areas of each class of speeds; regions of fewer than `minPixels` join the largest beside them. Without areas there is no file.
 * @returns the number of areas
 */
export async function writeAreas(
  file: GridFile,
  classes: readonly SignalClass[],
  minPixels: number,
  scratch: string,
  target: string,
): Promise<number> {
  const { grid } = file;
  const text = path.join(scratch, 'areas.geojsonl');
  const out = createWriteStream(text);
  const polygonizer = new Polygonizer();
  let count = 0;
  for (const { top, height, labels: rows } of classRows(rowsOfFile(file), classes, minPixels, windowSize)) {
    const strip = { x: 0, y: top, width: grid.width, height, labels: rows };
    for (const { x: left, y: above, width, height, labels } of windowsOf(strip)) {
      const lines: string[] = [];
      polygonizer.polygonize(
        { labels, width, height, none },
        {
          smoothing: false,
          place(x, y, to, at) {
            to[at] = grid.west + (left + x) * grid.dLng;
            to[at + 1] = grid.north - (above + y) * grid.dLat;
          },
          emit(label, rings) {
            const { dbm, speeds } = classes[label - 1] as SignalClass;
            const coordinates = rings.map((ring) =>
              Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]),
            );
            const properties = { from_dbm: dbm, ...speeds };
            lines.push(
              // With RFC 8142's separator: without it GDAL takes a single feature for another format.
              `\u001e${JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } })}\n`,
            );
          },
        },
      );
      count += lines.length;
      if (!out.write(lines.join(''))) await once(out, 'drain');
    }
  }
  out.end();
  await finished(out);
  if (count > 0)
    await converted(text, 'GeoJSONSeq', target, (module, dataset, to) =>
      module.translate(dataset, to, ['-f', 'GPKG', '-nln', 'coverage', '-nlt', 'POLYGON']),
    );
  // Areas of an earlier prediction would be taken for this one's.
  else await rm(target, { force: true });
  await rm(text);
  return count;
}

/** Converts a file of the scratch folder with GDAL, and moves the result to its place, whole or not at all, also on another disk. */
async function converted(
  file: string,
  driver: string,
  target: string,
  convert: (module: Gdal, dataset: Dataset, to: string) => void,
): Promise<void> {
  const module = await gdal();
  const folder = path.dirname(file);
  const mounted = module.mount(folder);
  const name = `converted${path.extname(target)}`;
  try {
    const dataset = module.open(
      `${mounted}/${path.basename(file)}`,
      driver,
      [],
      driver === 'ENVI' ? 'raster' : 'vector',
    );
    convert(module, dataset, `${mounted}/${name}`);
    module.close(dataset);
  } finally {
    module.unmount(mounted);
  }
  const beside = `${target}.part`;
  await copyFile(path.join(folder, name), beside);
  await rename(beside, target);
  await rm(path.join(folder, name));
}
