import { readFileSync } from 'node:fs';
import { madeByGdal } from '@covermap/coverage-files/test/gdal-files.ts';
import { bandTiff } from '@covermap/testing/formats.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { rectangle } from '@covermap/testing/shapes.ts';
import { zip } from '@covermap/testing/zip.ts';
import sharp from 'sharp';

/* A small file of each format that operators may send and the samples lack, most as GDAL writes them. */

const ring = rectangle(174.5, -37, 174.6, -36.9);
/** Files of formats that GDAL reads and does not write. */
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

/** By the file's name: GDAL's driver and further arguments. */
const vectors: Record<string, [driver: string, ...options: string[]]> = {
  'made.mif.zip': ['MapInfo File', '-dsco', 'FORMAT=MIF'],
  'made.geojsonl': ['GeoJSONSeq'],
  'made.gml': ['GML'],
  'made.dxf': ['DXF', '-sql', 'select geometry from "in"', '-dialect', 'SQLite'],
  'made.csv': ['CSV', '-lco', 'GEOMETRY=AS_WKT'],
  'made.shp.zip': ['ESRI Shapefile', '-lco', 'ENCODING=UTF-8'],
};
const rasters: typeof vectors = {
  'made.asc': ['AAIGrid', '-ot', 'Float32'],
  'made.bil.zip': ['EHdr', '-ot', 'Float32'],
  'made.img': ['HFA', '-ot', 'Byte'],
  'made.grd': ['GSBG', '-ot', 'Float32'],
  'made.bmp.zip': ['BMP', '-ot', 'Byte', '-co', 'WORLDFILE=YES'],
};
const images = { png: 'png', jpg: 'jpeg', gif: 'gif', webp: 'webp' } as const;
const side = 60;
/** A disc of 200 in 10. */
const values = Float32Array.from({ length: side * side }, (_, i) =>
  Math.hypot((i % side) - 30, Math.floor(i / side) - 30) < 20 ? 200 : 10,
);
const world = Buffer.from('0.001\n0\n0\n-0.001\n174.5\n-36.9\n');

export const namesOfMade = [
  ...[written, vectors, rasters].flatMap((some) => Object.keys(some)),
  ...Object.keys(images).map((ending) => `made.${ending}.zip`),
];

export const madeFiles = () => (making ??= make());
let making: Promise<Record<string, Buffer>> | undefined;

async function make(): Promise<Record<string, Buffer>> {
  const folder = scratchFolder();
  const areas = readFileSync(new URL('../../samples/adsl.geojson', import.meta.url));
  const raster = bandTiff(values, side, side, { x: 1_750_000, y: 5_900_000, pixel: 100 });
  const files: Record<string, Buffer> = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, Buffer.from(JSON.stringify(value))]),
  );
  /** Keeps a made file, or all of them in one zip where the name says so. */
  const keep = async (name: string, made: Record<string, Buffer>) => {
    files[name] = name.endsWith('.zip') ? await zip(made) : (made[name] as Buffer);
  };
  const vector = { name: 'in.geojson', content: areas, driver: 'GeoJSON' } as const;
  const grid = { name: 'in.tif', content: raster, driver: 'GTiff', kind: 'raster' } as const;
  for (const [name, [driver, ...options]] of Object.entries({ ...vectors, ...rasters })) {
    const isRaster = name in rasters;
    const made = await madeByGdal(folder, isRaster ? grid : vector, (module, dataset, at) => {
      const target = `${at}/${name.replace(/\.zip$/, '')}`;
      if (isRaster) module.translateRaster(dataset, target, ['-of', driver, ...options]);
      else module.translate(dataset, target, ['-f', driver, ...options]);
    });
    await keep(name, made);
  }
  for (const [ending, format] of Object.entries(images)) {
    const image = sharp(Uint8Array.from(values), { raw: { width: side, height: side, channels: 1 } });
    const bytes = await image.toFormat(format).toBuffer();
    await keep(`made.${ending}.zip`, { [`made.${ending}`]: bytes, 'made.wld': world });
  }
  return files;
}
