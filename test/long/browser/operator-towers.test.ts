import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { submissionKey } from '../../../workers/step.ts';
import { expectState, publish, useOperators } from '../../browser/operator.ts';
import { expectInAllLooks } from '../../setup/browser.ts';
import { client } from '../../setup/operator.ts';
import { addPremises } from '../../setup/premises.ts';

/* The operators' page for coverage that the service has modelled from towers, and that waits to be published. */

const samples = fileURLToPath(new URL('../../../samples/towers/', import.meta.url));
const scene = await useOperators({ terrainDir: `${samples}terrain` });

interface Modelled {
  modelling: { parameters: { range_km: number }; report: { speeds: { dbm: number }[] } | null };
}
const kauri = await client(scene.service.api.url, scene.service.database, 'Kauri Wireless');
const file = { name: 'nelson.csv', bytes: readFileSync(`${samples}nelson.csv`) };
const prediction = { range_km: 8 };
const manifest = { technology: 'wireless', processed_by: 'service', publish: 'review', prediction };
const { id } = await kauri.sent(file, manifest);
await kauri.until(id, ({ status }) => status === 'ready');
const modelled = async () => (await kauri.json<Modelled>(`/api/operator/submissions/${id}`)).modelling;
const page = await scene.signedIn('Kauri Wireless', `submission/${id}`);
const map = () => page.getByRole('region', { name: 'Map of the coverage in this file', exact: true });

