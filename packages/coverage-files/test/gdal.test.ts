import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signedArea } from '@covermap/geometry/polygon.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zip } from '@covermap/testing/write-shapefile.ts';
import fc from 'fast-check';
import * as flatgeobuf from 'flatgeobuf/lib/mjs/geojson.js';
import { describe, expect, test } from 'vitest';
import { formats } from '../formats.ts';
import { writeStraight } from '../gdal/esri-curves.ts';
import { parseSubtypes } from '../gdal/subtypes.ts';
import { gdal } from '../gdal/webassembly.ts';
import { geopackageWith, madeByGdal, ofFeatures } from './gdal-files.ts';
import { layersOf } from './source.ts';

/* Files that the service reads by GDAL, made by GDAL itself, and their faults. */

const folder = scratchFolder();

type Geometry = { type: string; coordinates?: unknown; geometries?: unknown } | null;
const feature = (geometry: Geometry, properties: object = {}) => ({ type: 'Feature', properties, geometry });
const collection = (features: object[], more: object = {}) => ({
  type: 'FeatureCollection',
  ...more,
  features,
});
const nztm = { crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2193' } } };

const square = (x: number, y: number, size: number) =>
  [0, 1, 3, 2, 0].map((corner) => [x + size * (corner & 1), y + size * (corner >> 1)]);
const polygonAt = (x: number, y: number, size: number) => ({
  type: 'Polygon',
  coordinates: [square(x, y, size)],
});
const twoParts = { type: 'MultiPolygon', coordinates: [[square(20, 0, 5)], [square(30, 0, 5)]] };
const name = 'a';
const areas = collection(
  [
    feature({ type: 'Polygon', coordinates: [square(0, 0, 10), square(2, 2, 3)] }, { down: 100.5, name }),
    feature(twoParts, { down: 50 }),
    feature(null, { down: 7, name: 'nowhere' }),
  ],
  nztm,
);

/** Writes GeoJSON, or geometries as WKT, in another format, as `ogr2ogr` would, and gives the files by name. */
const written = (input: object | string[], driver: string, ending: string, options: string[] = []) =>
  madeByGdal(folder, ofFeatures(input), (module, dataset, at) => {
    module.translate(dataset, `${at}/cover.${ending}`, ['-f', driver, '-nln', 'cover', ...options]);
  });

const readFile = (name: string, bytes: Buffer | string, layers?: string[]) =>
  layersOf(folder, name, bytes, { layers });
/** The reason why each feature of a file's only layer is dropped: undefined where it is read. */
const outcomesOf = async (name: string, bytes: string) =>
  (await readFile(name, bytes))[0]?.features.map(({ dropped }) => dropped);

/** Negative for rings that run clockwise, as outer ones of shapefiles and geodatabases do. */
const signed = (ring: number[]) => signedArea(Float64Array.from(ring));
const area = (ring: number[]) => Math.abs(signed(ring));

test('areas of FlatGeobuf with and without curves are read in their order, as those of GeoPackage', async () => {
  const circle = 'CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,0 0))';
  const half = 'CURVEPOLYGON(COMPOUNDCURVE(CIRCULARSTRING(5 0,6 1,7 0),(7 0,5 0)))';
  const input = ['POLYGON((20 0,21 0,21 1,20 0))', circle, half, 'POLYGON((30 0,31 0,31 1,30 0))'];
  const read = async (driver: string, ending: string, options: string[]) => {
    const files = await written(input, driver, ending, ['-nlt', 'GEOMETRY', ...options]);
    const [layer] = await readFile(`cover.${ending}`, Object.values(files)[0] as Buffer);
    return layer?.features.map(({ id, polygons, dropped }) => ({ id, polygons, dropped }));
  };
  const direct = await read('FlatGeobuf', 'fgb', ['-lco', 'SPATIAL_INDEX=NO']);
  expect(direct).toHaveLength(4);
  expect(direct).toEqual(await read('GPKG', 'gpkg', []));
});

test.each([
  ['a link', { type: 'link', properties: { href: 'http://nowhere.example/crs', type: 'proj4' } }],
  ['a link to a file', { type: 'link', properties: { href: 'local.prj', type: 'ogcwkt' } }],
  ['a name that nobody knows', { type: 'name', properties: { name: 'urn:ogc:def:crs:NOPE::1' } }],
])('a reference system by %s is a question, and not WGS 84', async (_, crs) => {
  const [layer] = await readFile('cover.geojson', JSON.stringify({ ...areas, crs }));
  expect(layer?.referenceSystem).toBeUndefined();
  expect(layer?.warnings).toMatchObject([{ code: 'crs_not_understood' }]);
});

test('true among numbers is told apart from 1', async () => {
  const down = [true, 50].map((value) => feature(polygonAt(0, 0, 10), { down: value, up: 10 }));
  const [layer] = await readFile('a.geojson', JSON.stringify(collection(down)));
  expect(layer?.kinds).toEqual(['number or yes', 'number']);
});

const asWkt = '-lco GEOMETRY=AS_WKT -lco CREATE_CSVT=YES';
describe.each<{ format: string; driver: string; ending: string; zipped: boolean; options?: string }>([
  {
    format: 'File Geodatabase',
    driver: 'OpenFileGDB',
    ending: 'gdb',
    zipped: true,
    options: '-nlt MULTIPOLYGON',
  },
  { format: 'GeoPackage', driver: 'GPKG', ending: 'gpkg', zipped: false },
  {
    format: 'FlatGeobuf',
    driver: 'FlatGeobuf',
    ending: 'fgb',
    zipped: false,
    options: '-lco SPATIAL_INDEX=NO',
  },
  { format: 'MapInfo TAB', driver: 'MapInfo File', ending: 'tab', zipped: true },
  { format: 'MapInfo MIF', driver: 'MapInfo File', ending: 'mif', zipped: true },
  { format: 'GML', driver: 'GML', ending: 'gml', zipped: true },
  { format: 'GeoJSON', driver: 'GeoJSON', ending: 'geojson', zipped: false },
  { format: 'CSV with WKT', driver: 'CSV', ending: 'csv', zipped: true, options: asWkt },
])('$format', ({ format, driver, ending, zipped, options }) => {
  test('is read with its areas, holes, attributes and reference system', async () => {
    const files = await written(areas, driver, ending, options?.split(' '));
    const bytes = zipped ? await zip(prefixed('some/where/', files)) : (Object.values(files)[0] as Buffer);
    const [layer, ...more] = await readFile(zipped ? 'cover.zip' : `cover.${ending}`, bytes);
    expect(more).toEqual([]);
    expect(layer).toMatchObject({ name: 'cover', format, warnings: [] });
    if (/tab|mif/.test(ending))
      expect(layer?.referenceSystem?.definition).toMatch(/Transverse.Mercator|EPSG:2193/);
    else expect(layer?.referenceSystem).toEqual({ definition: 'EPSG:2193', from: 'file' });
    const byDown = new Map(layer?.features.map((read) => [Number(read.attributes.down), read]));
    expect(byDown.size).toBe(3);
    const [holed] = byDown.get(100.5)?.polygons ?? [];
    expect(holed?.map(area).map(Math.round)).toEqual([100, 9]);
    expect(byDown.get(50)?.polygons.map(([ring]) => Math.round(area(ring as number[])))).toEqual([25, 25]);
    expect(byDown.get(7)).toMatchObject({ dropped: 'no_geometry', polygons: [] });
    expect(byDown.get(100.5)?.attributes).toMatchObject({ down: '100.5', name: 'a' });
    expect(byDown.get(50)?.attributes.name).toBeNull();
  });
});

function prefixed(prefix: string, files: Record<string, Buffer>): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [prefix + name, bytes]));
}

