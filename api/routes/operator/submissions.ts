import { pipeline } from 'node:stream/promises';
import express, { type Request, type Response, Router } from 'express';
import { wantComparison } from '../../../core/coverage/datasets/compare.ts';
import { publishSubmission } from '../../../core/coverage/datasets/publish.ts';
import { acceptManifest } from '../../../core/coverage/submissions/accept-manifest.ts';
import { requireRoomFor, uploadsTooMany } from '../../../core/coverage/submissions/quotas.ts';
import { submissionStates } from '../../../core/coverage/submissions/states.ts';
import {
  changeNote,
  maxNoteLength,
  withdrawSubmission,
} from '../../../core/coverage/submissions/submissions.ts';
import { type Accepted, kindOf, recordSubmission } from '../../../core/coverage/submissions/submit.ts';
import { knownProvider, submitUpload } from '../../../core/coverage/submissions/submit-upload.ts';
import { findUpload, reuseFile, type Upload } from '../../../core/coverage/submissions/uploads.ts';
import {
  listSubmissions,
  type SubmissionDetail,
  viewSubmission,
} from '../../../core/coverage/submissions/views.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { ApiContext } from '../../context.ts';
import { errorBody } from '../../errors.ts';
import { fileBody } from '../../http/file-response.ts';
import { takeForm } from '../../http/multipart.ts';
import { refuseUpload } from '../../http/refuse-upload.ts';
import { submissionBody, submissionLinks } from '../../http/submission-response.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf, identityOf, viewerOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods, unknown } from '../../middleware/operator-errors.ts';
import { bodyObject, isUuid, queryLimit, queryText, rowNumber } from '../../request-values.ts';

const base = '/api/operator/submissions';

/**
 * What operators hand in, and what becomes of it.
 *
 *     POST /api/operator/submissions                a file with its manifest (multipart), or {file_id, manifest} (JSON)
 *     GET  /api/operator/submissions                the provider's, newest first
 *     GET  /api/operator/submissions/<id>
 *     GET  /api/operator/submissions/<id>/file      as it was handed in
 *     POST /api/operator/submissions/<id>/reprocess   its file once more, to be described anew
 *     POST /api/operator/submissions/<id>/publish
 *     POST /api/operator/submissions/<id>/withdraw
 *     PUT  /api/operator/submissions/<id>/note      {"note": "..."}
 */
