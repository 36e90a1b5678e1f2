import type { Response } from 'express';
import { z } from 'zod';
import {
  changeSpeeds,
  changeTowers,
  findModelled,
  requireSignal,
} from '../../../coverage/submissions/modelling.ts';
import { beginTrial, lastTrial, requireTried } from '../../../coverage/submissions/trials.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { answer, routesFor } from '../../define-route.ts';
import { sendStream } from '../../http/send-stream.ts';
import {
  ChangedTowers,
  LastTrial,
  ModelledSpeeds,
  PathProfile,
  Submission,
  submissionId,
  TriedSpeeds,
} from '../../schemas/operator.ts';
import { degrees, wholeNumber } from '../../schemas/values.ts';
import { submissionNow } from '../../views/submission.ts';
import { answerTowers, towersAnswer } from '../../views/towers.ts';

const base = '/api/operator/submissions/{id}';
const ofSubmission = routesFor({ who: 'operator', tag: 'Submissions', params: submissionId });
const file = (type: string, description: string) => ({
  200: { description, content: { [type]: { schema: z.string().meta({ format: 'binary' }) } } },
});

const thresholds = z
  .string()
  .max(300)
  .transform((text) => text.split(',').map(Number))
  .refine(
    (all) => all.every((dbm, i) => dbm >= -200 && dbm <= 50 && (i === 0 || dbm < (all[i - 1] as number))),
    {
      message: 'must be falling numbers from 50 to -200, with commas between them',
    },
  )
  .meta({ description: 'In dBm, one for each speed, the strongest first', example: '-65,-75,-85,-95' });

