import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import express from 'express';
import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiContext } from '../../api/context.ts';
import { mount } from '../../api/mount.ts';
import { basemap } from '../../api/routes/public/basemap.ts';
import { type BasemapFile, openBasemapFile } from '../../coverage/tiles/basemap-file.ts';
import { listening } from '../setup/listen.ts';
import { streetsAround } from '../setup/pmtiles.ts';
import { decodeTile, tileOver } from '../setup/vector-tile.ts';

/* BASEMAP_FILE: what is an archive of streets, and how its parts are served. */

const [lng, lat] = [174.74, -36.85];
const withOther = (parts: Parameters<typeof streetsAround>[2]) => streetsAround(lng, lat, parts);
const archive = withOther({});
const folder = scratchFolder();

function fileOf(content: Buffer | string): string {
  const file = path.join(folder, 'streets.pmtiles');
  writeFileSync(file, content);
  return file;
}

describe('an archive', () => {
  test.each([
    ['protomaps', ['earth', 'roads', 'places']],
    ['openmaptiles', ['water', 'transportation', 'transportation_name', 'place']],
  ])('of %s is recognised by its layers', async (schema, layers) => {
    const opened = await openBasemapFile(fileOf(withOther({ layers })));
    expect(opened.schema).toBe(schema);
    await opened.close();
  });

  test.each([
    ['another file', 'GIF89a, and no archive', 'is no PMTiles archive of version 3'],
    ['an empty file', '', 'is no PMTiles archive of version 3'],
    ['one that is cut off', archive.subarray(0, 60), ''],
    ['one of pictures', withOther({ tileType: 2 }), 'its tiles are pictures'],
    ['one that is packed otherwise', withOther({ tileCompression: 3 }), 'gzip is what they read'],
    ['one whose directories are', withOther({ directoryCompression: 3 }), 'its directory is not compressed'],
    ['one of other layers', withOther({ layers: ['rivers'] }), 'its layers are neither'],
  ])('that is %s is refused with a sentence and a hint', async (_, content, reason) => {
    await expect(openBasemapFile(fileOf(content))).rejects.toMatchObject({
      code: 'basemap_unusable',
      message: expect.stringMatching(`^BASEMAP_FILE cannot be used, streets.pmtiles: .*${reason}.*\\.$`),
      hint: expect.stringContaining('deploy/streets.sh'),
    });
  });

  test('that is not there is refused likewise', async () => {
    await expect(openBasemapFile(path.join(folder, 'none.pmtiles'))).rejects.toThrow('ENOENT');
  });
});

describe('its parts', () => {
  let opened: BasemapFile;
  let address: string;
  const server = createServer();
  const get = (headers: Record<string, string>) => fetch(address, { headers });

  beforeAll(async () => {
    opened = await openBasemapFile(fileOf(archive));
    const app = express();
    const config = { tileRate: { perSecond: 100, burst: 1000 } };
    app.use(mount({ basemap: opened, config } as unknown as ApiContext, basemap));
    server.on('request', app);
    address = `${await listening(server)}/basemap.pmtiles?v=${opened.version}`;
  });
  afterAll(async () => {
    server.close();
    await opened.close();
  });

  test('are what a reader of such archives asks for', async () => {
    const { z, x, y } = tileOver(10, lng, lat);
    const tile = await new PMTiles(address).getZxy(z, x, y);
    const [place] = decodeTile(new Uint8Array(tile?.data as ArrayBuffer), 'places', { z, x, y });
    expect(place?.properties.name).toBe('Ponsonby');
  });

  test('are sent as they are in the file, to be kept for ever under the address of their version', async () => {
    const response = await get({ range: 'bytes=7-20' });
    const range = `bytes 7-20/${archive.length}`;
    expect([response.status, response.headers.get('content-range')]).toEqual([206, range]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(archive.subarray(7, 21));
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const beyond = await get({ range: 'bytes=0-16383' });
    expect(Buffer.from(await beyond.arrayBuffer())).toEqual(archive);
    const etag = response.headers.get('etag') as string;
    expect((await get({ 'if-none-match': etag, range: 'bytes=7-20' })).status).toBe(304);
    expect((await get({ 'if-range': '"another"', range: 'bytes=7-20' })).status).toBe(400);
    const other = await fetch(address.replace(/v=.*/, 'v=long-ago'), { headers: { range: 'bytes=7-20' } });
    expect(other.headers.get('cache-control')).toBe('public, no-cache');
  });

  test.each([
    [undefined, 400],
    ['bytes=0-', 400],
    ['bytes=-5', 400],
    ['bytes=0-1,5-6', 400],
    ['bytes=9-5', 416],
    [`bytes=${archive.length}-${archive.length + 5}`, 416],
    ['bytes=0-99999999999999', 206],
  ])('that are asked for by %s are answered with %i', async (range, status) => {
    const response = await get(range ? { range } : {});
    expect(response.status).toBe(status);
    if (status === 416) expect(response.headers.get('content-range')).toBe(`bytes */${archive.length}`);
    if (status !== 206) expect(response.headers.get('cache-control')).toBe('no-store');
    await response.arrayBuffer();
  });

  test('of HEAD are none, but its length', async () => {
    const response = await fetch(address, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(archive.length)]);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
  });
});
