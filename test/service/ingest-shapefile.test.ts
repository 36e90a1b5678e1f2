import { expect, test } from 'vitest';
import { randomNumbers } from '../setup/random.ts';
import { useService } from '../setup/service.ts';
import { rectangle, wgs84Prj, zippedShapefile } from '../setup/shapes.ts';
import type { Point } from '../setup/write-shapefile.ts';

/* Lookups and the report after a shapefile is submitted. test/unit/shapefile.test.ts has what such a file may hold. */

const service = await useService();

test('texts of a file may hold what jsonb cannot store, and define a reference system at any length', async () => {
  const file = await zippedShapefile({
    features: [{ rings: [rectangle(175, -39, 175.1, -38.9)] }],
    cpg: 'U\0T\0F\0',
    prj: wgs84Prj.replace('GCS_WGS_1984', 'long '.repeat(600)),
  });
  const submission = await service.ingest(file, { provider: 'Odd text' });
  expect(submission.state).toBe('published');
  expect(submission.report?.warnings).toMatchObject([
    { code: 'encoding_unknown', message: expect.stringContaining('windows-1252') },
  ]);
});

test('an outline that is a tangle does not stop the service, and the other features are loaded', async () => {
  const random = randomNumbers(7);
  const tangle = Array.from({ length: 3000 }, (): Point => [175 + random() * 0.1, -39 + random() * 0.1]);
  const features = [
    { rings: [[...tangle, tangle[0] as Point]] },
    { rings: [rectangle(175.2, -39, 175.3, -38.9)] },
  ];
  const { report } = await service.ingest(await zippedShapefile({ features }), { provider: 'Tangle' });
  expect(report?.features).toMatchObject({ loaded: 1, dropped: { crosses_itself_too_often: 1 } });
  const { results } = await service.at('-38.95', '175.25');
  expect(results.find(({ technology }) => technology === 'fibre')?.availability).toBe('available');
});
