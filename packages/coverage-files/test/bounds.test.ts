import { scratchFolder } from '@covermap/testing/scratch.ts';
import { points } from '@covermap/testing/shapes.ts';
import { zip } from '@covermap/testing/write-shapefile.ts';
import * as flatgeobuf from 'flatgeobuf/lib/mjs/geojson.js';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type FormatName, formats } from '../formats.ts';
import { Gdal, gdal } from '../gdal/webassembly.ts';
import { maxFields, maxLayers } from '../layers.ts';
import { geopackageWith, ofFeatures } from './gdal-files.ts';
import { openBytes } from './source.ts';

/* More attributes or layers than are read are refused before a library opens the file, whatever its format. */

const folder = scratchFolder();
afterEach(() => {
  vi.restoreAllMocks();
});

type Content = string | Record<string, Buffer | string> | Buffer;
type File = [name: string, content: Content | Promise<Content>];

const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
const ring = points('174.5 -37, 174.6 -37, 174.6 -36.9, 174.5 -37');
const coordinates = '174.5,-37 174.6,-37 174.6,-36.9 174.5,-37';
const geometry = { type: 'Polygon', coordinates: [ring] };
const valuesOf = (fields: string[]) => Object.fromEntries(fields.map((name) => [name, 1]));
const feature = (fields: string[]) => ({ type: 'Feature', properties: valuesOf(fields), geometry });
const collection = (features: object[]) => ({ type: 'FeatureCollection', features });
const geojson = (fields: string[]) => JSON.stringify(collection([feature(fields)]));
const gml = (features: string) =>
  `<?xml version="1.0"?><!-- > --><o:FeatureCollection xmlns:o="http://o" xmlns:gml="http://www.opengis.net/gml">${features}</o:FeatureCollection>`;
const gmlPolygon = `<o:g><gml:Polygon><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>${coordinates}</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon></o:g>`;
const member = (name: string, fields: string[]) =>
  `<gml:featureMember><o:${name} fid="a>b">${fields.map((field) => `<o:${field}>1</o:${field}>`).join('')}${gmlPolygon}</o:${name}></gml:featureMember>`;
const topology = (objects: object) => JSON.stringify({ type: 'Topology', arcs: [ring], objects });
const topoLayer = (fields: string[]) => ({
  type: 'GeometryCollection',
  geometries: [{ type: 'Polygon', arcs: [[0]], properties: valuesOf(fields) }],
});
const esri = (fields: string[]) =>
  JSON.stringify({
    geometryType: 'esriGeometryPolygon',
    fields: fields.map((name) => ({ name, type: 'esriFieldTypeDouble' })),
    features: [{ attributes: { p0: 1 }, geometry: { rings: [ring] } }],
  });
const kml = (fields: string[]) =>
  `<kml><Placemark><ExtendedData>${fields.map((name) => `<Data name="${name}"><value>1</value></Data>`).join('')}</ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`;
const mif = (fields: string[]) =>
  `Version 300\nDelimiter ","\nColumns ${fields.length}\n${fields.map((name) => `  ${name} Float\n`).join('')}Data\n`;
const tab = (fields: string[]) =>
  `!table\n!version 300\n\nDefinition Table\n  Type NATIVE Charset "WindowsLatin1"\n  Fields ${fields.length}\n${fields.map((name) => `    ${name} Float ;\n`).join('')}`;
const csv = (fields: string[]) =>
  `WKT,${fields.join()}\n"POLYGON((174.5 -37,174.6 -37,174.6 -36.9,174.5 -37))",${fields.map(() => 1).join()}\n`;
const all = names(maxLayers + 1);
const zipOf = (ending: string, content = 'x'): File => [
  'cover.zip',
  Object.fromEntries(all.map((name) => [`${name}.${ending}`, content])),
];

/** A GeoPackage of these tables. SQLite itself stops at 2000 columns: the last comma is written into the file. */
async function geopackage(tables: Record<string, string[]>): Promise<Buffer> {
  const statements = Object.entries(tables).map(
    ([name, fields]) => `create table ${name} (${fields.join().replace(/,(?=[^,]*$)/, '_')});
      insert into gpkg_contents (table_name, data_type, identifier) values ('${name}', 'features', '${name}')`,
  );
  const bytes = await geopackageWith(folder, ofFeatures(['POINT (1 1)']), statements.join(';'));
  const last = `_p${maxFields})`;
  if (bytes.includes(last)) bytes.write(',', bytes.indexOf(last));
  return bytes;
}

/** Its files, without contents: they are counted before they are opened. */
const geodatabase = (tables: number) => {
  const bases = names(tables).map((_, i) => `a.gdb/a${(i + 1).toString(16).padStart(8, '0')}`);
  return Object.fromEntries(
    bases.flatMap((base) => [`${base}.gdbtable`, `${base}.gdbtablx`].map((one) => [one, 'x'])),
  );
};

/** By format, a file with that many attributes in a layer. */
const withFields: Partial<Record<FormatName, (names: string[]) => File>> = {
  GeoPackage: (fields) => ['cover.gpkg', geopackage({ a: fields })],
  FlatGeobuf: (fields) => {
    const features = collection([feature(fields)]);
    return ['cover.fgb', Buffer.from(flatgeobuf.serialize(features as never, 0))];
  },
  'MapInfo TAB': (fields) => ['a.zip', { 'c.tab': tab(fields), 'c.dat': 'x', 'c.map': 'x', 'c.id': 'x' }],
  'MapInfo MIF': (fields) => ['cover.zip', { 'c.mif': mif(fields), 'c.mid': 'x' }],
  GeoJSON: (fields) => ['cover.geojson', geojson(fields)],
  'GeoJSON lines': (fields) => ['a.geojsonl', fields.map((one) => JSON.stringify(feature([one]))).join('\n')],
  TopoJSON: (fields) => ['cover.topojson', topology({ a: topoLayer(fields) })],
  EsriJSON: (fields) => ['cover.esrijson', esri(fields)],
  GML: (fields) => ['cover.gml', gml(member('a', fields))],
  KML: (fields) => ['cover.kml', kml(fields)],
  'CSV with WKT': (fields) => ['cover.csv', csv(fields)],
};

