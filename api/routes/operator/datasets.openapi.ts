import { changing, operatorErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  boolean,
  integer,
  json,
  list,
  nullable,
  number,
  object,
  oneOf,
  path,
  query,
  ref,
  security,
  text,
  uuid,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const datasetId = path('id', 'Of the version', { type: 'integer' }, 29);

export const datasetsDescription: Description = {
  paths: {
    '/api/operator/datasets': {
      get: {
        operationId: 'listDatasets',
        tags: ['Versions'],
        summary: 'Versions of coverage, newest first',
        security: security.token,
        parameters: [
          query('technology', 'Only of this technology', text(), 'fibre'),
          query('provider', 'Only of the provider with this name; for staff', text()),
          query('state', 'Only in this state', ref('DatasetState')),
          query('limit', 'How many, 100 unless given', integer(undefined, { minimum: 1, maximum: 500 })),
        ],
        responses: {
          200: answer('The versions.', object({ datasets: list(ref('Dataset')) })),
          ...operatorErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    '/api/operator/datasets/{id}/rollback': {
      post: {
        operationId: 'rollBack',
        tags: ['Versions'],
        summary: 'Make an earlier version current again',
        security: security.token,
        parameters: [datasetId],
        requestBody: {
          required: false,
          content: {
            [json]: {
              schema: object(
                {
                  replaces: nullable(
                    integer(
                      'The version that it is expected to replace; null: nothing is published. Absent: not checked.',
                    ),
                  ),
                },
                { optional: ['replaces'] },
              ),
              example: { replaces: 31 },
            },
          },
        },
        responses: {
          200: answer(
            'It is current.',
            object({ dataset: ref('Dataset'), replaced: nullable(integer('The version before.')) }),
          ),
          ...operatorErrors({
            ...changing,
            400: ['request_invalid'],
            404: ['dataset_unknown'],
            409: ['version_not_kept', 'version_not_superseded', 'published_meanwhile', 'scopes_too_many'],
          }),
        },
      },
    },
    '/api/operator/datasets/{id}/unpublish': {
      post: {
        operationId: 'unpublish',
        tags: ['Versions'],
        summary: 'Take a published version offline',
        description:
          'Nothing takes its place: lookups answer from what the provider’s other scopes have. Rolling back to it brings it back.',
        security: security.token,
        parameters: [datasetId],
        responses: {
          200: answer('It is offline.', object({ dataset: ref('Dataset') })),
          ...operatorErrors({
            ...changing,
            404: ['dataset_unknown'],
            409: ['version_not_published'],
          }),
        },
      },
    },
  },
  schemas: {
    Dataset: object({
      id: integer(),
      submission_id: uuid(),
      provider: ref('NamedProvider'),
      technology: text(),
      scope: text('Empty: the coverage that has none.'),
      state: ref('DatasetState'),
      area_km2: nullable(number()),
      replaces: nullable(
        integer('What is published now of the same coverage, where that is another version.'),
      ),
      file_name: text(),
      received_at: text(),
      published_at: nullable(text('The last time that it became current.')),
      superseded_at: nullable(text()),
      can_roll_back: boolean(),
      note: text('The operator’s own words about its file.'),
      processed_by: oneOf(['operator', 'service']),
    }),
  },
};
