/// <reference lib="dom" />
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { moment } from '../../web/shared/words.ts';
import { coloursAt, drawnOnMap, expectInAllLooks, shows, tabTo, useScene } from '../setup/browser.ts';
import { gate } from '../setup/gate.ts';
import { streetsAround } from '../setup/pmtiles.ts';
import { startService } from '../setup/service.ts';

const outsideArea = 'That is outside the area which this map covers.';

/* The public map, as a visitor uses it to learn which broadband a place has. */

const here = { latitude: -36.9027, longitude: 174.8076 };
const basemapFile = path.join(scratchFolder(), 'streets.pmtiles');
const text = `${here.latitude}, ${here.longitude}`;
const scene = await useScene(async () => {
  writeFileSync(basemapFile, streetsAround(174.93, -36.92));
  const service = await startService({ basemapFile });
  const north = await zippedRectangle(174.7, -37, 174.9, -36.85);
  const east = await zippedRectangle(174.78, -36.95, 175, -36.8);
  const address = 'https://kauri-fibre.example/';
  const kauri = { name: 'Kauri Fibre', url: address, wholesale_network: 'Yes' } as const;
  const fast = { bandwidth_min_mbps: 300, bandwidth_max_mbps: 950, bandwidth_up_max_mbps: 500 };
  await service.ingest(north, { provider: kauri, technology: 'fibre', speeds: fast });
  // Slower cable over half of the fibre; planned wireless beside it.
  const across = await zippedRectangle(174.82, -37, 175, -36.85);
  const slower = { bandwidth_max_mbps: 200 };
  await service.ingest(across, { provider: 'Rimu Cable', technology: 'cable', speeds: slower });
  const planned = { availability: 'planned', planned_date: '2031-03-31' } as const;
  await service.ingest(east, { provider: 'Tui Wireless', technology: 'wireless', ...planned });
  return service;
});
const page = await scene.open();
await page.goto('/');

async function boxOf(element: Locator) {
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await boxOf(element);
  return { x: x + width / 2, y: y + height / 2 };
}

/** Opens the map anew, at an address, and waits until it is drawn. */
async function look(address: string): Promise<void> {
  await page.goto(address);
  await page.reload();
  await drawnOnMap(page, 'best');
}

const answer = () => page.getByRole('region', { name: 'At this place' });
/* Of two places. */
const first = () => page.getByRole('region', { name: 'At A' });
const besideIt = () => page.getByRole('region', { name: 'At B' });

async function compareWith(place: string): Promise<void> {
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('status').getByText('to see beside this one').waitFor();
  await page.getByLabel('Coordinates or a town').fill(place);
  await page.keyboard.press('Enter');
}

