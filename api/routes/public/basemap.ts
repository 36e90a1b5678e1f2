import { pipeline } from 'node:stream/promises';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ApiContext } from '../../context.ts';
import { routesFor } from '../../define-route.ts';
import { sendError } from '../../errors.ts';
import { answerNotModified, revalidated } from '../../http/conditional.ts';
import { requireOnce } from '../../http/parameters.ts';
import { limitByAddress } from '../../middleware/address-limit.ts';
import { notModified, plainError, tooManyOfAddress } from '../../schemas/document-errors.ts';

/** The max size of a range. A tile of streets has some hundred kilobytes at most. Bytes */
const maxRange = 4 * 1024 * 1024;

const none = 'This server has no basemap of streets.';
const askForPart = `Ask for a part of at most ${maxRange} bytes, by a Range header such as bytes=0-16383.`;
const noSuchPart = `The archive has no such part, or it is longer than ${maxRange} bytes.`;

/** The streets of BASEMAP_FILE for the pages' maps, which read it in ranges. */
export const basemap = [
  routesFor({ who: 'anyone', tag: 'Map' }).get('/basemap.pmtiles', {
    id: 'getBasemap',
    summary: 'Get a part of the basemap',
    headers: {
      Range: z.string().meta({ description: `At most ${maxRange} bytes`, example: 'bytes=0-16383' }),
    },
    query: z.object({
      v: z
        .string()
        .optional()
        .describe('The version from the settings. With it, the answer can be cached forever'),
    }),
    answers: {
      206: {
        description: 'The bytes that `Range` asks for.',
        content: { 'application/vnd.pmtiles': { schema: z.string().meta({ format: 'binary' }) } },
      },
      304: notModified,
      400: plainError(400, 'No part is asked for; or `v` is given twice.', askForPart),
      404: plainError(404, 'There is no such basemap.', none),
      416: plainError(416, 'There is no such part.', noSuchPart),
      429: tooManyOfAddress,
    },
    serve: (context) => [limitByAddress(context.config.tileRate), requireOnce('v'), sendPart(context)],
  }),
];

function sendPart({ basemap, logger }: ApiContext): RequestHandler {
  return async (request, response) => {
    if (!basemap) return sendError(response, 404, none);
    const { size, version } = basemap;
    const etag = `"${version}"`;
    const kept = request.query.v === version ? 'public, max-age=31536000, immutable' : revalidated.public;
    response.setHeader('Accept-Ranges', 'bytes');
    response.setHeader('Content-Type', 'application/vnd.pmtiles');
    if (answerNotModified(request, response, kept, etag)) return;
    if (request.method === 'HEAD') {
      response.setHeader('Content-Length', size);
      response.end();
      return;
    }
    const { range, 'if-range': ifRange } = request.headers;
    const asked = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '');
    // A range of another version would be useless to the caller.
    if (!asked || (ifRange !== undefined && ifRange !== etag)) return refuse(400, askForPart);
    const start = Number(asked[1]);
    const end = Math.min(Number(asked[2]), size - 1);
    if (start > end || end - start >= maxRange) {
      response.setHeader('Content-Range', `bytes */${size}`);
      return refuse(416, noSuchPart);
    }
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
    response.setHeader('Content-Length', end - start + 1);
    try {
      await pipeline(basemap.read(start, end), response);
    } catch (error) {
      // A caller that has left needs no answer.
      if (!response.destroyed) logger.error({ err: error }, 'the basemap could not be read');
      response.destroy();
    }

    function refuse(status: number, sentence: string): void {
      response.setHeader('Cache-Control', 'no-store');
      response.removeHeader('ETag');
      sendError(response, status, sentence);
    }
  };
}
