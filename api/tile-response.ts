import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { greatestZoom, type Tile } from '../core/coverage/tiles/tile.ts';
import { CovermapError } from '../core/errors.ts';

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
  if (
    request
      .get('if-none-match')
      ?.split(/\s*,\s*/)
      .includes(etag)
  ) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', 'application/vnd.mapbox-vector-tile');
  response.end(tile);
}
