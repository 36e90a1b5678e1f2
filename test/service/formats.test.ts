import proj4 from 'proj4';
import { afterAll, describe, expect, test } from 'vitest';
import type { Availability } from '../../client/schema.ts';
import type { FollowedSubmission } from '../../commands/submit.ts';
import type { ManifestInput } from '../../core/coverage/submissions/manifest.ts';
import type { Point } from '../../samples/formats.ts';
import { convert, geojson, kml, overlayKmz } from '../../samples/formats.ts';
import { zip } from '../../samples/zip.ts';
import { readInProcesses } from '../setup/reader-here.ts';
import { useService } from '../setup/service.ts';
import { rectangle, zippedShapefile } from '../setup/shapes.ts';

/*
 * Every format that operators supply, from the file to the answer: what the report says of it, and what is answered
 * inside, in holes, and outside.
 */

const service = await useService();

const nztm = '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m';

/** The greatest download speed of the technology there; undefined where it is not available from the provider. */
function speedOf({ results }: Availability, technology = 'fibre', provider = 'Test Networks') {
  const found = results.find((result) => result.technology === technology);
  return found?.providers?.find(({ name }) => name === provider)?.bandwidth_max_mbps;
}
const speedAt = async (lat: number, lng: number, ...of: [technology?: string, provider?: string]) =>
  speedOf(await service.at(lat, lng), ...of);

/** A square in degrees with a hole in its middle, counter-clockwise. */
const square = (lng: number, lat: number): Point[][] => [
  rectangle(lng, lat, lng + 0.06, lat + 0.06).reverse() as Point[],
  rectangle(lng + 0.02, lat + 0.02, lng + 0.04, lat + 0.04) as Point[],
];
const areas = [
  { rings: square(174.5, -37), properties: { maxdown: 100, maxup: 20 } },
  { rings: square(174.6, -37), properties: { maxdown: 300, maxup: 50 } },
];
const inMetres = areas.map(({ rings, properties }) => ({
  rings: rings.map((ring) => ring.map((point): Point => proj4(nztm, [point[0], point[1]]) as Point)),
  properties,
}));

interface Fixture {
  what: string;
  file: string;
  bytes: () => Promise<Uint8Array>;
  format: string;
  system: RegExp;
  manifest?: Partial<ManifestInput>;
}

const fixtures: Fixture[] = [
  {
    what: 'a shapefile written by hand',
    file: 'a.zip',
    bytes: async () => {
      const fields = ['maxdown', 'maxup'].map((name) => ({ name, type: 'N' as const, length: 6 }));
      // Outer rings clockwise here, as the format has them.
      const features = areas.map(({ rings, properties }) => ({
        rings: rings.map((ring) => [...ring].reverse()),
        attributes: properties,
      }));
      return (await zippedShapefile({ fields, features })).bytes;
    },
    format: 'ESRI Shapefile',
    system: /WGS/,
  },
  {
    what: 'a file geodatabase in NZTM2000, in a folder of the archive',
    file: 'a.zip',
    bytes: async () => {
      const files = await convert(geojson(inMetres, 2193), 'OpenFileGDB', 'cover.gdb');
      return zip(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`out/${name}`, bytes])));
    },
    format: 'File Geodatabase',
    system: /Transverse Mercator/,
  },
  {
    what: 'a GeoPackage in NZTM2000',
    file: 'a.gpkg',
    bytes: async () => (await convert(geojson(inMetres, 2193), 'GPKG', 'a.gpkg'))['a.gpkg'] as Buffer,
    format: 'GeoPackage',
    system: /Transverse Mercator/,
  },
  { what: 'GeoJSON', file: 'a.json', bytes: async () => geojson(areas), format: 'GeoJSON', system: /WGS 84/ },
  {
    what: 'FlatGeobuf',
    file: 'a.fgb',
    bytes: async () => (await convert(geojson(areas), 'FlatGeobuf', 'a.fgb'))['a.fgb'] as Buffer,
    format: 'FlatGeobuf',
    system: /WGS 84/,
  },
  {
    what: 'MapInfo TAB',
    file: 'a.zip',
    bytes: async () => zip(await convert(geojson(inMetres, 2193), 'MapInfo File', 'a.tab')),
    format: 'MapInfo TAB',
    system: /./,
  },
  {
    what: 'KML as Google Earth writes it',
    file: 'a.kml',
    bytes: async () => kml('Drawn', { Slow: areas.slice(0, 1), Fast: areas.slice(1) }),
    format: 'KML',
    system: /WGS 84/,
    manifest: {
      tiers: {
        field: 'folder',
        values: {
          Slow: { speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 } },
          Fast: { speeds: { bandwidth_max_mbps: 300, bandwidth_up_max_mbps: 50 } },
        },
      },
    },
  },
  {
    what: 'KMZ',
    file: 'a.kmz',
    bytes: async () =>
      zip({
        'doc.kml': Buffer.from(
          kml('Drawn', { All: areas })
            .toString()
            .replaceAll('<name></name>', '<name>100/20</name>')
            .replace(/(<name>100\/20<\/name>[\s\S]*)<name>100\/20<\/name>/, '$1<name>300/50</name>'),
        ),
      }),
    format: 'KMZ',
    system: /WGS 84/,
    manifest: { attributes: { bandwidth_max_mbps: 'name' } },
  },
];

