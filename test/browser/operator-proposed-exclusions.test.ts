import { kml, type Point } from '@covermap/testing/formats.ts';
import { rectangle } from '@covermap/testing/shapes.ts';
import { test } from 'vitest';
import { answer, expectInAllLooks, shows } from '../setup/browser.ts';
import { useOperators } from './operator.ts';

/* A planner's file with areas that take others back, on the page of its submission. */

const scene = await useOperators({
  publishBlocks: { lostPercent: 60, warnings: ['no_coverage_over_coverage'] },
});

test('areas of no coverage are named, and made exclusions where their operator chooses them', async () => {
  const area = (name: string, ...[west, south, east, north]: [number, number, number, number]) => ({
    rings: [rectangle(west, south, east, north).reverse() as Point[]],
    properties: { name },
  });
  const bytes = kml('Multi coverage', {
    Addition: [area('Plains', 170.78, -44.79, 171.02, -44.67)],
    Subtraction: [
      area('Behind the hill', 170.86, -44.75, 170.94, -44.71),
      area('Licence edge', 170.98, -44.83, 171.06, -44.73),
    ],
  });
  const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 };
  const page = await scene.signedIn('Kauri Fibre');
  await scene.service.ingest(
    { name: 'multi.kml', bytes },
    {
      provider: 'Kauri Fibre',
      technology: 'wireless',
      tiers: { field: 'folder', values: { Addition: { speeds }, Subtraction: { coverage: false } } },
      publish: 'auto',
    },
  );
  await page.goto('/operator#/');
  await page.getByRole('link', { name: 'multi.kml' }).first().click();
  const named =
    /^(Warning: )?2 areas of the file say that there is no coverage where others say there is: Behind the hill \(28(\.\d)? km²\), Licence edge \(70(\.\d)? km²\)\.$/;
  await shows(page, named);
  await expectInAllLooks(page, 'operator-proposed-exclusions');
  await page.getByRole('button', { name: 'Exclude them …' }).click();
  await page.getByLabel(/^Licence edge/).uncheck();
  await expectInAllLooks(page, 'operator-proposed-exclusions-choice');
  await answer(page, 'Exclude areas');
  await shows(page, /of Fixed wireless taken off: Behind the hill|taken off: Behind the hill/);
  await shows(page, /1 area of the file says that there is no coverage/);
});