test('staff have it modelled again, with other parameters', async () => {
  const staff = await scene.asStaff(`submission/${id}`);
  await expectState(staff, 'Ready to publish');
  await staff.getByText('Model again').click();
  await expectInAllLooks(staff, 'operator-model-again', staff.getByRole('region', { name: 'State' }));
  await staff.getByLabel('Range from a tower, km').fill('10');
  await staff.getByRole('button', { name: 'Model with the service' }).click();
  const range = async () => {
    const { parameters, report } = await modelled();
    return report && parameters.range_km;
  };
  await expect.poll(range, { timeout: 60_000 }).toBe(10);
  await expectState(staff, 'Ready to publish');
});
test('the terrain from a tower to a place: by a click, by Enter, and not where the server has none', async () => {
  // What staff had modelled again is there, and no more of it comes.
  await page.reload();
  await expectState(page, 'Ready to publish');
  const pictures = '**/signal/picture';
  await page.route(pictures, (route) => route.abort());
  await page.getByLabel('Signal of the towers').check();
  await page.getByText('The server cannot be reached.').waitFor();
  await page.unroute(pictures);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });

  // To a place behind a hill.
  await map().click({ position: { x: 366, y: 460 } });
  await page.getByText(/ km, no line of sight: -\d+ dBm received/).waitFor();
  await expectInAllLooks(page, 'operator-path', page.locator('.path-profile'));
  await map().locator('canvas').focus();
  await page.keyboard.press('Enter');
  await page.getByText(/ km, in line of sight: -\d+ dBm received/).waitFor();

  // As a server without terrain answers.
  await page.route(`**/submissions/${id}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { can: object };
    await route.fulfill({ response, json: { ...body, can: { ...body.can, profile_paths: false } } });
  });
  await page.reload();
  await page.getByLabel('Signal of the towers').check();
  await page.getByText('How it was modelled').waitFor();
  expect(await page.getByText('Click the map for the terrain').count()).toBe(0);
  // The page asks again and again: one may be on its way.
  await page.unrouteAll({ behavior: 'wait' });
});

test('with addresses, thresholds and turned towers show the premises that they give and take, and are used', async () => {
  const { database } = scene.service;
  type Towers = {
    features: { geometry: { coordinates: [number, number] }; properties: { azimuth_deg: number } }[];
  };
  const towers = async () => (await kauri.json<Towers>(`/api/operator/submissions/${id}/towers`)).features;
  const [lng = 0, lat = 0] = (await towers())[0]?.geometry.coordinates ?? [];
  const around = Array.from({ length: 2000 }, (_, i) => {
    const degrees = (0.1 * (i + 1)) / 2000;
    return { lng: lng + degrees * Math.sin(i), lat: lat + 0.7 * degrees * Math.cos(i) };
  });
  await addPremises(database, around);
  await page.reload();
  await expectState(page, 'Ready to publish');
  await page.getByLabel('Signal of the towers').check();
  const group = page.getByRole('group', { name: 'Received signal' });
  const weakest = group.getByRole('listitem').nth(3);
  const premisesOf = async () =>
    Number(/([\d,]+) premises/.exec(await weakest.innerText())?.[1]?.replace(',', ''));
  await expect.poll(premisesOf).toBeGreaterThan(0);
  const before = await premisesOf();
  await weakest.getByRole('slider').fill('-90');
  await expect.poll(premisesOf).toBeLessThan(before);
  await group
    .getByText(/premises covered\. Against what is published: [\d,]+ gained, 0 lost, 0 faster, 0 slower\./)
    .waitFor();
  await expectInAllLooks(page, 'operator-tried-thresholds', page.getByRole('region', { name: 'On the map' }));
  await page.getByRole('button', { name: 'Reset' }).click();

  await page.getByText('Try a tower in another way').click();
  const form = page.locator('.tower-trial');
  await form.getByRole('button', { name: 'Try', exact: true }).click();
  await form.getByText('Change its azimuth, height or power first.').waitFor();
  const former = (await towers())[0]?.properties.azimuth_deg;
  await form.getByLabel('Azimuth, degrees from north').fill('200');
  await form.getByRole('button', { name: 'Try', exact: true }).click();
  await form.getByText(`azimuth 200° (now ${former}°)`).waitFor();
  await form.getByText(/premises covered/).waitFor({ timeout: 60_000 });
  await expectInAllLooks(page, 'operator-tried-tower', form);
  await form.getByRole('button', { name: 'Use it' }).click();
  await form.getByText(`azimuth 200° (in the list ${former}°)`).waitFor({ timeout: 60_000 });
  await expectState(page, 'Ready to publish');
  await form.getByRole('button', { name: 'Use the list’s' }).click();
  await expect
    .poll(async () => (await towers())[0]?.properties.azimuth_deg, { timeout: 60_000 })
    .toBe(former);
  await expectState(page, 'Ready to publish');
  // Later tests are without addresses, as most servers are.
  await database.query('delete from premises');
  await database.query('update address_list set premises_version = 0');
});

test('the signal is a picture, its thresholds can be tried and taken, and what comes of it is published', async () => {
  await page.reload();
  await expectState(page, 'Ready to publish');
  const pictureAsked = page.waitForResponse((response) => response.url().endsWith('/signal/picture'));
  await page.getByLabel('Signal of the towers').check();
  expect((await pictureAsked).status()).toBe(200);

  const rows = page.getByRole('group', { name: 'Received signal' }).getByRole('listitem');
  const strongest = rows.first();
  const areaOf = async () => Number(/([\d.]+) km²/.exec(await strongest.innerText())?.[1]);
  await expect.poll(areaOf).toBeGreaterThan(0);
  const before = await areaOf();
  const slider = strongest.getByRole('slider');
  await slider.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
  await strongest.getByText('from -70 dBm').waitFor();
  expect(await areaOf()).toBeGreaterThan(before);
  const card = page.getByRole('region', { name: 'On the map' });
  await expect.poll(() => map().getAttribute('data-drawn')).toContain('sectors');
  await expectInAllLooks(page, 'operator-signal', card);
  // Not past the next class, however far somebody pulls.
  await slider.fill('-130');
  await strongest.getByText('from -74 dBm').waitFor();

  // The worker has to wait until that was seen.
  await scene.service.database.withExclusiveKey(submissionKey(id), async () => {
    await page.getByRole('button', { name: 'Use these thresholds' }).click();
    await page.getByText('The areas are being made again').waitFor();
  });
  const dbm = async () => (await modelled()).report?.speeds[0]?.dbm;
  await expect.poll(dbm, { timeout: 60_000 }).toBe(-74);
  await expectState(page, 'Ready to publish');
  // The chosen layer and the focus are as they were.
  expect(await page.getByLabel('Signal of the towers').isChecked()).toBe(true);
  expect(await page.evaluate('document.activeElement?.tagName')).toBe('FIELDSET');
  await page.getByRole('radio', { name: 'Coverage' }).check();
  await expect.poll(() => map().getAttribute('data-drawn')).toContain('coverage');
  await expectInAllLooks(page, 'operator-modelled');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = page.getByRole('dialog');
  await question.getByText('A processing fee of $1,000.00 (excl. GST) is charged.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await publish(page);
});
