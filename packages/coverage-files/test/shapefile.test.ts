import { scratchFolder } from '@covermap/testing/scratch.ts';
import { hole, nztmPrj, points, rectangle, wgs84Prj } from '@covermap/testing/shapes.ts';
import {
  named,
  type Point,
  type ShapefileField,
  type ShapefileLayer,
  writeShapefile,
  zip,
} from '@covermap/testing/write-shapefile.ts';
import * as shapefilePackage from 'shapefile';
import { describe, expect, test } from 'vitest';
import type { FileError } from '../errors.ts';
import type { SourceLayer } from '../format.ts';
import { maxVertices } from '../shapefile/shp.ts';
import { featuresOf, layersOf, openBytes } from './source.ts';

/* Zipped shapefiles as they come in: layers, features, and everything that can be wrong with them. */

const folder = scratchFolder();

type Files = Record<string, Buffer>;

const open = async (files: Files, layers?: string[]) =>
  openBytes(folder, 'a.zip', await zip(files, { compress: false }), { layers });
const opening = async (files: Files, layers?: string[]) => (await open(files, layers)).close();
const read = async (files: Files, layers?: string[]) =>
  layersOf(folder, 'a.zip', await zip(files, { compress: false }), { layers });

/** The features of each layer, by its name. */
const readAll = async (files: Files, layers?: string[]) =>
  Object.fromEntries((await read(files, layers)).map(({ name, features }) => [name, features]));

const partsOf = (layer: Partial<ShapefileLayer> = {}): Files =>
  writeShapefile({ features: [{ rings: [square] }], prj: wgs84Prj, ...layer });
const filesOf = (name: string, layer: Partial<ShapefileLayer> = {}): Files => named(name, partsOf(layer));
const without = (files: Files, ...names: string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));

const square = rectangle(0, 0, 1, 1);
const flat = (points: Point[]) => points.flatMap((point) => point.slice(0, 2));
const ofPoints: Partial<ShapefileLayer> = { shapeType: 1, features: [{ rings: [[[1, 2]]] }] };
const ofLines: Partial<ShapefileLayer> = { shapeType: 3, features: [{ rings: [square] }] };
/** The one layer of the files that is read. */
async function layerOf(files: Files) {
  const [layer, ...others] = await read(files);
  expect(others).toEqual([]);
  return layer as NonNullable<typeof layer>;
}

test('a layer gives its name, its reference system, its fields and its encoding', async () => {
  const files = filesOf('coverage', {
    prj: `${nztmPrj}\n`,
    cpg: '1252',
    fields: [
      { name: 'NAME', type: 'C', length: 20 },
      { name: 'MBPS', type: 'N', length: 8 },
    ],
  });
  expect(await layerOf(files)).toMatchObject({
    name: 'coverage',
    format: 'ESRI Shapefile',
    referenceSystem: { definition: nztmPrj, from: 'file' },
    fields: ['NAME', 'MBPS'],
    encoding: 'cp1252',
    warnings: [],
  });
});

test.each([
  ['with a .cpg', { cpg: 'UTF-8' }],
  ['in UTF-8 that nobody names', {}],
])('features are those that the package `shapefile` reads, numbered from one: %s', async (_, given) => {
  const layer: Partial<ShapefileLayer> = {
    ...given,
    fields: [
      { name: 'NAME', type: 'C', length: 30 },
      { name: 'MBPS', type: 'N', length: 12, decimals: 3 },
    ],
    features: Array.from({ length: 50 }, (_, i) => {
      const at = 170 + i / 7;
      const second = i % 4 === 0 ? [rectangle(at, -45, at + 0.1, -44)] : [];
      return {
        rings: [rectangle(at, -40, at + 0.1, -39.9), hole(at + 0.02, -39.98, at + 0.03, -39.97), ...second],
        attributes: { NAME: i % 5 ? `Ōtāhuhu ${'ā'.repeat(i % 5)} ${i}` : null, MBPS: i % 3 ? i / 8 : null },
      };
    }),
  };
  const { shp, dbf } = partsOf(layer);
  const theirs = await shapefilePackage.read(shp as Buffer, dbf as Buffer, { encoding: 'utf-8' });
  const { coverage } = await readAll(filesOf('coverage', layer));
  const expected = theirs.features.map(({ geometry, properties }, i) => {
    const { type, coordinates } = geometry as GeoJSON.Polygon | GeoJSON.MultiPolygon;
    const polygons = type === 'Polygon' ? [coordinates] : coordinates;
    const flat = polygons.map((rings) => rings.map((ring) => ring.flat()));
    return { id: i + 1, polygons: flat, repaired: false, attributes: properties };
  });
  const ours = coverage?.map(({ attributes: { NAME, MBPS = null }, ...feature }) => ({
    ...feature,
    attributes: { NAME, MBPS: MBPS && Number(MBPS) },
  }));
  expect(ours).toEqual(expected);
});

