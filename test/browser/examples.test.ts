import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { coloursAt, useScene } from '../setup/browser.ts';
import { listening } from '../setup/listen.ts';
import { startService } from '../setup/service.ts';

/* The page of `examples/`, on a host of its own. */

const scene = await useScene(async () => {
  const service = await startService();
  const most = await zippedRectangle(172, -44, 176, -38);
  await service.ingest(most, { provider: 'Kauri Fibre', technology: 'fibre' });
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
