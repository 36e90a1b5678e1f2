import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { IngestError } from '../../ingest/errors.ts';
import { gdal } from '../../ingest/read/gdal/webassembly.ts';
import type { openPlainLayer, PlainLayer } from '../../ingest/read/geodatabase/features.ts';
import { openSource } from '../../ingest/read/open.ts';
import { resetModules } from '../setup/fresh-modules.ts';
import { zip } from '../setup/write-shapefile.ts';

/* Rows of geodatabases that are read here are what GDAL reads in them, whatever is in them. */

const how = await vi.hoisted(async () => {
  // What is mocked here may be there already, from the files before this one.
  (await import('../setup/fresh-modules.ts')).resetModules();
  return { byGdal: false, layers: [] as (PlainLayer | undefined)[] };
});
vi.mock(import('../../ingest/read/geodatabase/features.ts'), async (original) => {
  const actual = await original();
  return {
    ...actual,
    openPlainLayer: (...given: Parameters<typeof openPlainLayer>) => {
      if (how.byGdal) return undefined;
      const layer = actual.openPlainLayer(...given);
      how.layers.push(layer);
      return layer;
    },
  };
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-geodatabase-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  // Damage may have ended GDAL, and the next file of this worker wants what is mocked here.
  vi.doUnmock('../../ingest/read/geodatabase/features.ts');
  resetModules();
});
let made = 0;

type Ring = number[][];
const square = (x: number, y: number, size: number): Ring => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
];
const feature = (coordinates: Ring[][] | null, properties: object = {}, id?: number) => ({
  type: 'Feature',
  properties,
  geometry: coordinates && { type: 'MultiPolygon', coordinates },
  ...(id === undefined ? {} : { id }),
});

/** The files of a geodatabase with these features. */
async function written(features: object[], ...options: string[]): Promise<Record<string, Buffer>> {
  const own = path.join(folder, String(++made));
  mkdirSync(own);
  const module = await gdal();
  const seen = module.mount(own);
  writeFileSync(path.join(own, 'in.json'), JSON.stringify({ type: 'FeatureCollection', features }));
  const dataset = module.open(`${seen}/in.json`, 'GeoJSON', []);
  const words = ['-f', 'OpenFileGDB', '-nln', 'cover', '-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:2193'];
  module.translate(dataset, `${seen}/cover.gdb`, [...words, ...options]);
  module.close(dataset);
  module.unmount(seen);
  const names = readdirSync(path.join(own, 'cover.gdb'));
  return Object.fromEntries(
    names.map((name) => [`cover.gdb/${name}`, readFileSync(path.join(own, 'cover.gdb', name))]),
  );
}

