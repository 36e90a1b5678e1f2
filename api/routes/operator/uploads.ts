import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Upload as TusUpload } from '@tus/server';
import { Server } from '@tus/server';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { acceptManifest } from '../../../core/coverage/submissions/accept-manifest.ts';
import { finishUpload } from '../../../core/coverage/submissions/submit-upload.ts';
import {
  beginUpload,
  findUpload,
  removeUpload,
  type Upload,
} from '../../../core/coverage/submissions/uploads.ts';
import { CovermapError } from '../../../core/errors.ts';
import { plainFileName } from '../../../core/file-name.ts';
import type { ApiContext } from '../../context.ts';
import { errorBody } from '../../errors.ts';
import { fileTooLarge } from '../../http/multipart.ts';
import { identityOf, viewerOf } from '../../middleware/identity.ts';
import { errorAnswer, otherMethods, unknown } from '../../middleware/operator-errors.ts';
import { isUuid } from '../../request-values.ts';
import { parseManifestText } from './submissions.ts';

const base = '/api/operator/uploads';

/**
 * Files that come in piece by piece, over lost connections and restarts: tus 1.0.
 *
 *     POST   /api/operator/uploads        Upload-Length, Upload-Metadata: filename, and perhaps manifest and again
 *     HEAD   /api/operator/uploads/<id>   how far it is
 *     PATCH  /api/operator/uploads/<id>
 *     DELETE /api/operator/uploads/<id>
 *
 * With a manifest, the submission is made when the last byte has come; without, the file waits to be described.
 */
export function uploads(context: ApiContext): Router {
  const { database, storage, logger } = context;
  const tus = new Server({
    ...tusOptions(context),
    // What goes wrong answers with our codes, in their shape.
    onResponseError: async (request, thrown) => {
      let error: unknown = thrown;
      const { status_code } = thrown as { status_code?: number };
      if (status_code === 413) error = fileTooLarge(context.config.uploadLimitBytes);
      // What the protocol itself answers.
      if (status_code !== undefined && !(error instanceof CovermapError)) return undefined;
      const { status, body } = errorAnswer(error);
      if (status === 500)
        logger.error({ err: error, path: new URL(request.url).pathname }, 'an upload failed');
      nodeOf(request).res.setHeader('Content-Type', 'application/json; charset=utf-8');
      // As bytes: of a text the protocol's server says that it is plain text.
      return { status_code: status, body: Buffer.from(JSON.stringify(errorBody(body))) as unknown as string };
    },
  });
  const router = Router({ caseSensitive: true });
  const tellProtocol: RequestHandler = (request, response, next) =>
    request.method === 'OPTIONS' ? tus.handle(request, response) : next();
  router.post(base, (request, response) => tus.handle(request, response));
  router.all(base, tellProtocol);
  router.all(base, otherMethods('POST', 'OPTIONS'));
  router.all(`${base}/:id`, tellProtocol);
  for (const method of ['head', 'patch', 'delete'] as const) {
    router[method](`${base}/:id`, async (request, response) => {
      const { id } = request.params;
      const upload = isUuid(id) ? await findUpload(database, id, viewerOf(request)) : undefined;
      if (!upload) throw unknown('file');
      // What is complete is no upload to the protocol's server any more; whoever lost the last answer is told it here.
      if (upload.storage_key === null) return tus.handle(request, response);
      if (request.method === 'DELETE' && upload.submission_id === null) {
        await removeUpload(database, storage, upload.id);
        response.setHeader('Tus-Resumable', '1.0.0');
        response.status(204).end();
        return;
      }
      answerComplete(request, response, upload);
    });
  }
  router.all(`${base}/:id`, otherMethods('HEAD', 'PATCH', 'DELETE', 'OPTIONS'));
  return router;
}

function tusOptions(context: ApiContext) {
  const { database, storage, config, uploadLocks } = context;
  return {
    path: base,
    datastore: storage.resumable,
    locker: uploadLocks,
    // Behind a proxy nobody knows the address by which others know this.
    relativeLocation: true,
    // The page is of this origin; nobody else's is to read answers.
    allowedOrigins: [],
    maxSize: config.uploadLimitBytes,
    namingFunction: () => randomUUID(),
    // Never the end of the address, which may be of the query: the route's parameter, which was looked up before.
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
      await beginUpload(database, config.providerQuotas, {
        id: upload.id,
        tokenId: identity.tokenId,
        providerId: identity.provider?.id ?? null,
        fileName,
        manifest: described,
        again: again === 'true',
        // What may become as large as it likes is counted as the largest file.
        sizeBytes: upload.size ?? config.uploadLimitBytes,
      });
      // The row has the rest; what a bucket keeps as metadata has to be short and plain.
      return { metadata: { filename: fileName } };
    },
    onUploadFinish: async (request: object, upload: TusUpload) => {
      const { accepted } = await finishUpload(database, storage, upload.id, expressRequest(request).ip);
      if (!accepted) {
        context.sendJob('inspect', upload.id);
        return {};
      }
      if (!accepted.duplicate) context.sendJob('ingest', accepted.id);
      return { headers: submissionHeaders(accepted.id, accepted.duplicate) };
    },
  };
}

/** Answers about an upload that is complete: HEAD, and whatever else somebody tries with it. */
function answerComplete(request: Request, response: Response, upload: Upload): void {
  response.setHeader('Tus-Resumable', '1.0.0');
  response.setHeader('Cache-Control', 'no-store');
  if (request.method !== 'HEAD') {
    throw new CovermapError(
      'file_already_submitted',
      'This file has come whole already.',
      `What became of it is at /api/operator/files/${upload.id}.`,
    );
  }
  response.setHeader('Upload-Offset', upload.size_bytes as number);
  response.setHeader('Upload-Length', upload.size_bytes as number);
  if (upload.submission_id !== null) {
    for (const [name, value] of Object.entries(submissionHeaders(upload.submission_id, false))) {
      response.setHeader(name, value);
    }
  }
  response.status(200).end();
}

function submissionHeaders(id: string, duplicate: boolean): Record<string, string> {
  return { Submission: id, ...(duplicate ? { 'Submission-Duplicate': 'true' } : {}) };
}

/** The request as Express knows it, from what the protocol's server makes of it. */
function expressRequest(request: object): Request {
  return nodeOf(request).req as Request;
}

function nodeOf(request: object): { req: IncomingMessage; res: ServerResponse } {
  return (request as { runtime: { node: { req: IncomingMessage; res: ServerResponse } } }).runtime.node;
}
