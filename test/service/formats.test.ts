import type { Point } from '@covermap/testing/formats.ts';
import { convert, geojson, kml, overlayKmz } from '@covermap/testing/formats.ts';
import { randomNumbers } from '@covermap/testing/random.ts';
import { points, rectangle, wgs84Prj, zippedShapefile } from '@covermap/testing/shapes.ts';
import { zip } from '@covermap/testing/zip.ts';
import proj4 from 'proj4';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Availability } from '../../client/schema.ts';
import type { FollowedSubmission } from '../../commands/submit.ts';
import type { ManifestInput } from '../../coverage/submissions/manifest.ts';
import { readInProcesses } from '../setup/reader-here.ts';
import { useService } from '../setup/service.ts';

/* From the file to the answer: what the report says, and what is answered inside, in holes, and outside. */

const service = await useService();

const nztm = '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m';

/** The greatest download speed of the technology there; undefined where it is not available from the provider. */
function speedOf({ results }: Availability, technology: string) {
  const found = results.find((result) => result.technology === technology);
  return found?.providers?.find(({ name }) => name === 'Test Networks')?.bandwidth_max_mbps;
}

/** A square in degrees with a hole in its middle, counter-clockwise. */
const square = (lng: number, lat: number): Point[][] => [
  rectangle(lng, lat, lng + 0.06, lat + 0.06).reverse() as Point[],
  rectangle(lng + 0.02, lat + 0.02, lng + 0.04, lat + 0.04) as Point[],
];
const slow = { rings: square(174.5, -37), properties: { maxdown: 100, maxup: 20 } };
const fast = { rings: square(174.6, -37), properties: { maxdown: 300, maxup: 50 } };
const inMetres = [slow, fast].map(({ rings, properties }) => ({
  rings: rings.map((ring) => ring.map((point): Point => proj4(nztm, [point[0], point[1]]) as Point)),
  properties,
}));

const speedsOf = ({ properties: { maxdown, maxup } }: typeof slow) => ({
  speeds: { bandwidth_max_mbps: maxdown, bandwidth_up_max_mbps: maxup },
});

/* One that GDAL reads and one that our own code reads; samples.test.ts and gdal-oracle.test.ts have each format. */
test.each<
  [what: string, file: string, bytes: () => Promise<Uint8Array>, layer: object, Partial<ManifestInput>]
>([
  [
    'a file geodatabase in NZTM2000, in a folder of the archive',
    'a.zip',
    async () => {
      const files = await convert(geojson(inMetres, 2193), 'OpenFileGDB', 'cover.gdb');
      return zip(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`out/${name}`, bytes])));
    },
    { format: 'File Geodatabase', reference_system: expect.stringContaining('Transverse Mercator') },
    {},
  ],
  [
    'KML as Google Earth writes it',
    'a.kml',
    async () => kml('Drawn', { Slow: [slow], Fast: [fast] }),
    { format: 'KML', reference_system: 'WGS 84' },
    { tiers: { field: 'folder', values: { Slow: speedsOf(slow), Fast: speedsOf(fast) } } },
  ],
])('%s is read in a process of its own, and answered', async (_, name, bytes, layer, manifest) => {
  readInProcesses(true);
  onTestFinished(() => readInProcesses(false));
  const submission = await service.ingest({ name, bytes: await bytes() }, { speeds: {}, ...manifest });
  expect(submission.error).toBeNull();
  const { report } = submission as { report: NonNullable<FollowedSubmission['report']> };
  expect(report.layers).toMatchObject([{ ...layer, features: 2 }]);
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
  const inside = [100, undefined, 300, undefined];
  const answers = await service.atAll([[-36.99, 174.51], [-36.97, 174.53], [-36.99, 174.61], [-36.97, 174.58]]); // biome-ignore format: places
  expect(answers.map((answer) => speedOf(answer, 'fibre'))).toEqual(inside);
});

