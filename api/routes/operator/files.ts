import express, { type Request, Router } from 'express';
import { acceptManifest } from '../../../core/coverage/submissions/accept-manifest.ts';
import {
  alreadySubmitted,
  keepAnswers,
  withdrawAnswers,
} from '../../../core/coverage/submissions/answers.ts';
import { knownProvider } from '../../../core/coverage/submissions/submit-upload.ts';
import {
  findUpload,
  listOpenUploads,
  removeUpload,
  type Upload,
} from '../../../core/coverage/submissions/uploads.ts';
import type { ApiContext } from '../../context.ts';
import { fileBody } from '../../http/file-response.ts';
import { sendJson } from '../../middleware/errors.ts';
import { identityOf, viewerOf } from '../../middleware/identity.ts';
import { otherMethods, unknown } from '../../middleware/operator-errors.ts';
import { bodyObject, isUuid } from '../../request-values.ts';
import { manifestMissing, noteOf } from './submissions.ts';

const base = '/api/operator/files';

/**
 * Files that came in piece by piece, and what is in them.
 *
 *     GET    /api/operator/files        those that nobody has described yet
 *     GET    /api/operator/files/<id>
 *     PUT    /api/operator/files/<id>/answers   what it is, while it is still coming in; or that this is taken back
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
    sendJson(response, 200, {
      files: bodies.map(
        ({ inspection: _, answers: __, earlier_classes: ___, can_submit: ____, ...body }) => body,
      ),
    });
  });
  router.all(base, otherMethods('GET'));
  router.get(`${base}/:id`, async (request, response) => {
    sendJson(response, 200, await fileBody(context, await uploadOf(context, request)));
  });
  router.put(`${base}/:id/answers`, express.json({ limit: '1mb' }), async (request, response) => {
    const upload = await uploadOf(context, request);
    const { id } = upload;
    const { manifest, again, note, submit } = bodyObject(request);
    if (submit === false) await withdrawAnswers(database, id);
    else {
      if (manifest === undefined) throw manifestMissing();
      const identity = identityOf(request);
      const known = knownProvider(upload, identity.provider?.name);
      const answers = await acceptManifest(database, manifest, identity, known);
      await keepAnswers(database, id, { answers, again: again === true, note: noteOf(note) });
    }
    sendJson(response, 200, await fileBody(context, await uploadOf(context, request)));
  });
  router.all(`${base}/:id/answers`, otherMethods('PUT'));
  router.delete(`${base}/:id`, async (request, response) => {
    const { id, submission_id } = await uploadOf(context, request);
    if (submission_id !== null) throw alreadySubmitted();
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