const north = Object.entries(filesOf('North')).map(([name, bytes]) => [name.toUpperCase(), bytes]);
const { shp, dbf, prj } = partsOf() as Record<'shp' | 'dbf' | 'prj', Buffer>;
const sitesAlone = without(filesOf('sites', ofPoints), 'sites.dbf', 'sites.prj');
const northAndSouth = { ...filesOf('north'), ...filesOf('south') };

test.each<[what: string, Files, layers: string[] | undefined, names: string[]]>([
  [
    'several layers, from any folder, with extensions in any case',
    { ...Object.fromEntries(north), ...filesOf('data/2026/south'), 'readme.txt': Buffer.from('hello') },
    undefined,
    ['NORTH', 'south'],
  ],
  ['files whose names differ in case', { 'A.shp': shp, 'a.DBF': dbf, 'a.Prj': prj }, undefined, ['A']],
  ['no note', { ...filesOf('north'), 'north.shp.xml': Buffer.from('<metadata/>') }, undefined, ['north']],
  [
    'only the layers asked for, in the order asked for, case aside',
    { ...northAndSouth, ...filesOf('Wireless') },
    ['WIRELESS', 'north'],
    ['Wireless', 'north'],
  ],
  ['a layer beside a broken one not asked for', without(northAndSouth, 'south.dbf'), ['north'], ['north']],
  ['areas beside points without .dbf and .prj', { ...sitesAlone, ...filesOf('a') }, undefined, ['a']],
])('what is read is %s', async (_, files, layers, names) => {
  expect(Object.keys(await readAll(files, layers))).toEqual(names);
});

test('layers of the same name in two folders are both read, under two names', async () => {
  const files = {
    ...filesOf('north/coverage', { features: [{ rings: [rectangle(0, 5, 1, 6)] }] }),
    ...filesOf('south/coverage', { features: [{ rings: [rectangle(0, -6, 1, -5)] }] }),
  };
  expect(Object.values(await readAll(files)).map(([feature]) => feature?.polygons[0]?.[0])).toEqual([
    flat(rectangle(0, 5, 1, 6)),
    flat(rectangle(0, -6, 1, -5)),
  ]);
});

test('points and lines beside areas are passed over with a warning that names them', async () => {
  const files = { ...filesOf('sites', ofPoints), ...filesOf('cables', ofLines), ...filesOf('coverage') };
  const message = expect.stringMatching(/sites \(points\), cables \(lines\)/);
  const warnings = [{ code: 'layers_passed_over', message }];
  expect(await layerOf(files)).toMatchObject({ name: 'coverage', warnings });
});

test.each<[string, Files]>([
  ['missing', without(filesOf('coverage'), 'coverage.dbf')],
  ['in another folder', { 'a/coverage.shp': shp, 'b/coverage.dbf': dbf }],
])('without its .dbf a layer has areas alone, and the report says so: it is %s', async (_, files) => {
  const warnings = [{ code: 'dbf_missing', message: expect.stringContaining('coverage.dbf') }];
  const features = [{ polygons: [[flat(square)]], attributes: {} }];
  expect(await layerOf(files)).toMatchObject({ fields: [], warnings, features });
});

