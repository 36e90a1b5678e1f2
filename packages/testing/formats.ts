import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gdal } from '@covermap/coverage-files/gdal/webassembly.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { writeArrayBuffer } from 'geotiff';
import sharp from 'sharp';
import { zip } from './zip.ts';

/* Writers of the samples' formats. */

/** x and y, and, for a shapefile's types with z and m, those. */
export type Point = [x: number, y: number, z?: number, m?: number];

export interface Area {
  /** Closed rings: the first is around the others, unless `apart`. */
  rings: Point[][];
  /** True where each ring is an area of its own. */
  apart?: boolean;
  properties?: Record<string, string | number>;
}

/** GeoJSON (RFC 7946): longitude and latitude, unless an EPSG code says otherwise, as older programs write it. */
export function geojson(areas: readonly Area[], epsg?: number): Buffer {
  const features = areas.map(({ rings, apart, properties = {} }) => ({
    type: 'Feature',
    properties,
    geometry: apart
      ? { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }
      : { type: 'Polygon', coordinates: rings },
  }));
  const crs = epsg && { crs: { type: 'name', properties: { name: `urn:ogc:def:crs:EPSG::${epsg}` } } };
  return Buffer.from(`${JSON.stringify({ type: 'FeatureCollection', ...crs, features })}\n`);
}

/** GDAL's conversion of GeoJSON: the files of a dataset by path, the name of the dataset first. */
export async function convert(
  input: Buffer,
  driver: 'OpenFileGDB' | 'GPKG' | 'FlatGeobuf' | 'MapInfo File' | 'ESRI Shapefile',
  name: string,
  options: readonly string[] = [],
): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'covermap-convert-'));
  try {
    await mkdir(path.join(folder, 'out'));
    await writeFile(path.join(folder, 'in.geojson'), input);
    const module = await gdal();
    const seen = module.mount(folder);
    const dataset = module.open(`${seen}/in.geojson`, 'GeoJSON', []);
    const how = ['-f', driver, '-nln', path.parse(name).name, ...options];
    module.translate(dataset, `${seen}/out/${name}`, how);
    module.close(dataset);
    module.unmount(seen);
    const files: Record<string, Buffer> = {};
    const found = await readdir(path.join(folder, 'out'), { recursive: true, withFileTypes: true });
    for (const file of found.filter((entry) => entry.isFile())) {
      const full = path.join(file.parentPath, file.name);
      files[path.relative(path.join(folder, 'out'), full)] = await readFile(full);
    }
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A zip of shapefiles by name, in NZTM2000. The same areas make the same files. */
export async function shapefiles(layers: Record<string, Area[]>): Promise<Buffer> {
  const parts: Record<string, Buffer> = {};
  const options = ['-lco', 'ENCODING=UTF-8', '-lco', 'DBF_DATE_LAST_UPDATE=2026-01-01'];
  for (const [name, areas] of Object.entries(layers))
    Object.assign(parts, await convert(geojson(areas, 2193), 'ESRI Shapefile', `${name}.shp`, options));
  return zip(parts);
}

/** A KML as Google Earth writes it: areas in folders, with styles and altitudes. Longitude and latitude. */
export function kml(name: string, folders: Record<string, Area[]>): Buffer {
  const ring = (points: Point[]) =>
    `<LinearRing><coordinates>\n${points.map(([lng, lat]) => `${lng},${lat},0`).join(' ')}\n</coordinates></LinearRing>`;
  const placemark = ({ rings, properties = {} }: Area) => {
    const [outer, ...holes] = rings as [Point[], ...Point[][]];
    const inner = holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`).join('');
    return `<Placemark><name>${properties.name ?? ''}</name><styleUrl>#area</styleUrl>
<Polygon><tessellate>1</tessellate><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>${inner}</Polygon></Placemark>`;
  };
  const content = Object.entries(folders).map(
    ([folder, areas]) =>
      `<Folder><name>${folder}</name><open>1</open>\n${areas.map(placemark).join('\n')}\n</Folder>`,
  );
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" xmlns:kml="http://www.opengis.net/kml/2.2" xmlns:atom="http://www.w3.org/2005/Atom">
<Document>
<name>${name}</name>
<Style id="area"><LineStyle><color>ff0000ff</color></LineStyle><PolyStyle><color>7f00ff00</color></PolyStyle></Style>
${content.join('\n')}
</Document>
</kml>
`);
}

export interface Image {
  width: number;
  height: number;
  /** The class of a pixel, row by row from the top; 0 is transparent. */
  pixels: Uint8Array;
  /** The colours of classes, from class 1. */
  colours: [red: number, green: number, blue: number][];
}

/** A PNG with a palette, as radio planners write them. */
export async function palettePng({ width, height, pixels, colours }: Image): Promise<Buffer> {
  const rgba = Buffer.alloc(4 * width * height);
  for (const [i, index] of pixels.entries()) {
    if (index > 0) rgba.set([...(colours[index - 1] as number[]), 255], 4 * i);
  }
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .png({ palette: true, colours: colours.length + 1, dither: 0, effort: 10 })
    .toBuffer();
}

/** A KMZ that lays an image on the ground, with a legend on the screen that is no coverage. */
export async function overlayKmz(
  name: string,
  image: Image,
  box: Bounds & { rotation?: number },
): Promise<Buffer> {
  const edges = Object.entries(box).map(([edge, degrees]) => `<${edge}>${degrees}</${edge}>`);
  const doc = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${name}</name>
<ScreenOverlay><name>Legend</name><Icon><href>files/coverage.png</href></Icon></ScreenOverlay>
<GroundOverlay><name>${name}</name><Icon><href>files/coverage.png</href></Icon><LatLonBox>${edges.join('')}</LatLonBox></GroundOverlay>
</Document></kml>
`;
  return zip({ 'doc.kml': Buffer.from(doc), 'files/coverage.png': await palettePng(image) });
}

/** A GeoTIFF of one band in NZTM2000, -9999 where there is no data. */
export function bandTiff(
  values: Float32Array | Uint16Array,
  width: number,
  height: number,
  /** The upper left corner, in metres, and the side of a pixel. */
  place: { x: number; y: number; pixel: number },
  /** Further GeoTIFF keys. */
  keys: Record<string, number> = {},
): Buffer {
  return Buffer.from(
    writeArrayBuffer(values, {
      width,
      height,
      SampleFormat: [values instanceof Float32Array ? 3 : 1],
      BitsPerSample: [8 * values.BYTES_PER_ELEMENT],
      GDAL_NODATA: '-9999',
      ModelPixelScale: [place.pixel, place.pixel, 0],
      ModelTiepoint: [0, 0, 0, place.x, place.y, 0],
      GTModelTypeGeoKey: 1,
      GTRasterTypeGeoKey: 1,
      ProjectedCSTypeGeoKey: 2193,
      ...keys,
    } as never) as ArrayBuffer,
  );
}