/* Both the reader of KML and that of rasters place images on the ground. */
test('an image on the ground says of each place what its pixel there says', async () => {
  const [width, height] = [12, 10];
  const palette = [0, 1, 2, 1, 0];
  const pixels = Uint8Array.from({ length: width * height }, (_, i) => palette[(i * 7 + (i >> 3)) % 5] ?? 0);
  const colours = [[255, 0, 0], [0, 0, 255]] as [number, number, number][]; // biome-ignore format: colours
  const classes: ManifestInput['classes'] = [
    { colour: '#ff0000', speeds: { bandwidth_max_mbps: 10, bandwidth_up_max_mbps: 1 } },
    { colour: '#0000ff', tolerance: 4, speeds: { bandwidth_max_mbps: 20, bandwidth_up_max_mbps: 2 } },
  ];
  const box = { north: -38, south: -38.1, east: 176.12, west: 176 };
  const bytes = await overlayKmz('Plain', { width, height, pixels, colours }, box);
  const manifest = { technology: 'cable', speeds: {}, classes };
  const { error, report } = await service.ingest({ name: 'plain.kmz', bytes }, manifest);
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
    const text = rings.map((ring) => `(${ring.map(([lng, lat]) => `${lng} ${lat}`)})`);
    const formats = {
      geojson: geojson([{ rings }]),
      kml: kml('Stray', { All: [{ rings }] }),
      csv: Buffer.from(`WKT\n"POLYGON(${text})"\n`),
    };
    for (const [ending, bytes] of Object.entries(formats)) {
      const manifest = { provider: `Stray ${ending}`, crs: 'EPSG:4326' };
      const { report } = await service.ingest({ name: `stray.${ending}`, bytes }, manifest);
      const reason = 'Hole outside its outer ring dropped';
      expect(report?.problems, ending).toMatchObject([{ kind: 'repaired', reason, count: 1 }]);
      expect(report?.features).toMatchObject({ loaded: 1, repaired: 1 });
      expect(report?.bbox).toEqual([172, -43, 172.1, -42.9]);
      // A tenth of 90.6 km2 is the hole.
      expect(report?.tiers[0]?.area_km2).toBeCloseTo(81.55, 1);
      // Beside it lie two of the size of the outer ring.
      expect(
        report?.warnings.map(({ code }) => code),
        ending,
      ).toEqual(['repair_lost_area']);
      expect(report?.warnings[0]?.message).toMatch(/feature 1 .*left out 181\.\d km2/);
    }
  });

  test('a further ring that runs as the first and lies beside it is coverage, but no inner boundary of KML is', async () => {
    const rings = [172, 172.2].map((lng) => rectangle(lng, -43, lng + 0.1, -42.9).reverse() as Point[]);
    const text = rings.map((ring) => `(${ring.map(([lng, lat]) => `${lng} ${lat}`)})`);
    const files: [string, Buffer, warnings: string[], km2: number][] = [
      ['geojson', geojson([{ rings }]), [], 181.2],
      ['csv', Buffer.from(`WKT\n"POLYGON(${text})"\n`), [], 181.2],
      ['kml', Buffer.from(kml('Beside', { All: [{ rings }] })), ['repair_lost_area'], 90.6],
    ];
    for (const [ending, bytes, warnings, km2] of files) {
      const manifest = { provider: `Beside ${ending}`, crs: 'EPSG:4326' };
      const { report } = await service.ingest({ name: `beside.${ending}`, bytes }, manifest);
      expect(report?.area_km2, ending).toBeCloseTo(km2, 0);
      expect(report?.features).toMatchObject({ loaded: 1, repaired: 1 });
      expect(report?.warnings.map(({ code }) => code)).toEqual(warnings);
    }
  });

  test('one feature whose area nobody can know holds back all others, and is named', async () => {
    const area = (lng: number) =>
      `POLYGON ((${rectangle(lng, -43, lng + 0.01, -42.99).map((point) => point.join(' '))}))`;
    const rows = Array.from({ length: 30 }, (_, i) => `Site ${i},"${area(172 + i / 50)}"`);
    rows[7] = `Main range,"${area(173).slice(0, -2)},173 -43.5"`;
    const bytes = Buffer.from(`name,WKT\n${rows.join('\n')}\n`);
    const manifest: ManifestInput = { provider: 'Unknown area', crs: 'EPSG:4326', publish: 'auto' };
    const submission = await service.ingest({ name: 'cut.csv', bytes }, manifest);
    const message = expect.stringContaining('feature 8 of cut');
    expect(submission.report?.warnings).toEqual([{ code: 'dropped_area_unknown', message }]);
    expect(submission.state).not.toBe('published');
    expect(submission.blocking).toMatchObject([{ code: 'dropped_area_unknown' }]);
  });

  test('areas of no coverage hold back what they lie over, of the technology that they are none of, but not what they lie beside', async () => {
    const area = (west: number, east: number) =>
      `POLYGON ((${rectangle(west, -43, east, -42.9).map((point) => point.join(' '))}))`;
    const table = (...rows: [status: string, technology: string, west: number, east: number][]) =>
      `STATUS,TECH,WKT\n${rows.map(([status, technology, ...ends]) => `${status},${technology},"${area(...ends)}"`).join('\n')}\n`;
    const live: [string, string, number, number] = ['Live', 'fibre', 172, 172.1];
    const codes = async (csv: string, more: object = {}) => {
      const attributes = { technology: 'TECH', availability: 'STATUS' };
      const manifest = { provider: 'Takes away', crs: 'EPSG:4326', attributes, ...more } as ManifestInput;
      const { report } = await service.ingest({ name: 'taken.csv', bytes: Buffer.from(csv) }, manifest);
      return report?.warnings.map(
        ({ code, message }) => `${code}: ${/feature \d+ of \w+/.exec(message)?.[0]}`,
      );
    };
    const asked = ['no_coverage_over_coverage: feature 1 of taken'];
    // Before and behind it, whole and in part.
    expect(await codes(table(['No', 'fibre', 172.02, 172.04], live))).toEqual(asked);
    expect(await codes(table(['Exclusion', 'fibre', 172.06, 172.2], live))).toEqual(asked);
    expect(await codes(table(['No', 'fibre', 172.1, 172.2], live))).toEqual([]);
    expect(await codes(table(['No', 'wireless', 172.02, 172.04], live))).toEqual([]);
    const speeds = { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
    const tiers = { field: 'STATUS', values: { Live: { speeds }, Cut: { coverage: false } } };
    const byTier = { technology: 'fibre', attributes: { technology: null, availability: null }, tiers };
    expect(await codes(table(['Cut', 'wireless', 172.02, 172.04], live), byTier)).toEqual(asked);
  });

  test('counts what was dropped, repaired and clipped, with the first ten of each and where they are', async () => {
    const bow = points('173 -43, 173.1 -42.9, 173.1 -43, 173 -42.9, 173 -43');
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
    const third = { layer: 'a', feature: 3, lng: 172, lat: -43 };
    expect(problem('dropped', 'duplicate')?.examples[0]).toEqual(third);
    expect(problem('repaired', 'Self-intersection')?.examples).toEqual([
      { layer: 'a', feature: 1, lng: 173.05, lat: -42.95 },
    ]);
    expect(problem('clipped', 'outside_service_area')?.examples).toMatchObject([{ feature: 16 }]);
    expect(problem('dropped', 'outside_service_area')?.examples).toMatchObject([{ feature: 17 }]);
    expect(problem('dropped', 'sliver')?.examples).toMatchObject([{ feature: 15 }]);
  });

  test('degrees without a reference system are a question with choices, and never a default', async () => {
    const features = [{ rings: [rectangle(174, -37, 174.1, -36.9)] }];
    const file = await zippedShapefile({ prj: '', features });
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
    const area = { rings: [rectangle(174, -37, 174.1, -36.9)] };
    const bytes = kml('Styles', { Green: [area], Red: [area] });
    const tiers = { field: 'folder', values: { Blue: { coverage: false as const } } };
    const manifest = { provider: 'Unlisted', tiers, speeds: {} };
    const { state, error } = await service.ingest({ name: 'a.kml', bytes }, manifest);
    expect(state).toBe('failed');
    expect(error).toMatchObject({
      code: 'values_unknown',
      message: expect.stringMatching(/"Green", "Red"/),
      hint: expect.stringContaining('tiers'),
    });
  });
});

