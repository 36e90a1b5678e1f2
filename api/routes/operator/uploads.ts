import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DataStore, ERRORS, Server, type Upload as TusUpload } from '@tus/server';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { firstSteps } from '../../../coverage/attempts.ts';
import { acceptManifest, parseManifestText } from '../../../coverage/submissions/accept-manifest.ts';
import { finishUpload } from '../../../coverage/submissions/submit-upload.ts';
import {
  beginUpload,
  removeUpload,
  requireUpload,
  type Upload,
} from '../../../coverage/submissions/uploads.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { plainFileName } from '../../../platform/file-name.ts';
import { type ApiContext, onceForEachApi } from '../../context.ts';
import { routesFor } from '../../define-route.ts';
import { errorAnswer, errorBody, manifestErrors, quotaErrors } from '../../errors.ts';
import { fileTooLarge } from '../../http/multipart.ts';
import { logged, requestIdOf } from '../../http/request-id.ts';
import { headerError, longerThanDeclared, protocolError } from '../../http/tus-errors.ts';
import { identityOf, viewerOf } from '../../middleware/identity.ts';
import { fileId } from '../../schemas/operator.ts';

const base = '/api/operator/uploads';
const operator = routesFor({ who: 'operator', tag: 'Uploads' });
const version = {
  'Tus-Resumable': z
    .literal('1.0.0')
    .meta({ description: 'The version of the tus protocol', example: '1.0.0' }),
};
const offsetHeaders = {
  'Upload-Offset': { description: 'The number of bytes received.' },
  Submission: { description: 'The ID of the submission, if the upload had a manifest.' },
  'Upload-Expires': { description: 'When an unfinished upload is removed.' },
};
const refusals = ['request_invalid', 'tus_version_unsupported'] as const;
const ofUpload = routesFor({ who: 'operator', tag: 'Uploads', params: fileId });