test('texts that ArcGIS exported beside codes are the values of the codes', async () => {
  const fields: ShapefileField[] = [
    ...(['DOWN', 'TECHNOLOGY'] as const).map((name) => ({ name, type: 'N', length: 4 }) as const),
    ...(['d_DOWN', 'd_TECHNOLO'] as const).map((name) => ({ name, type: 'C', length: 20 }) as const),
  ];
  const features = [
    { DOWN: 2, d_DOWN: '100 Mbps', TECHNOLOGY: 1, d_TECHNOLO: 'Fibre' },
    { DOWN: 7, d_DOWN: null, TECHNOLOGY: null, d_TECHNOLO: null },
  ].map((attributes) => ({ rings: [square], attributes }));
  const layer = await layerOf(named('coverage', writeShapefile({ fields, features })));
  expect(layer.features.map(({ attributes }) => [attributes.DOWN, attributes.TECHNOLOGY])).toEqual([
    ['100 Mbps', 'Fibre'],
    // No number that could be a speed.
    ['code 7', null],
  ]);
  expect(layer.kinds?.slice(0, 2)).toEqual([undefined, undefined]);
});

test('a text whose cut name may be beside several codes explains none', async () => {
  const fields: ShapefileField[] = [
    ...(['bandwidt_1', 'bandwidt_2'] as const).map((name) => ({ name, type: 'N', length: 4 }) as const),
    { name: 'd_bandwidt', type: 'C', length: 20 },
  ];
  const attributes = { bandwidt_1: 1, bandwidt_2: 2, d_bandwidt: '100 Mbps' };
  const layer = await layerOf(
    named('coverage', writeShapefile({ fields, features: [{ rings: [square], attributes }] })),
  );
  expect(layer.features[0]?.attributes).toMatchObject({ bandwidt_1: '1', bandwidt_2: '2' });
});

test('attributes of a type that is not read are empty, and the report names them', async () => {
  const memo = Buffer.from(dbf);
  memo.write('M', 32 + 11, 'latin1');
  const [name] = (await layerOf(filesOf('coverage'))).fields;
  const layer = await layerOf({ ...filesOf('coverage'), 'coverage.dbf': memo });
  const message = expect.stringContaining(`${name} ("M")`);
  expect(layer.warnings).toEqual([{ code: 'attributes_not_read', message }]);
  expect(layer.features[0]?.attributes[name as string]).toBeNull();
});

test.each<[string, Files, string | undefined]>([
  ['that is missing leaves the system open', without(filesOf('coverage'), 'coverage.prj'), undefined],
  ['that is empty leaves it open', filesOf('coverage', { prj: ' \r\n' }), undefined],
  ['may begin with a byte order mark', filesOf('coverage', { prj: `\ufeff${wgs84Prj}` }), wgs84Prj],
])('a .prj %s', async (_, files, definition) => {
  expect((await layerOf(files)).referenceSystem?.definition).toBe(definition);
});

/* Damage. */

const two = () =>
  filesOf('coverage', { features: [{ rings: [square] }, { rings: [rectangle(2, 0, 3, 1)] }] });
const shpOf = (files: Files) => files['coverage.shp'] as Buffer;
const dbfOf = (files: Files) => files['coverage.dbf'] as Buffer;

/** Both layers' files, of which one part is changed. */
const changed = (change: (files: Files) => void) => {
  const files = two();
  change(files);
  return files;
};
const hidden = (files: Files) => {
  const cut = Buffer.from(shpOf(files).subarray(0, -20));
  cut.writeInt32BE(cut.length / 2, 24);
  files['coverage.shp'] = cut;
};
const cutDbf = (end: number) =>
  changed((files) => Object.assign(files, { 'coverage.dbf': dbfOf(files).subarray(0, end) }));