/** Towers, and the coverage that the service has modelled from them. */
export const modelled = [
  ofSubmission.get(`${base}/towers`, {
    id: 'getTowersOfSubmission',
    summary: 'Get the towers of a submission',
    answers: towersAnswer,
    handle: (context, { params, response }) => answerTowers(context, params.id, response),
  }),
  ofSubmission.get(`${base}/signal`, {
    id: 'getSignalOfSubmission',
    summary: 'Download the strongest signal that was modelled from towers',
    answers: file('image/tiff', 'A GeoTIFF in dBm, WGS 84; -9999 where there is none.'),
    errors: ['signal_missing'],
    async handle({ database, storage }, { params: { id }, response }) {
      const { storage_key, size_bytes } = await requireSignal(database, id);
      const signal = await storage.read(storage_key);
      response.attachment(`signal-${id}.tif`);
      response.setHeader('Content-Type', 'image/tiff');
      response.setHeader('Content-Length', size_bytes);
      await sendStream(response, signal);
    },
  }),
  ofSubmission.get(`${base}/signal/picture`, {
    id: 'getSignalPictureOfSubmission',
    summary: 'Get a picture of the strongest signal',
    description:
      'Greys: 0 is no signal, each other one a decibel above the floor that `modelling.report.picture` has, with the place of the picture.',
    answers: file('image/png', 'A PNG of at most 2,000 pixels on a side.'),
    errors: ['signal_missing'],
    async handle({ database, storage }, { params: { id }, response }) {
      const { picture_key } = await requireSignal(database, id);
      const picture = await storage.read(picture_key);
      response.setHeader('Content-Type', 'image/png');
      await sendStream(response, picture);
    },
  }),
  ofSubmission.get(`${base}/profile`, {
    id: 'getPathProfile',
    summary: 'Get the profile from a tower to a place',
    description: 'The ground between, and the loss on it, as they were modelled.',
    query: z.object({
      tower: wholeNumber(1, 1_000_000).meta({ description: 'Its number in the list, from 1', example: 1 }),
      lat: degrees(90).meta({ description: 'Latitude of the place, in degrees', example: -41.3 }),
      lng: degrees(180).meta({ description: 'Longitude of the place, in degrees', example: 173.2 }),
    }),
    answers: { 200: answer('The profile.', PathProfile) },
    errors: ['signal_missing', 'profile_unavailable', 'profiles_too_many'],
    async handle({ database, pathProfile }, { params: { id }, query, response }) {
      const modelled = await findModelled(database, id);
      if (!modelled) throw new CovermapError('signal_missing');
      if (!pathProfile) throw new CovermapError('profile_unavailable');
      const { report, ...towers } = modelled;
      const { parameters, clutter } = report;
      const question = { ...towers, parameters, has_clutter: clutter !== null, ...query };
      return pathProfile(question, leaving(response));
    },
  }),
  ofSubmission.post(`${base}/speeds`, {
    id: 'changeModelledSpeeds',
    summary: 'Give modelled coverage other speeds by received power',
    description:
      'While it waits to be published. What is received is not worked out again, so that it takes a moment.',
    body: z.object({ speeds: ModelledSpeeds }),
    example: {
      speeds: [
        {
          ...{ dbm: -80, bandwidth_min_mbps: 10, bandwidth_max_mbps: 50 },
          ...{ bandwidth_up_min_mbps: 2, bandwidth_up_max_mbps: 10 },
        },
      ],
    },
    answers: { 200: answer('The submission, which waits for a worker.', Submission) },
    errors: ['submission_not_modelled'],
    async handle(context, { params: { id }, body, actor, viewer }) {
      await changeSpeeds(context.database, id, body.speeds, actor);
      context.sendJob('predict', id);
      return submissionNow(context, viewer, id);
    },
  }),
  ofSubmission.get(`${base}/signal/premises`, {
    id: 'tryThresholds',
    summary: 'Count the premises of other received powers',
    description:
      'What the speeds of modelled coverage would give from other powers on, and take from what is published: counted as loading would, while the coverage waits to be published. Nothing changes; `POST .../speeds` uses them. A caller’s next request ends the one before.',
    query: z.object({ dbm: thresholds }),
    answers: { 200: answer('The premises.', TriedSpeeds) },
    errors: [
      ...(['submission_not_modelled', 'premises_missing', 'premises_counting', 'trial_outdated'] as const),
      ...(['trial_superseded', 'trial_too_large', 'trial_failed', 'trials_too_many'] as const),
    ],
    async handle({ database, trySpeeds }, { params: { id }, query, identity, response }) {
      const left = leaving(response);
      const { speeds, ...coverage } = await requireTried(database, id);
      if (query.dbm.length !== speeds.length) throw new CovermapError('trial_outdated');
      if (!trySpeeds) throw new CovermapError('trial_failed');
      const tried = speeds.map((speed, i) => ({ ...speed, dbm: query.dbm[i] as number }));
      return trySpeeds({ ...coverage, speeds: tried }, `${identity.tokenId}`, left);
    },
  }),
  ofSubmission.post(`${base}/towers/trial`, {
    id: 'tryTowers',
    summary: 'Try changes to towers on modelled coverage',
    description:
      'While it waits to be published. A worker models the changed sites again and counts the premises; the submission stays as it is. A new trial ends the one before.',
    body: z.object({ towers: ChangedTowers }),
    example: { towers: [{ number: 1, azimuth_deg: 120 }] },
    answers: { 200: answer('The trial, which waits for a worker.', LastTrial) },
    errors: ['submission_not_modelled', 'premises_missing', 'premises_counting', 'tower_unchangeable'],
    async handle({ database, sendJob }, { params: { id }, body }) {
      await beginTrial(database, id, body.towers);
      sendJob('predict', id);
      return { trial: await lastTrial(database, id) };
    },
  }),
  ofSubmission.get(`${base}/towers/trial`, {
    id: 'getTowerTrial',
    summary: 'Get the last trial of towers',
    answers: { 200: answer('The trial; null where there is none.', LastTrial) },
    handle: async ({ database }, { params: { id } }) => ({ trial: await lastTrial(database, id) }),
  }),
  ofSubmission.put(`${base}/towers`, {
    id: 'changeModelledTowers',
    summary: 'Model coverage with changes to its towers',
    description:
      'While it waits to be published. They take the place of all changes before; the list of towers stays as it was sent. Only the changed sites are worked out again.',
    body: z.object({ towers: ChangedTowers }),
    example: { towers: [{ number: 1, azimuth_deg: 120 }] },
    answers: { 200: answer('The submission, which waits for a worker.', Submission) },
    errors: ['submission_not_modelled', 'tower_unchangeable'],
    async handle(context, { params: { id }, body, actor, viewer }) {
      await changeTowers(context.database, id, body.towers, actor);
      context.sendJob('predict', id);
      return submissionNow(context, viewer, id);
    },
  }),
];

/** Aborted when the caller leaves. */
function leaving(response: Response): AbortSignal {
  const left = new AbortController();
  // A caller that has left meanwhile emits no more events.
  if (response.closed) left.abort();
  response.once('close', () => left.abort());
  return left.signal;
}
