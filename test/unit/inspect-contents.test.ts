import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openBytes } from '@covermap/coverage-files/test/source.ts';
import { bandTiff } from '@covermap/testing/formats.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zip } from '@covermap/testing/write-shapefile.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { asIngestError } from '../../ingest/errors.ts';
import { inspectContents } from '../../ingest/inspect-contents.ts';
import { readConfig } from '../../platform/config.ts';
import { technologies } from '../setup/technologies.ts';

/* Inspection names the layers of an uploaded file, and says what a file is that holds neither coverage nor towers. */

const folder = scratchFolder();
const { serviceArea } = readConfig({});

let files = 0;
function inspect(name: string, content: string | Uint8Array) {
  const file = path.join(folder, String(++files));
  writeFileSync(file, content);
  const scratch = mkdtempSync(path.join(folder, 'scratch-'));
  return inspectContents({
    kind: 'inspection',
    file,
    name,
    technologies,
    today: '2026-11-24',
    serviceArea,
    scratch,
  });
}

const collection = (features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });
const point = (properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [174.7, -36.9] },
});
const lineString = { type: 'LineString', coordinates: [[174.7, -36.9], [174.8, -36.9]] }; // biome-ignore format: a line
const line = { type: 'Feature', properties: {}, geometry: lineString };

const towers = collection([point({ height_m: 20, frequency_mhz: 3500 })]);
const list = 'name,latitude,longitude,height\nHill,-36.9,174.7,20\n';
const otherUnit = 'name,lat,lng,height_m,eirp_dbm,frequency_ghz\nHill,-36.9,174.7,20,40,3.5\n';
const people = 'first,last\nAna,Rua\n';
const broken = '{"type": "FeatureCollection", "features": [';
const lacks =
  /^The columns power_dbm, frequency_mhz are missing from the tower data\. The file has: name, latitude/;
const nothing = /no column of polygons as text \(WKT\), and no columns of tower data/;
test.each<[what: string, name: string, text: string, code: string, message: RegExp]>([
  ['a collection of no features', 'a.geojson', collection([]), 'no_areas', /^The file holds no features\.$/],
  ['points', 'a.geojson', collection([point({}), line]), 'no_areas', /points or lines, and no polygons/],
  ['points of towers', 'a.geojson', towers, 'tower_columns_missing', /^The column power_dbm is missing from/],
  ['a list of towers that lacks columns', 'towers.csv', list, 'tower_columns_missing', lacks],
  ['one in another unit', 'towers.csv', otherUnit, 'tower_columns_missing', /frequency_ghz has another unit/],
  ['a table of something else', 'people.csv', people, 'csv_without_areas', nothing],
  ['a zip without its beginning', 'a.zip', 'PX and more', 'format_unknown', /^a\.zip is no zip archive/],
  ['a broken table', 'a.geojson', broken, 'geojson_damaged', /ends early/],
])(
  'a file that is neither coverage nor towers is told for what it is: %s',
  async (_, name, text, code, message) => {
    const error = asIngestError(await inspect(name, text).catch((thrown) => thrown));
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/^[A-Z].{10,}/s),
    });
  },
);

test('of an archive with several tables, it is said that one of them can be a list of towers', async () => {
  const bytes = await zip({ 'towers.csv': Buffer.from(list), 'people.csv': Buffer.from(people) });
  await expect(inspect('a.zip', bytes)).rejects.toMatchObject({ code: 'tower_lists_several' });
});

test('columns of a list of towers that mean nothing are named', async () => {
  const list = 'lat,lng,height_m,eirp,freq,Az,download_mbps,\n-36.9,174.7,20,40,3500,120,50,\n';
  const message = 'These columns are not used: Az.';
  expect((await inspect('a.csv', list)).warnings).toEqual([{ code: 'columns_unused', message }]);
});

const square = (lng: number, ...rows: object[]) =>
  collection(
    (rows.length > 0 ? rows : [{}]).map((properties) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [[[lng, -37], [lng + 0.001, -37], [lng, -36.99], [lng, -37]]] }, // biome-ignore format: a line
    })),
  );

