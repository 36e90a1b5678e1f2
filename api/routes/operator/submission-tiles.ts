import { requireVersion } from '../../../core/coverage/datasets/versions.ts';
import { requireSubmission } from '../../../core/coverage/submissions/views.ts';
import { changeTile, coverageTile } from '../../../core/coverage/tiles/tiles.ts';
import { sendTile, tileOf } from '../../http/tile-response.ts';
import { viewerOf } from '../../middleware/identity.ts';
import { route } from '../../route.ts';
import { tileAnswers, tileParams } from '../../schemas/map.ts';
import { datasetId, submissionId } from '../../schemas/operator.ts';

const operator = { method: 'get', who: 'operator', tag: 'Submissions', answers: tileAnswers } as const;
const ofSubmission = {
  ...operator,
  params: { ...submissionId, ...tileParams },
  errors: ['submission_unknown', 'address_unknown'],
} as const;

/** Coverage and changes as Mapbox vector tiles, also before they are published. */
export const submissionTiles = [
  route({
    ...ofSubmission,
    path: '/api/operator/submissions/{id}/tiles/{z}/{x}/{y}.mvt',
    id: 'getSubmissionTile',
    summary: 'What a submission covers, as vector tiles',
    async handle({ database }, { params, request, response }) {
      const { datasets } = await requireSubmission(database, params.id, viewerOf(request));
      const ids = datasets.map(({ id }) => id);
      sendTile(request, response, await coverageTile(database, ids, tileOf(request)));
    },
  }),
  route({
    ...ofSubmission,
    path: '/api/operator/submissions/{id}/change/{z}/{x}/{y}.mvt',
    id: 'getChangeTile',
    summary: 'What it would change, as vector tiles',
    async handle({ database }, { params, request, response }) {
      const { datasets } = await requireSubmission(database, params.id, viewerOf(request));
      const ids = datasets.map(({ id }) => id);
      sendTile(request, response, await changeTile(database, ids, tileOf(request)));
    },
  }),
  route({
    ...operator,
    path: '/api/operator/datasets/{id}/tiles/{z}/{x}/{y}.mvt',
    id: 'getDatasetTile',
    summary: 'What a version covers, as vector tiles',
    params: { ...datasetId, ...tileParams },
    errors: ['dataset_unknown', 'address_unknown'],
    async handle({ database }, { params, request, response }) {
      const { id } = await requireVersion(database, params.id, viewerOf(request));
      sendTile(request, response, await coverageTile(database, [id], tileOf(request)));
    },
  }),
];
