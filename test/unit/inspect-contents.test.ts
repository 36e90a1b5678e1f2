import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { inspectContents } from '../../ingest/inspect-contents.ts';

/* What is said of an uploaded file that is neither coverage nor towers: what it is, and not what it might have been. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-inspect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
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

const line = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'LineString',
    coordinates: [
      [174.7, -36.9],
      [174.8, -36.9],
    ],
  },
};

describe('a file that is neither coverage nor towers', () => {
  const cases: [what: string, name: string, text: string, code: string, message: RegExp][] = [
    [
      'a collection of no features',
      'a.geojson',
      collection([]),
      'no_areas',
      /^The file holds no features\.$/,
    ],
    [
      'points',
      'a.geojson',
      collection([point({ owner: 'x' }), line]),
      'no_areas',
      /points or lines, and no polygons/,
    ],
    [
      'points of towers that lack columns',
      'a.geojson',
      collection([point({ height_m: 20, frequency_mhz: 3500 })]),
      'tower_columns_missing',
      /^The column power_dbm is missing from the tower data/,
    ],
    [
      'a list of towers that lacks columns',
      'towers.csv',
      'name,latitude,longitude,height\nHill,-36.9,174.7,20\n',
      'tower_columns_missing',
      /^The columns power_dbm, frequency_mhz are missing from the tower data\. The file has: name, latitude/,
    ],
    [
      'a list of towers in another unit',
      'towers.csv',
      'name,lat,lng,height_m,eirp_dbm,frequency_ghz\nHill,-36.9,174.7,20,40,3.5\n',
      'tower_columns_missing',
      /frequency_ghz has another unit/,
    ],
    [
      'a table of something else',
      'people.csv',
      'first,last\nAna,Rua\n',
      'csv_without_areas',
      /no column of polygons as text \(WKT\), and no columns of tower data/,
    ],
    ['a zip without its beginning', 'a.zip', 'PX and more', 'format_unknown', /^a\.zip is no zip archive/],
    [
      'a broken table',
      'a.geojson',
      '{"type": "FeatureCollection", "features": [',
      'geojson_damaged',
      /ends early/,
    ],
  ];
  test.each(cases)('%s', async (_, name, text, code, message) => {
    await expect(inspect(name, text)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/^[A-Z].{10,}/s),
    });
  });
});
