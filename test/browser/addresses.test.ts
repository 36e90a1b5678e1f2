/// <reference lib="dom" />
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { createCustomer } from '../../billing/customers.ts';
import { listAddresses } from '../setup/addresses.ts';
import { expectInAllLooks, useScene } from '../setup/browser.ts';
import { gate } from '../setup/gate.ts';
import { startService } from '../setup/service.ts';

/* The search for an address on the public map and in the checker, where the service has a list: an editable combobox by the ARIA Authoring Practices. */

const rata = { road: 'Rata Street', suburb: 'Ponsonby', town: 'Auckland', lat: -36.9027, lng: 174.8076 };
const scene = await useScene(async () => {
  const service = await startService();
  const provider = { name: 'Kauri Fibre', url: 'https://kauri-fibre.example/' };
  const covered = await zippedRectangle(174.7, -37, 174.9, -36.85);
  await service.ingest(covered, { provider, technology: 'fibre', speeds: { bandwidth_max_mbps: 950 } });
  await listAddresses(
    service.database,
    [
      { ...rata, id: 'A1', label: '2/14' },
      { ...rata, id: 'A2', label: '14', lat: -36.903 },
      { ...rata, id: 'A3', label: '14', suburb: 'Kelston', lat: -36.904 },
    ],
    ['A4'],
  );
  await service.database.query(
    `insert into address_alias (system, alias, address_id) values ('tlc', '77', 'A1')`,
  );
  return service;
}, false);
const { database, api } = scene.service;

const field = (page: Page) => page.getByRole('combobox', { name: 'Address, coordinates or a town' });
const card = (page: Page) => page.getByRole('region', { name: 'At this place' });
async function openMap(address = '/') {
  const page = await scene.open();
  await page.goto(address);
  await field(page).waitFor();
  return page;
}
/** The suggestions: the page has other lists. */
const options = (page: Page, by: { name?: string | RegExp; selected?: boolean } = {}) =>
  page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', by);
const marked = (page: Page) => options(page, { selected: true }).textContent();
/** Types and waits for the suggestions. */
async function type(page: Page, text: string) {
  await field(page).fill(text);
  await options(page).first().waitFor();
}
const first = '2/14 Rata Street, Ponsonby, Auckland';