const none = { technology: null, availability: null };
test.each<[what: string, rows: object[], questions: object[]]>([
  [
    'a status of words that are not known',
    [{ STATUS: 'Build' }, { STATUS: 'Proposed' }],
    [{ about: 'availability', attribute: 'STATUS', values: ['Proposed'] }],
  ],
  [
    'days to come',
    [{ RFS_DATE: '2027-03-31' }, { RFS_DATE: '2020-01-01' }],
    [{ about: 'planned_date', attribute: 'RFS_DATE', values: ['2027-03-31'] }],
  ],
  ['days that have been', [{ RFS_DATE: '2020-01-01' }], []],
  ['days beside a status that is used', [{ STATUS: 'planned', RFS_DATE: '2027-03-31' }], []],
  [
    'speeds of an unknown name',
    [{ MAX_SPEED_WHOLESALE: 50 }],
    [{ about: 'speeds', attribute: 'MAX_SPEED_WHOLESALE', values: ['50'] }],
  ],
  [
    'a technology beside another text',
    [{ TECH: 'Fibre and copper' }],
    [{ about: 'technology', attribute: 'TECH', values: ['Fibre and copper'] }],
  ],
  [
    'another speed of an unknown name',
    [{ MAX_SPEED_WHOLESALE: 50, x_mbps: 7 }],
    [
      { about: 'speeds', attribute: 'MAX_SPEED_WHOLESALE', values: ['50'] },
      { about: 'speeds', attribute: 'x_mbps', values: ['7'] },
    ],
  ],
  [
    'words under any name',
    [{ A: 'Copper', B: 'Proposed', C: '2027-03-31', D: '50 Mbps', E: 'North' }],
    [
      { about: 'technology', attribute: 'A', values: ['Copper'] },
      { about: 'availability', attribute: 'B', values: ['Proposed'] },
      { about: 'planned_date', attribute: 'C', values: ['2027-03-31'] },
      { about: 'speeds', attribute: 'D', values: ['50 Mbps'] },
    ],
  ],
  [
    'numbers beside texts that explain them',
    [
      { down: 1, up: 1, TIER: 'Basic', PLACE: 'North' },
      { down: 2, up: 1, TIER: 'Plus', PLACE: 'North' },
    ],
    [
      {
        ...{ about: 'speeds', attribute: 'TIER', values: ['Basic', 'Plus'] },
        numbers: { attribute: 'down', values: ['1', '2'] },
      },
    ],
  ],
])('an inspection asks about an attribute that nothing uses: %s', async (_, rows, questions) => {
  expect((await inspect('a.geojson', square(174.7, ...rows))).questions).toEqual(questions);
});

test('an inspection says what texts mean that are few, and which attributes have both directions', async () => {
  const rows = ['Build', 'Live', 'Retired'].map((STATUS) => ({ STATUS, SPEED: '100/20', ID: 'A1' }));
  const { layers } = await inspect('a.geojson', square(174.7, ...rows));
  expect(layers).toMatchObject([
    {
      texts: {
        STATUS: {
          Build: none,
          Live: { ...none, availability: 'available' },
          Retired: { ...none, availability: 'none' },
        },
      },
      both_directions: ['SPEED'],
    },
  ]);
  const many = Array.from({ length: 21 }, (_, i) => ({ STATUS: `Stage ${i}` }));
  expect((await inspect('a.geojson', square(174.7, ...many))).layers).toMatchObject([{ texts: {} }]);
});

const overlay = `<GroundOverlay><name>Signal</name><Icon><href>a.png</href></Icon>
  <LatLonBox><north>-36.9</north><south>-37</south><east>175</east><west>174.9</west></LatLonBox></GroundOverlay>`;
const placemark = `<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>
  174.7,-37 174.8,-37 174.8,-36.9 174.7,-37</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
const sites = Array.from({ length: 101 }, (_, i) => `site ${i}`);
const raster = bandTiff(Float32Array.of(1, 2, 2, 1), 2, 2, { x: 1_750_000, y: 5_900_000, pixel: 100 });

test.each<[what: string, content: () => Promise<Record<string, Buffer>>, layers: string[]]>([
  [
    'many',
    async () =>
      Object.fromEntries(sites.map((name) => [`${name}.kml`, Buffer.from(`<kml>${placemark}</kml>`)])),
    sites,
  ],
  [
    'polygons and images of a KML',
    async () => ({
      'doc.kml': Buffer.from(`<kml><Document><name>Both</name>${placemark}${overlay}</Document></kml>`),
      'a.png': await sharp({ create: { width: 2, height: 2, channels: 4, background: '#f00' } })
        .png()
        .toBuffer(),
    }),
    ['Both', 'Both images'],
  ],
  [
    'rasters of one name, and a preview that lies nowhere',
    async () => ({ 'north/cover.tif': raster, 'south/cover.tif': raster, 'cover.png': Buffer.from('') }),
    ['north/cover.tif', 'south/cover.tif'],
  ],
  [
    'areas beside a preview',
    async () => ({
      'north.json': Buffer.from(square(174.5)),
      'south.json': Buffer.from(square(174.6)),
      'cover.png': Buffer.from(''),
    }),
    ['north', 'south'],
  ],
])(
  'the layers of an inspection are all there are, and each name selects its own: %s',
  async (_, content, names) => {
    const bytes = await zip(await content());
    const { manifest } = await inspect('cover.zip', bytes);
    expect(manifest.layers).toEqual(names);
    for (const layers of [names, names.slice(0, 1), names.slice(-1)]) {
      const source = await openBytes(folder, 'cover.zip', bytes, { layers });
      expect(source.layers.map(({ name }) => name)).toEqual(layers);
      source.close();
    }
  },
);