test('GeoJSON in metres, against its definition, fails with the line that says what they are, and is read with it', async () => {
  const bytes = geojson([{ rings: [rectangle(1_748_000, 5_427_000, 1_749_000, 5_428_000)] }]);
  const file = { name: 'a.geojson', bytes };
  const { error } = await service.ingest(file, { provider: 'Metres' });
  expect(error).toMatchObject({
    code: 'reference_system_missing',
    message: expect.stringContaining('NZTM2000'),
    hint: expect.stringContaining('"crs": "EPSG:2193"'),
  });
  const { report } = await service.ingest(file, { provider: 'Metres', crs: 'EPSG:2193' });
  expect(report?.layers).toMatchObject([{ reference_system_from: 'manifest' }]);
  expect(report?.area_km2).toBeCloseTo(1, 2);
});

test('degrees of GeoJSON stay degrees, whatever the manifest says, and the report has what the file says', async () => {
  const bytes = geojson([{ rings: [rectangle(174, -37, 174.1, -36.9)] }]);
  const manifest = { provider: 'Degrees', crs: 'EPSG:2193' };
  const { report } = await service.ingest({ name: 'a.geojson', bytes }, manifest);
  expect(report?.layers).toMatchObject([{ reference_system: 'WGS 84', reference_system_from: 'format' }]);
});

test('texts of a file may hold what jsonb cannot store, and define a reference system at any length', async () => {
  const file = await zippedShapefile({
    features: [{ rings: [rectangle(175, -39, 175.1, -38.9)] }],
    cpg: 'U\0T\0F\0',
    prj: wgs84Prj.replace('GCS_WGS_1984', 'long '.repeat(600)),
  });
  const submission = await service.ingest(file, { provider: 'Odd text' });
  expect(submission.state).toBe('published');
  const message = expect.stringContaining('windows-1252');
  expect(submission.report?.warnings).toMatchObject([{ code: 'encoding_unknown', message }]);
});

test('an outline that is a tangle does not stop the service, and the other features are loaded', async () => {
  const random = randomNumbers(7);
  const tangle = Array.from({ length: 3000 }, (): Point => [175 + random() / 10, -39 + random() / 10]);
  const features = [
    { rings: [[...tangle, tangle[0] as Point]] },
    { rings: [rectangle(175.2, -39, 175.3, -38.9)] },
  ];
  const file = await zippedShapefile({ features });
  const { report, blocking } = await service.ingest(file, { provider: 'Tangle' });
  expect(report?.features).toMatchObject({ loaded: 1, dropped: { crosses_itself_too_often: 1 } });
  expect(blocking).toMatchObject([{ code: 'dropped_area_unknown' }]);
});