/** By format, a file with too many layers. */
const withLayers: Partial<Record<FormatName, () => File>> = {
  'File Geodatabase': () => ['cover.zip', geodatabase(maxLayers + 20)],
  'ESRI Shapefile': () => zipOf('shp'),
  // Two more are in it already.
  GeoPackage: () => ['cover.gpkg', geopackage(Object.fromEntries(all.slice(2).map((name) => [name, ['a']])))],
  FlatGeobuf: () => zipOf('fgb'),
  'MapInfo TAB': () => zipOf('tab'),
  'MapInfo MIF': () => zipOf('mif'),
  GeoJSON: () => zipOf('geojson', geojson([])),
  TopoJSON: () => [
    'a.topojson',
    topology(Object.fromEntries(all.map((name) => [name, topoLayer(['down'])]))),
  ],
  GML: () => ['cover.gml', gml(all.map((name) => member(name, [])).join(''))],
  KML: () => zipOf('kml', kml([])),
  'CSV with WKT': () => zipOf('csv', csv([])),
  GeoTIFF: () => zipOf('tif'),
};

/** Formats whose own bound of attributes is below ours, and formats that another one stands for. */
const others = [
  ...['DXF', 'ESRI ASCII grid', 'ESRI BIL', 'SAGA grid', 'ERDAS IMAGINE', 'Surfer grid', 'BMP'],
  'PNG, JPEG, GIF, WebP, PPM',
];

async function open([name, made]: File) {
  const content = await made;
  const asBuffers = (files: Record<string, Buffer | string>) =>
    Object.fromEntries(Object.entries(files).map(([one, bytes]) => [one, Buffer.from(bytes as Buffer)]));
  const isPlain = typeof content === 'string' || Buffer.isBuffer(content);
  return openBytes(folder, name, isPlain ? content : await zip(asBuffers(content), { compress: false }));
}

beforeAll(() => gdal());

test('every format is tried', () => {
  const tried = new Set([...Object.keys(withFields), ...Object.keys(withLayers), ...others]);
  expect([...tried].sort()).toEqual(formats.map(({ name }) => name).sort());
});

const refusals = [
  ...Object.entries(withFields).map(([format, fileOf]) => {
    return { format, what: 'attributes', code: 'fields', make: () => fileOf(names(maxFields + 1)) };
  }),
  ...Object.entries(withLayers).map(([format, make]) => ({ format, what: 'layers', code: 'layers', make })),
];
test.each(refusals)('$format with more $what than are read is refused unopened', async ({ code, make }) => {
  const [name, made] = make();
  const content = await made;
  const opened = vi.spyOn(Gdal.prototype, 'open');
  await expect(open([name, content])).rejects.toMatchObject({ code: `${code}_too_many` });
  expect(opened).not.toHaveBeenCalled();
});

test.each(['GeoJSON', 'CSV with WKT', 'GML'] as const)(
  '%s with as many as may be is read',
  async (format) => {
    // A geometry is a column of one, and an element of the other.
    const most = format === 'GeoJSON' ? maxFields : maxFields - 1;
    const source = await open(withFields[format]?.(names(most)) as File);
    expect(source.layers[0]?.fields).toHaveLength(most);
    source.close();
  },
);

test('attributes count, however their names are written, and other members do not', async () => {
  const nested = valuesOf(names(2 * maxFields));
  const withNested = { ...feature(['a']), properties: { a: nested, b: [nested] } };
  const odd = { ...collection([withNested]), more: nested };
  (await open(['cover.geojson', JSON.stringify(odd)])).close();
  const escaped = geojson(names(maxFields + 1)).replace('"properties"', '"\\u0070roperties"');
  await expect(open(['cover.geojson', escaped])).rejects.toMatchObject({ code: 'fields_too_many' });
  const bare = JSON.stringify(collection([{ type: 'Feature', geometry, ...valuesOf(names(maxFields + 1)) }]));
  await expect(open(['cover.geojson', bare])).rejects.toMatchObject({ code: 'fields_too_many' });
});

// Takes a second; a search that starts again at each tag would take minutes.
test.each([
  ['', '<a '.repeat(1_000_000)],
  [' whose names are long', `<${'a'.repeat(60_000)}`.repeat(60)],
])('beginnings of tags%s that do not end are looked through once', { timeout: 100_000 }, async (_, tags) => {
  await expect(open(['cover.gml', gml(tags)])).rejects.toMatchObject({ code: 'not_polygons' });
});

test('a comment in a table of a GeoPackage hides no attribute', async () => {
  for (const comment of ["-- '\n", "/* ' ( */"]) {
    const [first = '', ...more] = names(maxFields + 1);
    const file: File = ['cover.gpkg', geopackage({ a: [comment + first, ...more] })];
    await expect(open(file)).rejects.toMatchObject({ code: 'fields_too_many' });
  }
});

test('attributes of many layers are counted together', async () => {
  const files = Object.fromEntries(names(20).map((name) => [`${name}.geojson`, geojson(names(1001))]));
  const opened = vi.spyOn(Gdal.prototype, 'open');
  await expect(open(['cover.zip', files])).rejects.toMatchObject({ code: 'fields_too_many' });
  expect(opened.mock.calls.length).toBeLessThan(20);
});
