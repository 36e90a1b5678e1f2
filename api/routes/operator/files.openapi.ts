import { changing, handingIn, operatorErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  boolean,
  integer,
  json,
  list,
  nullable,
  object,
  oneOf,
  path,
  ref,
  security,
  text,
  time,
  uuid,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

const fileId = path(
  'id',
  'Of the upload: the last part of its address',
  { type: 'string', format: 'uuid' },
  '5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f',
);

export const filesDescription: Description = {
  paths: {
    '/api/operator/files': {
      get: {
        operationId: 'listFiles',
        tags: ['Uploads'],
        summary: 'Uploaded files that nobody has described yet',
        security: security.token,
        responses: {
          200: answer('Newest first, without `inspection`.', object({ files: list(ref('UploadedFile')) })),
          ...operatorErrors(),
        },
      },
    },
    '/api/operator/files/{id}': {
      get: {
        operationId: 'getFile',
        tags: ['Uploads'],
        summary: 'An uploaded file, and what was found in it',
        security: security.token,
        parameters: [fileId],
        responses: {
          200: answer('The file.', ref('UploadedFile')),
          ...operatorErrors({ 404: ['file_unknown'] }),
        },
      },
      delete: {
        operationId: 'deleteFile',
        tags: ['Uploads'],
        summary: 'Throw an uploaded file away',
        security: security.token,
        parameters: [fileId],
        responses: {
          204: { description: 'It is gone.' },
          ...operatorErrors({ ...changing, 404: ['file_unknown'], 409: ['file_already_submitted'] }),
        },
      },
    },
    '/api/operator/files/{id}/answers': {
      put: {
        operationId: 'keepAnswers',
        tags: ['Uploads'],
        summary: 'Say what a file is while it is still coming in',
        description:
          'It is submitted with these answers once it is whole and has been inspected. Where the file raises a question that they leave open, it waits for it instead: `submits` is false then. `submit: false` takes the answers back, until the file is submitted: they stay with it, and it waits to be submitted.',
        security: security.token,
        parameters: [fileId],
        requestBody: {
          required: true,
          content: {
            [json]: {
              schema: object(
                {
                  manifest: ref('Manifest'),
                  again: boolean(),
                  note: text('Of the submission.'),
                  submit: boolean('false: takes the answers back; `manifest` is not needed then.'),
                },
                { optional: ['manifest', 'again', 'note', 'submit'] },
              ),
              example: { manifest: { technology: 'fibre' } },
            },
          },
        },
        responses: {
          200: answer('The file, with these answers.', ref('UploadedFile')),
          ...operatorErrors({
            400: ['request_invalid', 'manifest_missing'],
            403: handingIn[403] ?? [],
            404: ['file_unknown'],
            409: ['file_complete', 'file_already_submitted'],
            422: handingIn[422] ?? [],
          }),
        },
      },
    },
  },
  schemas: {
    UploadedFile: object(
      {
        id: uuid(),
        file: object({ name: text(), size_bytes: nullable(integer()), sha256: nullable(text()) }),
        state: oneOf(['receiving', 'inspecting', 'inspected', 'unreadable', 'submitted']),
        received_bytes: integer(),
        inspection: nullable({
          type: 'object',
          additionalProperties: true,
          description: 'What the file says of itself: layers, attributes, and a manifest to begin with.',
        }),
        error: nullable(ref('ErrorReport')),
        answers: nullable({
          type: 'object',
          additionalProperties: true,
          description:
            'The manifest that was said of it before it was whole, or of the submission whose file it is.',
        }),
        note: text('That was said of it with the answers; the submission gets it.'),
        can_submit: boolean(
          'false where the file is known to fail. Where the inspection was only too slow, it may be submitted all the same.',
        ),
        submits: boolean(
          'Whether it is submitted with these answers once it is whole and leaves nothing to be asked.',
        ),
        earlier_classes: list(
          object({ file_name: text(), classes: list({ type: 'object', additionalProperties: true }) }),
          'Once it is inspected: the classes of pixels that the provider last submitted a file with, of values and of colours.',
        ),
        submission_id: nullable(uuid()),
        expires_at: nullable(time('When it is removed unless it is described.')),
        links: ref('Links'),
      },
      { optional: ['inspection', 'answers', 'earlier_classes', 'can_submit'] },
    ),
  },
};