const unequal = (areas: number, rows: number) => {
  const of = (count: number) => partsOf({ features: Array(count).fill({ rings: [square] }) });
  return named('coverage', { ...of(areas), dbf: of(rows).dbf } as Files);
};
/** Offsets within the first record: 100 bytes of the file's header and 8 of the record's come before. */
const record = 108;
const records: [string, (shp: Buffer) => void][] = [
  ['more points than fit into it', (shp) => shp.writeInt32LE(6, record + 40)],
  ['two thousand million points', (shp) => shp.writeInt32LE(0x7fffffff, record + 40)],
  ['two thousand million rings', (shp) => shp.writeInt32LE(0x7fffffff, record + 36)],
  ['fewer points than none', (shp) => shp.writeInt32LE(-1, record + 40)],
  ['fewer rings than none', (shp) => shp.writeInt32LE(-1, record + 36)],
  ['a ring that begins before the points', (shp) => shp.writeInt32LE(-1, record + 44)],
  ['a ring that begins after the points', (shp) => shp.writeInt32LE(6, record + 44)],
  ['no length', (shp) => shp.writeInt32BE(0, record - 4)],
  ['a negative length', (shp) => shp.writeInt32BE(-100, record - 4)],
  ['more bytes than the file has', (shp) => shp.writeInt32BE(0x7fffffff, record - 4)],
  ['to be a line', (shp) => shp.writeInt32LE(3, record)],
  ['to be too short for a polygon', (shp) => shp.writeInt32BE(10, record - 4)],
];
const ofFile = (name: string) => new RegExp(`coverage\\.${name}`);
type Refusal = [what: string, Files, code: string, message: RegExp, layers?: string[]];
const damaged = 'shapefile_damaged';

const pointsBesideAreas = { ...filesOf('sites', ofPoints), ...filesOf('coverage') };

/** Refused when the file is opened. */
const unopened: Refusal[] = [
  ['a layer that is not there', northAndSouth, 'layer_not_found', /"west".*It has north, south\.$/, ['west']],
  ['points alone', filesOf('sites', ofPoints), 'not_polygons', /sites \(points\)/],
  ['points beside areas, both asked for', pointsBesideAreas, 'not_polygons', /sites/, ['coverage', 'sites']],
  ['a .prj of two megabytes', filesOf('coverage', { prj: 'x'.repeat(2 * 2 ** 20) }), damaged, ofFile('prj')],
  ...[50, 100, 150, 200].map((length): Refusal => {
    const cut = (files: Files) => Object.assign(files, { 'coverage.shp': shpOf(files).subarray(0, length) });
    return [`a .shp cut short to ${length} bytes`, changed(cut), 'file_truncated', ofFile('shp')];
  }),
  ['a .dbf cut short in its header', cutDbf(40), 'file_truncated', ofFile('dbf')],
  ['no beginning', changed((files) => shpOf(files).writeInt32BE(1234, 0)), damaged, ofFile('shp')],
  ['an unknown type', changed((files) => shpOf(files).writeInt32LE(77, 32)), damaged, ofFile('shp')],
  ['a header that cannot be', changed((files) => dbfOf(files).writeUInt16LE(3, 8)), damaged, ofFile('dbf')],
];
/** Refused when features are read. */
const unread: Refusal[] = [
  ['a .shp cut short, which its header hides', changed(hidden), 'file_truncated', /./],
  ['a .dbf cut short in its rows', cutDbf(-8), 'file_truncated', ofFile('dbf')],
  ['more areas than rows', unequal(3, 2), 'records_do_not_match', /./],
  ['more rows than areas', unequal(2, 3), 'records_do_not_match', /./],
  ...records.map(([claim, change]): Refusal => {
    // Without its index, which has the lengths, too.
    const files = without(
      changed((all) => change(shpOf(all))),
      'coverage.shx',
    );
    return [`a record that claims ${claim}`, files, damaged, /coverage\.shp.*record 1/];
  }),
];
type Action = (files: Files, layers?: string[]) => Promise<unknown>;
test.each([
  ...unopened.map(([what, ...of]) => ({ what, of, action: opening as Action })),
  ...unread.map(([what, ...of]) => ({ what, of, action: readAll as Action })),
])('$what is refused', async ({ of: [files, code, message, layers], action }) => {
  if (action === readAll) await opening(files);
  const error = (await action(files, layers).catch((thrown) => thrown)) as FileError;
  expect([error.code, `${error.message} ${error.hint}`]).toEqual([code, expect.stringMatching(message)]);
});