describe('the map', () => {
  test('suggests addresses as somebody types; with the keys one is chosen, and titles the card', async () => {
    const page = await openMap();
    const input = field(page);
    expect(await input.getAttribute('aria-expanded')).toBe('false');
    await type(page, '2/14 rata st pons');
    expect(await input.getAttribute('aria-expanded')).toBe('true');
    const list = page.locator(`#${await input.getAttribute('aria-controls')}`);
    expect(await list.getAttribute('role')).toBe('listbox');
    await page
      .getByRole('status')
      .getByText(/^\d suggestions?\.$/)
      .waitFor({ state: 'attached' });
    expect(await input.getAttribute('aria-activedescendant')).toBeNull();
    await expectInAllLooks(page, 'map-addresses', page.locator('.panel'));
    await page.keyboard.press('ArrowDown');
    expect(await marked(page)).toContain(first);
    const reached = await input.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${reached}`).getAttribute('aria-selected')).toBe('true');
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await card(page).getByRole('heading', { name: first }).waitFor();
    expect(await input.inputValue()).toBe(first);
    expect(await input.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('status').getByText(`${first}: Fibre up to`).waitFor({ state: 'attached' });
    expect(page.url()).toContain('/?address=A1#');
  });

  test('Down and Up go round, Home and letters return to the text, Escape closes, then empties', async () => {
    const page = await openMap();
    await type(page, 'rata street');
    const count = await options(page).count();
    expect(count).toBeGreaterThan(1);
    const texts = await options(page).allTextContents();
    await page.keyboard.press('ArrowUp');
    expect(await marked(page)).toBe(texts[count - 1]);
    await page.keyboard.press('ArrowDown');
    expect(await marked(page)).toBe(texts[0]);
    await page.keyboard.press('Home');
    expect(await options(page, { selected: true }).count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    expect(await field(page).inputValue()).toBe('rata street');
    await page.keyboard.press('Alt+ArrowDown');
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    expect(await options(page, { selected: true }).count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await field(page).focus();
    await page.keyboard.press('Escape');
    expect(await field(page).inputValue()).toBe('');
  });

  test('Enter takes what is sure; of several it asks to choose, and a street moves the map alone', async () => {
    const page = await openMap();
    await field(page).fill('2/14 Rata Street, Ponsonby');
    await page.keyboard.press('Enter');
    await card(page).getByRole('heading', { name: first }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await field(page).fill('14 rata street');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Choose one of these').waitFor();
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    expect(await card(page).count()).toBe(0);
    await type(page, 'rata street kelston');
    await options(page, { name: /^Rata Street, Kelston.* street$/ }).click();
    await page.getByRole('status').getByText('The map has moved.').waitFor({ state: 'attached' });
    expect(await card(page).count()).toBe(0);
    await field(page).fill('qqqqqq wwwwww');
    await page.getByRole('status').getByText('No such address or place.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('No such address or place.').waitFor();
  });

  test('an answer that comes late does not replace a newer one, and nothing short is sent', async () => {
    const page = await openMap();
    const asked: string[] = [];
    const held = gate();
    await page.route('**/api/map/addresses?*', async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') as string;
      asked.push(q);
      if (q === 'rimu') await held.opened;
      await route.continue().catch(() => undefined);
    });
    await field(page).fill('ra');
    await field(page).fill('-36.9');
    await field(page).fill('rimu');
    await expect.poll(() => asked).toEqual(['rimu']);
    await type(page, 'rata street kelston');
    const before = await options(page).allTextContents();
    held.open();
    await page.evaluate('new Promise((drawn) => setTimeout(drawn, 100))');
    expect(await options(page).allTextContents()).toEqual(before);
    expect(asked).toEqual(['rimu', 'rata street kelston']);
  });

  test('says quietly that too much was asked, and goes on with coordinates', async () => {
    const page = await openMap();
    await page.route('**/api/map/addresses?*', (route) =>
      route.fulfill({ status: 429, json: { code: 429 } }),
    );
    await field(page).fill('rata street');
    await page.getByRole('status').getByText('No more addresses can be searched for').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await field(page).fill('-36.9027, 174.8076');
    await page.keyboard.press('Enter');
    await card(page).getByText('Kauri Fibre').waitFor();
  });

  test.each(['A1', 'tlc:77'])('a link to %s shows the address, and can be copied', async (id) => {
    const page = await openMap(`/?address=${id}`);
    const title = card(page).getByRole('link', { name: first });
    await title.waitFor();
    expect(await title.getAttribute('href')).toBe('/?address=A1');
    await card(page).getByText('Kauri Fibre').waitFor();
    expect(page.url()).toMatch(/\/\?address=A1#.*at=-36\.9027,174\.8076/);
    await page.reload();
    await title.waitFor();
  });

  test.each([
    ['A4', 'is no longer in the list of addresses'],
    ['A5', 'is not in the list'],
  ])('a link to %s, which is not there, says so', async (id, told) => {
    const page = await openMap(`/?address=${id}`);
    await page.getByRole('alert').getByText(told).waitFor();
    expect(await card(page).count()).toBe(0);
  });

  test('opens what other programs link to, with their text as a text', async () => {
    const called = encodeURIComponent('<img src=x> 2/14\nRata Street');
    const page = await openMap(`/availability/-36.9027/174.8076?address=${called}`);
    await card(page).getByRole('heading', { name: '<img src=x> 2/14 Rata Street' }).waitFor();
    await card(page).getByText('named by the link').waitFor();
    await card(page).getByText('Kauri Fibre').waitFor();
    for (const wrong of ['/availability/north/174?address=x', '/availability/%ff/1', '/availability//']) {
      await page.goto(wrong);
      await page.getByRole('alert').getByText('no position that can be read').waitFor();
    }
  });
});

describe('the checker', async () => {
  const customer = await createCustomer(database, { name: 'Shop' }, commandActor, new Date());
  const { secret: key } = await addKey(database, customer, { label: 'Shop', origin: api.url }, commandActor);
  const place = (page: Page) => page.getByRole('combobox', { name: 'Address or coordinates' });

  test('finds an address by typing, and links to it on the map', async () => {
    const page = await scene.open();
    await page.goto(`/embed?key=${key}`);
    await place(page).fill('2/14 rata st');
    await options(page, { name: first }).waitFor();
    await expectInAllLooks(page, 'embed-addresses');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('available now').waitFor();
    expect(await place(page).inputValue()).toBe(first);
    const link = page.getByRole('link', { name: 'See it on the map' });
    expect(await link.getAttribute('href')).toBe('/?address=A1#at=-36.9027,174.8076');
  });

  test('takes on Enter what is sure, else asks to choose; a street is not answered', async () => {
    const page = await scene.open();
    await page.goto(`/embed?key=${key}`);
    await place(page).fill('14 rata street');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Choose one of these').waitFor();
    await place(page).fill('14 Rata Street, Kelston');
    await page.keyboard.press('Enter');
    await page.getByText('available now').waitFor();
    await place(page).fill('rata street ponsonby');
    await options(page, { name: 'Rata Street, Ponsonby, Auckland street' }).click();
    await page.getByRole('status').getByText('Type the whole address').waitFor();
    await place(page).fill('qqqqqq wwwwww');
    await page.getByRole('status').getByText('No such address.').waitFor();
  });
});
