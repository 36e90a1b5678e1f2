import { operatorErrors } from '../../openapi/operator-errors.ts';
import { integer, path, security, text } from '../../openapi/parts.ts';
import type { Description, Operation } from '../../openapi/types.ts';
import { datasetId } from './datasets.openapi.ts';
import { submissionId } from './submissions.openapi.ts';

export const tilePosition = [
  path('z', 'Zoom', integer(undefined, { minimum: 0, maximum: 20 }), 8),
  path('x', 'Column', integer(), 252),
  path('y', 'Row', integer(), 156),
];

/** What is answered with a tile. */
export const tileAnswers = {
  200: {
    description: 'The tile.',
    content: { 'application/vnd.mapbox-vector-tile': { schema: text(undefined, { format: 'binary' }) } },
  },
  204: { description: 'There is nothing in it.' },
  304: { description: 'Not changed since the answer that `If-None-Match` names.' },
};

const of = (operationId: string, summary: string, id: typeof submissionId, unknown: string): Operation => ({
  operationId,
  tags: ['Submissions'],
  summary,
  security: security.token,
  parameters: [id, ...tilePosition],
  responses: { ...tileAnswers, ...operatorErrors({ 404: [unknown, 'address_unknown'] }) },
});

export const submissionTilesDescription: Description = {
  paths: {
    '/api/operator/submissions/{id}/tiles/{z}/{x}/{y}.mvt': {
      get: of(
        'getSubmissionTile',
        'What a submission covers, as vector tiles',
        submissionId,
        'submission_unknown',
      ),
    },
    '/api/operator/submissions/{id}/change/{z}/{x}/{y}.mvt': {
      get: of('getChangeTile', 'What it would change, as vector tiles', submissionId, 'submission_unknown'),
    },
    '/api/operator/datasets/{id}/tiles/{z}/{x}/{y}.mvt': {
      get: of('getDatasetTile', 'What a version covers, as vector tiles', datasetId, 'dataset_unknown'),
    },
  },
};
