import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { firstSteps } from '../../../coverage/attempts.ts';
import { wantComparison } from '../../../coverage/datasets/comparisons.ts';
import { publishSubmission } from '../../../coverage/datasets/publish.ts';
import { maxNoteLength } from '../../../coverage/submission-fields.ts';
import { acceptManifest, parseManifestText } from '../../../coverage/submissions/accept-manifest.ts';
import { GivenManifest } from '../../../coverage/submissions/manifest.ts';
import { requireRoomFor, uploadsTooMany } from '../../../coverage/submissions/quotas.ts';
import { changeNote, withdrawSubmission } from '../../../coverage/submissions/submissions.ts';
import {
  type Accepted as AcceptedSubmission,
  kindOf,
  recordSubmission,
} from '../../../coverage/submissions/submit.ts';
import { knownProvider, submitUpload } from '../../../coverage/submissions/submit-upload.ts';
import { requireUpload, reuseFile } from '../../../coverage/submissions/uploads.ts';
import {
  listSubmissions,
  requireSubmission,
  type SubmissionDetail,
  SubmissionStatus,
} from '../../../coverage/submissions/views.ts';
import type { ErrorCode } from '../../../platform/error-catalogue.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { checkBody } from '../../checks.ts';
import type { ApiContext } from '../../context.ts';
import { answer, located, reply, routesFor } from '../../define-route.ts';
import { errorBody, formErrors, manifestErrors, quotaErrors, sendJson } from '../../errors.ts';
import { withForm } from '../../http/multipart.ts';
import { OpenCounts } from '../../http/open-counts.ts';
import { pageOf } from '../../http/page.ts';
import { sendStream } from '../../http/send-stream.ts';
import { actorOf, identityOf, viewerOf } from '../../middleware/identity.ts';
import {
  Accepted,
  filter,
  PublishingRefused,
  Submission,
  submissionId,
  UploadedFile,
} from '../../schemas/operator.ts';
import { line, wholeNumber } from '../../schemas/values.ts';
import { fileBody } from '../../views/file.ts';
import { submissionBody, submissionLinks, submissionNow } from '../../views/submission.ts';

const base = '/api/operator/submissions';
const operator = routesFor({ who: 'operator', tag: 'Submissions' });
const ofSubmission = routesFor({ who: 'operator', tag: 'Submissions', params: submissionId });
const location = located('The URL of the submission.');
const theSubmission = { 200: answer('The submission.', Submission) };

const note = line(maxNoteLength).optional().describe('The operator’s note, on one line.');
const uploadToSubmit = z.object({
  file_id: z.uuid().describe('The ID of an upload.'),
  manifest: GivenManifest,
  again: z.boolean().optional(),
  note,
});
const formToSubmit = z.object({
  file: z.string().describe('The file.').meta({ format: 'binary' }),
  manifest: z.string().describe('The `Manifest` as JSON. Operators may omit `provider`.'),
  again: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: process the file even if it was submitted before.'),
  note,
});

/** Refusals that require the publisher to look at the submission again. */
const unseen = ['published_meanwhile', 'comparison_outdated', 'losses_unconfirmed'];
const publishingConflicts = [
  ...['submission_not_ready', 'submission_superseded', 'submission_failed', 'submission_withdrawn'],
  ...['scopes_too_many', 'exclusions_lacking', ...unseen],
] as [ErrorCode];