describe('each format', () => {
  afterAll(() => readInProcesses(false));
  test.each(fixtures)('$what', async ({ file, bytes, format, system, manifest }) => {
    // Readers' processes send the same for all formats: two suffice, one that GDAL reads and one that our own code reads.
    readInProcesses(['File Geodatabase', 'KML'].includes(format));
    const submission = await service.ingest(
      { name: file, bytes: await bytes() },
      { speeds: {}, ...manifest },
    );
    expect(submission.error).toBeNull();
    const { report } = submission as { report: NonNullable<FollowedSubmission['report']> };
    expect(report.layers).toMatchObject([
      { format, reference_system: expect.stringMatching(system), features: 2 },
    ]);
    expect(report.features).toMatchObject({ read: 2, loaded: 2, clipped: 0, dropped: {} });
    expect(submission.progress).toMatchObject({ rows_loaded: 2, features_read: 2 });
    expect(report.tiers.map((tier) => [tier.bandwidth_max_mbps, tier.bandwidth_up_max_mbps]).sort()).toEqual([
      [100, 20],
      [300, 50],
    ]);
    // 8/9 of 0.06 degrees square at 37 degrees south, twice.
    expect(report.area_km2).toBeGreaterThan(63.0);
    expect(report.area_km2).toBeLessThan(63.4);
    expect(report.bbox?.map((value) => Math.round(value * 1e4) / 1e4)).toEqual([174.5, -37, 174.66, -36.94]);
    expect(report.vertices).toBe(20);
    expect(await speedAt(-36.99, 174.51)).toBe(100);
    expect(await speedAt(-36.97, 174.53)).toBeUndefined();
    expect(await speedAt(-36.99, 174.61)).toBe(300);
    expect(await speedAt(-36.97, 174.58)).toBeUndefined();
  });
});

/* Both the reader of KML and that of rasters place images on the ground. */
test('an image on the ground says of each place what its pixel there says', async () => {
  const [width, height] = [12, 10];
  const pixels = Uint8Array.from(
    { length: width * height },
    (_, i) => [0, 1, 2, 1, 0][(i * 7 + (i >> 3)) % 5] as number,
  );
  const colours: [number, number, number][] = [
    [255, 0, 0],
    [0, 0, 255],
  ];
  const classes: ManifestInput['classes'] = [
    { colour: '#ff0000', speeds: { bandwidth_max_mbps: 10, bandwidth_up_max_mbps: 1 } },
    { colour: '#0000ff', tolerance: 4, speeds: { bandwidth_max_mbps: 20, bandwidth_up_max_mbps: 2 } },
  ];
  const box = { north: -38, south: -38.1, east: 176.12, west: 176 };
  const bytes = await overlayKmz('Plain', { width, height, pixels, colours }, box);
  const { error, report } = await service.ingest(
    { name: 'plain.kmz', bytes },
    { technology: 'cable', speeds: {}, classes },
  );
  expect([error, report?.warnings]).toEqual([null, []]);
  const answers = await service.atAll(
    Array.from(pixels, (_, i) => [
      box.north - ((box.north - box.south) * (Math.floor(i / width) + 0.5)) / height,
      box.west + ((box.east - box.west) * ((i % width) + 0.5)) / width,
    ]),
  );
  const speeds = answers.map((answer) => speedOf(answer, 'cable'));
  expect(speeds).toEqual(Array.from(pixels, (index) => [undefined, 10, 20][index]));
});

