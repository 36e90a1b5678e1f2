import { readFileSync } from 'node:fs';
import { rectangle } from '@covermap/geometry/polygon.ts';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { replaceRegionLayer } from '../../coverage/regions/layers.ts';
import { listAddresses } from '../setup/addresses.ts';
import { expectInAllLooks, signIn, useScene } from '../setup/browser.ts';
import { addPremises } from '../setup/premises.ts';
import { startService } from '../setup/service.ts';

/* Staff see what is where. */

const scene = await useScene(() => startService(), false);
const { database } = scene.service;
const page = await scene.open();
const token = await createToken(database, { role: 'staff' }, 'Sam', commandActor);
await signIn(page, token, '/staff', 'What needs doing');

const row = async (name: string) => {
  const cells = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  return (await cells.first().locator('th, td').allTextContents()).join(' | ');
};

test('without addresses it says how to get some', async () => {
  await page.goto('/staff#/premises');
  await page.getByText('There are no addresses').waitFor();
  await expectInAllLooks(page, 'staff-premises-none');
});

test('premises are told by region, and the address keeps what was chosen', async () => {
  const places = [174.51, 174.52, 174.53, 174.61].map((lng) => ({ lat: -36.98, lng }));
  await listAddresses(
    database,
    places.map((place, i) => ({
      ...{ id: `p${i}`, label: '1', road: `Road ${i}`, suburb: 'Titirangi', town: 'Auckland', ...place },
      authority: i < 3 ? 'Auckland' : 'Waikato District',
    })),
  );
  await addPremises(database, places);
  const half = await zippedRectangle(174.5, -37, 174.525, -36.95);
  await scene.service.ingest(half, {
    ...{ provider: 'Kauri Fibre', technology: 'fibre' },
    speeds: { bandwidth_max_mbps: 300, bandwidth_up_max_mbps: 100 },
  });
  const report = {
    ...{ regions: 1, features: 1, vertices: 5, system: 'WGS 84', column: 'NAME', overlap_percent: 0 },
    ...{ outside: 0, clipped: 0, repaired: 0, dropped: 0 },
  };
  const box: [number, number, number, number] = [174.5, -37, 174.6, -36.9];
  const outline = [
    [
      [
        [174.5, -37],
        [174.6, -37],
        [174.6, -36.9],
        [174.5, -36.9],
        [174.5, -37],
      ],
    ],
  ];
  const areas = [wkbOf([rectangle(box)])];
  const layer = { name: 'wards', file: 'wards.zip', report };
  await replaceRegionLayer(database, layer, [{ name: 'West', areas, outline }], commandActor);

  await page.goto('/staff#/addresses');
  await page.getByRole('link', { name: 'What is where' }).click();
  await page.getByRole('heading', { name: 'By region' }).waitFor();
  await page.getByText('research, market or public-benefit, is not permitted').waitFor();
  expect(await row('Auckland')).toMatch(
    /^Auckland \| 3 \| 66\.7% \| 2 \| 2 \| 2 \| 2 \| 2 \| 2 \| 0 \| 1 \| 2 \|/,
  );
  expect(await row('All')).toMatch(/^All \| 4 \| {2}\| 2 \|/);
  await page.getByLabel('Regions', { exact: true }).selectOption('wards');
  await page.getByLabel('Download speed').selectOption('900');
  await page.getByRole('region', { name: /Map of wards/ }).waitFor();
  expect(await row('West')).toMatch(/^West \| 3 \| 0\.0% \|/);
  expect(await row('In no region')).toMatch(/^In no region \| 1 \|/);
  await page.reload();
  await page.getByRole('region', { name: /Map of wards/ }).waitFor();
  expect(page.url()).toContain('by=wards&speed=900');
  await expectInAllLooks(page, 'staff-premises');
});

test('the file has what was chosen', async () => {
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('staff-only-premises.csv');
  expect(readFileSync(await download.path(), 'utf8')).toContain('West,,3,2,2,2,2,2,2,0,1,2,0,0,');
});

test('a day before the first publication is told, and so is counting', async () => {
  await page.goto('/staff#/premises?day=2001-01-01');
  await page.getByText('No coverage had been published').waitFor();
  await database.query('update dataset set premises_version = null');
  await page.goto('/staff#/premises');
  await page
    .getByText('Counting …')
    .or(page.getByRole('heading', { name: 'By region' }))
    .first()
    .waitFor();
});