test('an area of more vertices than are accepted is dropped, the next one read', async () => {
  const shp = shpOf(two());
  const points = maxVertices + 1;
  const record = Buffer.alloc(8 + 48 + 16 * points);
  shp.copy(record, 0, 100, 100 + 8 + 48);
  record.writeInt32BE((record.length - 8) / 2, 4);
  record.writeInt32LE(points, 8 + 40);
  const bytes = Buffer.concat([shp.subarray(0, 100), record, shp.subarray(236)]);
  bytes.writeInt32BE(bytes.length / 2, 24);
  // By itself, as packing it takes long.
  const [layer] = await layersOf(folder, 'coverage.shp', bytes);
  expect(layer?.features.map(({ dropped }) => dropped)).toEqual(['too_many_vertices', undefined]);
});

/* Features that cannot be used are passed on with the reason, in their place. */

test('features without a use say why, and do not move the attributes of the others', async () => {
  const bent = points('0 0, 0 1, NaN 1, 0 0');
  const endless = square.map(([x, y]): Point => [x, y === 1 ? Infinity : y]);
  const cases: [ShapefileLayer['features'][number], outcome: string | undefined][] = [
    [{ rings: null }, 'no_geometry'],
    [{ rings: [square], deleted: true }, 'deleted'],
    [{ rings: [bent] }, 'coordinates_not_finite'],
    [{ rings: [endless] }, 'coordinates_not_finite'],
    [{ rings: [rectangle(3, 3, 3, 3)] }, 'no_area'],
    [{ rings: [] }, 'no_geometry'],
    [{ rings: [square] }, undefined],
  ];
  const { coverage } = await readAll(filesOf('coverage', { features: cases.map(([feature]) => feature) }));
  expect(coverage?.map(({ dropped }) => dropped)).toEqual(cases.map(([, outcome]) => outcome));
  expect(coverage?.map(({ id, attributes }) => `${id} ${attributes.ID}`)).toEqual(
    cases.map((_, i) => `${i + 1} ${i + 1}`),
  );
  expect(coverage?.map(({ polygons }) => polygons.length)).toEqual([0, 0, 0, 0, 0, 0, 1]);
});

test('a layer of null shapes alone is a layer, and one without features', async () => {
  const { coverage } = await readAll(filesOf('coverage', { shapeType: 0, features: [{ rings: null }] }));
  expect(coverage?.map(({ dropped }) => dropped)).toEqual(['no_geometry']);
  expect(await readAll(filesOf('coverage', { features: [] }))).toEqual({ coverage: [] });
});

test.each([15, 25])('heights and measures of shape type %d are passed over', async (shapeType) => {
  const lifted = rectangle(0, 0, 10, 10).map(([x, y], i): Point => [x, y, 100 + i, 7]);
  const features = [{ rings: [lifted] }, { rings: [square] }];
  const { coverage } = await readAll(filesOf('coverage', { shapeType, features }));
  const polygons = [rectangle(0, 0, 10, 10), square].map((ring) => [[flat(ring)]]);
  expect(coverage?.map((feature) => feature.polygons)).toEqual(polygons);
});

