import { type Request, Router } from 'express';
import {
  findUpload,
  listOpenUploads,
  removeUpload,
  type Upload,
  uploadState,
} from '../../core/coverage/uploads.ts';
import { CovermapError } from '../../core/errors.ts';
import type { ApiContext } from '../app.ts';
import { sendJson } from '../middleware/errors.ts';
import { viewerOf } from '../middleware/identity.ts';
import { otherMethods, unknown } from '../middleware/operator-errors.ts';
import { isUuid } from '../request-values.ts';

const base = '/api/operator/files';

/**
 * Files that came in piece by piece, and what is in them.
 *
 *     GET    /api/operator/files        those that nobody has described yet
 *     GET    /api/operator/files/<id>
 *     DELETE /api/operator/files/<id>
 */
export function files(context: ApiContext): Router {
  const { database, storage } = context;
  const router = Router({ caseSensitive: true });
  router.get(base, async (request, response) => {
    const open = await listOpenUploads(database, viewerOf(request));
    const bodies = await Promise.all(
      open.map((upload) => fileBody(context, { ...upload, inspection: null })),
    );
    sendJson(response, 200, { files: bodies.map(({ inspection: _, ...body }) => body) });
  });
  router.all(base, otherMethods('GET'));
  router.get(`${base}/:id`, async (request, response) => {
    sendJson(response, 200, await fileBody(context, await uploadOf(context, request)));
  });
  router.delete(`${base}/:id`, async (request, response) => {
    const { id, submission_id } = await uploadOf(context, request);
    if (submission_id !== null) {
      throw new CovermapError(
        'file_already_submitted',
        'This is the file of a submission.',
        'Withdraw the submission instead.',
      );
    }
    await removeUpload(database, storage, id);
    response.status(204).end();
  });
  router.all(`${base}/:id`, otherMethods('GET', 'DELETE'));
  return router;
}

async function uploadOf({ database }: ApiContext, request: Request): Promise<Upload> {
  const { id } = request.params;
  const upload = isUuid(id) ? await findUpload(database, id, viewerOf(request)) : undefined;
  if (!upload) throw unknown('file');
  return upload;
}

async function fileBody({ storage }: ApiContext, upload: Upload) {
  const { id, file_name, size_bytes, sha256, error, submission_id, expires_at } = upload;
  const complete = upload.storage_key !== null;
  // The storage knows how far it is.
  const partial = complete ? undefined : await storage.resumable.getUpload(id).catch(() => undefined);
  return {
    id,
    file: { name: file_name, size_bytes, sha256 },
    state: uploadState(upload),
    received_bytes: complete ? size_bytes : (partial?.offset ?? 0),
    inspection: upload.inspection,
    error,
    submission_id,
    expires_at: submission_id === null ? expires_at : null,
    links: { self: `${base}/${id}`, upload: `/api/operator/uploads/${id}` },
  };
}