describe('a place', () => {
  test('is searched for by coordinates: the town, each offer in a sentence, fastest first, and what is planned when', async () => {
    await page.getByLabel('Coordinates or a town').fill(text);
    await page.keyboard.press('Enter');
    await answer().getByRole('heading', { name: 'Near Auckland' }).waitFor();
    await answer().getByText(text).waitFor();
    const offers = await answer().getByRole('listitem').allTextContents();
    expect(offers).toEqual([
      expect.stringMatching(
        /^Fibre up to 950 Mbps from Kauri Fibre, available now\.Download 300 to 950 Mbps, upload .*500 Mbps\. Sold by internet providers/,
      ),
      expect.stringMatching(/^Wireless up to .* from Tui Wireless, planned for 31 March 2031\./),
    ]);
    const link = answer().getByRole('link', { name: 'Kauri Fibre' });
    expect(await link.getAttribute('href')).toBe('https://kauri-fibre.example/');
    expect(await answer().textContent()).toContain('Not available: Cable, VDSL, ADSL.');
    // When it went live, not the time of asking.
    const { rows } = await scene.service.database.query<{ at: Date }>(
      `select d.published_at as at from dataset d join provider p on p.id = d.provider_id where p.name = 'Kauri Fibre'`,
    );
    const published = moment(rows[0]?.at as Date);
    await answer().getByRole('listitem').first().getByText(`Published on ${published}.`).waitFor();
    // Announced to screen readers.
    await page
      .getByRole('status')
      .getByText(/^Near Auckland: Fibre up to 950 Mbps from Kauri Fibre, available now\. Wireless/)
      .waitFor({ state: 'attached' });
    await drawnOnMap(page, 'best');
    await expectInAllLooks(page, 'map-card', answer());
  });

  test('is in the address, so that it can be sent to somebody', async () => {
    await expect.poll(() => page.url()).toContain(`at=${here.latitude},${here.longitude}`);
    expect(page.url()).toMatch(/#map=12\/-36\.90\d+\/174\.80/);
    await page.reload();
    await answer().getByText(text).waitFor();
    await drawnOnMap(page, 'best');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    await page.context().clearPermissions();
  });

  test('is seen beside another one, as A and B, with what differs in words', async () => {
    await compareWith('-36.9, 174.95');
    await shows(besideIt(), 'Rimu Cable');
    const differences = page.getByRole('region', { name: 'What differs' });
    const faster = 'Faster download at A: up to 950 Mbps, and 200 Mbps at B.';
    await expect
      .poll(() => differences.getByRole('listitem').allTextContents())
      .toEqual([
        faster,
        expect.stringMatching(/^Faster upload at A: up to 500 Mbps, and .* at B\.$/),
        'Available only at A: Fibre.',
        'Available only at B: Cable.',
        'Providers only at A: Kauri Fibre.',
        'Providers only at B: Rimu Cable.',
      ]);
    const notes = (card: Locator) =>
      card
        .getByRole('listitem')
        .filter({ hasText: /Only at|than at/ })
        .locator('strong:first-child')
        .allTextContents();
    expect(await notes(first())).toEqual(['Fibre']);
    expect(await notes(besideIt())).toEqual(['Cable']);
    await page
      .getByRole('status')
      .getByText(`A, Near Auckland, and B, Near Pakuranga: ${faster}`)
      .waitFor({ state: 'attached' });
    // Both are on the map, under their letters.
    const whole = await boxOf(page.locator('.map'));
    const marks = page.locator('.map .map-letter');
    expect(await marks.allTextContents()).toEqual(['A', 'B']);
    for (const mark of await marks.all()) {
      const { x, y } = await middleOf(mark);
      expect(x > whole.x && x < whole.x + whole.width && y > whole.y && y < whole.y + whole.height).toBe(
        true,
      );
    }
    await drawnOnMap(page, 'best');
    await expectInAllLooks(page, 'map-cards', page.locator('.panel'));
    for (const [width, areStacked] of [
      [1280, false],
      [375, true],
      [320, true],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const [a, b] = [await boxOf(first()), await boxOf(besideIt())];
      expect(areStacked ? b.y >= a.y + a.height && b.x === a.x : b.y === a.y && b.x >= a.x + a.width).toBe(
        true,
      );
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Close B' }).click();
    await answer().getByText(text).waitFor();
    expect(await page.locator('.map .map-letter').count()).toBe(0);
  });

  test('is seen beside one without coverage, and beside a town; closed, the other one stays', async () => {
    await compareWith('-45, 170');
    await besideIt().getByText('No operator reports broadband here.').waitFor();
    // Without coverage here, the card shows the distance to the nearest.
    await shows(besideIt(), /^The nearest available coverage is Fibre, 9\d\d km away\.$/);
    await page.getByRole('listitem').getByText('Broadband is available at A only.').waitFor();
    expect(page.url()).toContain(`at=${here.latitude},${here.longitude}&beside=-45,170`);
    await page.getByRole('button', { name: 'Close A' }).click();
    await answer().getByText('-45, 170').waitFor();
    expect(await besideIt().count()).toBe(0);
    await page.goBack();
    await answer().getByText(text).waitFor();
    await compareWith('dunedin');
    await besideIt().getByRole('heading', { name: 'Near Dunedin' }).waitFor();
    expect(page.url()).toMatch(/&beside=-45\.8/);
    // Another address than the one that was copied before.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/&beside=-45\.8/);
    await page.context().clearPermissions();
    await page.getByRole('button', { name: 'Close B' }).click();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
  });

  test('of a shared link is below the search on a phone', async () => {
    const phone = await scene.open();
    await phone.setViewportSize({ width: 375, height: 740 });
    await phone.goto(`/#at=${here.latitude},${here.longitude}`);
    const card = phone.getByRole('region', { name: 'At this place' });
    await card.getByText('Kauri Fibre').waitFor();
    const [search, shown] = await Promise.all([phone.getByRole('search').boundingBox(), card.boundingBox()]);
    expect(search?.y).toBeLessThan(shown?.y ?? 0);
  });

  test('is clicked on; Back returns to the one before', async () => {
    const before = page.url();
    // Far from everything.
    await page
      .getByRole('region', { name: 'Map of broadband coverage', exact: true })
      .click({ position: { x: 20, y: 700 } });
    await expect.poll(() => page.url()).not.toBe(before);
    await expect.poll(() => answer().getByText(text).count()).toBe(0);
    await page.goBack();
    await answer().getByText(text).waitFor();
  });

  test('that is outside, east of 180 degrees, is said to be so', async () => {
    const far = await scene.open();
    // A second place without a first counts as the first; an unknown provider is ignored.
    await far.goto('/#map=7/-38.5/180&beside=-45,170&of=Gone');
    await far.getByText('-45, 170').waitFor();
    await far.locator('.map[data-drawn]').waitFor();
    const { x, y } = await middleOf(far.locator('.map canvas'));
    await far.mouse.click(x + 100, y);
    await far.getByRole('region', { name: 'At this place' }).getByText(outsideArea).waitFor();
    expect(far.url()).toMatch(/&at=-38\.\d+,-179\.\d+$/);
  });

  test('is where the device says, if it may', async () => {
    await page.context().setGeolocation(here);
    await page.context().grantPermissions(['geolocation']);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Use my location' }).click();
    await answer().getByText(text).waitFor();
    await page.context().clearPermissions();
    await page.getByRole('button', { name: 'Use my location' }).click();
    await page.getByRole('alert').getByText('The browser may not share your location.').waitFor();
  });

  test('that is none, or outside, is told so; a town is gone to', async () => {
    const search = page.getByLabel('Coordinates or a town');
    for (const [words, told] of [
      ['nowhere at all', 'No such place on this map.'],
      ['52.5, 13.4', outsideArea],
      ['', 'Type coordinates'],
    ] as const) {
      await search.fill(words);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText(told).waitFor();
      expect(await search.getAttribute('aria-invalid')).toBe('true');
    }
    await search.fill('dunedin');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(/#map=11\/-45\.8/);
  });

  test('is shown, also if the search comes before the map is loaded and before a location is found', async () => {
    const slow = await scene.open();
    const held = gate();
    await slow.route('**/assets/map-*.js', (route) => held.opened.then(() => route.continue()));
    await slow.goto('/');
    await slow.evaluate(
      'navigator.geolocation.getCurrentPosition = (found) => { globalThis.found = found; }',
    );
    await slow.getByRole('button', { name: 'Use my location' }).click();
    await slow.getByLabel('Coordinates or a town').fill('dunedin');
    await slow.keyboard.press('Enter');
    await slow.evaluate('found({ coords: { latitude: -36.9, longitude: 174.8 } })');
    held.open();
    await slow.locator('.map[data-drawn]').waitFor();
    expect(slow.url()).toMatch(/#map=11\/-45\.8/);
    expect(await slow.getByRole('region', { name: 'At this place' }).count()).toBe(0);
  });
});

test('the map has the colours of its legend, whatever lies on one another', async () => {
  await look(`/#map=10/${here.latitude}/174.9`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const swatchOf = (label: string) =>
      middleOf(page.getByRole('listitem').filter({ hasText: label }).locator('.swatch'));
    const { x, y } = await middleOf(page.locator('.map canvas'));
    const onMap = (lng: number) => ({ x: x + ((lng - 174.9) / 360) * 512 * 2 ** 10, y });
    const fast = await swatchOf('300 to 1000 Mbps');
    const slower = await swatchOf('100 to 300 Mbps');
    // Away from the coastline: the fibre alone, and with the slower cable below it; the cable with what is planned below it.
    const places = [fast, onMap(174.74), onMap(174.83), slower, onMap(174.93), onMap(174.97)];
    await expect
      .poll(async () => {
        const [first, alone, over, second, below, beside] = await coloursAt(page, places);
        return [alone, over, below, beside].map((one) =>
          one === first ? 'fast' : one === second ? 'slower' : one,
        );
      })
      .toEqual(['fast', 'fast', 'slower', 'slower']);
  }
  await page.emulateMedia({ colorScheme: 'light' });
});

test('without streets, the coastline is above the colours at the scale of its data, and not at finer ones', async () => {
  const own = await scene.open();
  await own.route('**/api/map/settings', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), basemap_file: null } });
  });
  // A part of the fibre with a harbour's shore and no names.
  const [west, east, south, north] = [174.705, 174.735, -36.945, -36.9];
  for (const [zoom, isThere] of [
    [10, true],
    [11, false],
    [12, false],
  ] as const) {
    await own.goto('about:blank');
    await own.goto(`/#map=${zoom}/${(south + north) / 2}/${(west + east) / 2}`);
    await drawnOnMap(own, 'best');
    const { x, y } = await middleOf(own.locator('.map canvas'));
    const pixels = (degrees: number) => Math.floor((degrees / 360) * 512 * 2 ** zoom);
    const [wide, high] = [
      pixels(east - west) / 2,
      pixels((north - south) / Math.cos((36.9 * Math.PI) / 180)) / 2,
    ];
    const places = [];
    for (let dx = -wide; dx <= wide; dx++)
      for (let dy = -high; dy <= high; dy++) places.push({ x: x + dx, y: y + dy });
    const found = new Set(await coloursAt(own, places));
    expect(found.size > 1, `zoom ${zoom}: ${[...found].slice(0, 5)}`).toBe(isThere);
    expect(found).toContain('#4899bf');
  }
});