/** Resumable uploads by tus 1.0. With a manifest, a complete file is submitted; without, it becomes a draft. */
export const uploads = [
  operator.post(base, {
    id: 'createUpload',
    summary: 'Create a resumable upload (tus 1.0)',
    description:
      'Any [tus 1.0](https://tus.io/protocols/resumable-upload) client works. With a `manifest` in the metadata, the file is submitted when the upload is complete; without one, it becomes a draft.',
    headers: {
      ...version,
      'Upload-Length': z.string().meta({ description: 'The size of the file in bytes', example: '73110' }),
      'Upload-Metadata': z.string().optional().meta({
        description: '`filename`, and optionally `manifest` and `again`, each with its value in Base64',
        example: 'filename bm9ydGguemlw',
      }),
    },
    answers: {
      201: {
        description: 'The upload is created.',
        headers: {
          Location: { description: 'The URL of the upload.' },
          'Upload-Expires': offsetHeaders['Upload-Expires'],
        },
      },
    },
    errors: [
      ...refusals,
      ...(['manifest_not_json', 'file_too_large', 'storage_unavailable', 'storage_full'] as const),
      ...manifestErrors,
      ...quotaErrors,
    ],
    serve: (context) => [(request, response) => protocolOf(context).handle(request, response)],
    options: (context) => (request, response) => protocolOf(context).handle(request, response),
  }),
  ofUpload.head(`${base}/{id}`, {
    id: 'getUploadOffset',
    summary: 'Get the offset of an upload',
    headers: version,
    answers: { 200: { description: 'The offset is in `Upload-Offset`.', headers: offsetHeaders } },
    serve: (context) => [serveUpload(context)],
    options: (context) => (request, response) => protocolOf(context).handle(request, response),
  }),
  ofUpload.patch(`${base}/{id}`, {
    id: 'continueUpload',
    summary: 'Continue an upload',
    headers: {
      ...version,
      'Upload-Offset': z
        .string()
        .meta({ description: 'The offset at which the bytes of the body begin', example: '0' }),
    },
    bodies: { 'application/offset+octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
    answers: { 204: { description: 'The bytes are stored.', headers: offsetHeaders } },
    errors: [
      ...refusals,
      ...(['content_type_unsupported', 'file_too_large', 'upload_offset_other', 'upload_busy'] as const),
      ...(['file_already_submitted', 'storage_unavailable', 'storage_full'] as const),
    ],
    serve: (context) => [serveUpload(context)],
  }),
  ofUpload.delete(`${base}/{id}`, {
    id: 'deleteUpload',
    summary: 'Discard an upload',
    headers: version,
    answers: { 204: { description: 'The upload is discarded.' } },
    errors: [...refusals, 'file_already_submitted'],
    serve: (context) => [serveUpload(context)],
  }),
];

const protocolOf = onceForEachApi((context) => {
  const { config, logger, database, storage } = context;
  return new Protocol({
    ...protocolOptions(context),
    onResponseError: async (request, thrown) => {
      const isLonger = await exceedsLength(storage.resumable, request, thrown);
      // The caller never learns its address.
      const id = createdBy.get(expressRequest(request));
      if (id) await removeUpload(database, storage, id).catch(() => undefined);
      const error = isLonger
        ? longerThanDeclared()
        : (protocolError(thrown, config.uploadLimitBytes) ?? thrown);
      const { status, body } = errorAnswer(error);
      const asked = expressRequest(request);
      const { res: response } = nodeOf(request);
      if (status === 500) logger.error({ err: error, ...logged(asked) }, 'an upload failed');
      if (status === 429) response.setHeader('Retry-After', '60');
      if (status >= 500) response.setHeader('X-Request-Id', requestIdOf(asked));
      return { status_code: status, body: JSON.stringify(errorBody(body)) };
    },
  });
});

/** True where a body without a length has more bytes than its upload. The protocol's server says of it that files may not be so large. */
async function exceedsLength(store: DataStore, request: object, thrown: unknown): Promise<boolean> {
  const { params } = expressRequest(request);
  const id = params.id ?? createdBy.get(expressRequest(request));
  if ((thrown as { body?: unknown }).body !== ERRORS.ERR_MAX_SIZE_EXCEEDED.body || id === undefined)
    return false;
  const upload = await store.getUpload(String(id)).catch(() => undefined);
  return upload?.size !== undefined;
}

class Protocol extends Server {
  override async write(...[context, headers, status, text = '']: Parameters<Server['write']>) {
    if (status < 400) return super.write(context, headers, status, text);
    headers.set('Content-Type', 'application/json; charset=utf-8');
    // Thrown errors have been through `onResponseError`.
    if (text.startsWith('{')) return super.write(context, headers, status, text);
    const { status: own, body } = errorAnswer(headerError(status, text));
    if (own === 412) headers.set('Tus-Version', '1.0.0');
    return super.write(context, headers, own, JSON.stringify(errorBody(body)));
  }
}

function serveUpload(context: ApiContext): RequestHandler {
  const { database, storage } = context;
  return async (request, response) => {
    const upload = await requireUpload(database, String(request.params.id), viewerOf(request));
    // The protocol's server no longer knows a complete upload; a client that lost the last answer gets it here.
    if (upload.storage_key === null) {
      // The protocol's server knows of no end: uploads end by their row.
      if (request.method !== 'DELETE') announceEnd(response, upload.expires_at);
      await protocolOf(context).handle(request, response);
      // The protocol's server has removed the file, and knows of no row.
      if (request.method === 'DELETE' && response.statusCode === 204)
        await removeUpload(database, storage, upload.id);
      return;
    }
    if (request.method === 'DELETE' && upload.submission_id === null) {
      await removeUpload(database, storage, upload.id);
      response.setHeader('Tus-Resumable', '1.0.0');
      response.status(204).end();
      return;
    }
    answerComplete(request, response, upload);
  };
}

const createdBy = new WeakMap<Request, string>();

function protocolOptions(context: ApiContext) {
  const { database, storage, config, uploadLocks } = context;
  return {
    path: base,
    datastore: storage.resumable,
    locker: uploadLocks,
    // Behind a proxy the server does not know its public address.
    relativeLocation: true,
    // Pages of other origins may not read answers.
    allowedOrigins: [],
    maxSize: config.uploadLimitBytes,
    namingFunction: () => randomUUID(),
    // The route's parameter, which the guard has checked, and not the end of the address, which may be a query.
    getFileIdFromRequest: (request: object) => expressRequest(request).params.id as string | undefined,
    onUploadCreate: async (request: object, upload: TusUpload) => {
      if ((upload.size ?? 0) > config.uploadLimitBytes) throw fileTooLarge(config.uploadLimitBytes);
      const identity = identityOf(expressRequest(request));
      const { filename, manifest, again } = upload.metadata ?? {};
      const described =
        manifest === undefined || manifest === null
          ? undefined
          : await acceptManifest(database, parseManifestText(manifest), identity);
      const fileName = plainFileName(filename ?? '');
      const expiresAt = await beginUpload(database, config.providerQuotas, {
        id: upload.id,
        tokenId: identity.tokenId,
        providerId: identity.provider?.id ?? null,
        fileName,
        manifest: described,
        again: again === 'true',
        // An upload of unknown size counts as the largest file.
        sizeBytes: upload.size ?? config.uploadLimitBytes,
      });
      createdBy.set(expressRequest(request), upload.id);
      announceEnd(nodeOf(request).res, expiresAt);
      // The row has the rest; a bucket's metadata has to be short and plain.
      return { metadata: { filename: fileName } };
    },
    onUploadFinish: async (request: object, upload: TusUpload) => {
      createdBy.delete(expressRequest(request));
      nodeOf(request).res.removeHeader('Upload-Expires');
      const { accepted } = await finishUpload(database, storage, upload.id, expressRequest(request).ip);
      if (!accepted) {
        context.sendJob('inspect', upload.id);
        return {};
      }
      if (!accepted.duplicate) context.sendJob(firstSteps, accepted.id);
      const { id, duplicate } = accepted;
      return { headers: { Submission: id, ...(duplicate ? { 'Submission-Duplicate': 'true' } : {}) } };
    },
  };
}

/** The header of the protocol's extension "expiration". */
function announceEnd(response: ServerResponse, expiresAt: Date): void {
  response.setHeader('Upload-Expires', expiresAt.toUTCString());
}

/** Answers for a complete upload: HEAD, and refusals of other methods. */
function answerComplete(request: Request, response: Response, upload: Upload): void {
  response.setHeader('Tus-Resumable', '1.0.0');
  response.setHeader('Cache-Control', 'no-store');
  if (request.method !== 'HEAD') {
    throw new CovermapError(
      'file_already_submitted',
      'This upload is complete already.',
      `See /api/operator/files/${upload.id} for what became of it.`,
    );
  }
  response.setHeader('Upload-Offset', upload.size_bytes as number);
  response.setHeader('Upload-Length', upload.size_bytes as number);
  if (upload.submission_id !== null) response.setHeader('Submission', upload.submission_id);
  response.status(200).end();
}

/** Express's request behind that of the protocol's server. */
function expressRequest(request: object): Request {
  return nodeOf(request).req as Request;
}

function nodeOf(request: object): { req: IncomingMessage; res: ServerResponse } {
  return (request as { runtime: { node: { req: IncomingMessage; res: ServerResponse } } }).runtime.node;
}
