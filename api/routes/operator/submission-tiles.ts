import { requireVersion } from '../../../coverage/datasets/versions.ts';
import { requireSubmission } from '../../../coverage/submissions/views.ts';
import { changeTile, coverageTile } from '../../../coverage/tiles/tiles.ts';
import { routesFor } from '../../define-route.ts';
import { tileAnswers, tileParams } from '../../schemas/map.ts';
import { datasetId, submissionId } from '../../schemas/operator.ts';
import { sendTile, tileOf } from '../../views/tile.ts';

const { get } = routesFor({ who: 'operator', tag: 'Submissions' });
const tile = { answers: tileAnswers, errors: ['address_unknown'] } as const;

function submissionTile(
  layer: string,
  draw: typeof coverageTile,
  definition: { id: string; summary: string },
) {
  return get(`/api/operator/submissions/{id}/${layer}/{z}/{x}/{y}.mvt`, {
    ...tile,
    ...definition,
    params: { ...submissionId, ...tileParams },
    async handle({ database }, { params, viewer, request, response }) {
      const { datasets } = await requireSubmission(database, params.id, viewer);
      const ids = datasets.map(({ id }) => id);
      sendTile(request, response, await draw(database, ids, tileOf(request)));
    },
  });
}

/** Coverage and changes as Mapbox vector tiles, also before publication. */
export const submissionTiles = [
  submissionTile('tiles', coverageTile, {
    id: 'getSubmissionTile',
    summary: 'Get a tile of a submission’s coverage',
  }),
  submissionTile('change', changeTile, {
    id: 'getChangeTile',
    summary: 'Get a tile of what a submission would change',
  }),
  get('/api/operator/datasets/{id}/tiles/{z}/{x}/{y}.mvt', {
    ...tile,
    id: 'getDatasetTile',
    summary: 'Get a tile of a version’s coverage',
    params: { ...datasetId, ...tileParams },
    async handle({ database }, { params, viewer, request, response }) {
      const { id } = await requireVersion(database, params.id, viewer);
      sendTile(request, response, await coverageTile(database, [id], tileOf(request)));
    },
  }),
];
