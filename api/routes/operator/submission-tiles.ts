import { requireVersion } from '../../../core/coverage/datasets/versions.ts';
import { requireSubmission } from '../../../core/coverage/submissions/views.ts';
import { changeTile, coverageTile } from '../../../core/coverage/tiles/tiles.ts';
import { sendTile, tileOf } from '../../http/tile-response.ts';
import { viewerOf } from '../../middleware/identity.ts';
import { routesFor } from '../../route.ts';
import { tileAnswers, tileParams } from '../../schemas/map.ts';
import { datasetId, submissionId } from '../../schemas/operator.ts';

const common = { who: 'operator', tag: 'Submissions' } as const;
const ofSubmission = routesFor({ ...common, params: { ...submissionId, ...tileParams } });
const ofDataset = routesFor({ ...common, params: { ...datasetId, ...tileParams } });
const tile = { answers: tileAnswers, errors: ['address_unknown'] } as const;

/** Coverage and changes as Mapbox vector tiles, also before they are published. */
export const submissionTiles = [
  ofSubmission.get('/api/operator/submissions/{id}/tiles/{z}/{x}/{y}.mvt', {
    ...tile,
    id: 'getSubmissionTile',
    summary: 'Get a tile of a submission’s coverage',
    async handle({ database }, { params, request, response }) {
      const { datasets } = await requireSubmission(database, params.id, viewerOf(request));
      const ids = datasets.map(({ id }) => id);
      sendTile(request, response, await coverageTile(database, ids, tileOf(request)));
    },
  }),
  ofSubmission.get('/api/operator/submissions/{id}/change/{z}/{x}/{y}.mvt', {
    ...tile,
    id: 'getChangeTile',
    summary: 'Get a tile of what a submission would change',
    async handle({ database }, { params, request, response }) {
      const { datasets } = await requireSubmission(database, params.id, viewerOf(request));
      const ids = datasets.map(({ id }) => id);
      sendTile(request, response, await changeTile(database, ids, tileOf(request)));
    },
  }),
  ofDataset.get('/api/operator/datasets/{id}/tiles/{z}/{x}/{y}.mvt', {
    ...tile,
    id: 'getDatasetTile',
    summary: 'Get a tile of a version’s coverage',
    async handle({ database }, { params, request, response }) {
      const { id } = await requireVersion(database, params.id, viewerOf(request));
      sendTile(request, response, await coverageTile(database, [id], tileOf(request)));
    },
  }),
];
