import { z } from 'zod';
import { maxNoteLength } from '../../../coverage/submission-fields.ts';
import { acceptManifest } from '../../../coverage/submissions/accept-manifest.ts';
import { keepAnswers, withdrawAnswers } from '../../../coverage/submissions/answers.ts';
import { knownProvider } from '../../../coverage/submissions/submit-upload.ts';
import { listOpenUploads, removeUpload, requireUpload } from '../../../coverage/submissions/uploads.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { manifestErrors } from '../../errors.ts';
import { describedAs, fileId, UploadedFile } from '../../schemas/operator.ts';
import { line } from '../../schemas/values.ts';
import { fileBody, listedFile } from '../../views/file.ts';

const base = '/api/operator/files';
const operator = routesFor({ who: 'operator', tag: 'Uploads' });
const ofFile = routesFor({ who: 'operator', tag: 'Uploads', params: fileId });

/** Files of resumable uploads, and their contents. */
export const files = [
  operator.get(base, {
    id: 'listFiles',
    summary: 'List drafts',
    answers: {
      200: answer(
        'The uploaded files that are not submitted yet, newest first, without `inspection`.',
        z.object({ files: z.array(UploadedFile) }),
      ),
    },
    async handle(context, { viewer }) {
      const open = await listOpenUploads(context.database, viewer);
      return { files: await Promise.all(open.map((upload) => listedFile(context, upload))) };
    },
  }),
  ofFile.get(`${base}/{id}`, {
    id: 'getFile',
    summary: 'Get an uploaded file and its inspection',
    answers: { 200: answer('The file.', UploadedFile) },
    handle: async (context, { params: { id }, viewer }) =>
      fileBody(context, await requireUpload(context.database, id, viewer)),
  }),
  ofFile.delete(`${base}/{id}`, {
    id: 'deleteFile',
    summary: 'Discard an uploaded file',
    answers: { 204: { description: 'The upload is discarded.' } },
    errors: ['file_already_submitted'],
    async handle({ database, storage }, { params: { id }, viewer }) {
      await requireUpload(database, id, viewer);
      await removeUpload(database, storage, id);
      return reply(204, undefined);
    },
  }),
  ofFile.put(`${base}/{id}/answers`, {
    id: 'keepAnswers',
    summary: 'Save the answers for a file that is still uploading',
    description:
      'The file is submitted with this manifest after it is uploaded and inspected. If the inspection raises a question that the manifest leaves open, the file becomes a draft instead, and `submits` is false. `submit: false` withdraws the answers: they stay with the draft.',
    bodyLimit: '1mb',
    body: z.object({
      manifest: describedAs('Manifest').optional(),
      again: z.boolean().optional(),
      note: line(maxNoteLength).optional().describe('The note of the submission, on one line.'),
      submit: z
        .boolean()
        .optional()
        .describe('`false` withdraws the answers; `manifest` is not required then.'),
    }),
    example: { manifest: { technology: 'fibre' } },
    answers: { 200: answer('The file with its answers.', UploadedFile) },
    errors: ['manifest_missing', 'file_complete', 'file_already_submitted', ...manifestErrors],
    async handle(context, { params: { id }, identity, body, viewer }) {
      const { database } = context;
      const upload = await requireUpload(database, id, viewer);
      if (body.submit === false) await withdrawAnswers(database, upload.id);
      else {
        if (body.manifest === undefined) throw new CovermapError('manifest_missing');
        const known = knownProvider(upload, identity.provider?.name);
        const answers = await acceptManifest(database, body.manifest, identity, known);
        await keepAnswers(database, upload.id, { answers, again: body.again === true, note: body.note });
      }
      return fileBody(context, await requireUpload(database, id, viewer));
    },
  }),
];