export function submissions(context: ApiContext): Router {
  const { database, storage } = context;
  const rules = context.config.publishBlocks;
  const router = Router({ caseSensitive: true });
  router.post(base, (request, response, next) => {
    if (request.is('application/json')) return next();
    return handInForm(context, request).then(
      (received) => sendReceived(response, received),
      (error) => {
        noteFault(context, error);
        refuseUpload(request, response, error);
      },
    );
  });
  router.post(base, express.json({ limit: '1mb' }), async (request, response) => {
    sendReceived(response, await handInUpload(context, request));
  });
  router.get(base, async (request, response) => {
    const limit = queryLimit(request, 50, 200);
    const before = queryText(request, 'before');
    const state = queryText(request, 'status');
    if (before !== undefined && !isUuid(before))
      throw invalidRequest('"before" is not what an answer had as "next".');
    const known = submissionStates.find((one) => one === state);
    if (state !== undefined && !known) throw invalidRequest(`There is no status "${state}".`);
    const found = await listSubmissions(database, {
      ...viewerOf(request),
      provider: queryText(request, 'provider'),
      technology: queryText(request, 'technology'),
      state: known,
      before,
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    sendJson(response, 200, {
      submissions: shown.map((one) => submissionBody(one, rules)),
      next: found.length > limit ? shown.at(-1)?.id : null,
    });
  });
  router.all(base, otherMethods('GET', 'POST'));

  router.get(`${base}/:id`, async (request, response) => {
    const submission = await submissionOf(context, request);
    await wantCurrentComparison(context, submission);
    sendJson(response, 200, submissionBody(submission, rules));
  });
  router.all(`${base}/:id`, otherMethods('GET'));
  router.get(`${base}/:id/file`, async (request, response) => {
    const { file, internal } = await submissionOf(context, request);
    response.attachment(file.name);
    // Whatever the name says: what a stranger has handed in is opened by nobody's browser.
    response.setHeader('Content-Type', 'application/octet-stream');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Length', file.size_bytes);
    await pipeline(await storage.read(internal.storage_key), response);
  });
  router.all(`${base}/:id/file`, otherMethods('GET'));

  router.post(`${base}/:id/reprocess`, async (request, response) => {
    const { id } = await submissionOf(context, request);
    const { tokenId, provider } = identityOf(request);
    const owner = { tokenId, providerId: provider?.id ?? null };
    const fileId = await reuseFile(database, context.config.providerQuotas, id, owner);
    context.sendJob('inspect', fileId);
    const file = await findUpload(database, fileId, viewerOf(request));
    const self = `/api/operator/files/${fileId}`;
    response.setHeader('Location', self);
    sendJson(response, 201, await fileBody(context, file as Upload));
  });
  router.all(`${base}/:id/reprocess`, otherMethods('POST'));

  const body = express.json({ limit: '10kb' });
  router.post(`${base}/:id/publish`, body, async (request, response) => {
    const { id } = await submissionOf(context, request);
    try {
      const options = { actor: actorOf(request), rules, ...seenBy(request) };
      let outcome = await publishSubmission(database, id, options);
      if (outcome === 'outdated') {
        await wantCurrentComparison(context, await submissionOf(context, request));
        await untilCompared(context, id);
        outcome = await publishSubmission(database, id, options);
      }
      if (outcome === 'outdated') throw comparisonOutdated();
      if (outcome === 'unconfirmed') throw lossesUnconfirmed();
    } catch (error) {
      if (!(error instanceof CovermapError) || !unseen.includes(error.code)) throw error;
      // With what it would mean now, so that who asked can decide again.
      const submission = await submissionOf(context, request);
      await wantCurrentComparison(context, submission);
      return sendJson(response, 409, { ...errorBody(error), submission: submissionBody(submission, rules) });
    }
    // A worker clears away what was replaced.
    context.sendJob('ingest', id);
    sendJson(response, 200, submissionBody(await submissionOf(context, request), rules));
  });
  router.all(`${base}/:id/publish`, otherMethods('POST'));
  router.post(`${base}/:id/withdraw`, body, async (request, response) => {
    const { id } = await submissionOf(context, request);
    await withdrawSubmission(database, id, actorOf(request));
    context.sendJob('ingest', id);
    sendJson(response, 200, submissionBody(await submissionOf(context, request), rules));
  });
  router.all(`${base}/:id/withdraw`, otherMethods('POST'));
  router.put(`${base}/:id/note`, body, async (request, response) => {
    const { id } = await submissionOf(context, request);
    await changeNote(database, id, noteOf(bodyObject(request).note) ?? '', actorOf(request));
    sendJson(response, 200, submissionBody(await submissionOf(context, request), rules));
  });
  router.all(`${base}/:id/note`, otherMethods('PUT'));
  return router;
}

/** The submission that the path names. @throws CovermapError `submission_unknown`, also where it is another operator's */
export async function submissionOf({ database }: ApiContext, request: Request): Promise<SubmissionDetail> {
  const { id } = request.params;
  const found = isUuid(id) ? await viewSubmission(database, id, viewerOf(request)) : undefined;
  if (!found) throw unknown('submission');
  return found;
}

/** Forms of a provider that come in at once: each is a file that is stored before anything is recorded of it. */
const maxFormsAtOnce = 5;
const formsOf = new Map<number, number>();

/** @throws CovermapError `uploads_too_many` */
async function oneOfFewForms<T>(provider: number | undefined, take: () => Promise<T>): Promise<T> {
  if (provider === undefined) return take();
  const count = formsOf.get(provider) ?? 0;
  if (count >= maxFormsAtOnce) throw uploadsTooMany(maxFormsAtOnce);
  formsOf.set(provider, count + 1);
  try {
    return await take();
  } finally {
    const left = (formsOf.get(provider) ?? 1) - 1;
    if (left > 0) formsOf.set(provider, left);
    else formsOf.delete(provider);
  }
}

function handInForm(context: ApiContext, request: Request): Promise<Accepted> {
  return oneOfFewForms(identityOf(request).provider?.id, () => takeSubmission(context, request));
}

async function takeSubmission(context: ApiContext, request: Request): Promise<Accepted> {
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
  // Where the manifest comes first, what is wrong with it is told before the file is read.
  const { file, fields } = await takeForm(request, storage, config.uploadLimitBytes, async (before) => {
    if (before.manifest !== undefined) await accept(before);
  });
  const discard = () => storage.remove(file.key).catch(() => undefined);
  try {
    const note = noteOf(fields.note);
    const manifest = await accept(fields);
    const received = await recordSubmission(database, {
      file,
      manifest,
      providerId: own?.id,
      kind: kindOf(manifest, identity.role),
      actor: actorOf(request),
      again: fields.again === 'true',
      note,
      room: own ? { quotas, bytes: file.size } : undefined,
    });
    if (received.duplicate) await discard();
    else context.sendJob('ingest', received.id);
    return received;
  } catch (error) {
    // After a fault of the database nobody knows whether the row is there: then the file stays.
    if (error instanceof CovermapError) await discard();
    throw error;
  }
}

/** Describes a file that came before, piece by piece. */
async function handInUpload(context: ApiContext, request: Request): Promise<Accepted> {
  const { database, storage } = context;
  const { file_id, manifest: given, again, note } = bodyObject(request);
  if (!isUuid(file_id)) {
    throw invalidRequest('"file_id" is missing.', 'Upload a file under /api/operator/uploads first.');
  }
  if (given === undefined) throw manifestMissing();
  const identity = identityOf(request);
  const upload = await findUpload(database, file_id, viewerOf(request));
  if (!upload) throw unknown('file');
  const known = knownProvider(upload, identity.provider?.name);
  const manifest = await acceptManifest(database, given, identity, known);
  const received = await submitUpload(database, storage, file_id, {
    manifest,
    role: identity.role,
    actor: actorOf(request),
    again: again === true,
    note: noteOf(note),
    quotas: identity.provider ? context.config.providerQuotas : undefined,
  });
  if (!received.duplicate) context.sendJob('ingest', received.id);
  return received;
}

export function parseManifestText(text: string | undefined): unknown {
  if (text === undefined) throw manifestMissing();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CovermapError(
      'manifest_not_json',
      `The manifest is not JSON: ${(error as Error).message}.`,
      'With curl, take it from a file: -F manifest=@manifest.json',
    );
  }
}

export function manifestMissing(): CovermapError {
  return new CovermapError(
    'manifest_missing',
    'The manifest is missing: what the file is, as JSON.',
    'At least {"technology": "fibre"}; docs/coverage-files.md has all of it.',
  );
}

/** Has a ready submission compared with what is published now, where it has not been: somebody looks at it. */
async function wantCurrentComparison(
  { database, sendJob }: ApiContext,
  { id, status, datasets }: SubmissionDetail,
): Promise<void> {
  if (status !== 'ready' || datasets.every(({ is_compared }) => is_compared)) return;
  await wantComparison(database, id);
  sendJob('compare', id);
}

/** How long a request waits for a comparison: most take less, and who asks for a longer one asks again. */
const comparisonMs = 5_000;

/** Waits, for not too long, until a submission has been compared with what is published. */
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

/** What somebody had before them when they decided to publish: what is replaced, and the comparison with it. */
function seenBy(request: Request): { replaces?: number[]; comparison?: string } {
  const { replaces, comparison } = bodyObject(request);
  const given: ReturnType<typeof seenBy> = {};
  if (replaces !== undefined && replaces !== null) {
    if (!Array.isArray(replaces) || !replaces.every((id) => rowNumber(String(id)) !== undefined)) {
      throw invalidRequest('"replaces" has to be a list of dataset ids.');
    }
    given.replaces = replaces;
  }
  if (comparison !== undefined && comparison !== null) {
    if (typeof comparison !== 'string') {
      throw invalidRequest('"comparison" has to be what the submission has as "comparison".');
    }
    given.comparison = comparison;
  }
  return given;
}

/** Why a submission is not published that its publisher has not seen as it is now. */
const unseen = ['published_meanwhile', 'comparison_outdated', 'losses_unconfirmed'];

function comparisonOutdated(): CovermapError {
  return new CovermapError(
    'comparison_outdated',
    'What this would change is being worked out against what is published now.',
    'Ask for the submission until its "comparison" is not null, look at what it says is lost, and publish it then.',
  );
}

function lossesUnconfirmed(): CovermapError {
  return new CovermapError(
    'losses_unconfirmed',
    'There is something to look at before this is published: "blocking" of the submission says what.',
    'To publish it all the same, send its "comparison" with the request.',
  );
}

/** An operator's own words about a submission: one paragraph, without spaces around it. */
export function noteOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const isText = typeof value === 'string' && value.length <= maxNoteLength && value.isWellFormed();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is here to refuse
  if (!isText || /[\u0000-\u001f\u007f]/.test(value)) {
    throw invalidRequest(`"note" has to be one line of at most ${maxNoteLength} characters.`);
  }
  return value.trim();
}

function sendReceived(response: Response, { id, state, duplicate }: Accepted): void {
  const links = submissionLinks(id);
  response.setHeader('Location', links.self as string);
  sendJson(response, duplicate ? 200 : 202, { id, status: state, duplicate, links });
}

function noteFault({ logger }: ApiContext, error: unknown): void {
  if (!(error instanceof CovermapError)) logger.error({ err: error }, 'a file could not be taken in');
}
