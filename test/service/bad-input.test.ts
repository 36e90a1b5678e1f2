import { rectangle, zippedRectangle, zippedShapefile } from '@covermap/testing/shapes.ts';
import type { ShapefileLayer } from '@covermap/testing/write-shapefile.ts';
import { beforeEach, expect, test } from 'vitest';
import { useService } from '../setup/service.ts';

/*
 * Files that cannot be used: a code, a sentence and what to do; the submission is failed, the coverage published before
 * still answers, and the worker goes on with the next job.
 */

const service = await useService();
await service.ingest(await zippedRectangle(174.7, -36.95, 174.9, -36.85));

const features = [{ rings: [rectangle(174, -37, 174.5, -36.9)] }];
const layer = async (of: Partial<ShapefileLayer>) => (await zippedShapefile({ features, ...of })).bytes;
const swapped = [{ rings: [rectangle(-37, 174, -36.9, 174.5)] }];
const elsewhere = [{ rings: [rectangle(10, 50, 11, 51)] }];
const inWords = features.map((one) => ({ ...one, attributes: { SPEED: 'fast' } }));
const fields = [{ name: 'SPEED', type: 'C' as const, length: 10 }];
const bySpeed = { attributes: { bandwidth_max_mbps: 'SPEED' } };

/** A case of each step of the work; the tests of the readers have all causes. */
const cases: [string, string, () => Promise<Uint8Array>, object?][] = [
  ['a zip cut off in the middle', 'archive_damaged', async () => (await layer({})).subarray(0, 200)],
  ['no features', 'no_areas', () => layer({ features: [] })],
  ['latitude first', 'axes_swapped', () => layer({ features: swapped })],
  ['coordinates in Europe', 'outside_service_area', () => layer({ features: elsewhere })],
  ['a layer that is not there', 'layer_not_found', () => layer({}), { layers: ['elsewhere'] }],
  ['an attribute that is not there', 'attribute_not_found', () => layer({}), bySpeed],
  ['speeds in words', 'no_usable_speeds', () => layer({ fields, features: inWords }), bySpeed],
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
