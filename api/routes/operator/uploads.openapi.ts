import { changing, operatorErrors } from '../../openapi/operator-errors.ts';
import { header, path, security, text } from '../../openapi/parts.ts';
import type { Answer, Description, Parameter } from '../../openapi/types.ts';

const version: Parameter = {
  ...header('Tus-Resumable', 'The version of the protocol', text(undefined, { const: '1.0.0' }), true),
  example: '1.0.0',
};
const id = path(
  'id',
  'Of the upload',
  { type: 'string', format: 'uuid' },
  '5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f',
);
const offset = { 'Upload-Offset': { description: 'So many bytes have come.', schema: text() } };
const submission = {
  Submission: {
    description: 'The submission that was made of it, where it came with a manifest.',
    schema: text(),
  },
};
/** What the protocol itself refuses is a sentence. */
const protocolError = (description: string): Answer => ({
  description,
  content: { 'text/plain': { schema: text() } },
});

export const uploadsDescription: Description = {
  paths: {
    '/api/operator/uploads': {
      post: {
        operationId: 'createUpload',
        tags: ['Uploads'],
        summary: 'Begin an upload that can be gone on with (tus 1.0)',
        description:
          'Any client of [tus 1.0](https://tus.io/protocols/resumable-upload) does all of this. With a `manifest` in the metadata the submission is made when the last byte has come; without, the file waits to be described.',
        security: security.token,
        parameters: [
          version,
          { ...header('Upload-Length', 'The size of the file in bytes', text(), true), example: '73110' },
          {
            ...header(
              'Upload-Metadata',
              '`filename`, and perhaps `manifest` and `again`, each with its value in base64',
              text(),
            ),
            example: 'filename bm9ydGguemlw',
          },
        ],
        responses: {
          201: {
            description: 'Begun.',
            headers: { Location: { description: 'The address of the upload.', schema: text() } },
          },
          412: protocolError('`Tus-Resumable` is missing or another version.'),
          ...operatorErrors({
            400: ['manifest_not_json'],
            403: ['not_same_origin', 'provider_not_yours'],
            413: ['file_too_large'],
            422: ['manifest_invalid', 'provider_url_missing', 'technology_unknown', 'planned_date_past'],
            429: ['uploads_too_many', 'submissions_too_many'],
            507: ['storage_quota_exceeded'],
          }),
        },
      },
    },
    '/api/operator/uploads/{id}': {
      head: {
        operationId: 'getUploadOffset',
        tags: ['Uploads'],
        summary: 'How far an upload is',
        security: security.token,
        parameters: [version, id],
        responses: {
          200: { description: 'So far.', headers: { ...offset, ...submission } },
          401: { description: '`not_signed_in`.' },
          404: { description: '`file_unknown`.' },
          429: { description: '`too_many_attempts`.' },
          500: { description: '`internal_error`.' },
        },
      },
      patch: {
        operationId: 'continueUpload',
        tags: ['Uploads'],
        summary: 'Send the next bytes',
        security: security.token,
        parameters: [
          version,
          id,
          { ...header('Upload-Offset', 'Where they begin', text(), true), example: '0' },
        ],
        requestBody: {
          required: true,
          content: { 'application/offset+octet-stream': { schema: text(undefined, { format: 'binary' }) } },
        },
        responses: {
          204: { description: 'Kept.', headers: { ...offset, ...submission } },
          412: protocolError('`Tus-Resumable` is missing or another version.'),
          ...operatorErrors({
            ...changing,
            404: ['file_unknown'],
            409: ['file_already_submitted'],
            423: ['upload_busy'],
            503: ['storage_unavailable'],
            507: ['storage_full'],
          }),
        },
      },
      delete: {
        operationId: 'deleteUpload',
        tags: ['Uploads'],
        summary: 'Throw an upload away',
        security: security.token,
        parameters: [version, id],
        responses: {
          204: { description: 'It is gone.' },
          412: protocolError('`Tus-Resumable` is missing or another version.'),
          ...operatorErrors({ ...changing, 404: ['file_unknown'], 409: ['file_already_submitted'] }),
        },
      },
    },
  },
};
