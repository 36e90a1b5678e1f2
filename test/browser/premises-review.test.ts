import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listAddresses } from '../setup/addresses.ts';
import { drawnOnMap, expectAccessible, expectInAllLooks, tabTo } from '../setup/browser.ts';
import { addPremises, countBySql } from '../setup/premises.ts';
import { expectState, ingestSquares, shapefile, square, useOperators } from './operator.ts';

/* The review of a file that takes service away from addresses, on the operators' page. */

const scene = await useOperators();
const { service } = scene;
const provider = 'Kauri Fibre';

/** Streets of made-up suburbs in the squares of the first file: so many addresses, in rows. */
const suburbs = [
  { suburb: 'Matai', lng: 174.705, lat: -36.945, count: 70 },
  { suburb: 'Kowhai', lng: 174.785, lat: -36.945, count: 50 },
  { suburb: 'Rimu', lng: 174.845, lat: -36.945, count: 40 },
];
const addresses = suburbs.flatMap(({ suburb, lng, lat, count }, s) =>
  Array.from({ length: count }, (_, i) => ({
    ...{
      id: String(1000 * (s + 1) + i),
      label: String(i + 1),
      road: `${suburb} Street`,
      suburb,
      town: 'Auckland',
    },
    ...{ lng: lng + (i % 10) * 0.003, lat: lat + Math.floor(i / 10) * 0.004 },
  })),
);
await listAddresses(service.database, addresses);
await addPremises(service.database, addresses);

const lists = (page: Awaited<ReturnType<typeof scene.signedIn>>, kind: string) =>
  page.getByRole('list', { name: `Premises that ${kind}, by suburb: Fibre` });

await ingestSquares(
  service,
  'north.zip',
  [
    [174.7, -36.95],
    [174.78, -36.95],
    [174.84, -36.95],
  ],
  {
    provider,
    technology: 'fibre',
  },
);
// Another operator is in one of the suburbs.
await ingestSquares(service, 'others.zip', [[174.84, -36.95]], {
  provider: 'Moa Wireless',
  technology: 'wireless',
});
const page = await scene.signedIn(provider);
let id: string;

test('who would lose service, and where, stands first, with what others offer', async () => {
  // Matai keeps its fibre, Kowhai gets slower, and Rimu loses it.
  const file = await shapefile('north-2026-11.zip', [
    { rings: square(174.7, -36.95) },
    { rings: square(174.78, -36.95), down: 50 },
  ]);
  const { buffer: bytes, name } = file;
  ({ id } = await service.ingest({ name, bytes }, { provider, technology: 'fibre', publish: 'review' }));
  await page.goto(`/operator#/submission/${id}`);
  await expectState(page, 'Ready to publish');
  await page.getByText('Fibre: 40 premises would lose service, 50 would be slower.').waitFor();
  await page
    .getByText(/^All that lose it are still served by others \(today, .+\)\. .+ would be lost/)
    .waitFor();
  await lists(page, 'lose service')
    .getByRole('button', { name: /^Rimu, Auckland: 40/ })
    .waitFor();
  await lists(page, 'become slower')
    .getByRole('button', { name: /^Kowhai, Auckland: 50/ })
    .waitFor();
  await drawnOnMap(page, 'premises-suburbs');
  await page.getByText('40 premises lose service', { exact: true }).waitFor();
  await expectAccessible(page, 'a review of premises');
});

test('a suburb is shown on the map with the keyboard, and Enter chooses the point in its middle', async () => {
  await tabTo(page, lists(page, 'lose service').getByRole('button').first());
  await page.keyboard.press('Enter');
  await page.getByText('The map shows Rimu, Auckland.').waitFor({ state: 'attached' });
  await drawnOnMap(page, 'premises');
  const canvas = page.locator('.map canvas');
  await canvas.focus();
  const chosen = page.getByRole('region', { name: 'Chosen premises' });
  await expect
    .poll(async () => {
      await page.keyboard.press('Enter');
      return chosen.isVisible();
    })
    .toBe(true);
  await chosen.getByRole('heading', { name: /^\d+ Rimu Street, Rimu, Auckland$/ }).waitFor();
  await chosen.getByText('Fibre: 100 Mbps now, no service afterwards').waitFor();
  await chosen.getByText(/Wireless up to 100 Mbps from Moa Wireless/).waitFor();
  await expectInAllLooks(page, 'operator-premises');
  await expectInAllLooks(page, 'operator-premises-chosen', page.getByRole('region', { name: 'On the map' }));
  await chosen.getByRole('button', { name: 'Close the chosen premises' }).click();
  await chosen.waitFor({ state: 'detached' });
});

test('the addresses are a file', async () => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download addresses' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines.filter((line) => line.startsWith('lost,'))).toHaveLength(40);
  expect(lines.filter((line) => line.startsWith('slower,'))).toHaveLength(50);
});

test('staff see the same; after an import of addresses, the page says that premises are counted', async () => {
  const staff = await scene.asStaff(`submission/${id}`);
  await staff.getByText('Fibre: 40 premises would lose service, 50 would be slower.').waitFor();
  await service.database.query('update address_list set premises_version = premises_version + 1');
  await page.reload();
  await page.getByText('Counting premises …').waitFor();
  expect(await page.getByText(/premises would lose service/).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
  const { rows } = await service.database.query<{ id: number }>('select id from dataset');
  for (const dataset of rows) await countBySql(service.database, dataset.id);
  await page.getByText('Fibre: 40 premises would lose service, 50 would be slower.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByText('Fibre: 40 premises would lose service').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
});