test('streets are drawn above the colours, out of an archive of this server', async () => {
  const parts: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/basemap.pmtiles')) parts.push(`${response.status()}`);
  });
  await look('/#map=14/-36.917/174.93');
  const middle = await middleOf(page.locator('.map canvas'));
  const [road, beside] = await coloursAt(page, [middle, { ...middle, y: middle.y - 60 }]);
  expect(beside).toBe('#7bc2c3');
  expect(road).not.toBe(beside);
  await page.getByRole('link', { name: '© OpenStreetMap' }).waitFor();
  expect(new Set(parts)).toEqual(new Set(['206']));
});

test('technologies, providers and what is planned are outlined by choice, and the address says so', async () => {
  await look(`/#map=11/${here.latitude}/${here.longitude}`);
  expect(await page.locator('.map').getAttribute('data-drawn')).not.toContain('areas');
  const outlined = page.locator('.map[data-drawn~="areas"]');
  const none = page.locator('.map[data-drawn]:not([data-drawn~="areas"])');
  await page.getByLabel('Wireless').check();
  // Wireless is only planned.
  await expect.poll(() => page.url()).toContain('with=wireless');
  await none.waitFor({ state: 'attached' });
  await page.getByLabel('Planned or under construction').check();
  await outlined.waitFor({ state: 'attached' });
  // With a technology or a provider chosen, planned areas are drawn beside available ones.
  await page.getByLabel('Fibre').check();
  await page
    .locator('.map[data-drawn~="areas-available"][data-drawn~="areas-planned"]')
    .waitFor({ state: 'attached' });
  await page.getByLabel('Fibre').uncheck();
  await page.getByLabel('Of the provider').selectOption('Kauri Fibre');
  await none.waitFor({ state: 'attached' });
  await page.getByLabel('Of the provider').selectOption('Tui Wireless');
  await outlined.waitFor({ state: 'attached' });
  expect(page.url()).toContain('&with=wireless&of=Tui+Wireless&planned');
  await page.reload();
  await outlined.waitFor({ state: 'attached' });
});

