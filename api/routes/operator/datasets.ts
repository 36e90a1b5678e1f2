import express, { type Request, Router } from 'express';
import { rollBack, unpublish } from '../../../core/coverage/datasets/rollback.ts';
import { listVersions, type VersionView, versionStates } from '../../../core/coverage/datasets/versions.ts';
import { Attempts } from '../../../core/work.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf, viewerOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods, unknown } from '../../middleware/operator-errors.ts';
import { bodyObject, queryLimit, queryText, rowNumber } from '../../request-values.ts';

const base = '/api/operator/datasets';

/**
 * The versions of coverage, taking back, and taking offline.
 *
 *     GET  /api/operator/datasets
 *     POST /api/operator/datasets/<id>/rollback
 *     POST /api/operator/datasets/<id>/unpublish
 */
export function datasets(context: ApiContext): Router {
  const { database } = context;
  const attempts = new Attempts(database);
  const router = Router({ caseSensitive: true });
  router.get(base, async (request, response) => {
    const state = queryText(request, 'state');
    const known = versionStates.find((one) => one === state);
    if (state !== undefined && !known) throw invalidRequest(`There is no state "${state}".`);
    const versions = await listVersions(database, {
      ...viewerOf(request),
      provider: queryText(request, 'provider'),
      technology: queryText(request, 'technology'),
      state: known,
      limit: queryLimit(request, 100, 500),
    });
    sendJson(response, 200, { datasets: versions });
  });
  router.all(base, otherMethods('GET'));
  router.post(`${base}/:id/rollback`, express.json({ limit: '10kb' }), async (request, response) => {
    const { id, submission_id } = await versionOf(context, request);
    const { replaces } = bodyObject(request);
    if (replaces !== undefined && replaces !== null && rowNumber(String(replaces)) === undefined) {
      throw invalidRequest('"replaces" has to be the id of a dataset.');
    }
    const replaced = await rollBack(
      database,
      attempts,
      id,
      actorOf(request),
      replaces as number | null | undefined,
    );
    // A worker clears away what was replaced.
    context.sendJob('ingest', submission_id);
    sendJson(response, 200, { dataset: await versionOf(context, request), replaced });
  });
  router.all(`${base}/:id/rollback`, otherMethods('POST'));
  router.post(`${base}/:id/unpublish`, async (request, response) => {
    const { id, submission_id } = await versionOf(context, request);
    await unpublish(database, id, actorOf(request));
    // A worker clears away what was published.
    context.sendJob('ingest', submission_id);
    sendJson(response, 200, { dataset: await versionOf(context, request) });
  });
  router.all(`${base}/:id/unpublish`, otherMethods('POST'));
  return router;
}

/** The version that the path names. @throws CovermapError `dataset_unknown`, also where it is another operator's */
export async function versionOf({ database }: ApiContext, request: Request): Promise<VersionView> {
  const id = rowNumber(request.params.id);
  const [version] =
    id === undefined ? [] : await listVersions(database, { ...viewerOf(request), id, limit: 1 });
  if (!version) throw unknown('dataset');
  return version;
}
