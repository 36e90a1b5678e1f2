import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { inspectContents } from '../../ingest/inspect-contents.ts';
import { scratchFolder } from '../setup/scratch.ts';

/* What is said of an uploaded file that is neither coverage nor towers: what it is, and not what it might have been. */

const folder = scratchFolder();
const { serviceArea } = readConfig({});

let files = 0;
function inspect(name: string, text: string) {
  const file = path.join(folder, String(++files));
  writeFileSync(file, text);
  const scratch = mkdtempSync(path.join(folder, 'scratch-'));
  return inspectContents({ kind: 'inspection', file, name, technologies: [], serviceArea, scratch });
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
  [
    'points',
    'a.geojson',
    collection([point({ owner: 'x' }), line]),
    'no_areas',
    /points or lines, and no polyg/,
  ],
  ['points of towers', 'a.geojson', towers, 'tower_columns_missing', /^The column power_dbm is missing from/],
  ['a list of towers that lacks columns', 'towers.csv', list, 'tower_columns_missing', lacks],
  ['one in another unit', 'towers.csv', otherUnit, 'tower_columns_missing', /frequency_ghz has another unit/],
  ['a table of something else', 'people.csv', people, 'csv_without_areas', nothing],
  ['a zip without its beginning', 'a.zip', 'PX and more', 'format_unknown', /^a\.zip is no zip archive/],
  ['a broken table', 'a.geojson', broken, 'geojson_damaged', /ends early/],
])(
  'a file that is neither coverage nor towers is told for what it is: %s',
  async (_, name, text, code, message) => {
    await expect(inspect(name, text)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/^[A-Z].{10,}/s),
    });
  },
);