test('FlatGeobuf with an index is read as without', async () => {
  const whole = collection(areas.features.slice(0, 2), nztm);
  const read = async (index: string) => {
    const files = await written(whole, 'FlatGeobuf', 'fgb', ['-lco', `SPATIAL_INDEX=${index}`]);
    const [layer] = await readFile('x.fgb', Object.values(files)[0] as Buffer);
    return layer?.features.map(({ polygons, attributes }) => JSON.stringify([polygons, attributes])).sort();
  };
  const indexed = await read('YES');
  expect(indexed).toHaveLength(2);
  expect(indexed).toEqual(await read('NO'));
});

test('areas in holes of a MIF are areas, in whatever direction they run', async () => {
  const ring = (at: number, size: number) => square(at, at, size).map((point) => point.join(' '));
  const polygon = (...rings: string[][]) => `(${rings.map((points) => `(${points})`)})`;
  const island = polygon(ring(5, 10), ring(7, 3).reverse());
  const areas = [
    `MULTIPOLYGON (${polygon(ring(0, 30), ring(2, 20))},${island},${polygon(ring(40, 5).reverse())})`,
  ];
  const files = await written(areas, 'MapInfo File', 'mif', ['-dsco', 'FORMAT=MIF']);
  const [layer] = await readFile('cover.zip', await zip(files));
  const found = layer?.features[0]?.polygons.map((rings) => rings.map((one) => Math.round(area(one))));
  expect(found?.sort()).toEqual([[100, 9], [25], [900, 400]]);
});

