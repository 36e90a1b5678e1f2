import { Router } from 'express';
import type { ApiContext } from '../../context.ts';
import { readOnly, sendJson } from '../../middleware/errors.ts';

/**
 * For whatever keeps the service running.
 *
 *     GET /healthz   200 while the process lives
 *     GET /readyz    200 while lookups can be answered, and what the start puts into the database is in; else 503
 */
export function health({ isPrepared, checkReady, logger }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.all('/healthz', readOnly, (_request, response) => {
    sendJson(response, 200, { status: 'ok' });
  });
  router.all('/readyz', readOnly, async (_request, response) => {
    if (!isPrepared()) return sendJson(response, 503, { status: 'starting' });
    try {
      await checkReady();
      sendJson(response, 200, { status: 'ready' });
    } catch (error) {
      logger.warn({ err: error }, 'not ready');
      sendJson(response, 503, { status: 'not ready' });
    }
  });
  return router;
}
