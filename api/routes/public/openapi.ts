import { hash } from 'node:crypto';
import { Router } from 'express';
import type { ApiContext } from '../../context.ts';
import { matches } from '../../http/etag.ts';
import { allowAnyOrigin } from '../../middleware/any-origin.ts';
import { readOnly } from '../../middleware/errors.ts';
import { describeApi } from '../../openapi/document.ts';

/**
 * The description of the API.
 *
 *     GET /openapi.json
 */
export function openapi({ config }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const body = JSON.stringify(describeApi(config));
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  router.all('/openapi.json', allowAnyOrigin, readOnly, (request, response) => {
    response.setHeader('Cache-Control', 'public, no-cache');
    response.setHeader('ETag', etag);
    if (matches(request.headers['if-none-match'], etag)) return void response.status(304).end();
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  });
  return router;
}