test('a geodatabase that was zipped twice is read', async () => {
  const files = await written(areas, 'OpenFileGDB', 'gdb', ['-nlt', 'MULTIPOLYGON']);
  const [layer] = await readFile('x.zip', await zip({ 'in/cover.gdb.zip': await zip(files) }));
  expect(layer?.features.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test('coded domains and subtypes of a geodatabase are their values, those of a subtype first', async () => {
  const kinds = readFileSync(new URL('./kinds.gdb.zip', import.meta.url));
  const [layer] = await readFile('x.zip', kinds);
  expect(layer?.features.map(({ attributes }) => attributes)).toMatchObject([
    { KIND: 'Urban & near', SPEED: '100/20', TECH: 'Fibre' },
    { KIND: 'Urban & near', SPEED: '900/500', TECH: 'Fibre' },
    { KIND: 'Rural', SPEED: '30/10', TECH: 'Wireless' },
    { KIND: 'Rural', SPEED: '50/20', TECH: null },
    // A code that the lists lack is no number.
    { KIND: 'code 7', SPEED: 'code 9', TECH: 'X' },
  ]);
  // Numbers with a range are numbers, as those without.
  expect(layer?.kinds?.[layer.fields.indexOf('UP')]).toBe('number');
});

describe('coded values of EsriJSON', () => {
  const codedValues = [
    { name: '25 Mbps', code: 1 },
    { name: 'Früher "100"', code: 2 },
  ];
  const domain = { type: 'codedValue', name: 'Down', codedValues };
  const fields = [
    { name: 'DOWN', type: 'esriFieldTypeSmallInteger', domain },
    { name: 'UP', type: 'esriFieldTypeSmallInteger', domain: { type: 'range', range: [0, 100] } },
  ];
  const features = [1, 2, 3, null].map((DOWN, i) => ({
    attributes: { DOWN, UP: i },
    geometry: { rings: [square(1000 * i, 0, 500)] },
  }));
  const spatialReference = { wkid: 2193 };
  const head = { geometryType: 'esriGeometryPolygon', spatialReference };
  test.each([
    ['before', { ...head, fields, features }],
    ['behind', { ...head, features, fields }],
  ])(
    'are its values, with the fields %s the features; a code that is not listed is no number',
    async (_, esri) => {
      const [layer] = await readFile('query.json', JSON.stringify(esri));
      expect(layer?.features.map(({ attributes }) => attributes.DOWN)).toEqual([
        ...['25 Mbps', 'Früher "100"', 'code 3'],
        null,
      ]);
      expect(layer?.kinds).toEqual([undefined, 'number']);
    },
  );
});

test('coded values of a GeoPackage are its values', async () => {
  const bytes = await geopackageWith(
    folder,
    ofFeatures(collection([1, 2].map((down) => feature(polygonAt(down, 0, 0.5), { down })))),
    `create table gpkg_data_column_constraints (constraint_name text not null, constraint_type text not null, value text, min numeric,
       min_is_inclusive boolean, max numeric, max_is_inclusive boolean, description text);
     create table gpkg_data_columns (table_name text not null, column_name text not null, name text, title text, description text,
       mime_type text, constraint_name text);
     insert into gpkg_data_column_constraints (constraint_name, constraint_type, value, description) values ('downs', 'enum', '1', '25 Mbps');
     insert into gpkg_data_columns (table_name, column_name, constraint_name) values ('cover', 'down', 'downs')`,
  );
  const layer = (await readFile('x.gpkg', bytes)).find(({ name }) => name === 'cover');
  expect(layer?.features.map(({ attributes }) => attributes.down)).toEqual(['25 Mbps', 'code 2']);
});

describe('definitions of layers', () => {
  const definition = (content: string) =>
    `<?xml version="1.0"?><t:DEFeatureClassInfo xmlns:t="http://www.esri.com/schemas/ArcGIS/10.3">${content}</t:DEFeatureClassInfo>`;
  const urban = '<Subtype><SubtypeName>Urban</SubtypeName><SubtypeCode>1</SubtypeCode></Subtype>';
  test('name the subtypes by code', () => {
    const xml = definition(`<SubtypeFieldName>KIND</SubtypeFieldName><Subtypes>${urban}</Subtypes>`);
    const byCode = new Map([['1', { name: 'Urban', domains: new Map() }]]);
    expect(parseSubtypes(xml)).toEqual({ field: 'KIND', byCode });
  });
  const entities = `<!DOCTYPE a [<!ENTITY b "${'&c;'.repeat(1000)}">]>`;
  test.each([
    ['without subtypes', definition('<Name>cover</Name>')],
    ['whose attribute is not named', definition(`<Subtypes>${urban}</Subtypes>`)],
    ['that end early', definition(urban).slice(0, -30)],
    ['that are no XML', 'cover'],
    ['that are nothing', ''],
    ['nested without end', '<a>'.repeat(100_000)],
    ['with entities', `${entities}${definition(`<SubtypeFieldName>&b;</SubtypeFieldName>${urban}`)}`],
  ])('%s leave the codes', (_, xml) => {
    expect(parseSubtypes(xml)).toBeUndefined();
  });
});

test.each([
  ['GPKG', 'gpkg', 'curves.gpkg'],
  ['OpenFileGDB', 'gdb', 'curves.zip'],
])('curves are made straight, heights and measures left out: %s', async (driver, ending, name) => {
  const circle = 'CURVEPOLYGON ZM (CIRCULARSTRING ZM (0 0 5 1, 1 1 5 2, 2 0 5 3, 1 -1 5 4, 0 0 5 5))';
  const box = 'POLYGON ZM ((10 0 1 1, 10 2 1 2, 12 2 1 3, 12 0 1 4, 10 0 1 5))';
  const files = await written([circle, box], driver, ending, ['-nlt', 'MULTISURFACE', '-a_srs', 'EPSG:4326']);
  const [layer] = await readFile(name, ending === 'gdb' ? await zip(files) : (files['cover.gpkg'] as Buffer));
  const [round, straight] = (layer?.features ?? []).map(({ polygons }) => polygons[0]?.[0] ?? []);
  // Arcs are cut at every degree.
  expect(area(round ?? [])).toBeCloseTo(Math.PI, 3);
  expect(round?.length).toBeGreaterThan(2 * 300);
  expect(area(straight ?? [])).toBeCloseTo(4, 9);
});

describe('JSON of other kinds than GeoJSON', () => {
  const json = (value: object) => JSON.stringify(value);
  const polygon = (x: number) => polygonAt(x, -37, 0.5);
  const members = (x: number) => ({ type: 'Feature', properties: { x }, geometry: polygon(x) });
  const ordered = (x: number, names: (keyof ReturnType<typeof members>)[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, members(x)[name]])));

  test.each<[string, string, (x: number) => string]>([
    ['the geometry first', '\n', (x) => ordered(x, ['geometry', 'type', 'properties'])],
    ['the properties first', '\r\n', (x) => ordered(x, ['properties', 'geometry', 'type'])],
    ['the type first', '\n', (x) => JSON.stringify(members(x))],
    ['a mark before each', '\n\x1e', (x) => JSON.stringify(members(x))],
    ['over several lines', '\n', (x) => JSON.stringify(feature(polygon(x), { x, note: '{"a": [' }), null, 2)],
  ])('newline-delimited GeoJSON is read whole: %s', async (_, between, line) => {
    const places = [170, 171, 172, 173, 174];
    const text = places.map(line).join(between);
    for (const name of ['x.geojson', 'x.geojsonl', 'x.txt']) {
      const [layer] = await readFile(name, `${text}\n`);
      expect(layer).toMatchObject({ format: 'GeoJSON lines', referenceSystem: { from: 'format' } });
      expect(layer?.features.map(({ attributes }) => attributes.x)).toEqual(places.map(String));
    }
  });

  test.each([
    ['{"hello": 1}', 'line 3 .*an object without a type'],
    [JSON.stringify({ geometry: polygon(174), properties: {} }), 'line 3 .*an object without a type'],
    [JSON.stringify(collection([feature(polygon(174))])), 'line 3 .*of the type FeatureCollection'],
    [JSON.stringify([feature(polygon(174))]), 'line 3 .*a list'],
    ['null', 'line 3 .*no object'],
    ['"Feature"', 'line 3 .*no object'],
    ['{"type": "Feature", "properties": {,}, "geometry": null}', '.'],
  ])('a line of newline-delimited GeoJSON that is no feature is not passed over: %s', async (odd, words) => {
    const good = JSON.stringify(feature(polygon(174)));
    const text = [good, good, odd, good, ''].join('\n');
    const error = { code: 'geojson_damaged', message: expect.stringMatching(words) };
    await expect(readFile('x.geojsonl', text)).rejects.toMatchObject(error);
  });

  describe('that names its reference system', () => {
    const named = (name: string) => ({ crs: { type: 'name', properties: { name } } });
    const nzgd49 = named('EPSG:4272');
    const inGeometry = (more: object, x = 174) => feature({ ...polygon(x), ...more } as Geometry);
    const inFeature = (more: object) => ({ ...feature(polygon(174)), ...more });
    const parts = { type: 'GeometryCollection', geometries: [{ ...polygon(174), ...nzgd49 }] };
    const esri = (more: object, ...geometries: object[]) => ({
      ...{ geometryType: 'esriGeometryPolygon', fields: [], ...more },
      features: geometries.map((one) => ({
        attributes: {},
        geometry: { rings: [square(1_750_000, 5_900_000, 9)], ...one },
      })),
    });
    const topology = {
      ...{ type: 'Topology', ...nzgd49, arcs: [square(174, -37, 1)] },
      objects: { cover: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', arcs: [[0]] }] } },
    };
    const wkid = (code: number) => ({ spatialReference: { wkid: code } });
    const code = { crs: { type: 'EPSG', properties: { code: 4272 } } };
    const crs84 = named('urn:ogc:def:crs:OGC:1.3:CRS84');
    const inAll = [['EPSG:4272', 'all of its 1 features, or their geometries']];
    const inHalf = [['EPSG:4272', '1 of its 2 features, or their geometries']];
    // biome-ignore format: a table
    test.each<[string, object | object[], string, elsewhere: string[][]]>([
      ['in the collection', collection([feature(polygon(174))], nzgd49), 'EPSG:4272', []],
      ['in each feature', collection([inFeature(nzgd49)]), 'EPSG:4272', inAll],
      ['in each geometry', collection([inGeometry(nzgd49)]), 'EPSG:4272', inAll],
      ['in parts of a geometry', collection([feature(parts as unknown as Geometry)]), 'EPSG:4272', inAll],
      ['in a geometry by itself', { ...polygon(174), ...nzgd49 }, 'EPSG:4272', []],
      ['by its code', collection([inGeometry(code)]), 'EPSG:4272', inAll],
      ['as a URN', collection([inGeometry(named('urn:ogc:def:crs:EPSG::4272'))]), 'EPSG:4272', inAll],
      ['as none', collection([inGeometry({ crs: null })]), 'EPSG:4326', []],
      ['as a text', collection([inGeometry({ crs: 'EPSG:4272' })]), 'EPSG:4272', inAll],
      ['as a text of something else', collection([inGeometry({ crs: 'none' })]), 'EPSG:4326', []],
      ['by several names', collection([inGeometry(nzgd49), inGeometry(named('urn:ogc:def:crs:EPSG::4272'), 175)]), 'EPSG:4272', [['EPSG:4272', 'all of its 2 features, or their geometries']]],
      ['in some geometries', collection([inGeometry(nzgd49), feature(polygon(175))]), 'EPSG:4326', inHalf],
      ['in each geometry otherwise', collection([inGeometry(nzgd49), inGeometry(named('EPSG:2193'), 175)]), 'EPSG:4326', [...inHalf, ['EPSG:2193', '1 of its 2 features, or their geometries']]],
      ['in the collection and otherwise in geometries', collection([inGeometry(nzgd49)], crs84), 'EPSG:4326', inAll],
      ['in an attribute', collection([feature(polygon(174), nzgd49)]), 'EPSG:4326', []],
      ['in each of several texts', [inFeature(nzgd49), inGeometry(nzgd49)], 'EPSG:4272', [['EPSG:4272', 'all of its 2 features, or their geometries']]],
      ['in some of several texts', [feature(polygon(174)), inFeature(nzgd49)], 'EPSG:4326', inHalf],
      ['in a topology', topology, 'EPSG:4272', []],
      ['in each geometry of EsriJSON', esri({}, wkid(2193)), 'EPSG:2193', [['EPSG:2193', 'all of its 1 features, or their geometries']]],
      ['nowhere in EsriJSON', esri(wkid(2193), { spatialReference: { wkid: null } }), 'EPSG:2193', []],
      ['in EsriJSON and otherwise in a geometry', esri(wkid(2193), {}, wkid(102_100)), 'EPSG:2193', [['EPSG:3857', '1 of its 2 features, or their geometries']]],
    ])('%s', async (_, value, definition, elsewhere) => {
      const text = [value].flat().map(json).join('\n');
      const [layer] = await readFile('x.json', text);
      expect(layer?.referenceSystem?.definition).toBe(definition);
      expect(layer?.systemsElsewhere).toEqual(elsewhere.map(([definition, where]) => ({ definition, where })));
    });
  });

  test('lists are texts', async () => {
    const lists = { bands: [700, 2600], names: ['a', 'b'] };
    const [layer] = await readFile('x.geojson', json(collection([feature(polygon(174), lists)])));
    expect(layer?.features[0]?.attributes.bands).toMatch(/700,\s*2600/);
    expect(layer?.features[0]?.attributes.names).toMatch(/a.*,.*b/);
  });

  test('TopoJSON', async () => {
    const geometries = [{ type: 'Polygon', arcs: [[0]], properties: { down: 50 } }];
    const objects = { cover: { type: 'GeometryCollection', geometries } };
    const topology = { type: 'Topology', objects, arcs: [square(174, -37, 1)] };
    const [layer] = await readFile('x.json', json(topology));
    const referenceSystem = { definition: 'EPSG:4326', from: 'format' };
    expect(layer).toMatchObject({ name: 'cover', format: 'TopoJSON', referenceSystem });
    expect(layer?.features).toMatchObject([{ polygons: [[expect.anything()]], attributes: { down: '50' } }]);
  });

  test('what a service sent a part of says so', async () => {
    const exceeded = { exceededTransferLimit: true };
    const parts = [exceeded, { properties: exceeded }, { numberMatched: 2, numberReturned: 1 }];
    for (const more of [...parts, { numberMatched: 1, numberReturned: 1 }]) {
      const [layer] = await readFile('x.geojson', json(collection([feature(polygon(174))], more)));
      expect(layer?.warnings).toMatchObject(parts.includes(more) ? [{ code: 'service_sent_a_part' }] : []);
    }
  });

  const curved = { type: 'CurvePolygon', coordinates: [square(174, -37, 1)] } as Geometry;
  const withCurved = { type: 'GeometryCollection', geometries: [polygon(174), curved] } as Geometry;
  const rings = (value: unknown) => ({
    ...{ geometryType: 'esriGeometryPolygon', spatialReference: { wkid: 2193 }, fields: [] },
    features: [{ attributes: {}, geometry: { rings: value } }],
  });
  test.each<[string, object, dropped: string | undefined, RegExp[]]>([
    ['of a type that is not known', collection([feature(curved)]), 'geometry_not_readable', [/CurvePolygon/]],
    ['with a part of such a type', collection([feature(withCurved)]), undefined, [/CurvePolygon/]],
    ['without one, which is none', collection([feature(null)]), 'no_geometry', []],
    ['of no coordinates', collection([feature({ type: 'Polygon', coordinates: [] })]), 'no_geometry', []],
    [
      'of a ring that is none',
      rings([square(1_750_000, 5_900_000, 9), [[1]]]),
      'no_geometry',
      [/^1 geometry/],
    ],
    ['of no rings', rings([]), 'no_geometry', []],
  ])('a geometry %s is counted where it is lost', async (_, value, dropped, messages) => {
    const [layer] = await readFile('x.json', json(value));
    expect(layer?.features.map((one) => one.dropped)).toEqual([dropped]);
    expect(layer?.warnings).toMatchObject(
      messages.map((message) => ({ code: 'read_with_errors', message: expect.stringMatching(message) })),
    );
  });

  describe('EsriJSON with curves', () => {
    const [x, y] = [1_750_000, 5_900_000];
    const set = (...curveRings: unknown[][]) => ({
      ...{ geometryType: 'esriGeometryPolygon', spatialReference: { wkid: 2193 } },
      fields: [{ name: 'note', type: 'esriFieldTypeString', alias: 'note' }],
      features: curveRings.map((rings) => ({
        // A text that looks like it is none.
        attributes: { note: '"curveRings": [1' },
        geometry: { curveRings: rings },
      })),
    });
    const east = [x + 100, y];
    const west = [x - 100, y];
    const half = Math.PI / 2;
    test.each<[string, unknown[], km2: number]>([
      [
        'a circle of two arcs through points',
        [west, { c: [east, [x, y + 100]] }, { c: [west, [x, y - 100]] }],
        4 * half * 50 * 100,
      ],
      ['a circle of one arc', [west, { c: [west, east] }], 4 * half * 50 * 100],
      ['a half of one, with a straight side', [west, { c: [east, [x, y + 100]] }, west], half * 100 * 100],
      [
        'the other half, clockwise around its middle',
        [west, { a: [east, [x, y], 0, 1] }, west],
        half * 100 * 100,
      ],
      ['three quarters', [[x, y], east, { a: [[x, y - 100], [x, y], 0, 0] }, [x, y]], 1.5 * half * 100 * 100],
      [
        'an ellipse, turned by a quarter',
        [[x, y + 100], { a: [[x, y + 100], [x, y], 0, 1, half, 100, 0.5] }],
        half * 100 * 100,
      ],
      ['a straight line', [west, { c: [east, [x, y]] }, [x, y + 100], west], 100 * 100],
      [
        'a curve of Bezier',
        [west, { b: [east, [x - 100, y + 100], [x + 100, y + 100]] }, west],
        0.6 * 200 * 100,
      ],
    ])('%s', async (_, ring, m2) => {
      const [layer] = await readFile('x.json', json(set([ring], [[west, east, [x, y + 100], west]])));
      const [read, straight] = layer?.features ?? [];
      expect(Math.abs(area([...(read?.polygons[0]?.[0] ?? [])]) / m2 - 1)).toBeLessThan(0.0005);
      expect(straight?.polygons[0]?.[0]).toHaveLength(8);
      expect(read?.attributes.note).toBe('"curveRings": [1');
    });

    test('that are none are refused', async () => {
      for (const ring of [[{ c: [east, west] }], [west, { c: [[1, null], west] }], [west, { q: 1 }]]) {
        const error = { code: 'geojson_damaged', message: expect.stringMatching(/x\.json .*(curve|ring)/) };
        await expect(readFile('x.json', json(set([ring])))).rejects.toMatchObject(error);
      }
    });

    test('is the same wherever the pieces of the file end', async () => {
      const text = Buffer.from(json(set([[west, { c: [west, east] }]], [[west, east, [x, y + 1], west]])));
      const written = async (size: number) => {
        async function* read() {
          for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
        }
        const target = path.join(folder, `straight-${size}.json`);
        await writeStraight({ path: 'x.json', size: text.length, read, unpack: async () => '' }, target);
        return readFileSync(target, 'utf8');
      };
      const whole = await written(text.length);
      expect(JSON.parse(whole).features).toHaveLength(2);
      for (const size of [1, 7, 64, 255]) expect(await written(size)).toBe(whole);
    });
  });

  test('EsriJSON', async () => {
    const ring = square(1_750_000, 5_900_000, 1000).reverse();
    const hole = square(1_750_100, 5_900_100, 100);
    const inner = square(1_750_500, 5_900_500, 100).reverse();
    const set = {
      geometryType: 'esriGeometryPolygon',
      spatialReference: { wkid: 2193, latestWkid: 2193 },
      fields: [{ name: 'down', type: 'esriFieldTypeInteger', alias: 'down' }],
      features: [
        { attributes: { down: 50 }, geometry: { rings: [ring] } },
        // A hole, which runs the other way, and an area in the area.
        { attributes: { down: 51 }, geometry: { rings: [hole, ring, inner] } },
      ],
    };
    const [layer] = await readFile('x.json', json(set));
    const referenceSystem = { definition: 'EPSG:2193', from: 'file' };
    expect(layer).toMatchObject({ format: 'EsriJSON', referenceSystem });
    expect(layer?.features.map(({ attributes }) => attributes.down)).toEqual(['50', '51']);
    const rings = layer?.features.map(({ polygons }) => polygons.map(({ length }) => length));
    expect(rings).toEqual([[1], [2, 1]]);
  });
});

describe('drawings (DXF)', () => {
  test('closed lines and hatches are areas, lines are not', async () => {
    const closed = ['LINESTRING (0 0, 10 0, 10 10, 0 10, 0 0)', 'POLYGON ((20 0, 30 0, 30 10, 20 0))'];
    const lines = [...closed, 'LINESTRING (0 0, 5 5)'];
    const files = await written(lines, 'DXF', 'dxf', ['-nln', 'entities']);
    const [layer, ...more] = await readFile('cover.dxf', files['cover.dxf'] as Buffer);
    expect(more).toEqual([]);
    expect(layer).toMatchObject({ name: 'cover', format: 'DXF', referenceSystem: undefined });
    expect(layer?.fields).toContain('Layer');
    const found = layer?.features.map(({ polygons, dropped }) => dropped ?? area(polygons[0]?.[0] ?? []));
    expect(found?.sort()).toEqual([100, 50, 'not_a_polygon']);
  });

  test('blocks in blocks multiply nothing', async () => {
    const pairs = (...values: (string | number)[]) => values.join('\n');
    const line = pairs(0, 'LWPOLYLINE', 8, 0, 90, 3, 70, 1, 10, 0, 20, 0, 10, 1, 20, 0, 10, 1, 20, 1);
    const section = (name: string, ...content: (string | number)[]) =>
      pairs(0, 'SECTION', 2, name, ...content, 0, 'ENDSEC');
    const insert = (i: number) => pairs(0, 'INSERT', 8, 0, 2, `B${i}`, 10, 0, 20, 0);
    const blocks = Array.from({ length: 12 }, (_, i) => {
      const content = Array(10).fill(i === 0 ? line : insert(i - 1));
      return pairs(0, 'BLOCK', 8, 0, 2, `B${i}`, 70, 0, 10, 0, 20, 0, ...content, 0, 'ENDBLK');
    });
    const sections = [section('HEADER'), section('BLOCKS', ...blocks), section('ENTITIES', line, insert(11))];
    const text = pairs(...sections, 0, 'EOF', '');
    expect(await outcomesOf('x.dxf', text)).toEqual([undefined, 'not_a_polygon']);
  });
});

test('a multipatch covers what it covers seen from above', async () => {
  const tin =
    'TIN Z (((0 0 1, 4 0 1, 4 3 1, 0 0 1)), ((0 0 1, 4 0 1, 4 0 9, 0 0 1)), ((0 0 9, 4 0 9, 4 3 9, 0 0 9)), ((4 3 1, 8 3 1, 4 0 1, 4 3 1)))';
  const files = await written([tin], 'ESRI Shapefile', 'shp', ['-lco', 'SHPT=MULTIPATCH']);
  const [layer] = await readFile('x.zip', await zip(files));
  // The wall has no area; roof and floor are both there.
  expect(layer?.features[0]?.polygons.map(([ring]) => area(ring ?? [])).sort()).toEqual([6, 6, 6]);
});

test('a .shp by itself is read without attributes, and the report says what is missing', async () => {
  const files = await written(areas, 'ESRI Shapefile', 'shp');
  const [layer] = await readFile('cover.shp', files['cover.shp'] as Buffer);
  expect(layer?.referenceSystem).toBeUndefined();
  expect(layer).toMatchObject({ name: 'cover', warnings: [{ code: 'dbf_missing' }] });
  expect(layer?.features.map(({ dropped }) => dropped)).toEqual([undefined, undefined, 'no_geometry']);
});

describe('a table', () => {
  const wkt = 'POLYGON ((174 -37,174.1 -37,174.1 -36.9,174 -37))';
  const csv = (...lines: string[]) => readFile('x.csv', lines.join('\n'));
  test.each([
    ['polygon_id,speed,WKT', `12,100,"${wkt}"`],
    ['id,geom_type,speed,geom', `12,Polygon,100,"${wkt}"`],
    ['id;covered;note', `12;"${wkt}";"a, b"`],
    ['shape,covered,id', `round,"${wkt}",12`],
  ])('has its areas in the column whose texts are areas: %s', async (header, row) => {
    const [layer] = await csv(header, row);
    expect(layer?.features).toMatchObject([{ polygons: [expect.anything()] }]);
    expect(layer?.fields).toHaveLength(header.split(/[,;]/).length - 1);
    expect(Object.values(layer?.features[0]?.attributes ?? {})).toContain('12');
  });

  test('with texts that are no areas drops each, as unreadable or as empty', async () => {
    const unreadable = ['POLYGON ((174 -37,174.1', 'POLYGON ((174,-37;1,1))', 'SRID=2193;POINT (1 1'];
    const rows = [wkt, '', 'POLYGON EMPTY', ...unreadable];
    const [layer] = await csv('id,WKT', ...rows.map((text, i) => `${i},"${text}"`));
    const outcomes = [undefined, 'no_geometry', 'no_geometry', ...Array(3).fill('geometry_not_readable')];
    expect(layer?.features.map(({ dropped }) => dropped)).toEqual(outcomes);
  });

  test('that a spreadsheet cut at 32,767 characters says so', async () => {
    const text = (length: number) => `${wkt.slice(0, -2)},174`.padEnd(length, '0');
    const rows = [32_766, 32_767, 32_768].map((length, i) => `${i},"${text(length)}"`);
    const [layer] = await csv('id,WKT', `9,"${wkt}"`, ...rows);
    const outcomes = [undefined, 'geometry_not_readable', 'cut_by_spreadsheet', 'geometry_not_readable'];
    expect(layer?.features.map(({ dropped }) => dropped)).toEqual(outcomes);
  });

  test('of PostGIS has its reference system before each area; one of another is not read', async () => {
    const rows = [2193, 2193, 4326].map((srid, i) => `${i},"SRID=${srid};${wkt}"`);
    const [layer] = await csv('id,geom', ...rows);
    expect(layer?.referenceSystem).toEqual({ definition: 'EPSG:2193', from: 'file' });
    const outcomes = [undefined, undefined, 'geometry_not_readable'];
    expect(layer?.features.map(({ dropped }) => dropped)).toEqual(outcomes);
  });
});

test.each(['x.geojsonl', 'x.geojson'])(
  'geometry of %s that is none is not taken for missing',
  async (name) => {
    const ofTexts = [square(174, -37, 1).map((point) => point.map(String))];
    const features = [feature(polygonAt(174, -37, 1)), feature({ type: 'Polygon', coordinates: ofTexts })];
    const lines = features.map((one) => JSON.stringify(one)).join('\n');
    const text = name === 'x.geojson' ? JSON.stringify(collection(features)) : lines;
    const [layer] = await readFile(name, text);
    expect(layer?.warnings.map(({ code }) => code)).toEqual(['read_with_errors']);
    expect(layer?.features.map(({ dropped }) => dropped)).toEqual([undefined, 'geometry_not_readable']);
  },
);

describe('the reference system of GML', () => {
  const named = (srsName: string) => ` srsName="${srsName}"`;
  const envelope = (srsName: string) =>
    `<gml:boundedBy><gml:Envelope${named(srsName)}><gml:lowerCorner>1 1</gml:lowerCorner><gml:upperCorner>2 2</gml:upperCorner></gml:Envelope></gml:boundedBy>`;
  const polygon = (attribute: string) =>
    `<gml:Polygon gml:id="p"${attribute}><gml:exterior><gml:LinearRing><gml:posList>1750000 5430000 1750000 5440000 1760000 5440000 1750000 5430000</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
  const multi = (inner: string) =>
    `<gml:MultiSurface gml:id="m"><gml:surfaceMember>${inner}</gml:surfaceMember></gml:MultiSurface>`;
  const nztm = named('EPSG:2193');
  test.each<[string, string, string, used: string | undefined, all: string[]]>([
    ['of a geometry', '', polygon(nztm), 'EPSG:2193', ['EPSG:2193']],
    ['of all geometries', envelope('EPSG:2193'), polygon(''), 'EPSG:2193', ['EPSG:2193']],
    [
      'of a part of a geometry',
      '',
      multi(polygon(named('urn:ogc:def:crs:EPSG::2193'))),
      'EPSG:2193',
      ['EPSG:2193'],
    ],
    [
      'of a part, and another of all',
      envelope('EPSG:27200'),
      multi(polygon(nztm)),
      'EPSG:27200',
      ['EPSG:27200', 'EPSG:2193'],
    ],
    [
      'of a geometry, and another of all',
      envelope('EPSG:27200'),
      polygon(nztm),
      undefined,
      ['EPSG:27200', 'EPSG:2193'],
    ],
    ['of nothing', '', polygon(''), undefined, []],
  ])('%s', async (_, more, geometry, used, all) => {
    const text = `<?xml version="1.0"?><c xmlns:o="http://o.example/" xmlns:gml="http://www.opengis.net/gml/3.2">${more}<o:featureMember><o:a gml:id="a.1"><o:geometry>${geometry}</o:geometry><o:n>1</o:n></o:a></o:featureMember></c>`;
    const [layer] = await readFile('x.gml', text.replaceAll(/<(\/?)c\b/g, '<$1o:FeatureCollection'));
    expect(layer?.referenceSystem?.definition).toBe(used);
    expect(layer?.systemsElsewhere?.map(({ definition }) => definition)).toEqual(all);
  });
});

test('GML that names files elsewhere is read without them', async () => {
  const ring = '174 -37 175 -37 175 -36 174 -37';
  const gml = `<?xml version="1.0"?>
<!-- made by hand -->
<gml:FeatureCollection numberMatched="9" numberReturned="2" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://example.org file:///etc/passwd">
<gml:featureMember><cover gml:id="a"><secret xlink:href="file:///etc/passwd"/><down>50</down><geom><gml:Polygon srsName="EPSG:4326"><gml:exterior><gml:LinearRing><gml:posList>${ring}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></geom></cover></gml:featureMember>
<gml:featureMember><cover gml:id="b"><geom xlink:href="/etc/hostname"/></cover></gml:featureMember>
</gml:FeatureCollection>`;
  const [layer] = await readFile('x.xml', gml);
  expect(layer?.format).toBe('GML');
  expect(layer?.features.map(({ dropped, attributes }) => [dropped, attributes.down])).toEqual([
    [undefined, '50'],
    ['no_geometry', null],
  ]);
  expect(JSON.stringify(layer)).not.toMatch(/root:/);
  expect(layer?.warnings).toMatchObject([{ code: 'service_sent_a_part' }]);
});

/* Drivers in this build of GDAL that the reader asks for by name, and formats of operators that the build lacks. */
test('GDAL here has the drivers that are asked for, and not those that files are refused for', async () => {
  const module = await gdal();
  const wanted = formats.flatMap(({ reading }) => ('drivers' in reading ? reading.drivers : []));
  const drivers =
    'AAIGrid BMP CSV DXF EHdr ENVI ESRIJSON GML GPKG GS7BG GSAG GSBG GeoJSON GeoJSONSeq HFA OpenFileGDB SAGA TopoJSON';
  expect([...new Set(wanted)].sort()).toEqual([...drivers.split(' '), 'MapInfo File'].sort());
  expect(wanted.filter((name) => !module.hasDriver(name))).toEqual([]);
  const lacking = ['JP2OpenJPEG', 'netCDF', 'HDF5', 'ECW', 'MrSID', 'Parquet', 'Arrow', 'LIBKML'];
  expect(lacking.filter((name) => module.hasDriver(name))).toEqual([]);
});

describe('layers', () => {
  const points = collection([feature({ type: 'Point', coordinates: [1, 1] })]);
  const two = async () => ({
    ...prefixed('a.gdb/', renamed(await written(areas, 'OpenFileGDB', 'gdb', ['-nlt', 'MULTIPOLYGON']))),
    ...prefixed('b.gdb/', renamed(await written(points, 'OpenFileGDB', 'gdb', ['-nln', 'sites']))),
  });
  const renamed = (files: Record<string, Buffer>) =>
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [path.basename(name), bytes]));
  test('without areas are passed over with a warning', async () => {
    const read = await readFile('x.zip', await zip(await two()));
    expect(read.map(({ name }) => name)).toEqual(['cover']);
    expect(read[0]?.warnings.map(({ code }) => code)).toEqual(['layers_passed_over']);
  });
  test('are chosen by name, case aside', async () => {
    const files = await zip(await two());
    expect((await readFile('x.zip', files, ['COVER'])).map(({ name }) => name)).toEqual(['cover']);
    await expect(readFile('x.zip', files, ['other'])).rejects.toMatchObject({
      code: 'layer_not_found',
      hint: expect.stringContaining('cover, sites'),
    });
    await expect(readFile('x.zip', files, ['sites'])).rejects.toMatchObject({ code: 'not_polygons' });
  });
});

test('GeoJSON keeps what is not an area as dropped, and takes the areas out of collections', async () => {
  const [polygon, point] = [polygonAt(0, 0, 1), { type: 'Point', coordinates: [0, 0] }];
  const cases: [Geometry, string | undefined][] = [
    [polygon, undefined],
    [point, 'not_a_polygon'],
    [{ type: 'GeometryCollection', geometries: [point, polygon] }, undefined],
    [{ type: 'Polygon', coordinates: [] }, 'no_geometry'],
    [{ type: 'Polygon', coordinates: [[[0, 0], [1, 1], [2, 2], [0, 0]]] }, 'no_area'], // biome-ignore format: a ring
  ];
  const features = cases.map(([geometry]) => feature(geometry));
  const [layer] = await readFile('x.geojson', JSON.stringify(collection(features)));
  expect(layer?.referenceSystem).toEqual({ definition: 'EPSG:4326', from: 'format' });
  expect(layer?.features.map(({ dropped }) => dropped)).toEqual(cases.map(([, outcome]) => outcome));
});

/** A star around a place, clockwise, and up to two smaller ones in it the other way round. */
const star = fc
  .record({
    x: fc.double({ min: -1e6, max: 2e6, noNaN: true }),
    // JSON has no −0.
    y: fc.double({ min: -7e6, max: 7e6, noNaN: true }).map((y) => y + 0),
    radii: fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 3, maxLength: 40 }),
    holes: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ x, y, radii, holes }) => {
    const ring = (size: number) => {
      const points = radii.map((radius, i) => {
        const angle = (-2 * Math.PI * i) / radii.length;
        return [x + size * radius * Math.cos(angle), y + size * radius * Math.sin(angle)];
      });
      return [...points, points[0] as number[]];
    };
    return [ring(1), ...[ring(0.4).reverse(), ring(0.2).reverse()].slice(0, holes)];
  });
const stars = fc.array(fc.array(star, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 20 });
const featuresOf = (all: number[][][][][]) =>
  all.map((coordinates) => feature({ type: 'MultiPolygon', coordinates }));

test('polygons of GeoJSON come out as they went in', async () => {
  await fc.assert(
    fc.asyncProperty(stars, async (all) => {
      const text = JSON.stringify(collection(featuresOf(all)));
      const [layer] = await readFile('x.geojson', text);
      const flat = all.map((parts) => parts.map((rings) => rings.map((ring) => ring.flat())));
      expect(layer?.features.map(({ polygons }) => polygons)).toEqual(flat);
    }),
    { numRuns: 20 },
  );
});

/* GDAL gives single rings of a geodatabase's rows, from which the reader makes polygons. */
describe('a geodatabase', () => {
  const geodatabase = (features: object[], ...options: string[]) => {
    const words = ['-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:2193', ...options];
    return written(collection(features), 'OpenFileGDB', 'gdb', words);
  };
  const read = async (files: Record<string, Buffer>) =>
    (await readFile('x.zip', await zip(files, { compress: false })))[0]?.features ?? [];
  const areasOf = ({ polygons }: { polygons: number[][][] }) =>
    polygons.map((polygon) => polygon.map((ring) => Math.round(signed(ring))));
  const squares = (...polygons: number[][][][]) => feature({ type: 'MultiPolygon', coordinates: polygons });

  test('has polygons with holes, islands in holes, parts, nothing, and heights', async () => {
    const high = (ring: number[][]) => ring.map((point, i) => [...point, i]);
    const hole = [[0, 0], [3, 1], [1, 3], [0, 0]]; // biome-ignore format: a hole that touches the outer ring at a vertex
    const cases: [feature: object, areas: number[][], dropped?: string][] = [
      [squares([square(0, 0, 10)]), [[-100]]],
      [
        squares([square(0, 0, 10), square(2, 2, 3), square(6, 6, 2)], [square(20, 0, 5)]),
        [[-100, 9, 4], [-25]],
      ],
      [
        squares([square(0, 0, 30), square(2, 2, 20)], [square(5, 5, 10), square(7, 7, 3)]),
        [[-900, 400], [-100, 9]], // biome-ignore format: polygons
      ],
      [feature(null), [], 'no_geometry'],
      [squares([square(0, 0, 10), hole]), [[-100, 4]]],
      // Both are covered, as their directions say.
      [squares([square(0, 0, 10)], [square(2, 2, 3)]), [[-100], [-9]]],
    ];
    const found = await read(await geodatabase(cases.map(([feature]) => feature)));
    expect(found.map(areasOf)).toEqual(cases.map(([, areas]) => areas));
    expect(found.map(({ dropped }) => dropped)).toEqual(cases.map(([, , dropped]) => dropped));
    expect(found.at(-1)?.repaired).toBe(false);
    const heights = [squares([high(square(0, 0, 10)), high(square(2, 2, 3))])];
    for (const dimensions of ['XYZ', 'XYM', 'XYZM'])
      expect((await read(await geodatabase(heights, '-dim', dimensions))).map(areasOf)).toEqual([
        [[-100, 9]],
      ]);
  });

  test('has any polygons', async () => {
    const areas = (rings: number[][]) => rings.map(signed).sort((a, b) => a - b);
    await fc.assert(
      fc.asyncProperty(stars, async (all) => {
        const found = await read(await geodatabase(featuresOf(all)));
        // Coordinates are kept to a tenth of a millimetre.
        const expected = all.map((parts) =>
          areas(parts.flat().map((ring) => ring.flat())).map((one) => expect.closeTo(one, -1)),
        );
        expect(found.map(({ polygons }) => areas(polygons.flat()))).toEqual(expected);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  test('has attributes of all types', async () => {
    const values = [
      { a: 'Ängström', b: 7, c: 0.1, d: '2026-11-22T10:20:30', e: '2020-02-29', s: -32768, f: 1.5 },
      { a: null, b: null, c: null, d: null, e: null, s: null, f: null },
    ];
    const rows = values.map((properties) => feature(polygonAt(0, 0, 10), properties));
    const columns =
      'a, b, c, cast(d as timestamp) as d, cast(e as timestamp) as e, cast(s as smallint) as s, cast(f as float) as f';
    const files = await geodatabase(rows, '-dialect', 'OGRSQL', '-sql', `select ${columns} from "in"`);
    const read1 = (await read(files)).map(({ attributes }) => Object.values(attributes));
    const first = ['Ängström', '7', '0.1', '2026-11-22T10:20:30Z', '2020-02-29', '-32768', '1.5'];
    expect(read1).toEqual([first, Array(7).fill(null)]);
  });

  test('with an attribute of a type that GDAL does not know is refused by name', async () => {
    const files = await geodatabase([feature(polygonAt(0, 0, 10), { big: 1.5 })]);
    const name = Buffer.from('\x03b\0i\0g\0', 'latin1');
    const table = Object.values(files).find((bytes) => bytes.includes(name)) as Buffer;
    // The type follows the name and the alias, which is empty: big integers are 13.
    table.writeUInt8(13, table.indexOf(name) + name.length + 1);
    await expect(read(files)).rejects.toMatchObject({
      code: 'geodatabase_damaged',
      message: expect.stringContaining('The layer cover of cover.gdb cannot be read'),
    });
  });

  test('may have gaps between its ids', async () => {
    const ids = [1, 2, 900, 5000, 5001, 40_000];
    const rows = ids.map((id) => ({ ...feature(polygonAt(id, 0, 1), { n: id }), id }));
    expect((await read(await geodatabase(rows, '-preserve_fid'))).map(({ id }) => id)).toEqual(ids);
  });
});

describe('hostile input', () => {
  const fgb = () => Buffer.from(flatgeobuf.serialize(collection([feature(polygonAt(0, 0, 1))]) as never));
  const changed = (at: number, value: number) => {
    const bytes = fgb();
    bytes.writeUInt32LE(value, at);
    return bytes;
  };
  const firstFeature = () => 12 + fgb().readUInt32LE(8);
  const vrt =
    '<OGRVRTDataSource><OGRVRTLayer name="x"><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>';
  const tab = (more: string) => `!table\n!version 300\nDefinition Table\n${more}`;
  const gml = `<!DOCTYPE a [<!ENTITY b "${'&c;'.repeat(1000)}">]><gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml">&b;</gml:FeatureCollection>`;
  const cut = '{"type":"FeatureCollection","features":[{"type":';
  const tables = (name: string) => ({ [`a.gdb/${name}`]: Buffer.alloc(50) });
  const catalogue = { ...tables('a00000001.gdbtable'), ...tables('a00000001.gdbtablx') };
  const rootElsewhere = () => changed(firstFeature() + 4, 0xfffffff0);
  const longName = () => {
    const square = feature(polygonAt(0, 0, 1), { SPEED: 1 });
    const bytes = Buffer.from(flatgeobuf.serialize(collection([square]) as never));
    // The length of a text stands before it.
    bytes.writeUInt32LE(bytes.length, bytes.indexOf('SPEED') - 4);
    return bytes;
  };
  /** Faults, each with its file or the files of a zip, and the code of the error. */
  const cases: [string, string, () => Buffer | string | Record<string, Buffer>, string][] = [
    ['a header of 4 GB', 'x.fgb', () => changed(8, 0xffffffff), 'flatgeobuf_damaged'],
    ['a header beyond the end', 'x.fgb', () => changed(8, 100_000), 'file_truncated'],
    ['a feature beyond the end', 'x.fgb', () => changed(firstFeature(), 0xfffffff0), 'file_truncated'],
    ['a feature with its root elsewhere', 'x.fgb', rootElsewhere, 'flatgeobuf_damaged'],
    ['a name that goes beyond the header', 'x.fgb', longName, 'flatgeobuf_damaged'],
    ['FlatGeobuf cut short', 'x.fgb', () => fgb().subarray(0, -3), 'file_truncated'],
    ['only a signature', 'x.gpkg', () => 'SQLite format 3\0', 'geopackage_damaged'],
    ['a VRT called GeoJSON', 'x.geojson', () => vrt, 'format_unknown'],
    ['a VRT called TAB', 'x.tab', () => vrt, 'format_unknown'],
    ['a VRT called GeoJSON in a zip', 'x.zip', () => ({ 'x.geojson': Buffer.from(vrt) }), 'geojson_damaged'],
    ['a VRT called TAB in a zip', 'x.zip', () => ({ 'x.tab': Buffer.from(vrt) }), 'file_damaged'],
    ['a VRT called GML', 'x.zip', () => ({ 'x.gml': Buffer.from(vrt) }), 'file_damaged'],
    ['a VRT called DXF', 'x.zip', () => ({ 'x.dxf': Buffer.from(vrt) }), 'file_damaged'],
    ['a VRT called CSV', 'x.zip', () => ({ 'x.csv': Buffer.from(vrt) }), 'csv_without_areas'],
    ['GML with entities of entities', 'x.gml', () => gml, 'file_damaged'],
    ['a list', 'x.geojson', () => '[1,2]', 'geojson_damaged'],
    ['cut short', 'x.geojson', () => cut, 'geojson_damaged'],
    ['no GeoJSON', 'x.json', () => '{"a":1}', 'geojson_damaged'],
    ['TAB alone', 'x.tab', () => tab('  Type NATIVE Charset "Neutral"\n'), 'parts_missing'],
    ['TAB of a picture', 'x.tab', () => tab('  File "/etc/passwd"\n  Type "RASTER"\n'), 'tab_not_native'],
    ['a geodatabase of nothing', 'x.zip', () => catalogue, 'geodatabase_damaged'],
    ['one without its catalogue', 'x.zip', () => tables('a00000009.gdbtable'), 'geodatabase_damaged'],
  ];
  test.each(cases)('%s (%s)', async (_, name, make, code) => {
    const content = make();
    const isFile = typeof content === 'string' || Buffer.isBuffer(content);
    await expect(readFile(name, isFile ? content : await zip(content))).rejects.toMatchObject({
      name: 'FileError',
      code,
      message: expect.not.stringMatching(/mounted-|made-|scratch|covermap-/),
    });
  });

  test('a database cut short, or still being written to', async () => {
    const [whole] = Object.values(await written(areas, 'GPKG', 'gpkg')) as [Buffer];
    const cut = whole.subarray(0, whole.length / 2);
    await expect(readFile('x.gpkg', cut)).rejects.toMatchObject({ code: 'geopackage_damaged' });
    // Bytes 18 and 19: write-ahead logging, as a program leaves it that has not closed the file.
    whole.fill(2, 18, 20);
    const [layer] = await readFile('x.gpkg', whole);
    expect(layer?.features).toHaveLength(3);
    expect(layer?.warnings).toMatchObject([{ code: 'geopackage_open' }]);
    const journal = zip({ 'x.gpkg': whole, 'x.gpkg-wal': Buffer.from('changes') });
    await expect(readFile('x.zip', await journal)).rejects.toMatchObject({ code: 'geopackage_open' });
  });

  test('coordinates beyond all numbers drop the feature', async () => {
    const text = '{"type":"Polygon","coordinates":[[[0,0],[1e999,0],[1,1],[0,0]]]}';
    expect(await outcomesOf('x.geojson', text)).toEqual(['coordinates_not_finite']);
  });
});

test('the code and the text of a FlatGeobuf, and a CSV’s SRID and .prj, are compared', async () => {
  const [bytes] = Object.values(
    await written(collection(areas.features.slice(0, 2), nztm), 'FlatGeobuf', 'fgb'),
  ) as [Buffer];
  expect((await readFile('x.fgb', bytes))[0]?.systemsElsewhere).toEqual([]);
  bytes.writeInt32LE(27_200, bytes.indexOf('91080000', 0, 'hex'));
  const [layer] = await readFile('x.fgb', bytes);
  expect(layer?.referenceSystem?.definition).toBe('EPSG:27200');
  expect(layer?.systemsElsewhere).toEqual([
    { definition: expect.stringMatching(/Transverse.Mercator.*2193/s), where: 'the text in its header' },
  ]);

  const csv = Buffer.from('geom,down\n"SRID=2193;POLYGON ((0 0,1 0,1 1,0 0))",50\n');
  const [table] = await readFile('x.zip', await zip({ 'a.csv': csv, 'a.prj': Buffer.from('EPSG:27200') }));
  expect(table?.referenceSystem?.definition).toBe('EPSG:2193');
  expect(table?.systemsElsewhere).toEqual([{ definition: 'EPSG:27200', where: 'a.prj' }]);
});

describe('the system of a GeoPackage is compared with those that it names besides', () => {
  const setIn = (table: string, id: number) =>
    `update ${table} set srs_id = ${id} where table_name = 'cover'`;
  const nzmg = `insert into gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id, definition)
    values ('NZMG', 127200, 'EPSG', 27200, 'undefined')`;
  /** Writes the system into the first of the headers: GP, the version, flags, and the system. */
  const inFirstArea = (id: number) => (bytes: Buffer) =>
    bytes.writeInt32LE(id, bytes.indexOf('91080000', bytes.indexOf('GP\0'), 'hex'));
  const nothing = () => undefined;

  test.each<[string, string, (bytes: Buffer) => unknown, string | undefined, string[][]]>([
    ['nowhere', 'select 1', nothing, 'EPSG:2193', []],
    ['in its contents', setIn('gpkg_contents', 4326), nothing, 'EPSG:2193', [['EPSG:4326', 'gpkg_contents']]],
    ['in its contents, of none', setIn('gpkg_contents', -1), nothing, 'EPSG:2193', []],
    [
      'in an area, by a number of its own',
      nzmg,
      inFirstArea(127_200),
      'EPSG:2193',
      [['EPSG:27200', 'its areas']],
    ],
    [
      'in an area, by no number of its own',
      'select 1',
      inFirstArea(7),
      'EPSG:2193',
      [['srs_id 7', 'its areas']],
    ],
    [
      'alone',
      setIn('gpkg_geometry_columns', 0),
      nothing,
      'EPSG:2193',
      [['EPSG:2193', 'gpkg_contents and its areas']],
    ],
    [
      'alone, two',
      setIn('gpkg_geometry_columns', 0),
      inFirstArea(4326),
      undefined,
      [
        ['EPSG:2193', 'gpkg_contents and its areas'],
        ['EPSG:4326', 'its areas'],
      ],
    ],
  ])('%s', async (_, statements, change, used, elsewhere) => {
    const bytes = await geopackageWith(folder, ofFeatures(areas), statements);
    change(bytes);
    const layer = (await readFile('x.gpkg', bytes)).find(({ name }) => name === 'cover');
    expect(layer?.referenceSystem?.definition).toBe(used);
    expect(layer?.systemsElsewhere).toEqual(elsewhere.map(([definition, where]) => ({ definition, where })));
    expect(layer?.features).toHaveLength(3);
  });
});

describe('a GeoPackage with queries of its own', () => {
  const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n)';
  const columns = '(table_name, data_type, identifier, srs_id)';

  const withStatements = (statements: string) => geopackageWith(folder, ofFeatures(areas), statements);

  test.each([
    [
      'as a layer',
      'endless',
      `create view endless as ${endless} select i as fid from n where i < 0;
       insert into gpkg_contents ${columns} select 'ENDLESS', data_type, 'endless', srs_id from gpkg_contents limit 1`,
    ],
    [
      'in the place of one of its own tables',
      'gpkg_extensions',
      `alter table gpkg_extensions rename to other;
       create view gpkg_extensions as ${endless} select other.* from other, n where i < 0`,
    ],
    [
      'as a column of a layer',
      'cover',
      'alter table cover add column "as" text; alter table cover add column large text /* ( */ as (hex(zeroblob(4)))',
    ],
    [
      'as a column of one of its own tables',
      'gpkg_contents',
      'alter table gpkg_contents add column large text generated always as (hex(zeroblob(4))) virtual',
    ],
    [
      'as a table that another program makes',
      'made',
      `create virtual table made using rtree(fid, west, east);
       insert into gpkg_contents ${columns} select 'made', data_type, 'made', srs_id from gpkg_contents limit 1`,
    ],
  ])('%s is refused before it is run', async (_, name, statements) => {
    await expect(readFile('x.gpkg', await withStatements(statements))).rejects.toMatchObject({
      code: 'geopackage_views',
      message: expect.stringContaining(name),
    });
  });

  test('beside its layers is read without it, however much is declared', async () => {
    const tables = Array.from(
      { length: 60 },
      (_, i) => `create table t${i} (a text default '${'x'.repeat(i === 30 ? 20_000 : 500)}')`,
    );
    const stored =
      'create table made (fid integer primary key, geom polygon, twice integer as (2 * fid) stored)';
    const statements = [`create view endless as ${endless} select i from n`, stored, ...tables].join(';');
    const layers = await readFile('x.gpkg', await withStatements(statements));
    expect(layers.map(({ name }) => name).sort()).toEqual(['cover', 'more']);
  });

  test('in triggers is read as without them', async () => {
    const evil = "begin delete from cover; select load_extension('/tmp/extension.so'); end";
    const triggers = [
      ...['insert', 'update', 'delete'].map((event) => `${event} on cover`),
      ...['contents', 'geometry_columns', 'ogr_contents'].map((table) => `delete on gpkg_${table}`),
    ].map((event, i) => `create trigger evil_${i} after ${event} ${evil}`);
    const areasOf = async (statements: string) =>
      (await readFile('x.gpkg', await withStatements(statements))).map(({ name, features }) => ({
        name,
        features,
      }));
    const without = await areasOf('select 1');
    expect(without.map(({ features }) => features.length)).toEqual([3, 3]);
    expect(await areasOf(triggers.join(';'))).toEqual(without);
  });
});
