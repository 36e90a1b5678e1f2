import type { Request } from 'express';
import { z } from 'zod';
import { acceptManifest, parseManifestText } from '../../../coverage/submissions/accept-manifest.ts';
import type { Manifest } from '../../../coverage/submissions/manifest.ts';
import { modelAgain } from '../../../coverage/submissions/modelling.ts';
import { attachPrediction, refuseTowers } from '../../../coverage/submissions/predictions.ts';
import {
  countWaitingForPrediction,
  listWaitingForPrediction,
  ModellingParameters,
  requireSubmission,
} from '../../../coverage/submissions/views.ts';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { formErrors, invalidRequest, sendJson } from '../../errors.ts';
import { withForm } from '../../http/multipart.ts';
import { actorOf, identityOf, viewerOf } from '../../middleware/identity.ts';
import { Accepted, Submission, submissionId } from '../../schemas/operator.ts';
import { filledLine, wholeNumber } from '../../schemas/values.ts';
import { submissionBody, submissionLinks, submissionNow } from '../../views/submission.ts';
import { answerTowers, towersAnswer } from '../../views/towers.ts';

const base = '/api/staff/tower-work';
const staff = routesFor({ who: 'staff', tag: 'Staff' });
const ofTowers = routesFor({ who: 'staff', tag: 'Staff', params: submissionId });

/** Fields of the manifest that staff may change for the coverage that they modelled; the operator gave the others. */
const ofPrediction = [
  ...['attributes', 'tiers', 'classes', 'speeds', 'crs', 'layers', 'smoothing', 'sieve'],
  ...['availability', 'planned_date'],
];

/** Towers that staff are to model. */
export const towerWork = [
  staff.get(base, {
    id: 'listWork',
    summary: 'List submissions that await modelling',
    query: z.object({
      limit: wholeNumber(1, 500).optional().meta({ description: 'Results per page; 100 by default' }),
    }),
    answers: {
      200: answer(
        'The submissions of tower data that await modelling, oldest first.',
        z.object({
          work: z.array(Submission),
          count: z.int().describe('How many await modelling in total.'),
        }),
      ),
    },
    async handle(context, { query: { limit = 100 } }) {
      const { database } = context;
      const [waiting, count] = await Promise.all([
        listWaitingForPrediction(database, limit),
        countWaitingForPrediction(database),
      ]);
      return { work: waiting.map((one) => submissionBody(one, context)), count };
    },
  }),
  ofTowers.get(`${base}/{id}/towers`, {
    id: 'getTowers',
    summary: 'Get the towers of a submission',
    answers: towersAnswer,
    handle: (context, { params, response }) => answerTowers(context, params.id, response),
  }),
  ofTowers.post(`${base}/{id}/prediction`, {
    id: 'attachPrediction',
    summary: 'Attach the coverage modelled from the towers',
    bodies: {
      'multipart/form-data': {
        schema: z.object({
          file: z.string().describe('The modelled coverage.').meta({ format: 'binary' }),
          manifest: z.string().optional().describe('The manifest fields to replace, as JSON.'),
        }),
      },
    },
    answers: { 202: answer('The file is stored and queued for processing.', Accepted) },
    errors: [
      ...(['request_invalid', 'submission_not_waiting', 'manifest_invalid', 'planned_date_past'] as const),
      ...formErrors,
    ],
    serve: (context) => [
      async (request, response) => {
        const id = await storePrediction(context, request);
        sendJson(response, 202, { id, status: 'received', duplicate: false, links: submissionLinks(id) });
      },
    ],
  }),
  ofTowers.post(`${base}/{id}/predict`, {
    id: 'modelTowers',
    summary: 'Model coverage from the towers, with other parameters',
    description:
      'A worker models it, in place of staff’s work that is awaited, or of coverage that the service has modelled and that is not published.',
    // Strict, as misplaced parameters would count as missing.
    body: z.strictObject({
      parameters: ModellingParameters.optional().describe('Those of the manifest, if absent.'),
    }),
    example: { parameters: { range_km: 15, resolution_m: 50 } },
    answers: { 200: answer('The submission, which waits for a worker.', Submission) },
    errors: ['submission_not_waiting'],
    async handle(context, { params: { id }, body, actor, viewer }) {
      const { database } = context;
      const { manifest } = await requireSubmission(database, id, viewer);
      await modelAgain(database, id, body.parameters ?? manifest.prediction ?? {}, actor);
      context.sendJob('predict', id);
      return submissionNow(context, viewer, id);
    },
  }),
  ofTowers.post(`${base}/{id}/refuse`, {
    id: 'refuseTowers',
    summary: 'Reject tower data that cannot be modelled',
    body: z.object({ reason: filledLine(500).describe('Shown to the operator.') }),
    example: { reason: 'Tower 3 lies in the sea. Please check its position.' },
    answers: { 200: answer('The submission, which is now `failed`.', Submission) },
    errors: ['submission_not_waiting'],
    async handle(context, { params: { id }, body, actor, viewer }) {
      await refuseTowers(context.database, id, body.reason, actor);
      // Coverage of an earlier modelling may be there.
      context.sendJob('discard', id);
      return submissionNow(context, viewer, id);
    },
  }),
];

async function storePrediction(context: ApiContext, request: Request): Promise<string> {
  const { database, storage } = context;
  const id = String(request.params.id);
  const submission = await requireSubmission(database, id, viewerOf(request));
  const { manifest: own, provider } = submission;
  const known = { name: provider.name, earlier: [own.provider.name] };
  const describe = async (text: string | undefined): Promise<Manifest> => {
    const given = text === undefined ? {} : parseManifestText(text);
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw invalidRequest('The manifest has to be a JSON object.');
    }
    const other = Object.keys(given).find((field) => !ofPrediction.includes(field));
    if (other !== undefined) {
      throw invalidRequest(
        `"${other}" was given by the operator and cannot be changed.`,
        `A prediction may have: ${ofPrediction.join(', ')}.`,
      );
    }
    return acceptManifest(database, { ...own, ...given }, identityOf(request), known);
  };
  const check = async (before: Record<string, string>) => {
    if (before.manifest !== undefined) await describe(before.manifest);
  };
  const replaced = await withForm(context, request, check, async ({ file, fields }) =>
    attachPrediction(database, id, file, await describe(fields.manifest), actorOf(request)),
  );
  // If this fails, the file is removed later, like every file that no row refers to.
  if (replaced !== undefined) await storage.remove(replaced).catch(() => undefined);
  context.sendJob('load', id);
  return id;
}
