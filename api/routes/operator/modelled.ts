import { z } from 'zod';
import { changeSpeeds, findModelled, requireSignal } from '../../../coverage/submissions/modelling.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { answer, routesFor } from '../../define-route.ts';
import { sendStream } from '../../http/send-stream.ts';
import { ModelledSpeeds, PathProfile, Submission, submissionId } from '../../schemas/operator.ts';
import { degrees, wholeNumber } from '../../schemas/values.ts';
import { submissionNow } from '../../views/submission.ts';
import { answerTowers, towersAnswer } from '../../views/towers.ts';

const base = '/api/operator/submissions/{id}';
const ofSubmission = routesFor({ who: 'operator', tag: 'Submissions', params: submissionId });
const file = (type: string, description: string) => ({
  200: { description, content: { [type]: { schema: z.string().meta({ format: 'binary' }) } } },
});

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
      const left = new AbortController();
      // A caller that has left meanwhile emits no more events.
      if (response.closed) left.abort();
      response.once('close', () => left.abort());
      const { report, ...towers } = modelled;
      const { parameters, clutter } = report;
      const question = { ...towers, parameters, has_clutter: clutter !== null, ...query };
      return pathProfile(question, left.signal);
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
];
