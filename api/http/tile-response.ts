import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { PublishedTile } from '../../core/coverage/tiles/published.ts';
import { greatestZoom, type Tile } from '../../core/coverage/tiles/tile.ts';
import { CovermapError } from '../../core/errors.ts';
import { acceptsGzip } from './encoding.ts';
import { matches } from './etag.ts';

const decompress = promisify(gunzip);
const tileType = 'application/vnd.mapbox-vector-tile';
/** For everyone, but whoever has it asks whether it is still so. */
const publicAndChecked = 'public, no-cache';

/** The tile that the last parts of a path name: `{z}/{x}/{y}.mvt`. */
export function tileOf(request: Request): Tile {
  const { z, x, y } = request.params as Record<string, string>;
  const numbers = [z, x, y].map((text) => (/^\d{1,7}$/.test(text ?? '') ? Number(text) : Number.NaN));
  const [zoom, column, row] = numbers as [number, number, number];
  if (!(zoom <= greatestZoom && column < 2 ** zoom && row < 2 ** zoom)) {
    throw new CovermapError('address_unknown', 'There is no such tile.');
  }
  return { z: zoom, x: column, y: row };
}

/** Answers with a tile: 204 where it is empty, 304 where the caller has it. */
export function sendTile(request: Request, response: Response, tile: Uint8Array | undefined): void {
  // What a tile shows may change any time; whoever has one asks whether it is still so.
  response.setHeader('Cache-Control', 'private, no-cache');
  if (!tile) {
    response.status(204).end();
    return;
  }
  const etag = `"${createHash('sha256').update(tile).digest('base64url').slice(0, 22)}"`;
  response.setHeader('ETag', etag);
  if (matches(request.get('if-none-match'), etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', tileType);
  response.end(tile);
}

/**
 * Answers with a tile of what is published. Under the address of its version it never changes; under any other it is
 * what is published now.
 * @param version of the set now
 * @param asked the version in the address
 * @param make is called only where the caller does not have the tile already
 */
export async function sendPublishedTile(
  request: Request,
  response: Response,
  version: string,
  asked: string | undefined,
  make: () => Promise<PublishedTile>,
): Promise<void> {
  response.setHeader('Vary', 'Accept-Encoding');
  const describe = (shown: string) => {
    // Weak, as it is the same for a compressed tile and one that is not.
    response.setHeader('ETag', `W/"${shown}"`);
    response.setHeader(
      'Cache-Control',
      asked === shown ? 'public, max-age=31536000, immutable' : publicAndChecked,
    );
  };
  if (matches(request.headers['if-none-match'], `"${version}"`)) {
    describe(version);
    response.status(304).end();
    return;
  }
  const tile = await make();
  describe(tile.version);
  if (!tile.gzipped) {
    response.status(204).end();
    return;
  }
  response.setHeader('Content-Type', tileType);
  const gzip = acceptsGzip(request.headers['accept-encoding']);
  const bytes = gzip ? tile.gzipped : await decompress(tile.gzipped);
  if (gzip) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Answers with JSON that anyone may keep and asks for again: 304 where it has not changed. */
export function sendPublicJson(request: Request, response: Response, body: object): void {
  const text = JSON.stringify(body);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  response.setHeader('Cache-Control', publicAndChecked);
  response.setHeader('ETag', etag);
  if (matches(request.headers['if-none-match'], etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(request.method === 'HEAD' ? undefined : text);
}
