import { handingIn, staffErrors } from '../openapi/operator-errors.ts';
import { answer, list, object, ref, security, text } from '../openapi/parts.ts';
import type { Description } from '../openapi/types.ts';
import { submissionId } from './submissions.openapi.ts';

const base = '/api/staff/tower-work';
export const workDescription: Description = {
  paths: {
    [base]: {
      get: {
        operationId: 'listWork',
        tags: ['Staff'],
        summary: 'Towers from which coverage is to be made, oldest first',
        security: security.token,
        responses: {
          200: answer('What waits.', object({ work: list(ref('Submission')) })),
          ...staffErrors(),
        },
      },
    },
    [`${base}/{id}/towers`]: {
      get: {
        operationId: 'getTowers',
        tags: ['Staff'],
        summary: 'The towers of a submission',
        security: security.token,
        parameters: [submissionId],
        responses: {
          200: {
            description: 'A point a tower.',
            content: {
              'application/geo+json': {
                schema: object({ type: { const: 'FeatureCollection' }, features: list({ type: 'object' }) }),
              },
            },
          },
          ...staffErrors({ 404: ['submission_unknown'] }),
        },
      },
    },
    [`${base}/{id}/prediction`]: {
      post: {
        operationId: 'attachPrediction',
        tags: ['Staff'],
        summary: 'Attach the coverage that was made of the towers',
        security: security.token,
        parameters: [submissionId],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: object(
                {
                  file: text('The coverage.', { format: 'binary' }),
                  manifest: text('Fields that replace those of the submission, as JSON.'),
                },
                { optional: ['manifest'] },
              ),
            },
          },
        },
        responses: {
          202: answer('Kept; its turn comes.', ref('Accepted')),
          ...staffErrors({
            ...handingIn,
            400: ['request_invalid', 'file_missing', 'manifest_not_json', 'upload_incomplete'],
            403: ['not_same_origin'],
            404: ['submission_unknown'],
            409: ['submission_not_waiting'],
            422: ['manifest_invalid', 'planned_date_past'],
          }),
        },
      },
    },
  },
};
