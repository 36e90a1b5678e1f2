/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useScene } from '../setup/browser.ts';
import { startService } from '../setup/service.ts';
import { zippedRectangle } from '../setup/shapes.ts';

/* The page of `examples/`, on a host of its own. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const scene = useScene(async () => {
  const service = await startService();
  const most = await zippedRectangle(172, -44, 176, -38);
  await service.ingest(most, { provider: 'Kauri Fibre', technology: 'fibre' });
  return service;
});

const types: Record<string, string> = { '.mjs': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };
const host = createServer(({ url = '' }, response) => {
  const { pathname } = new URL(url, 'http://host');
  const file = pathname.startsWith('/maplibre-gl/')
    ? path.join(root, 'node_modules/maplibre-gl/dist', path.basename(pathname))
    : path.join(root, 'examples/map.html');
  response.setHeader('content-type', types[path.extname(file)] ?? 'text/plain').end(readFileSync(file));
});
beforeAll(() => new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve)));
afterAll(() => host.close());

test('our tiles are drawn on somebody else’s page', async () => {
  const { port } = host.address() as AddressInfo;
  const page = await scene.open(`http://127.0.0.1:${port}`);
  const { url } = scene.service.api;
  const tile = page.waitForResponse((response) => /\.mvt/.test(response.url()) && response.status() === 200);
  await page.goto(`/map.html?service=${encodeURIComponent(url)}`);
  await tile;
  // The colour of its speed, half through, in the middle of what is covered.
  await expect
    .poll(async () => {
      const picture = (await page.locator('#map').screenshot()).toString('base64');
      return page.evaluate(async (data) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
        context.drawImage(image, 0, 0);
        return [...context.getImageData(image.width / 2, image.height / 2, 1, 1).data];
      }, picture);
    })
    .toEqual(
      [144, 200, 198, 255].map((one) => expect.toSatisfy((drawn: number) => Math.abs(drawn - one) <= 2)),
    );
});
