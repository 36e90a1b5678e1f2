import express, { type Request, Router } from 'express';
import { acceptManifest } from '../../../core/coverage/submissions/accept-manifest.ts';
import type { Manifest } from '../../../core/coverage/submissions/manifest.ts';
import { attachPrediction, refuseTowers } from '../../../core/coverage/submissions/predictions.ts';
import { towersGeoJson } from '../../../core/coverage/submissions/towers.ts';
import {
  countWaitingForPrediction,
  listWaitingForPrediction,
  type SubmissionDetail,
} from '../../../core/coverage/submissions/views.ts';
import { CovermapError } from '../../../core/errors.ts';
import { bodyText } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { takeForm } from '../../http/multipart.ts';
import { refuseUpload } from '../../http/refuse-upload.ts';
import { submissionBody, submissionLinks } from '../../http/submission-response.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf, identityOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods, unknown } from '../../middleware/operator-errors.ts';
import { queryLimit } from '../../request-values.ts';
import { parseManifestText, submissionOf } from '../operator/submissions.ts';

const base = '/api/staff/tower-work';
const maxWork = 500;
/** What staff may say of the coverage that they made; the rest was said by the operator. */
const ofPrediction = [
  'attributes',
  'tiers',
  'classes',
  'speeds',
  'crs',
  'layers',
  'smoothing',
  'sieve',
  'availability',
  'planned_date',
];

/**
 * What operators have left to the service: towers from which coverage is to be worked out.
 *
 *     GET  /api/staff/tower-work?limit=100           oldest first, and how many there are
 *     GET  /api/staff/tower-work/<id>/towers        GeoJSON
 *     POST /api/staff/tower-work/<id>/prediction    the coverage that was made of them (multipart)
 *     POST /api/staff/tower-work/<id>/refuse        {"reason": "..."}, which the operator reads
 */
export function work(context: ApiContext): Router {
  const { database } = context;
  const rules = context.config.publishBlocks;
  const router = Router({ caseSensitive: true });
  router.get(base, async (request, response) => {
    const [waiting, count] = await Promise.all([
      listWaitingForPrediction(database, queryLimit(request, 100, maxWork)),
      countWaitingForPrediction(database),
    ]);
    sendJson(response, 200, { work: waiting.map((one) => submissionBody(one, rules)), count });
  });
  router.all(base, otherMethods('GET'));
  router.get(`${base}/:id/towers`, async (request, response) => {
    const { id } = await towersOf(context, request);
    response.setHeader('Content-Type', 'application/geo+json');
    response.end(JSON.stringify(await towersGeoJson(database, id)));
  });
  router.all(`${base}/:id/towers`, otherMethods('GET'));
  router.post(`${base}/:id/prediction`, (request, response) =>
    takePrediction(context, request).then(
      (id) =>
        sendJson(response, 202, { id, status: 'received', duplicate: false, links: submissionLinks(id) }),
      (error) => {
        if (!(error instanceof CovermapError))
          context.logger.error({ err: error }, 'no prediction was taken in');
        refuseUpload(request, response, error);
      },
    ),
  );
  router.all(`${base}/:id/prediction`, otherMethods('POST'));
  router.post(`${base}/:id/refuse`, express.json({ limit: '10kb' }), async (request, response) => {
    const { id } = await towersOf(context, request);
    const reason = bodyText(request, 'reason', 500);
    if (reason === undefined) throw invalidRequest('"reason" is missing: a sentence for the operator.');
    await refuseTowers(database, id, reason, actorOf(request));
    sendJson(response, 200, submissionBody(await towersOf(context, request), rules));
  });
  router.all(`${base}/:id/refuse`, otherMethods('POST'));
  return router;
}

async function takePrediction(context: ApiContext, request: Request): Promise<string> {
  const { database, storage, config } = context;
  const { id, manifest: own, provider } = await towersOf(context, request);
  const known = { name: provider.name, earlier: [own.provider.name] };
  const describe = async (text: string | undefined): Promise<Manifest> => {
    const said = text === undefined ? {} : parseManifestText(text);
    if (typeof said !== 'object' || said === null || Array.isArray(said)) {
      throw invalidRequest('The manifest has to be a JSON object.');
    }
    const other = Object.keys(said).find((field) => !ofPrediction.includes(field));
    if (other !== undefined) {
      throw invalidRequest(
        `"${other}" was said by the operator, and stays.`,
        `Of a prediction there is: ${ofPrediction.join(', ')}.`,
      );
    }
    return acceptManifest(database, { ...own, ...said }, identityOf(request), known);
  };
  const { file, fields } = await takeForm(request, storage, config.uploadLimitBytes, async (before) => {
    if (before.manifest !== undefined) await describe(before.manifest);
  });
  let replaced: string | undefined;
  try {
    replaced = await attachPrediction(database, id, file, await describe(fields.manifest), actorOf(request));
  } catch (error) {
    if (error instanceof CovermapError) await storage.remove(file.key).catch(() => undefined);
    throw error;
  }
  // Where this fails, the file is collected later, as every file that no row names.
  if (replaced !== undefined) await storage.remove(replaced).catch(() => undefined);
  context.sendJob('ingest', id);
  return id;
}

async function towersOf(context: ApiContext, request: Request): Promise<SubmissionDetail> {
  const submission = await submissionOf(context, request);
  if (submission.kind !== 'towers') throw unknown('submission');
  return submission;
}
