import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { listAddresses } from '../setup/addresses.ts';
import { coloursAt, useScene } from '../setup/browser.ts';
import { listening } from '../setup/listen.ts';
import { runScript } from '../setup/processes.ts';
import { startService } from '../setup/service.ts';

/* The pages of `examples/`, on hosts of their own. */

const scene = await useScene(async () => {
  const service = await startService();
  const most = await zippedRectangle(172, -44, 176, -38);
  await service.ingest(most, { provider: 'Kauri Fibre', technology: 'fibre' });
  await listAddresses(service.database, [
    { id: '7', label: '2', road: 'Rata Street', town: 'Taupō', lat: -39.5, lng: 175.9995 },
    { id: '8', label: '22', road: 'Rata Street', town: 'Taupō', lat: -39.51, lng: 175.5 },
  ]);
  return service;
});

const types: Record<string, string> = { '.mjs': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };
const host = createServer(({ url = '' }, response) => {
  const { pathname } = new URL(url, 'http://host');
  const file = pathname.startsWith('/maplibre-gl/')
    ? `node_modules/maplibre-gl/dist/${path.basename(pathname)}`
    : 'examples/map.html';
  response.setHeader('content-type', types[path.extname(file)] ?? 'text/plain').end(readFileSync(file));
});
afterAll(() => host.close());

test('our tiles are drawn on somebody else’s page', async () => {
  const page = await scene.open(await listening(host));
  const { url } = scene.service.api;
  const tile = page.waitForResponse((response) => /\.mvt/.test(response.url()) && response.status() === 200);
  await page.goto(`/map.html?service=${encodeURIComponent(url)}`);
  await tile;
  // The colour of its speed, half through, in the middle of what is covered.
  await expect
    .poll(() => coloursAt(page, [{ x: 640, y: 450 }]))
    .toEqual([expect.stringMatching(/^#(8[ef]|9[0-2])c[6-9a]c[4-8]$/)]);
});

test('a checkout finds an address as it is typed, by keys or a pointer, and shows the offers there', async () => {
  const env = { COVERMAP_URL: scene.service.api.url, COVERMAP_KEY: scene.service.key, PORT: '0' };
  const shop = runScript(['examples/checkout.ts'], env);
  try {
    await expect.poll(() => shop.output(), { timeout: 60_000 }).toMatch(/^http/);
    const page = await scene.open(new URL(shop.output().trim()).origin);
    await page.goto('/');
    const field = page.getByRole('combobox', { name: 'Address' });
    const options = page.getByRole('option');
    await expect
      .poll(
        async () => {
          await field.fill('');
          await field.pressSequentially('2 rata str');
          await options
            .first()
            .waitFor({ timeout: 2_000 })
            .catch(() => undefined);
          return options.allTextContents();
        },
        { timeout: 60_000 },
      )
      .toContain('2 Rata Street, Taupō');
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await field.press('ArrowDown');
    const active = await field.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).textContent()).toBe('2 Rata Street, Taupō');
    await field.press('Enter');
    await page.getByText('1 offers at 2 Rata Street, Taupō').waitFor();
    expect(await page.getByRole('listitem').allTextContents()).toEqual([
      'Kauri Fibre: fibre, up to 100 Mbps, to be confirmed: it ends 43 m away',
    ]);
    await field.fill('22 rata street taupo');
    await options.getByText('22 Rata Street, Taupō').click();
    await page.getByText('1 offers at 22 Rata Street, Taupō').waitFor();
    expect(await options.count()).toBe(0);
    await field.fill('zzqq xxyy');
    await page.getByText('No address is like that.').waitFor();
  } finally {
    shop.child.kill();
    await shop.ended;
  }
});