/** The layer's features, or the code of the error. */
async function read(files: Record<string, Buffer>, byGdal: boolean) {
  how.byGdal = byGdal;
  how.layers = [];
  const name = `upload-${++made}.zip`;
  const file = path.join(folder, name);
  writeFileSync(file, await zip(files, { compress: false }));
  const scratch = mkdtempSync(path.join(folder, 'scratch-'));
  try {
    const source = await openSource(file, name, scratch, {
      layers: undefined,
      classes: undefined,
      smoothing: false,
    });
    try {
      const [layer] = source.layers;
      const features = [];
      for await (const { id, polygons, repaired, dropped, attributes } of layer?.features() ?? [])
        features.push({
          id,
          // Which of several polygons, or holes, comes first says nothing.
          polygons: polygons
            .map(([outer, ...holes]) => [`${outer}`, ...holes.map(String).sort()].join(' '))
            .sort(),
          repaired,
          dropped,
          texts: layer?.fields.map((_, i) => attributes.text(i)),
        });
      return { features, warnings: layer?.warnings.map(({ code }) => code) };
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    return error.code;
  } finally {
    rmSync(scratch, { recursive: true });
    rmSync(file);
  }
}

async function expectSame(files: Record<string, Buffer>) {
  const here = await read(files, false);
  const [layer] = how.layers;
  expect(here).toEqual(await read(files, true));
  return { here: typeof here === 'string' ? [] : here.features, plain: layer?.allRead ?? false };
}

describe('rows that are read here are those of GDAL', () => {
  test('with holes, islands in holes, parts, nothing, heights, and without a ring of its own', async () => {
    const high = (ring: Ring) => ring.map((point, i) => [...point, i]);
    const features = [
      feature([[square(0, 0, 10)]]),
      feature([[square(0, 0, 10), square(2, 2, 3), square(6, 6, 2)], [square(20, 0, 5)]]),
      feature([
        [square(0, 0, 30), square(2, 2, 20)],
        [square(5, 5, 10), square(7, 7, 3)],
      ]),
      feature(null),
      feature([[square(1_600_000, 5_400_000, 0.5)]]),
      // A hole that touches the outer ring at a vertex.
      feature([
        [
          square(0, 0, 10),
          [
            [0, 0],
            [3, 1],
            [1, 3],
            [0, 0],
          ],
        ],
      ]),
    ];
    const { here, plain } = await expectSame(await written(features));
    expect([here.length, plain]).toEqual([6, true]);
    expect(here.map(({ polygons }) => polygons.length)).toEqual([1, 2, 2, 0, 1, 1]);
    const heights = [
      feature([[high(square(0, 0, 10)), high(square(2, 2, 3))]]),
      feature([[high(square(1, 1, 1))]]),
    ];
    for (const dimensions of ['XYZ', 'XYM', 'XYZM']) {
      const measured = await expectSame(await written(heights, '-dim', dimensions));
      expect([dimensions, measured.plain, measured.here.length]).toEqual([dimensions, true, 2]);
    }
  });

  test('with attributes of all types', async () => {
    const values = [
      { a: 'Ängström', b: 7, c: 0.1, d: '2026-11-22T10:20:30', e: '2020-02-29', s: -32768, f: 1.5 },
      { a: '', b: -2147483648, c: -1e-9, d: '1890-01-02T03:04:05', e: '0100-01-01', s: 1, f: 0.1 },
      { a: null, b: null, c: null, d: null, e: null, s: null, f: null },
      { a: ' x ', b: 0, c: 1e300, d: '1899-12-30T00:00:00', e: '9999-12-31', s: 0, f: -3e38 },
    ];
    const features = values.map((properties) => feature([[square(0, 0, 10)]], properties));
    const columns =
      'a, b, c, cast(d as timestamp) as d, cast(e as timestamp) as e, cast(s as smallint) as s, cast(f as float) as f';
    const files = await written(features, '-dialect', 'OGRSQL', '-sql', `select ${columns} from "in"`);
    const { here, plain } = await expectSame(files);
    expect(plain).toBe(true);
    expect(here[0]?.texts).toEqual([
      'Ängström',
      '7',
      '0.1',
      '2026-11-22T10:20:30Z',
      '2020-02-29',
      '-32768',
      '1.5',
    ]);
    expect(here[2]?.texts).toEqual(Array(7).fill(null));
  });

  test('with gaps between ids, whole blocks of them too', async () => {
    const ids = [1, 2, 900, 5000, 5001, 40_000];
    const files = await written(
      ids.map((id) => feature([[square(id, 0, 1)]], { n: id }, id)),
      '-preserve_fid',
    );
    const { here, plain } = await expectSame(files);
    expect([here.map(({ id }) => id), plain]).toEqual([ids, true]);
  });

  test('with curves and rings that contradict each other, which GDAL reads on from', async () => {
    const plain = Array.from({ length: 5 }, (_, i) => feature([[square(i, 0, 1)]], { i }));
    // Two outer rings, one in the other.
    const nested = feature([[square(0, 0, 10)], [square(2, 2, 3)]], { i: 5 });
    const { here, plain: allRead } = await expectSame(await written([...plain, nested, ...plain]));
    expect([here.length, allRead]).toEqual([11, false]);
  });

  test('of random polygons', async () => {
    const polygon = fc.record({
      x: fc.double({ min: -1e6, max: 2e6, noNaN: true }),
      y: fc.double({ min: 4e6, max: 7e6, noNaN: true }),
      radii: fc.array(fc.double({ min: 0.1, max: 5000, noNaN: true }), { minLength: 3, maxLength: 40 }),
      hole: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(polygon, { maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        async (all) => {
          const features = all.map((parts, n) =>
            feature(
              parts.map(({ x, y, radii, hole }) => {
                const ring = (size: number) => {
                  const points = radii.map((radius, i) => {
                    const angle = (-2 * Math.PI * i) / radii.length;
                    return [x + size * radius * Math.cos(angle), y + size * radius * Math.sin(angle)];
                  });
                  return [...points, points[0] as number[]];
                };
                return hole ? [ring(1), ring(0.4).reverse()] : [ring(1)];
              }),
              { n },
            ),
          );
          await expectSame(await written(features));
        },
      ),
      { numRuns: 20, endOnFailure: true },
    );
  });
});

describe('tables that are damaged', () => {
  let files: Record<string, Buffer>;
  const table = 'cover.gdb/a00000009.gdbtable';
  const catalog = 'cover.gdb/a00000001.gdbtable';
  beforeAll(async () => {
    const features = Array.from({ length: 12 }, (_, i) =>
      feature([[square(i, 0, 9), square(i + 1, 1, 2)]], { name: `n${i}`, speed: i * 1.5, d: '2026-01-02' }),
    );
    files = await written(features);
  });

  test('give what GDAL makes of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(table, table, table, 'cover.gdb/a00000009.gdbtablx', catalog),
        fc.array(fc.tuple(fc.nat(100_000), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (name, changes) => {
          const bytes = Buffer.from(files[name] as Buffer);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const changed = { ...files, [name]: bytes };
          // A module that has aborted reads nothing more.
          if ((await gdal()).broken) return;
          if (name !== catalog) await expectSame(changed);
          // GDAL may fail on other tables of it than the one that is read.
          else
            expect([await read(changed, true), await read(files, true)]).toContainEqual(
              await read(changed, false),
            );
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  test('and are cut off', async () => {
    const bytes = files[table] as Buffer;
    for (const length of [41, 60, bytes.length >> 1, bytes.length - 1])
      await expectSame({ ...files, [table]: bytes.subarray(0, length) });
  });
});
