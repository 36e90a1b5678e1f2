import { z } from 'zod';
import { Attempts } from '../../../coverage/attempts.ts';
import { rollBack, unpublish } from '../../../coverage/datasets/rollback.ts';
import { DatasetState, listVersions, requireVersion, Version } from '../../../coverage/datasets/versions.ts';
import { answer, routesFor } from '../../define-route.ts';
import { datasetId, filter } from '../../schemas/operator.ts';
import { wholeNumber } from '../../schemas/values.ts';

const base = '/api/operator/datasets';
const operator = routesFor({ who: 'operator', tag: 'Versions' });
const ofDataset = routesFor({ who: 'operator', tag: 'Versions', params: datasetId });

/** The versions of coverage. */
export const datasets = [
  operator.get(base, {
    id: 'listDatasets',
    summary: 'List versions of coverage',
    query: z.object({
      technology: filter('Filter by technology', 'fibre'),
      provider: filter('Filter by the provider’s name; for staff'),
      state: DatasetState.optional(),
      limit: wholeNumber(1, 500).optional().meta({ description: 'Results per page; 100 by default' }),
    }),
    answers: { 200: answer('The versions, live ones first.', z.object({ datasets: z.array(Version) })) },
    handle: async ({ database }, { viewer, query: { limit = 100, ...filters } }) => ({
      datasets: await listVersions(database, { ...viewer, ...filters, limit }),
    }),
  }),
  ofDataset.post(`${base}/{id}/rollback`, {
    id: 'rollBack',
    summary: 'Roll back to an earlier version',
    bodyOptional: true,
    body: z.object({
      replaces: z
        .int()
        .positive()
        .nullable()
        .optional()
        .describe(
          'The version that you expect to replace; null if you expect nothing to be live. Not checked if absent.',
        ),
    }),
    example: { replaces: 31 },
    answers: {
      200: answer(
        'The version is live.',
        z.object({
          dataset: Version,
          replaced: z.int().nullable().describe('The version that it replaced.'),
        }),
      ),
    },
    errors: [
      'version_not_kept',
      'version_not_superseded',
      'published_meanwhile',
      'scopes_too_many',
      'exclusions_lacking',
    ],
    async handle(context, { params: { id }, body, request, actor, viewer }) {
      const { database } = context;
      // Null has a meaning here; in other bodies it counts as absent.
      const replaces = request.body?.replaces === null ? null : body.replaces;
      const replaced = await rollBack(database, new Attempts(database), id, actor, replaces);
      const dataset = await requireVersion(database, id, viewer);
      // A worker archives the rows of the replaced version.
      context.sendJob('archive');
      return { dataset, replaced };
    },
  }),
  ofDataset.post(`${base}/{id}/unpublish`, {
    id: 'unpublish',
    summary: 'Take a published version offline',
    description:
      'Nothing replaces it: lookups answer from the provider’s other scopes. To publish it again, roll back to it.',
    answers: { 200: answer('The version is offline.', z.object({ dataset: Version })) },
    errors: ['version_not_published'],
    async handle(context, { params: { id }, actor, viewer }) {
      const { database } = context;
      await unpublish(database, id, actor);
      const dataset = await requireVersion(database, id, viewer);
      // A worker archives its rows.
      context.sendJob('archive');
      return { dataset };
    },
  }),
];
