import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signedArea } from '../../geometry/polygon.ts';
import { madeByGdal, ofFeatures } from '../setup/gdal-files.ts';
import { scratchFolder } from '../setup/scratch.ts';
import { rectangle } from '../setup/shapes.ts';
import { featuresOf, openBytes, type ReadFeature } from '../setup/source.ts';
import { zip } from '../setup/write-shapefile.ts';

/* Rows of geodatabases are read as they were written: GDAL gives single rings, from which the reader makes polygons. */

const folder = scratchFolder();

type Ring = number[][];
const square = (x: number, y: number, size: number) => rectangle(x, y, x + size, y + size) as Ring;
const feature = (coordinates: Ring[][] | null, properties: object = {}, id?: number) => ({
  type: 'Feature',
  properties,
  geometry: coordinates && { type: 'MultiPolygon', coordinates },
  ...(id === undefined ? {} : { id }),
});

/** The files of a geodatabase with these features. */
const written = (features: object[], ...options: string[]) =>
  madeByGdal(folder, ofFeatures({ type: 'FeatureCollection', features }), (module, dataset, at) => {
    const words = ['-f', 'OpenFileGDB', '-nln', 'cover', '-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:2193'];
    module.translate(dataset, `${at}/cover.gdb`, [...words, ...options]);
  });

/** The features of the layer. */
async function read(files: Record<string, Buffer>) {
  const source = await openBytes(folder, 'upload.zip', await zip(files, { compress: false }));
  try {
    return source.layers[0] ? await featuresOf(source.layers[0]) : [];
  } finally {
    source.close();
  }
}

/** The rounded areas of each polygon's rings: negative for outer rings, which run clockwise. */
const areasOf = ({ polygons }: ReadFeature) =>
  polygons.map((polygon) => polygon.map((ring) => Math.round(signedArea(Float64Array.from(ring)))));

describe('polygons', () => {
  test('with holes, islands in holes, parts, nothing, and heights', async () => {
    const high = (ring: Ring) => ring.map((point, i) => [...point, i]);
    const hole = [[0, 0], [3, 1], [1, 3], [0, 0]]; // biome-ignore format: a hole that touches the outer ring at a vertex
    const cases: [polygons: Ring[][] | null, areas: number[][], dropped?: string][] = [
      [[[square(0, 0, 10)]], [[-100]]],
      [
        [[square(0, 0, 10), square(2, 2, 3), square(6, 6, 2)], [square(20, 0, 5)]],
        [[-100, 9, 4], [-25]],
      ],
      [
        [[square(0, 0, 30), square(2, 2, 20)], [square(5, 5, 10), square(7, 7, 3)]], // biome-ignore format: polygons
        [[-900, 400], [-100, 9]], // biome-ignore format: polygons
      ],
      [null, [], 'no_geometry'],
      [[[square(0, 0, 10), hole]], [[-100, 4]]],
    ];
    const found = await read(await written(cases.map(([polygons]) => feature(polygons))));
    expect(found.map(areasOf)).toEqual(cases.map(([, areas]) => areas));
    expect(found.map(({ dropped }) => dropped)).toEqual(cases.map(([, , dropped]) => dropped));
    const heights = [feature([[high(square(0, 0, 10)), high(square(2, 2, 3))]])];
    for (const dimensions of ['XYZ', 'XYM', 'XYZM'])
      expect((await read(await written(heights, '-dim', dimensions))).map(areasOf)).toEqual([[[-100, 9]]]);
  });

  test('one in another are both covered, as their directions say', async () => {
    const [found] = await read(await written([feature([[square(0, 0, 10)], [square(2, 2, 3)]])]));
    expect(found && areasOf(found)).toEqual([[-100], [-9]]);
    expect(found?.repaired).toBe(false);
  });

  test('at random', async () => {
    const polygon = fc.record({
      x: fc.double({ min: -1e6, max: 2e6, noNaN: true }),
      y: fc.double({ min: 4e6, max: 7e6, noNaN: true }),
      radii: fc.array(fc.double({ min: 1, max: 5000, noNaN: true }), { minLength: 3, maxLength: 40 }),
      hole: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(polygon, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        async (all) => {
          const rings = all.map((parts) =>
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
          );
          const found = await read(await written(rings.map((parts, n) => feature(parts, { n }))));
          const sorted = (areas: number[]) => areas.sort((a, b) => a - b);
          for (const [i, parts] of rings.entries()) {
            const areas = sorted(parts.flat().map((ring) => signedArea(Float64Array.from(ring.flat()))));
            const here = sorted(
              found[i]?.polygons.flat().map((ring) => signedArea(Float64Array.from(ring))) ?? [],
            );
            expect(here).toHaveLength(areas.length);
            // Coordinates are kept to a tenth of a millimetre.
            for (const [k, area] of areas.entries())
              expect(Math.abs((here[k] as number) - area)).toBeLessThan(10);
          }
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });
});

test('attributes of all types', async () => {
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
  const here = await read(files);
  const first = ['Ängström', '7', '0.1', '2026-11-22T10:20:30Z', '2020-02-29', '-32768', '1.5'];
  expect(here.map(({ attributes }) => Object.values(attributes))).toMatchObject({ 0: first });
  expect(Object.values(here[2]?.attributes ?? {})).toEqual(Array(7).fill(null));
});

test('a layer with an attribute of a type that GDAL does not know is refused by name', async () => {
  const files = await written([feature([[square(0, 0, 10)]], { big: 1.5 })]);
  const name = Buffer.from('\x03b\0i\0g\0', 'latin1');
  const table = Object.values(files).find((bytes) => bytes.includes(name)) as Buffer;
  // The type follows the name and the alias, which is empty: big integers are 13.
  table.writeUInt8(13, table.indexOf(name) + name.length + 1);
  await expect(read(files)).rejects.toMatchObject({
    code: 'geodatabase_damaged',
    message: expect.stringContaining('The layer cover of cover.gdb cannot be read'),
  });
});

test('ids with gaps between them', async () => {
  const ids = [1, 2, 900, 5000, 5001, 40_000];
  const features = ids.map((id) => feature([[square(id, 0, 1)]], { n: id }, id));
  const files = await written(features, '-preserve_fid');
  expect((await read(files)).map(({ id }) => id)).toEqual(ids);
});
