import { hash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { type Droplist, readDroplist } from '../../../core/registry/droplist.ts';
import type { ApiContext } from '../../context.ts';
import { isNotModified } from '../../http/etag.ts';
import { readOnly, sendError } from '../../middleware/errors.ts';
import { requireRegistrar } from '../../middleware/registrar-address.ts';
import { limitNames } from '../../middleware/registry-rate.ts';

/**
 * The names that are about two days from the end of their time as PendingRelease, or past it.
 *
 *     GET /1.0/droplist
 *
 * 200 `[{domain, registered, cancel_date, release_date, drop_date}]` by drop date, then by name; 304 where the caller
 * has it already, 403 from an address that is no registrar's, 429 beyond the registrar's rate.
 */
export function registryDroplist1(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.all('/1.0/droplist', readOnly, requireRegistrar(context), answerDroplist(context));
  return router;
}

function answerDroplist(context: ApiContext): RequestHandler {
  const { lookupDatabase, config, now: clock, logger } = context;
  const admits = limitNames(context.registryLimit);
  return async (request, response) => {
    if (!(await admits(request, response, 1))) return;
    const now = clock();
    let droplist: Droplist;
    try {
      droplist = await readDroplist(lookupDatabase, now, config.releaseTime);
    } catch (error) {
      logger.error({ err: error }, 'the droplist could not be read');
      return sendError(response, 500, 'The droplist could not be read.');
    }
    const body = JSON.stringify(droplist.entries);
    const etag = `"${hash('sha1', body, 'base64url')}"`;
    response.setHeader('ETag', etag);
    // RFC 9110, section 8.8.2.1: never later than the answer. Who is told an earlier time asks once more, and rightly.
    response.setHeader(
      'Last-Modified',
      new Date(Math.min(droplist.modified.getTime(), now.getTime())).toUTCString(),
    );
    // To be kept by the caller, and asked for each time.
    response.setHeader('Cache-Control', 'private, no-cache');
    if (isNotModified(request.headers, etag, droplist.modified)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  };
}