test('the first view takes little, so that it is there soon on a slow line, too', async () => {
  const visitor = await scene.open();
  const line = await visitor.context().newCDPSession(visitor);
  const sizes: number[] = [];
  line.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength));
  await line.send('Network.enable');
  await visitor.setViewportSize({ width: 768, height: 1024 });
  await visitor.goto('/');
  await drawnOnMap(visitor, 'best');
  // The credits do not lie over the scale.
  expect(await visitor.locator('.maplibregl-compact-show').count()).toBe(0);
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  expect(kilobytes).toBeLessThan(700);
  expect(sizes.filter((size) => size > 0).length).toBeLessThanOrEqual(22);
  // The page's head preloads the settings; nothing asks for them again, nor for the tile sets that they describe.
  const asked: [string, string][] = await visitor.evaluate(
    `performance.getEntriesByType('resource').map((one) => [new URL(one.name).pathname, one.initiatorType])`,
  );
  expect(asked.filter(([path]) => path.startsWith('/api/'))).toEqual([['/api/map/settings', 'link']]);
  expect(asked.map(([path]) => path).filter((path) => /^\/tiles\/\w+\.json$/.test(path))).toEqual([]);
});

test('everything can be done with the keyboard alone', async () => {
  await look(`/#map=12/${here.latitude}/${here.longitude}`);
  const map = page.locator('.map canvas');
  await tabTo(page, map);
  await page.keyboard.press('Enter');
  await answer().getByText('Kauri Fibre').waitFor();
});

