/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { createCustomer } from '../../billing/customers.ts';
import { expectInAllLooks, useScene } from '../setup/browser.ts';
import { gate } from '../setup/gate.ts';
import { listening } from '../setup/listen.ts';
import { startService } from '../setup/service.ts';

/* The checker in somebody else's page, put there as docs/user/embed.md says. */

const place = { lat: '-36.9027', lng: '174.8076' };
const maxBytes = 17_000;
const guide = readFileSync(new URL('../../docs/user/embed.md', import.meta.url), 'utf8');
const snippet = /```html\n(.*?)```/s.exec(guide)?.[1] ?? '';

const scene = await useScene(async () => {
  const service = await startService();
  const provider = { name: 'Kauri Fibre', url: 'https://kauri-fibre.example/' };
  const speeds = { bandwidth_min_mbps: 300, bandwidth_max_mbps: 950, bandwidth_up_max_mbps: 500 };
  const covered = await zippedRectangle(174.7, -37, 174.9, -36.85);
  await service.ingest(covered, { provider, technology: 'fibre', speeds });
  return service;
});
/** A shop's page with the frame of the guide. Its address has what is added to that of the frame. */
const shop = createServer(({ url = '' }, response) => {
  const { search } = new URL(url, 'http://shop');
  const frame = snippet
    .replaceAll('https://covermap.example', scene.service.api.url)
    .replace('?key=cvm...', `?key=${key}&${search.slice(1)}`);
  const page = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${frame}</main></html>`;
  response.setHeader('content-type', 'text/html').end(page);
});
afterAll(() => shop.close());
const origin = await listening(shop);
const { database } = scene.service;
const customer = await createCustomer(database, { name: 'Shop' }, commandActor, new Date());
const { secret: key } = await addKey(database, customer, { label: 'Shop', origin }, commandActor);

async function openShop() {
  const page = await scene.open(origin);
  await page.goto('/');
  return { page, checker: page.frameLocator('iframe[title="Broadband checker"]') };
}

test('a visitor types coordinates, or shares where they are, and is led to the provider', async () => {
  const { page, checker } = await openShop();
  await checker.getByLabel('Coordinates').fill(`${place.lat}, ${place.lng}`);
  await page.keyboard.press('Enter');
  const offer = checker.getByRole('status').getByRole('listitem');
  await offer.waitFor();
  expect(await offer.textContent()).toMatch(/^Fibre up to 950 Mbps from Kauri Fibre, available now\./);
  const link = checker.getByRole('link', { name: 'Kauri Fibre' });
  expect(await link.getAttribute('href')).toBe('https://kauri-fibre.example/');
  await checker.getByLabel('Coordinates').fill('-45, 170');
  await checker.getByRole('button', { name: 'Check' }).click();
  await checker.getByText('No operator reports broadband here.').waitFor();
  await checker.getByLabel('Coordinates').fill('somewhere');
  await checker.getByRole('button', { name: 'Check' }).click();
  await checker.getByText('Coordinates look like').waitFor();
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation({ latitude: Number(place.lat), longitude: Number(place.lng) });
  await checker.getByRole('button', { name: 'Use my location' }).click();
  await offer.waitFor();
});

test('a page about one place shows it at once: below 17 kB, without cookies, from this server alone, and once counted', async () => {
  const page = await scene.open(origin);
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().startsWith(origin)) return;
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  });
  const counted = async () => {
    const { rows } = await database.query<{ sum: number }>(
      'select coalesce(sum(queries), 0)::integer as sum from usage_hour',
    );
    return rows[0]?.sum as number;
  };
  // Two lookups so far: the second answer for the first place came from the browser’s cache.
  await expect.poll(counted).toBe(2);
  await page.goto(`/?lat=${place.lat}&lng=${place.lng}&theme=dark`);
  const checker = page.frameLocator('iframe');
  await checker.getByText('available now').waitFor();
  expect(await checker.getByLabel('Coordinates').count()).toBe(0);
  await page.waitForLoadState('networkidle');
  expect(sizes).toHaveLength(5);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeLessThan(maxBytes);
  expect(await page.context().cookies()).toEqual([]);
  await expect.poll(counted).toBe(3);
  expect(scene.faults).toEqual([]);
});

test('works in every look', async () => {
  const page = await scene.open();
  await page.goto(`/embed?key=${key}&lat=${place.lat}&lng=${place.lng}`);
  await page.getByText('available now').waitFor();
  await expectInAllLooks(page, 'embed', page.locator('main'));
  await page.goto(`/embed?key=${key}`);
  await page.getByLabel('Coordinates').waitFor();
  await expectInAllLooks(page, 'embed-form', page.locator('main'));
});

test.each([
  ['light', '', 'rgb(255, 255, 255)', 'rgb(27, 31, 36)'],
  ['dark', '', 'rgb(22, 25, 29)', 'rgb(232, 234, 237)'],
  ['light', '&theme=dark', 'rgb(22, 25, 29)', 'rgb(232, 234, 237)'],
  ['dark', '&theme=light', 'rgb(255, 255, 255)', 'rgb(27, 31, 36)'],
] as const)(
  'has the colours of the device, or those of the address: a %s device, "%s"',
  async (colorScheme, theme, page, text) => {
    const checker = await scene.open();
    await checker.emulateMedia({ colorScheme });
    await checker.goto(`/embed?key=${key}${theme}`);
    await checker.getByLabel('Coordinates').waitFor();
    const colours = await checker.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [backgroundColor, color];
    });
    expect(colours).toEqual([page, text]);
  },
);

test('while the key’s rate is exceeded it waits for its turn, and what it asks besides may fail', async () => {
  const { page, checker } = await openShop();
  await page.route('**/tiles.json', (route) => route.abort());
  const refused = (after: string) => ({ status: 429, headers: { 'retry-after': after }, body: '{}' });
  await page.route('**/api/2.0/**', (route) => route.fulfill(refused('1')), { times: 2 });
  await page.goto(`/?lat=${place.lat}&lng=174.81`);
  await checker.getByText(/^fibre up to 950 Mbps/).waitFor();
  // The checker does not wait for tomorrow; the visitor can try again.
  await page.route('**/api/2.0/**', (route) => route.fulfill(refused('30000')), { times: 1 });
  await page.goto(`/?lat=${place.lat}&lng=174.82`);
  await checker.getByText('No more places can be looked up').waitFor();
  await checker.getByRole('button', { name: 'Try again' }).click();
  await checker.getByText('available now').waitFor();
});

test('a location that is not found in the end does not hide what was typed meanwhile', async () => {
  const { page, checker } = await openShop();
  const checkers = checker.locator('body');
  await checkers.evaluate(
    'navigator.geolocation.getCurrentPosition = (_, failed) => { globalThis.fail = failed; }',
  );
  await checker.getByRole('button', { name: 'Use my location' }).click();
  await checker.getByLabel('Coordinates').fill(`${place.lat}, ${place.lng}`);
  await page.keyboard.press('Enter');
  await checker.getByRole('listitem').waitFor();
  await checkers.evaluate('fail({ code: 2 }); new Promise((drawn) => setTimeout(drawn, 100))');
  expect(await checker.getByRole('listitem').count()).toBe(1);
  // A late answer does not replace it either.
  const held = gate();
  await page.route('**/api/2.0/availability/-45/170*', (route) => held.opened.then(() => route.continue()));
  await checker.getByLabel('Coordinates').fill('-45, 170');
  await page.keyboard.press('Enter');
  await checker.getByLabel('Coordinates').fill(`${place.lat}, ${place.lng}`);
  await page.keyboard.press('Enter');
  await checker.getByRole('listitem').waitFor();
  const late = page.waitForResponse('**/api/2.0/availability/-45/170*');
  held.open();
  await (await late).finished();
  await checkers.evaluate('new Promise((drawn) => setTimeout(drawn, 100))');
  expect(await checker.getByRole('listitem').count()).toBe(1);
});