describe('the report', () => {
  test('a hole outside its outer ring is no coverage, in any format, and one across its edge is a hole as far as it lies within', async () => {
    const rings = [
      rectangle(172, -43, 172.1, -42.9).reverse() as Point[],
      rectangle(172.2, -43, 172.3, -42.9),
      rectangle(172.05, -42.98, 172.15, -42.96),
      rectangle(172.4, -43, 172.5, -42.9),
    ];
    const text = (ring: readonly Point[], within: string, between: string) =>
      ring.map((position) => position.join(within)).join(between);
    const boundary = (ring: readonly Point[], of: string) =>
      `<${of}BoundaryIs><LinearRing><coordinates>${text(ring, ',', ' ')}</coordinates></LinearRing></${of}BoundaryIs>`;
    const kml = `<kml><Placemark><Polygon>${rings.map((ring, i) => boundary(ring, i === 0 ? 'outer' : 'inner')).join('')}</Polygon></Placemark></kml>`;
    const csv = `WKT\n"POLYGON(${rings.map((ring) => `(${text(ring, ' ', ', ')})`).join()})"\n`;
    const manifest = { provider: 'Stray', crs: 'EPSG:4326' };
    const figures = [];
    for (const [name, bytes] of [
      ['stray.geojson', geojson([{ rings }])],
      ['stray.kml', Buffer.from(kml)],
      ['stray.csv', Buffer.from(csv)],
    ] as const) {
      const { report } = await service.ingest({ name, bytes }, { ...manifest, provider: `Stray ${name}` });
      const [box, area] = [report?.bbox, report?.tiers[0]?.area_km2];
      figures.push({ features: report?.features, box, area });
      expect(report?.problems, name).toMatchObject([
        { kind: 'repaired', reason: 'Hole outside its outer ring dropped', count: 1 },
      ]);
    }
    const [first, ...others] = figures;
    expect(first).toMatchObject({ features: { loaded: 1, repaired: 1 }, box: [172, -43, 172.1, -42.9] });
    const { rows } = await service.database.query<{ km2: number }>(
      'select coverage_area_m2(st_makeenvelope(172, -43, 172.1, -42.9, 4326)) / 1e6 as km2',
    );
    expect((first?.area as number) / (rows[0]?.km2 as number)).toBeCloseTo(0.9, 2);
    for (const other of others) expect(other).toEqual(first);
  });

  test('counts what was dropped, repaired and clipped, with the first ten of each and where they are', async () => {
    const bow: Point[] = [
      [173, -43],
      [173.1, -42.9],
      [173.1, -43],
      [173, -42.9],
      [173, -43],
    ];
    const good = rectangle(172, -43, 172.1, -42.9).reverse() as Point[];
    const bytes = geojson([
      { rings: [bow] },
      { rings: [good] },
      ...Array.from({ length: 12 }, () => ({ rings: [good] })),
      { rings: [rectangle(172, -43, 172.1, -43 + 5e-9).reverse() as Point[]] },
      { rings: [rectangle(178.5, -40, 178.7, -39.9).reverse() as Point[]] },
      { rings: [rectangle(150, -40, 150.1, -39.9).reverse() as Point[]] },
    ]);
    const { report } = await service.ingest({ name: 'a.geojson', bytes }, { provider: 'Careless' });
    expect(report?.features).toMatchObject({
      read: 17,
      loaded: 3,
      repaired: 1,
      clipped: 1,
      dropped: { duplicate: 12, sliver: 1, outside_service_area: 1 },
    });
    const problem = (kind: string, reason: string) =>
      report?.problems.find((one) => one.kind === kind && one.reason === reason);
    expect(problem('dropped', 'duplicate')?.examples).toHaveLength(10);
    expect(problem('dropped', 'duplicate')?.examples[0]).toEqual({
      layer: 'a',
      feature: 3,
      lng: 172,
      lat: -43,
    });
    expect(problem('repaired', 'Self-intersection')?.examples).toEqual([
      { layer: 'a', feature: 1, lng: 173.05, lat: -42.95 },
    ]);
    expect(problem('clipped', 'outside_service_area')?.examples).toMatchObject([{ feature: 16 }]);
    expect(problem('dropped', 'outside_service_area')?.examples).toMatchObject([{ feature: 17 }]);
    expect(problem('dropped', 'sliver')?.examples).toMatchObject([{ feature: 15 }]);
  });

  test('degrees without a reference system are a question with choices, and never a default', async () => {
    const { bytes } = await zippedShapefile({
      prj: '',
      features: [{ rings: [rectangle(174, -37, 174.1, -36.9)] }],
    });
    const file = { name: 'a.zip', bytes };
    const { state, error } = await service.ingest(file, { provider: 'Nameless' });
    expect(state).toBe('failed');
    expect(error).toMatchObject({
      code: 'reference_system_missing',
      choices: [
        { crs: 'EPSG:4326', bbox: [174, -37, 174.1, -36.9], likely: true },
        { crs: 'EPSG:4272', likely: true },
      ],
    });
    const { report } = await service.ingest(file, { provider: 'Nameless', crs: 'EPSG:4272' });
    expect(report?.layers).toMatchObject([{ reference_system: 'NZGD49', reference_system_from: 'manifest' }]);
  });

  test('names what it met where the manifest lists nothing of it', async () => {
    const bytes = kml('Styles', {
      Green: [{ rings: [rectangle(174, -37, 174.1, -36.9)] }],
      Red: [{ rings: [rectangle(175, -37, 175.1, -36.9)] }],
    });
    const tiers = { field: 'folder', values: { Blue: { coverage: false as const } } };
    const { state, error } = await service.ingest(
      { name: 'a.kml', bytes },
      { provider: 'Unlisted', tiers, speeds: {} },
    );
    expect(state).toBe('failed');
    expect(error).toMatchObject({
      code: 'values_unknown',
      message: expect.stringMatching(/"Green", "Red"/),
      hint: expect.stringContaining('tiers'),
    });
  });
});

