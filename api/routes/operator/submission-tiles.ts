import { Router } from 'express';
import { changeTile, coverageTile } from '../../../core/coverage/tiles/tiles.ts';
import type { ApiContext } from '../../context.ts';
import { sendTile, tileOf } from '../../http/tile-response.ts';
import { otherMethods } from '../../middleware/operator-errors.ts';
import { versionOf } from './datasets.ts';
import { submissionOf } from './submissions.ts';

/**
 * What a submission covers, and what it changes, as Mapbox vector tiles; also before it is published.
 *
 *     GET /api/operator/submissions/<id>/tiles/{z}/{x}/{y}.mvt
 *     GET /api/operator/submissions/<id>/change/{z}/{x}/{y}.mvt
 *     GET /api/operator/datasets/<id>/tiles/{z}/{x}/{y}.mvt
 */
export function submissionTiles(context: ApiContext): Router {
  const { database } = context;
  const router = Router({ caseSensitive: true });
  const submission = '/api/operator/submissions/:id';
  router.get(`${submission}/tiles/:z/:x/:y.mvt`, async (request, response) => {
    const { datasets } = await submissionOf(context, request);
    const ids = datasets.map(({ id }) => id);
    sendTile(request, response, await coverageTile(database, ids, tileOf(request)));
  });
  router.get(`${submission}/change/:z/:x/:y.mvt`, async (request, response) => {
    const { datasets } = await submissionOf(context, request);
    const ids = datasets.map(({ id }) => id);
    sendTile(request, response, await changeTile(database, ids, tileOf(request)));
  });
  router.get('/api/operator/datasets/:id/tiles/:z/:x/:y.mvt', async (request, response) => {
    const { id } = await versionOf(context, request);
    sendTile(request, response, await coverageTile(database, [id], tileOf(request)));
  });
  for (const path of [`${submission}/tiles`, `${submission}/change`, '/api/operator/datasets/:id/tiles']) {
    router.all(`${path}/:z/:x/:y.mvt`, otherMethods('GET'));
  }
  return router;
}
