import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { zip } from '../../samples/zip.ts';

/*
 * A small file of each format that operators may send and the samples lack, most as GDAL's own programs write them. There are
 * none of those where they are not installed.
 */

const ring = [
  [174.5, -37],
  [174.6, -37],
  [174.6, -36.9],
  [174.5, -36.9],
  [174.5, -37],
];
/** What GDAL reads and does not write. */
const written = {
  'made.topojson': {
    type: 'Topology',
    objects: { area: { type: 'Polygon', arcs: [[0]], properties: { name: 'Kauri' } } },
    arcs: [ring],
  },
  'made.esrijson': {
    geometryType: 'esriGeometryPolygon',
    spatialReference: { wkid: 4326 },
    fields: [{ name: 'name', type: 'esriFieldTypeString', length: 20 }],
    features: [{ attributes: { name: 'Kauri' }, geometry: { rings: [ring] } }],
  },
};

const source = fileURLToPath(new URL('../../samples/adsl.geojson', import.meta.url));
/** By the name that the file is sent with: GDAL's driver, and what else it is told. */
const vectors: Record<string, [driver: string, ...options: string[]]> = {
  'made.mif.zip': ['MapInfo File', '-dsco', 'FORMAT=MIF'],
  'made.geojsonl': ['GeoJSONSeq'],
  'made.gml': ['GML'],
  'made.dxf': ['DXF', '-sql', 'select geometry from adsl', '-dialect', 'SQLite'],
  'made.csv': ['CSV', '-lco', 'GEOMETRY=AS_WKT'],
  'made.shp.zip': ['ESRI Shapefile', '-lco', 'ENCODING=UTF-8'],
};
const rasters: Record<string, [driver: string, ...options: string[]]> = {
  'made.asc': ['AAIGrid', '-ot', 'Float32'],
  'made.bil.zip': ['EHdr', '-ot', 'Float32'],
  'made.img': ['HFA'],
  'made.grd': ['GSBG', '-ot', 'Float32'],
  'made.bmp.zip': ['BMP', '-co', 'WORLDFILE=YES'],
  'made.png.zip': ['PNG', '-co', 'WORLDFILE=YES'],
  'made.jpg.zip': ['JPEG', '-co', 'WORLDFILE=YES'],
  'made.gif.zip': ['GIF', '-co', 'WORLDFILE=YES'],
  'made.webp.zip': ['WEBP', '-co', 'WORLDFILE=YES'],
};

export async function madeFiles(): Promise<Record<string, Buffer>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-made-'));
  try {
    const files: Record<string, Buffer> = Object.fromEntries(
      Object.entries(written).map(([name, value]) => [name, Buffer.from(JSON.stringify(value))]),
    );
    const raster = path.join(folder, 'raster.tif');
    const burn = ['-burn', '200', '-ts', '60', '60', '-ot', 'Byte', '-init', '10', source, raster];
    run('gdal_rasterize', burn);
    for (const [name, [driver, ...options]] of Object.entries(vectors)) {
      await keep(files, folder, name, (out) => run('ogr2ogr', ['-f', driver, ...options, out, source]));
    }
    for (const [name, [driver, ...options]] of Object.entries(rasters)) {
      await keep(files, folder, name, (out) =>
        run('gdal_translate', ['-of', driver, ...options, raster, out]),
      );
    }
    return files;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a program writes, in one zip where the name says so. */
async function keep(
  files: Record<string, Buffer>,
  folder: string,
  name: string,
  write: (out: string) => void,
): Promise<void> {
  const own = path.join(folder, `of-${name}`);
  mkdirSync(own);
  const plain = name.replace(/\.zip$/, '');
  write(path.join(own, plain));
  const found = readdirSync(own);
  if (!found.includes(plain)) return;
  if (plain === name) files[name] = readFileSync(path.join(own, plain));
  else
    files[name] = await zip(Object.fromEntries(found.map((one) => [one, readFileSync(path.join(own, one))])));
}

const run = (program: string, words: string[]) => spawnSync(program, words, { stdio: 'ignore' });