describe('GeoJSON in metres, against its definition', () => {
  const metres = geojson([{ rings: [rectangle(1_748_000, 5_427_000, 1_749_000, 5_428_000)] }]);
  test('fails with the line that says what they are', async () => {
    const { error } = await service.ingest({ name: 'a.geojson', bytes: metres }, { provider: 'Metres' });
    expect(error).toMatchObject({
      code: 'reference_system_missing',
      message: expect.stringContaining('NZTM2000'),
      hint: expect.stringContaining('"crs": "EPSG:2193"'),
    });
  });
  test('is read with that line', async () => {
    const { report } = await service.ingest(
      { name: 'a.geojson', bytes: metres },
      { provider: 'Metres', crs: 'EPSG:2193' },
    );
    expect(report?.layers).toMatchObject([{ reference_system_from: 'manifest' }]);
    expect(report?.area_km2).toBeCloseTo(1, 2);
  });
  test('degrees stay degrees, whatever the manifest says, and the report has what the file says', async () => {
    const degrees = geojson([{ rings: [rectangle(174, -37, 174.1, -36.9)] }]);
    const { report } = await service.ingest(
      { name: 'a.geojson', bytes: degrees },
      { provider: 'Degrees', crs: 'EPSG:2193' },
    );
    expect(report?.layers).toMatchObject([{ reference_system: 'WGS 84', reference_system_from: 'format' }]);
  });
});
