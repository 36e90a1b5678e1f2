import { afterEach, describe, expect, test } from 'vitest';
import { useService } from '../setup/service.ts';
import { rectangle, wgs84Prj, zippedShapefile } from '../setup/shapes.ts';
import type { Point } from '../setup/write-shapefile.ts';

/* Lookups and the report after a shapefile is submitted. test/unit/shapefile.test.ts has what such a file may hold. */

const service = await useService();

// So that each test has the place to itself.
afterEach(async () => {
  await service.database.query(`update dataset set state = 'withdrawn' where state = 'published'`);
  await service.database.query('update catalog set version = version + 1');
});

/** The fastest fibre at a point; undefined where there is none. */
async function fibreAt(lat: number, lng: number): Promise<number | undefined> {
  const { results } = await service.at(lat.toFixed(9), lng.toFixed(9));
  return results.find((result) => result.technology === 'fibre')?.providers?.[0]?.bandwidth_max_mbps;
}

describe('the report', () => {
  test('names layers, reference system, encoding, attributes, vertices and tiers', async () => {
    const fields = [{ name: 'SPEED', type: 'N' as const, length: 8, decimals: 1 }];
    const features = [
      { rings: [rectangle(175, -39, 175.1, -38.9)], attributes: { SPEED: 100 } },
      { rings: [rectangle(175.2, -39, 175.3, -38.9)], attributes: { SPEED: 300.5 } },
      { rings: [rectangle(175.4, -39, 175.5, -38.9)], attributes: { SPEED: 100 } },
    ];
    const submission = await service.ingest(
      await zippedShapefile({ fields, features, prj: wgs84Prj, cpg: 'UTF-8' }),
      {
        provider: 'Reported',
        attributes: { bandwidth_max_mbps: 'speed' },
        speeds: { bandwidth_up_max_mbps: 10 },
      },
    );
    expect(submission.report).toMatchObject({
      layers: [
        {
          name: 'coverage',
          format: 'ESRI Shapefile',
          reference_system: 'GCS_WGS_1984',
          encoding: 'UTF-8',
          attributes: ['SPEED'],
          features: 3,
        },
      ],
      features: { read: 3, loaded: 3 },
      vertices: 15,
      rows: 3,
      warnings: [],
      tiers: [
        {
          availability: 'available',
          bandwidth_min_mbps: 100,
          bandwidth_max_mbps: 100,
          bandwidth_up_max_mbps: 10,
          rows: 2,
        },
        { availability: 'available', bandwidth_min_mbps: 300.5, bandwidth_max_mbps: 300.5, rows: 1 },
      ],
    });
    expect(submission.progress).toMatchObject({ rows_loaded: 3, features_read: 3 });
    expect(submission.progress?.bytes_read).toBe(submission.progress?.bytes_total);
    expect([await fibreAt(-38.95, 175.05), await fibreAt(-38.95, 175.25)]).toEqual([100, 300.5]);
  });
});

describe('texts out of files', () => {
  test('may hold what jsonb cannot store', async () => {
    const file = await zippedShapefile({
      features: [{ rings: [rectangle(175, -39, 175.1, -38.9)] }],
      cpg: 'U\0T\0F\0',
    });
    const submission = await service.ingest(file, { provider: 'Odd text' });
    expect(submission.state).toBe('published');
    expect(submission.report?.warnings).toMatchObject([{ code: 'encoding_unknown' }]);
  });
  test('may define a reference system at any length', async () => {
    const prj = wgs84Prj.replace('GCS_WGS_1984', 'long '.repeat(600));
    const file = await zippedShapefile({ prj, features: [{ rings: [rectangle(175, -39, 175.1, -38.9)] }] });
    expect((await service.ingest(file, { provider: 'Long name' })).state).toBe('published');
  });
});

test('an outline that is a tangle does not stop the service, and the other features are loaded', async () => {
  let state = 7;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const tangle = Array.from({ length: 3000 }, (): Point => [175 + random() * 0.1, -39 + random() * 0.1]);
  const features = [
    { rings: [[...tangle, tangle[0] as Point]] },
    { rings: [rectangle(175.2, -39, 175.3, -38.9)] },
  ];
  const submission = await service.ingest(await zippedShapefile({ features }), { provider: 'Tangle' });
  expect(submission.report?.features.loaded).toBe(1);
  expect(submission.report?.features.dropped).toEqual({ crosses_itself_too_often: 1 });
  expect(await fibreAt(-38.95, 175.25)).toBe(100);
});
