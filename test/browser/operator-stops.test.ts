import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { createCustomer } from '../../billing/customers.ts';
import { answer, drawnOnMap, expectAccessible, expectInAllLooks, shows } from '../setup/browser.ts';
import { ingestSquares, useOperators } from './operator.ts';

/* Stops, as an operator makes them on its page and everybody sees them on the map. */

const scene = await useOperators();
const { service } = scene;
const speeds = { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
const corners: [number, number][] = [
  [174.7, -36.95],
  [174.75, -36.95],
  [174.7, -36.9],
  [174.75, -36.9],
];
const submission = await ingestSquares(service, 'kauri.zip', corners, {
  provider: 'Kauri Fibre',
  technology: 'fibre',
  speeds,
});
await ingestSquares(service, 'tui.zip', corners, { provider: 'Tui Cable', technology: 'cable', speeds });

/** Clicks of the mouse on a page, from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    `(window.clicks ??= addEventListener('pointerdown', () => window.clicks++, true), window.clicks = 0)`,
  );
  return () => page.evaluate<number>('window.clicks');
}
const stops = (page: Page) => page.getByRole('region', { name: 'Stops', exact: true });
const page = await scene.signedIn('Kauri Fibre');

test('an area is closed with three clicks, and the map tells of it', async () => {
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'New connections' }).click();
  await drawnOnMap(page, 'coverage');
  await shows(stops(page), 'All coverage takes new connections.');
  await page.evaluate(`document.querySelector('.map').scrollIntoView({ block: 'center' })`);
  // As near as a circle of a kilometre is drawn.
  await goTo(page, 174.75, -36.9);
  await page.locator('.map canvas').click();
  await drawnOnMap(page, 'drawn-area');
  await page.getByRole('button', { name: 'Close this area' }).click();
  await shows(stops(page), /^Everything within 1 km of -36\.\d+, 174\.\d+$/);
  expect(await clicks()).toBe(3);
  await drawnOnMap(page, 'stops');
  await expectInAllLooks(page, 'operator-stops');

  const visitor = await scene.open();
  await visitor.goto('/#at=-36.9,174.75');
  const card = visitor.getByRole('region', { name: 'At this place' });
  await shows(card, /Fibre up to 100 Mbps from Kauri Fibre, available, not orderable at present\./);
  await shows(card, /Cable up to 100 Mbps from Tui Cable, available now\./);
  await expectInAllLooks(visitor, 'map-not-orderable');
});

test('the review of a file names the stops that it meets', async () => {
  const review = await scene.signedIn('Kauri Fibre', `submission/${submission}`);
  const card = review.getByRole('region', { name: 'Closed to new connections' });
  await shows(card, /^Everything within 1 km of/);
  await expectAccessible(review, 'a review with a stop');
});

test('the last day is changed, and the checker of others’ pages tells it', async () => {
  await page.getByRole('button', { name: /^Change last day: Everything/ }).click();
  await page.getByLabel('Last day (empty').fill('2099-03-11');
  await answer(page, 'Save last day');
  await shows(stops(page), /until 11 March 2099/);
  const checker = await scene.open();
  const { database, api } = service;
  const customer = await createCustomer(database, { name: 'Shop' }, commandActor, new Date());
  const { secret: key } = await addKey(database, customer, { label: 'Shop', origin: api.url }, commandActor);
  await checker.goto(`/embed?key=${key}&lat=-36.9&lng=174.75`);
  await shows(checker, /Kauri Fibre, available, not orderable until 12 March 2099\./);
});

test('undone, it is orderable again', async () => {
  await page.getByRole('button', { name: /^Undo: Everything/ }).click();
  await answer(page, 'Undo stop');
  await shows(stops(page), 'All coverage takes new connections.');
  const visitor = await scene.open();
  await visitor.goto('/#at=-36.9,174.75');
  await shows(visitor.getByRole('region', { name: 'At this place' }), /Kauri Fibre, available now\./);
});

test('a tier is closed with two clicks, and another tab sees it without being asked', async () => {
  await page.goto('/operator#/');
  const tab = await page.context().newPage();
  await tab.goto('/operator#/stops');
  await shows(stops(tab), 'All coverage takes new connections.');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'New connections' }).click();
  await page.getByRole('button', { name: 'Close Fibre 100 Mbps, 20 Mbps up' }).click();
  await shows(stops(page), 'Fibre up to 100 Mbps, 20 Mbps up');
  expect(await clicks()).toBe(2);
  await shows(stops(tab), 'Fibre up to 100 Mbps, 20 Mbps up');
});

test('nothing is closed where nothing is drawn, and a wrong day is told', async () => {
  await page.goto('/operator#/stops');
  await page.getByRole('button', { name: 'Close this area' }).click();
  await shows(page.getByRole('alert'), 'Click the map first.');
  await page.getByLabel('Last day (optional)').fill('2020-01-01');
  await page.getByRole('button', { name: 'Close Fibre 100 Mbps, 20 Mbps up' }).click();
  await shows(page.getByRole('alert'), /The stop would have ended on 2020-01-01/);
});

test('staff see the stops of each operator, and close for it', async () => {
  const staff = await scene.asStaff('stops');
  await staff.getByLabel('Operator').selectOption('Tui Cable');
  await shows(stops(staff), 'All coverage takes new connections.');
  await staff.getByRole('button', { name: 'Close Cable 100 Mbps, 20 Mbps up' }).click();
  await shows(stops(staff), /^Tui Cable, from/);
});

/** Moves the map's middle to a place, as somebody does by dragging and zooming. */
async function goTo(target: Page, lng: number, lat: number): Promise<void> {
  await target.evaluate(`new Promise((done) => {
    addEventListener('drawn', ({ detail: { map } }) => { map.jumpTo({ center: [${lng}, ${lat}], zoom: 12 }); done(); }, { once: true });
    document.querySelector('.map canvas').dispatchEvent(new WheelEvent('wheel', { deltaY: -10, bubbles: true }));
  })`);
}
