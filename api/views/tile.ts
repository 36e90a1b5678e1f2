import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { maxZoom, type Tile } from '@covermap/geometry/tile.ts';
import type { Request, Response } from 'express';
import type { PublishedTile } from '../../coverage/tiles/published.ts';
import { CovermapError } from '../../platform/errors.ts';
import { answerNotModified, etagOf, isNotModified, revalidated } from '../http/conditional.ts';
import { acceptsGzip } from '../http/encoding.ts';

const decompress = promisify(gunzip);
const tileType = 'application/vnd.mapbox-vector-tile';

/** The tile at the end of a path: `{z}/{x}/{y}.mvt`. @throws CovermapError `address_unknown` */
export function tileOf(request: Request): Tile {
  const { z, x, y } = request.params as Record<string, string>;
  const numbers = [z, x, y].map((text) => (/^\d{1,7}$/.test(text ?? '') ? Number(text) : Number.NaN));
  const [zoom, column, row] = numbers as [number, number, number];
  if (!(zoom <= maxZoom && column < 2 ** zoom && row < 2 ** zoom)) {
    throw new CovermapError('address_unknown', 'There is no such tile.');
  }
  return { z: zoom, x: column, y: row };
}

/** Answers with a tile that may change any time: 204 if it is empty, 304 if the caller has it. */
export function sendTile(request: Request, response: Response, tile: Uint8Array | undefined): void {
  if (!tile) {
    response.setHeader('Cache-Control', revalidated.private);
    response.status(204).end();
    return;
  }
  if (answerNotModified(request, response, revalidated.private, etagOf(tile))) return;
  response.setHeader('Content-Type', tileType);
  response.end(tile);
}

/**
 * Answers with a tile of live coverage, immutable under the address of its version. @param version of the set now
 * @param asked the version in the address @param make called only if the caller does not have the tile
 */
export async function sendPublishedTile(
  request: Request,
  response: Response,
  version: string,
  asked: string | undefined,
  make: () => Promise<PublishedTile>,
): Promise<void> {
  response.setHeader('Vary', 'Accept-Encoding');
  // Weak, as it is the same for a tile with and without compression.
  const etagOfVersion = (shown: string) => `W/"${shown}"`;
  const answersKnown = (shown: string) => {
    const cacheControl = asked === shown ? 'public, max-age=31536000, immutable' : revalidated.public;
    return answerNotModified(request, response, cacheControl, etagOfVersion(shown));
  };
  if (isNotModified(request.headers, etagOfVersion(version)) && answersKnown(version)) return;
  const tile = await make();
  if (answersKnown(tile.version)) return;
  if (!tile.gzipped) {
    response.status(204).end();
    return;
  }
  response.setHeader('Content-Type', tileType);
  const gzip = acceptsGzip(request.headers['accept-encoding']);
  if (gzip) response.setHeader('Content-Encoding', 'gzip');
  const bytes = gzip ? tile.gzipped : await decompress(tile.gzipped);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
