import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { listAddresses } from '../setup/addresses.ts';
import { answer, drawnOnMap, expectInAllLooks, shows } from '../setup/browser.ts';
import { ingestSquares, useOperators } from './operator.ts';

/* Exclusions, as an operator makes and removes them on its page. */

const scene = await useOperators();
const { service } = scene;
const speeds = { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
const corners: [number, number][] = [
  [174.7, -36.95],
  [174.75, -36.95],
  [174.7, -36.9],
  [174.75, -36.9],
];
await ingestSquares(service, 'kauri.zip', corners, { provider: 'Kauri Fibre', technology: 'fibre', speeds });
const excluded = (page: Page) => page.getByRole('region', { name: 'Excluded', exact: true });
const page = await scene.signedIn('Kauri Fibre');
const patience = { timeout: 60_000 };

test('a place is excluded from the map, with what it takes, and live coverage loses it', async () => {
  await page.getByRole('link', { name: 'Exclusions' }).click();
  await drawnOnMap(page, 'coverage');
  await shows(excluded(page), 'Nothing is excluded.');
  await page.getByRole('button', { name: 'Exclude this place' }).click();
  await shows(page.getByRole('alert'), 'Click the map first, or choose an address.');
  await page.evaluate(`document.querySelector('.map').scrollIntoView({ block: 'center' })`);
  await goTo(page, 174.75, -36.9);
  await page.locator('.map canvas').click();
  await drawnOnMap(page, 'drawn-area');
  await shows(
    page.getByRole('list', { name: 'What it would take' }),
    /^Fibre: 0\.1[23]\d* km², 0\.\d% of what is live$/,
  );
  await page.getByLabel('Reason').fill('No line of sight behind the hill');
  await page.getByRole('button', { name: 'Exclude this place' }).click();
  await shows(excluded(page), /^Everything within 200 m of -36\.\d+, 174\.\d+$/);
  await expect.poll(() => excluded(page).textContent(), patience).toContain('In force');
  await expect.poll(() => excluded(page).textContent(), patience).toMatch(/Takes 0\.1[23]\d* km² of Fibre/);
  await expectInAllLooks(page, 'operator-exclusions');
});

test('the report of a later upload says what exclusions took', async () => {
  await ingestSquares(service, 'again.zip', corners, {
    ...{ provider: 'Kauri Fibre', technology: 'fibre', publish: 'review' as const },
    speeds: { ...speeds, bandwidth_max_mbps: 300 },
  });
  await page.goto('/operator#/');
  await page.getByRole('link', { name: 'again.zip' }).first().click();
  await shows(page, /of Fibre taken off: No line of sight behind the hill/);
});

test('removed, it is offered again, and stays in the list', async () => {
  await page.goto('/operator#/exclusions');
  await page.getByRole('button', { name: /^Remove: Everything/ }).click();
  await page.getByLabel('Why (optional)').fill('A new mast');
  await answer(page, 'Remove exclusion');
  await expect.poll(() => excluded(page).textContent(), patience).toMatch(/Removed.*: A new mast/s);
  const { results } = await service.at('-36.9', '174.75');
  await expect
    .poll(async () => (await service.at('-36.9', '174.75')).results[0]?.availability, patience)
    .toBe('available');
  expect(results.length).toBeGreaterThan(0);
});

test('an area has as many corners as are clicked, and the last one is undone', async () => {
  await page.goto('/operator#/exclusions');
  await page.getByLabel('An area').check();
  await drawnOnMap(page, 'coverage');
  await page.evaluate(`document.querySelector('.map').scrollIntoView({ block: 'center' })`);
  const click = (x: number, y: number) => page.locator('.map canvas').click({ position: { x, y } });
  await click(200, 200);
  await click(300, 200);
  await page.getByLabel('Reason').fill('A steep valley');
  await page.getByRole('button', { name: 'Exclude this place' }).click();
  await shows(page.getByRole('alert'), 'An area has at least three corners');
  for (const [x, y] of [
    [300, 300],
    [250, 320],
    [200, 300],
    [150, 250],
  ] as const)
    await click(x, y);
  await page.getByRole('button', { name: 'Undo last corner' }).click();
  await page.getByRole('button', { name: 'Exclude this place' }).click();
  await shows(excluded(page), 'Everything in an area of 5 corners');
});

test('a circle follows its radius, and is not taken without one', async () => {
  await page.getByLabel('A circle').check();
  await page.locator('.map canvas').click();
  await page.getByLabel('Reason').fill('Behind the hill');
  for (const none of ['', '0', '1e9']) {
    await page.getByLabel('Radius in metres').fill(none);
    await page.getByRole('button', { name: 'Exclude this place' }).click();
    await shows(page.getByRole('alert'), 'Type a radius from 1 to 100,000 metres.');
  }
  await page.getByLabel('Radius in metres').fill('350');
  await page.getByRole('button', { name: 'Exclude this place' }).click();
  await shows(excluded(page), /^Everything within 350 m of/);
});

test('an address is found as it is typed, and excluded', async () => {
  const place = { lng: 174.7505, lat: -36.9495 };
  await listAddresses(service.database, [
    { id: '77', label: '7', road: 'Matai Street', suburb: 'Matai', town: 'Auckland', ...place },
  ]);
  await page.reload();
  await page.getByLabel('An address').fill('7 Matai St');
  await page.getByRole('option', { name: /^7 Matai Street/ }).click();
  await page.getByLabel('Reason').fill('No line of sight');
  await shows(page.getByRole('list', { name: 'What it would take' }), /^Fibre: less than 0\.01 km²/);
  await page.getByRole('button', { name: 'Exclude this place' }).click();
  await shows(excluded(page), /^Everything at 7 Matai Street/);
});

/** Moves the map's middle to a place, as somebody does by dragging and zooming. */
async function goTo(target: Page, lng: number, lat: number): Promise<void> {
  await target.evaluate(`new Promise((done) => {
    addEventListener('drawn', ({ detail: { map } }) => { map.jumpTo({ center: [${lng}, ${lat}], zoom: 12 }); done(); }, { once: true });
    document.querySelector('.map canvas').dispatchEvent(new WheelEvent('wheel', { deltaY: -10, bubbles: true }));
  })`);
}
