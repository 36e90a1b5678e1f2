import { readFileSync } from 'node:fs';
import path from 'node:path';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { openSource } from '../open.ts';
import { convertLayers } from '../write/convert.ts';
import { flatGeobufWriter } from '../write/flatgeobuf.ts';
import { geoJsonWriter } from '../write/geojson.ts';
import type { Layer, Values } from '../write/layer.ts';

/* Layers that are written are read again as they were. */

const layer = (features: number): Layer => ({
  ...{ name: 'coverage', geometry: 'Polygon', features },
  fields: [
    { name: 'text', type: 'text' },
    { name: 'number', type: 'number' },
    { name: 'count', type: 'integer' },
  ],
});
const third = 1 / 3;
const shell = Float64Array.of(174, -37, 175 + third, -37, 175, -36 - third, 174, -37);
const hole = Float64Array.of(174.5, -36.9, 174.6, -36.8, 174.6, -36.9, 174.5, -36.9);
const rows: Values[] = [
  ['Ōtaki "光", 1;\n=2', third, 7],
  [null, null, null],
  ['', -0.1, 0],
];
const wkb = wkbOf([[shell, hole]]);

/** The texts and rings of all features of a file. */
async function readAgain(file: string): Promise<[(string | null)[], number[][]][]> {
  const options = { layers: undefined, classes: undefined, smoothing: false };
  const source = await openSource(file, path.basename(file), scratchFolder(), options);
  const found: [(string | null)[], number[][]][] = [];
  for (const one of source.layers)
    for await (const { attributes, polygons } of one.features()) {
      const texts = ['text', 'number', 'count'].map((name) => attributes.text(one.fields.indexOf(name)));
      found.push([texts, (polygons[0] ?? []).map((ring) => [...ring])]);
    }
  source.close();
  return found;
}

test.each(['FlatGeobuf', 'GPKG'] as const)('%s', async (driver) => {
  const folder = scratchFolder();
  const file = path.join(folder, 'areas.fgb');
  const writer = flatGeobufWriter(file, layer(rows.length));
  for (const values of rows) writer.write(values, wkb);
  writer.end();
  const target = path.join(folder, driver === 'GPKG' ? 'a.gpkg' : 'a.fgb');
  await convertLayers({ coverage: file }, driver, target);
  const read = await readAgain(target);
  expect(read.map(([, rings]) => rings)).toEqual(rows.map(() => [[...shell], [...hole]]));
  expect(read.map(([[text]]) => text ?? '').sort()).toEqual(rows.map(([text]) => text ?? '').sort());
  expect(read.some(([texts]) => Number(texts[1]) === third && texts[2] === '7')).toBe(true);
});

test('GeoJSON, of none as of many', () => {
  for (const some of [[], rows]) {
    const file = path.join(scratchFolder(), 'a.geojson');
    const writer = geoJsonWriter(file, layer(some.length));
    for (const values of some) writer.write(values, wkb);
    writer.end();
    const { type, features } = JSON.parse(readFileSync(file, 'utf8'));
    expect(type).toBe('FeatureCollection');
    expect(features.map(({ properties }: { properties: object }) => Object.values(properties))).toEqual(some);
    for (const { geometry } of features) expect(geometry.coordinates[0].flat()).toEqual([...shell]);
  }
});

test('a layer without features is one in a GeoPackage, too', async () => {
  const folder = scratchFolder();
  const file = path.join(folder, 'areas.fgb');
  flatGeobufWriter(file, layer(0)).end();
  const target = path.join(folder, 'a.gpkg');
  await convertLayers({ coverage: file, premises: file }, 'GPKG', target);
  expect(await readAgain(target)).toEqual([]);
});