/** Submissions of operators, from the file to publication. */
export const submissions = [
  operator.post(base, {
    id: 'submitFile',
    summary: 'Submit a file',
    description:
      'Takes a form with a file and its manifest, or JSON that names an uploaded file. The file is stored when the answer arrives, and processed in the background.',
    bodies: {
      'multipart/form-data': {
        schema: formToSubmit,
        example: { file: '@fibre-north.zip', manifest: '{"technology": "fibre", "publish": "review"}' },
      },
    },
    body: uploadToSubmit,
    answers: {
      202: answer('The file is stored and queued for processing.', Accepted, location),
      200: answer('The earlier submission of the same file and manifest.', Accepted, location),
    },
    errors: [
      ...(['manifest_missing', 'file_unknown', 'file_not_complete', 'file_not_usable'] as const),
      ...[...formErrors, ...manifestErrors, ...quotaErrors],
    ],
    serve: (context) => [
      submitForm(context),
      express.json({ limit: '1mb' }),
      async (request, response) => sendAccepted(response, await submitUploaded(context, request)),
    ],
  }),
  operator.get(base, {
    id: 'listSubmissions',
    summary: 'List submissions',
    query: z.object({
      limit: wholeNumber(1, 200).optional().meta({ description: 'Results per page; 50 by default' }),
      before: z
        .uuid({ error: 'is not what an answer had as "next".' })
        .optional()
        .describe('The `next` of the previous page'),
      technology: filter('Filter by technology', 'fibre'),
      status: SubmissionStatus.optional().meta({
        description: 'Filter by status',
        example: 'published',
      }),
      provider: filter('Filter by the provider’s name; for staff'),
    }),
    answers: {
      200: answer(
        'A page of submissions, newest first, without `manifest`, `lost_areas` and `report`.',
        z.object({
          submissions: z.array(Submission),
          next: z.uuid().nullable().describe('For `before`; null on the last page.'),
        }),
      ),
    },
    async handle(context, { query: { limit = 50, status, ...filters }, viewer }) {
      const found = await listSubmissions(context.database, {
        ...viewer,
        ...filters,
        state: status,
        limit: limit + 1,
      });
      const { rows, next } = pageOf(found, limit);
      return { submissions: rows.map((one) => submissionBody(one, context)), next };
    },
  }),
  ofSubmission.get(`${base}/{id}`, {
    id: 'getSubmission',
    summary: 'Get a submission with its manifest, report and lost areas',
    answers: theSubmission,
    async handle(context, { params: { id }, viewer }) {
      const submission = await requireSubmission(context.database, id, viewer);
      await wantCurrentComparison(context, submission);
      return submissionBody(submission, context);
    },
  }),
  ofSubmission.get(`${base}/{id}/file`, {
    id: 'getFileOfSubmission',
    summary: 'Download the original file',
    answers: {
      200: {
        description: 'The file.',
        content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
    },
    async handle({ database, storage }, { params: { id }, viewer, response }) {
      const { file, internal } = await requireSubmission(database, id, viewer);
      const uploaded = await storage.read(internal.storage_key);
      response.attachment(file.name);
      // For any name: no browser may open a stranger's upload.
      response.setHeader('Content-Type', 'application/octet-stream');
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Content-Length', file.size_bytes);
      await sendStream(response, uploaded);
    },
  }),
  ofSubmission.post(`${base}/{id}/reprocess`, {
    id: 'reprocessSubmission',
    summary: 'Reprocess a submission’s file',
    answers: {
      201: answer(
        'A new draft with the same file and the answers of the submission. Submit it with these or other answers.',
        UploadedFile,
        located('The URL of the file.'),
      ),
    },
    errors: ['uploads_too_many', 'storage_quota_exceeded'],
    async handle(context, { params: { id }, identity: { tokenId }, viewer }) {
      const { database, config } = context;
      const fileId = await reuseFile(database, config.providerQuotas, id, { tokenId, ...viewer });
      context.sendJob('inspect', fileId);
      const file = await requireUpload(database, fileId, viewer);
      return reply(201, await fileBody(context, file), { Location: `/api/operator/files/${fileId}` });
    },
  }),
  ofSubmission.post(`${base}/{id}/publish`, {
    id: 'publishSubmission',
    summary: 'Publish a submission',
    bodyOptional: true,
    body: z.object({
      replaces: z
        .array(z.int().positive())
        .nullable()
        .optional()
        .describe('The versions that you expect to replace; `published_meanwhile` if others are live.'),
      comparison: z
        .string()
        .nullable()
        .optional()
        .describe('The submission’s `comparison`. Required if `blocking` is not empty.'),
    }),
    example: { replaces: [29], comparison: 'mPZ0w6kVQe5uXl0yqE7l2w' },
    answers: {
      200: answer('The submission is published. It may already have been.', Submission),
      409: answer(
        `${publishingConflicts.map((code) => `\`${code}\``).join(', ')}.`,
        z.intersection(PublishingRefused, z.object({ code: z.enum(publishingConflicts).optional() })),
      ),
    },
    errors: ['provider_url_missing'],
    async handle(context, { params: { id }, body, actor, viewer, response }) {
      const { database, config } = context;
      const rules = config.publishBlocks;
      const current = () => requireSubmission(database, id, viewer);
      const seen = { replaces: body.replaces ?? undefined, comparison: body.comparison ?? undefined };
      const publish = () => publishSubmission(database, id, { actor, rules, ...seen });
      try {
        let outcome = await publish();
        if (outcome === 'outdated') {
          await wantCurrentComparison(context, await current());
          await untilCompared(context, id);
          outcome = await publish();
        }
        if (outcome === 'outdated') throw new CovermapError('comparison_outdated');
        if (outcome === 'unconfirmed') throw new CovermapError('losses_unconfirmed');
      } catch (error) {
        if (!(error instanceof CovermapError) || !unseen.includes(error.code)) throw error;
        const submission = await current();
        await wantCurrentComparison(context, submission);
        sendJson(response, 409, { ...errorBody(error), submission: submissionBody(submission, context) });
        return undefined;
      }
      // A worker archives the rows of the replaced version.
      context.sendJob('archive');
      return submissionNow(context, viewer, id);
    },
  }),
  ofSubmission.post(`${base}/{id}/withdraw`, {
    id: 'withdrawSubmission',
    summary: 'Withdraw a submission before it is published',
    answers: { 200: answer('The submission is withdrawn.', Submission) },
    errors: ['submission_published', 'submission_superseded', 'submission_failed'],
    async handle(context, { params: { id }, actor, viewer }) {
      await withdrawSubmission(context.database, id, actor);
      context.sendJob('discard', id);
      return submissionNow(context, viewer, id);
    },
  }),
  ofSubmission.put(`${base}/{id}/note`, {
    id: 'changeNote',
    summary: 'Change the note of a submission',
    body: z.object({ note }),
    example: { note: 'With the new sites in Rolleston' },
    answers: theSubmission,
    async handle(context, { params: { id }, body, actor, viewer }) {
      await changeNote(context.database, id, body.note ?? '', actor);
      return submissionNow(context, viewer, id);
    },
  }),
];

/** Submits a form; passes JSON on. */
function submitForm(context: ApiContext): RequestHandler {
  return async (request, response, next) => {
    if (request.is('application/json')) return next();
    const provider = identityOf(request).provider?.id;
    const end = provider === undefined ? undefined : openForms.begin(provider);
    if (provider !== undefined && !end) throw uploadsTooMany(maxFormsAtOnce);
    try {
      sendAccepted(response, await storeAndSubmit(context, request));
    } finally {
      end?.();
    }
  };
}

/** Max forms of a provider at once: each file is stored before anything is recorded of it. */
const maxFormsAtOnce = 5;
const openForms = new OpenCounts<number>(maxFormsAtOnce);

/** The fields of the form besides file and manifest. */
const formChoices = formToSubmit.pick({ again: true, note: true });

async function storeAndSubmit(context: ApiContext, request: Request): Promise<AcceptedSubmission> {
  const { database, storage, config } = context;
  const identity = identityOf(request);
  const { providerQuotas: quotas } = config;
  const own = identity.provider;
  if (own) {
    const announced = Number(request.headers['content-length'] ?? 0);
    await requireRoomFor(database, own.id, { bytes: announced, submissions: 1 }, quotas);
  }
  const accept = (fields: Record<string, string>) =>
    acceptManifest(database, parseManifestText(fields.manifest), identity);
  // A manifest that comes first is checked before the file is read.
  const check = async (before: Record<string, string>) => {
    if (before.manifest !== undefined) await accept(before);
  };
  return withForm(context, request, check, async ({ file, fields }) => {
    const { again, note } = fields;
    const given = checkBody(formChoices, { again, note }) as z.output<typeof formChoices>;
    const manifest = await accept(fields);
    const accepted = await recordSubmission(database, {
      file,
      manifest,
      providerId: own?.id,
      kind: kindOf(manifest, identity.role),
      actor: actorOf(request),
      again: given.again === 'true',
      note: given.note,
      room: own ? { quotas, bytes: file.size } : undefined,
    });
    if (accepted.duplicate) await storage.remove(file.key).catch(() => undefined);
    else context.sendJob(firstSteps, accepted.id);
    return accepted;
  });
}

const uploadBody = uploadToSubmit.extend({ manifest: z.unknown().optional() });

async function submitUploaded(context: ApiContext, request: Request): Promise<AcceptedSubmission> {
  const { database, storage } = context;
  const body = checkBody(uploadBody, request.body) as z.output<typeof uploadBody>;
  if (body.manifest === undefined) throw new CovermapError('manifest_missing');
  const identity = identityOf(request);
  const upload = await requireUpload(database, body.file_id, viewerOf(request));
  const known = knownProvider(upload, identity.provider?.name);
  const accepted = await submitUpload(database, storage, upload.id, {
    manifest: await acceptManifest(database, body.manifest, identity, known),
    role: identity.role,
    actor: actorOf(request),
    again: body.again === true,
    note: body.note,
    quotas: identity.provider ? context.config.providerQuotas : undefined,
  });
  if (!accepted.duplicate) context.sendJob(firstSteps, accepted.id);
  return accepted;
}

function sendAccepted(response: Response, { id, state, duplicate }: AcceptedSubmission): void {
  const links = submissionLinks(id);
  response.setHeader('Location', links.self);
  sendJson(response, duplicate ? 200 : 202, { id, status: state, duplicate, links });
}

/** Starts a new comparison of a ready submission that is being viewed, if it is outdated. */
async function wantCurrentComparison(
  { database, sendJob }: ApiContext,
  { id, status, datasets }: SubmissionDetail,
): Promise<void> {
  if (status !== 'ready' || datasets.every(({ is_compared }) => is_compared)) return;
  await wantComparison(database, id);
  sendJob('compare', id);
}

/** A request waits this long for a comparison, which is enough for most; after that the client asks again. */
const comparisonMs = 5_000;

/** Waits until a submission has been compared with what is published, at most {@link comparisonMs}. */
function untilCompared({ watch, stopping }: ApiContext, id: string): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopWatching();
      stopping.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, comparisonMs);
    const stopWatching = watch.watch(id, ({ datasets }) => {
      if (datasets.every(({ state, is_compared }) => state !== 'ready' || is_compared)) end();
    });
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
  });
}
