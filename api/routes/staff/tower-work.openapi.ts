import { handingIn, staffErrors } from '../../openapi/operator-errors.ts';
import { answer, integer, json, list, object, query, ref, security, text } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';
import { submissionId } from '../operator/submissions.openapi.ts';

const base = '/api/staff/tower-work';
export const workDescription: Description = {
  paths: {
    [base]: {
      get: {
        operationId: 'listWork',
        tags: ['Staff'],
        summary: 'Towers from which coverage is to be made, oldest first',
        security: security.token,
        parameters: [
          query('limit', 'How many, 100 unless given', integer(undefined, { minimum: 1, maximum: 500 })),
        ],
        responses: {
          200: answer(
            'What waits.',
            object({ work: list(ref('Submission')), count: integer('How many there are.') }),
          ),
          ...staffErrors({ 400: ['request_invalid'] }),
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
    [`${base}/{id}/refuse`]: {
      post: {
        operationId: 'refuseTowers',
        tags: ['Staff'],
        summary: 'End a submission of towers from which no coverage can be made',
        security: security.token,
        parameters: [submissionId],
        requestBody: {
          required: true,
          content: {
            [json]: {
              schema: object({ reason: text('A sentence for the operator.', { maxLength: 500 }) }),
              example: { reason: 'Tower 3 lies in the sea. Please check its position.' },
            },
          },
        },
        responses: {
          200: answer('The submission, which has failed.', ref('Submission')),
          ...staffErrors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            404: ['submission_unknown'],
            409: ['submission_not_waiting'],
          }),
        },
      },
    },
  },
};