// Part types of the ESRI Shapefile Technical Description, page 21.
test.each([
  ['each three of a strip', 0, '012 123 234'],
  ['each two of a fan, with its first', 1, '012 023 034'],
])('of a multipatch %s are a triangle', async (_, part, triangles) => {
  const corners: Point[] = [[0, 0], [0, 4], [2, 5], [4, 4], [5, 1]]; // biome-ignore format: corners
  const features = [{ rings: [corners], parts: [part] }];
  const { coverage } = await readAll(filesOf('coverage', { shapeType: 31, features }));
  const numbersOf = (ring: number[] = []) =>
    corners.flatMap(([x, y], i) =>
      ring.some((_, at) => ring[at * 2] === x && ring[at * 2 + 1] === y) ? i : [],
    );
  const found = coverage?.[0]?.polygons.map(([ring]) => numbersOf(ring).join(''));
  expect(found?.join(' ')).toBe(triangles);
});

test('rings of the wrong direction are repaired, and reported', async () => {
  const features = [{ rings: [hole(0, 0, 1, 1)] }, { rings: [square] }];
  const { coverage } = await readAll(filesOf('coverage', { features }));
  expect(coverage?.map(({ repaired }) => repaired)).toEqual([true, false]);
});

test('progress counts the .shp files that are read', async () => {
  const source = await open({ ...filesOf('north'), ...filesOf('south'), ...filesOf('sites', ofPoints) });
  expect(source.bytesTotal).toBe(2 * shp.length);
  source.close();
});

test('reading may stop after any feature', async () => {
  const source = await open(filesOf('coverage', { features: Array(10_000).fill({ rings: [square] }) }));
  const [layer] = source.layers as [SourceLayer];
  for await (const feature of layer.features()) {
    if (feature.id === 3) break;
  }
  expect(layer.bytesRead()).toBeLessThan(source.bytesTotal / 2);
  source.close();
});

/** A shapefile after edits of all its records: each stale record lies before the one that the index names. */
function rewritten(files: Record<string, Buffer>, order: number[]): Record<string, Buffer> {
  const { shp, shx, ...rest } = files as { shp: Buffer; shx: Buffer };
  const head = Buffer.from(shp.subarray(0, 100));
  const index = Buffer.from(shx);
  const parts: Buffer[] = [head];
  let offset = 100;
  for (const i of order) {
    const from = shx.readInt32BE(100 + 8 * i) * 2;
    const length = 8 + shx.readInt32BE(104 + 8 * i) * 2;
    const stale = shp.subarray(from, from + length);
    parts.push(stale, stale);
    index.writeInt32BE((offset + length) / 2, 100 + 8 * i);
    offset += 2 * length;
  }
  head.writeInt32BE(offset / 2, 24);
  return { ...rest, shp: Buffer.concat(parts), shx: index };
}

const orders = { 'with gaps': [0, 1, 2, 3], 'in another order': [2, 0, 3, 1] };
test.each(Object.entries(orders))('records %s are read as the index (.shx) says', async (_, order) => {
  const whole = writeShapefile({
    fields: [{ name: 'NAME', type: 'C', length: 5 }],
    features: [1, 2, 3, 4].map((i) => ({
      rings: [rectangle(170 + i, -40, 170.5 + i, -39)],
      attributes: { NAME: `n${i}` },
    })),
    prj: wgs84Prj,
  });
  // Gaps do not count as read, so that progress ends before the size of the file.
  const read = async (files: Files) => {
    const source = await open(named('cover', files));
    return featuresOf(source.layers[0] as SourceLayer).finally(() => source.close());
  };
  const expected = await read(whole);
  expect(expected).toHaveLength(4);
  const moved = rewritten(whole, order);
  expect(await read(moved)).toEqual(expected);
  // An index that leads nowhere is ignored: the records are read one after the other.
  const useless = Buffer.from(whole.shx as Buffer);
  useless.writeInt32BE(60, 108);
  expect(await read({ ...whole, shx: useless })).toEqual(expected);
});

