import { beforeEach, expect, test } from 'vitest';
import { useService } from '../setup/service.ts';
import { rectangle, wgs84Prj, zippedRectangle, zippedShapefile } from '../setup/shapes.ts';
import { named, type Point, writeShapefile, zip } from '../setup/write-shapefile.ts';

/*
 * Files that cannot be used: a code, a sentence and what to do; the submission is failed, the coverage published before
 * still answers, and the worker goes on with the next job.
 */

const service = await useService();
await service.ingest(await zippedRectangle(174.7, -36.95, 174.9, -36.85));

const features = [{ rings: [rectangle(174, -37, 174.5, -36.9)] }];
const whole = writeShapefile({ features, prj: wgs84Prj });
const without = (ending: string) =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== ending));
const cut = (ending: string, bytes: number) => ({
  ...whole,
  [ending]: whole[ending]?.subarray(0, bytes) as Buffer,
});
const archive = async (files: Record<string, Buffer>) => zip(named('coverage', files));
/** An archive of a layer without its reference system, with one rectangle. */
const bare = (...corners: Parameters<typeof rectangle>) =>
  zip(named('m', writeShapefile({ features: [{ rings: [rectangle(...corners)] }] })));
const nztm = (ring: Point[]) => zippedShapefile({ features: [{ rings: [ring] }] }).then(({ bytes }) => bytes);

const cases: [string, string, () => Promise<Uint8Array>, object?][] = [
  ['no bytes at all', 'file_empty', async () => Buffer.alloc(0)],
  ['a letter', 'format_unknown', async () => Buffer.from('Kia ora. This is a letter, not an archive.')],
  ['a RAR archive', 'format_unknown', async () => Buffer.from('Rar!\x1a\x07\x01\0 and more', 'latin1')],
  ['an empty zip', 'archive_empty', async () => zip({})],
  ['a zip without a shapefile', 'format_unknown', async () => zip({ 'notes.txt': Buffer.from('soon') })],
  ['metres without .prj', 'reference_system_missing', () => bare(1.75e6, 5.9e6, 1.76e6, 5.91e6)],
  ['numbers without .prj that are no place', 'reference_system_missing', () => bare(-9e9, 3, -8e9, 4)],
  ['degrees without .prj, latitude first', 'axes_swapped', () => bare(-37.1, 174.1, -37, 174.2)],
  ['a zip cut off in the middle', 'archive_damaged', async () => (await archive(whole)).subarray(0, 200)],
  ['a .shp that ends in a record', 'file_truncated', () => archive(cut('shp', 150))],
  ['a .shp that ends in its header', 'file_truncated', () => archive(cut('shp', 50))],
  ['a .dbf that ends in its header', 'file_truncated', () => archive(cut('dbf', 40))],
  ['a .dbf that ends in a row', 'file_truncated', () => archive(cut('dbf', 70))],
  [
    'a .shp that is something else',
    'shapefile_damaged',
    () => archive({ ...whole, shp: Buffer.alloc(200, 'x') }),
  ],
  [
    'a .shp and a .dbf of different layers',
    'records_do_not_match',
    () => archive({ ...whole, dbf: writeShapefile({ features: [...features, ...features] }).dbf as Buffer }),
  ],
  [
    'points',
    'not_polygons',
    async () => (await zippedShapefile({ shapeType: 1, features: [{ rings: [[[174, -37]]] }] })).bytes,
  ],
  ['lines', 'not_polygons', async () => (await zippedShapefile({ shapeType: 3, features })).bytes],
  ['no features', 'no_areas', async () => (await zippedShapefile({ features: [] })).bytes],
  [
    'features without geometry',
    'no_areas',
    async () => (await zippedShapefile({ features: [{ rings: null }] })).bytes,
  ],
  [
    'a reference system nobody knows',
    'reference_system_unknown',
    () => archive({ ...whole, prj: Buffer.from('LOCAL_CS["My town"]') }),
  ],
  [
    'a .prj that PROJ cannot read',
    'reference_system_unknown',
    () => archive({ ...whole, prj: Buffer.from('PROJCS["half') }),
  ],
  ['a .prj of zeros', 'reference_system_unknown', () => archive({ ...whole, prj: Buffer.alloc(200) })],
  [
    'a .prj with a zero in it',
    'reference_system_unknown',
    () => archive({ ...whole, prj: Buffer.from(wgs84Prj.replace('WGS', 'W\0GS')) }),
  ],
  [
    'a .prj that names a file',
    'reference_system_unknown',
    () => archive({ ...whole, prj: Buffer.from('+proj=longlat +nadgrids=/etc/passwd') }),
  ],
  [
    'an EPSG code that does not exist',
    'reference_system_unknown',
    () => archive(without('prj')),
    { crs: 'EPSG:999999' },
  ],
  [
    'coordinates in Europe',
    'outside_service_area',
    async () => (await zippedRectangle(10, 50, 11, 51)).bytes,
  ],
  [
    'metres with a .prj of degrees',
    'reference_system_missing',
    () => nztm(rectangle(1_757_000, 5_914_000, 1_758_000, 5_915_000)),
  ],
  [
    'latitude and longitude swapped',
    'axes_swapped',
    async () => (await zippedRectangle(-37, 174, -36.9, 174.5)).bytes,
  ],
  ['a layer that is not there', 'layer_not_found', () => archive(whole), { layers: ['elsewhere'] }],
  [
    'an attribute that is not there',
    'attribute_not_found',
    () => archive(whole),
    { attributes: { bandwidth_max_mbps: 'SPEED' } },
  ],
  [
    'speeds that are not numbers',
    'no_usable_speeds',
    async () =>
      (
        await zippedShapefile({
          fields: [{ name: 'SPEED', type: 'C', length: 10 }],
          features: [
            { ...features[0], rings: features[0]?.rings as Point[][], attributes: { SPEED: 'fast' } },
          ],
        })
      ).bytes,
    { attributes: { bandwidth_max_mbps: 'SPEED' } },
  ],
];

let before: string;
beforeEach(async () => {
  before = JSON.stringify(await service.at('-36.9', '174.8'));
});

test.each(cases)('%s: %s', async (_, code, bytes, manifest = {}) => {
  const submission = await service.ingest({ name: 'bad.zip', bytes: await bytes() }, manifest);
  expect(submission.state).toBe('failed');
  expect(submission.error).toMatchObject({ code });
  expect(submission.error?.message).toMatch(/^\S.{20,}/s);
  expect(submission.error?.hint).toMatch(/^[A-Z].{5,}/s);
  expect(JSON.stringify(submission.error)).not.toMatch(/\bat .*\.ts:|node_modules|undefined|\[object/);
  expect(JSON.stringify(await service.at('-36.9', '174.8'))).toBe(before);
});

test('the failed ones leave no rows and no files', async () => {
  const { rows } = await service.database.query<{ datasets: number; loose: number }>(
    `select (select count(*) from dataset where state = 'loading') as datasets,
       (select count(*) from coverage where tier_id not in (
          select t.id from tier t join dataset d on d.id = t.dataset_id where d.state = 'published')) as loose`,
  );
  expect(rows[0]).toEqual({ datasets: 0, loose: 0 });
});

test('the next valid file is published', async () => {
  const submission = await service.ingest(await zippedRectangle(174.7, -36.95, 174.9, -36.85), {
    speeds: { bandwidth_max_mbps: 777, bandwidth_up_max_mbps: 20 },
  });
  expect(submission.state).toBe('published');
  expect((await service.at('-36.9', '174.8')).results[0]?.providers?.[0]?.bandwidth_max_mbps).toBe(777);
});