test('what is published while the map is open is on it once somebody looks again', async () => {
  const speeds = { bandwidth_max_mbps: 50 };
  const around = await zippedRectangle(174.7, -37, 175, -36.8);
  await scene.service.ingest(around, { provider: 'Rata Copper', technology: 'adsl', speeds });
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByLabel('Of the provider').selectOption('Rata Copper');
  await page.locator('.map[data-drawn~="areas-available"]').waitFor({ state: 'attached' });
});

test('a further technology can be outlined, in a colour of its own', async () => {
  await scene.service.database.query(
    `insert into technology (id, name, label, nominal_rank, set_id) values (600, 'low_orbit', 'Low orbit', 600, 600)`,
  );
  const settings = async () => (await scene.service.get('/api/map/settings')).text();
  await expect.poll(settings).toContain('Low orbit');
  await page.reload();
  await page.getByLabel('Low orbit').waitFor();
  const colours: string[] = await page.locator('.layer-sample').evaluateAll((all) =>
    // Without a colour of its own, a border has that of the text.
    all.flatMap((one) => {
      const { borderColor, color } = getComputedStyle(one);
      return borderColor === color ? [] : [borderColor];
    }),
  );
  expect(new Set(colours).size).toBe(6);
});

test('programs are told what there is in JSON', async () => {
  const response = await fetch(scene.service.api.url, { headers: { accept: '*/*' } });
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(response.headers.get('vary')).toContain('Accept');
  expect(await response.json()).toMatchObject({ name: 'covermap', openapi: '/openapi.json' });
});