describe('wrong lengths in a .shp whose index is right', () => {
  const whole = () => {
    const rings = [1, 2, 3, 4].map((i) => (i === 2 ? [] : [rectangle(170 + i, -40, 170.5 + i, -39)]));
    return writeShapefile({ features: rings.map((one) => ({ rings: one })), prj: wgs84Prj }) as {
      shp: Buffer;
      shx: Buffer;
    };
  };
  const lengthAt = (files: { shx: Buffer }, i: number) => files.shx.readInt32BE(100 + 8 * i) * 2 + 4;
  const read = async (files: Files) => {
    const source = await open(named('cover', files));
    const [layer] = source.layers as [SourceLayer];
    const features = await featuresOf(layer).finally(() => source.close());
    return { features, warnings: layer.warnings.map(({ code }) => code) };
  };
  test.each<[string, (files: { shp: Buffer; shx: Buffer }) => void]>([
    ['of the file, too short', ({ shp }) => shp.writeInt32BE(80, 24)],
    ['of the file, too long', ({ shp }) => shp.writeInt32BE(shp.length, 24)],
    ['of a null record, too long', (files) => files.shp.writeInt32BE(40, lengthAt(files, 1))],
    ['of an area, too short', (files) => files.shp.writeInt32BE(4, lengthAt(files, 2))],
    ['of an area, none', (files) => files.shp.writeInt32BE(0, lengthAt(files, 2))],
    ['of the last one, beyond the file', (files) => files.shp.writeInt32BE(0x7fffffff, lengthAt(files, 3))],
  ])('%s are passed over with a warning', async (_, change) => {
    const { features: expected, warnings: none } = await read(whole());
    expect([expected.length, none]).toEqual([4, []]);
    const wrong = whole();
    change(wrong);
    expect(await read(wrong)).toEqual({ features: expected, warnings: ['shp_lengths_wrong'] });
  });

  test('of a record before gaps is passed over, too', async () => {
    const moved = rewritten(whole(), [0, 1, 2, 3]) as { shp: Buffer; shx: Buffer };
    const { features: expected } = await read(moved);
    moved.shp.writeInt32BE(400, lengthAt(moved, 1));
    expect(await read(moved)).toEqual({ features: expected, warnings: ['shp_lengths_wrong'] });
  });

  test('without the index they are named', async () => {
    const { shx: _, ...files } = whole();
    files.shp.writeInt32BE((100 + 136) / 2, 24);
    const error = { code: 'shapefile_damaged', message: expect.stringMatching(/its header says 236 bytes/) };
    await expect(read(files)).rejects.toMatchObject(error);
  });
});

test('a table without fields has rows without attributes, however it ends', async () => {
  const files = partsOf({ features: [{ rings: [square] }, { rings: [rectangle(2, 0, 3, 1)] }] }) as Files;
  const header = Buffer.alloc(33);
  header.writeUInt8(3, 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt16LE(33, 8);
  header.writeUInt16LE(1, 10);
  for (const rows of ['  \x1a', ' \x1a', '\x1a']) {
    const dbf = Buffer.concat([header, Buffer.from(rows, 'latin1')]);
    const source = await open(named('drawn', { ...files, dbf }));
    const [layer] = source.layers as [SourceLayer];
    expect(layer.fields).toEqual([]);
    const features = await featuresOf(layer).finally(() => source.close());
    expect(features.map(({ dropped }) => dropped)).toEqual([undefined, undefined]);
  }
});

test('an index that leads to one record again and again is refused', async () => {
  const features = [1, 2, 3].map((i) => ({ rings: [rectangle(170 + i, -40, 170.5 + i, -39)] }));
  const whole = writeShapefile({ features, prj: wgs84Prj });
  const moved = rewritten(whole, [0, 1, 2]);
  const { shp, shx } = moved as { shp: Buffer; shx: Buffer };
  // The second record claims to extend to the end of the file.
  const second = shx.readInt32BE(108) * 2;
  shp.writeInt32BE((shp.length - second - 8) / 2, second + 4);
  shx.writeInt32BE(second / 2, 116);
  await expect(read(named('cover', moved))).rejects.toMatchObject({ code: 'shapefile_damaged' });
});
