import { z } from 'zod';
import {
  comparedDatasets,
  type ListedPremises,
  listChangedPremises,
  readChangedPremises,
  requireChangedPremises,
} from '../../../coverage/datasets/changed-premises.ts';
import { results2 } from '../../../coverage/lookup/results.ts';
import { changeKinds } from '../../../coverage/premises/change.ts';
import { changedPremisesTile } from '../../../coverage/tiles/premises.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { answer, routesFor } from '../../define-route.ts';
import { type Column, csv } from '../../http/csv.ts';
import { tileAnswers, tileParams } from '../../schemas/map.ts';
import { submissionId } from '../../schemas/operator.ts';
import { ChangedPremises, ComparedPremises } from '../../schemas/premises.ts';
import { wholeNumber } from '../../schemas/values.ts';
import { sendTile, tileOf } from '../../views/tile.ts';

const base = '/api/operator/submissions/{id}/premises';
const { get } = routesFor({ who: 'operator', tag: 'Submissions', params: submissionId });

const columns: Column<ListedPremises>[] = [
  ['change', ({ change }) => change],
  ['technology', ({ technology }) => technology],
  ['scope', ({ scope }) => scope],
  ['address_id', ({ address }) => address.id],
  ['address', ({ address }) => address.text],
  ['suburb', ({ address }) => address.suburb],
  ['town', ({ address }) => address.town],
  ['postcode', ({ address }) => address.postcode],
  ['lat', ({ address }) => address.lat],
  ['lng', ({ address }) => address.lng],
  ['aliases', ({ aliases }) => aliases.join(' ')],
  ['before_mbps', ({ before_mbps }) => before_mbps],
  ['after_mbps', ({ after_mbps }) => after_mbps],
  ['served_by_others', ({ others }) => others.join('; ')],
];

/** Who would lose service by publishing a submission, or get it. */
export const submissionPremises = [
  get(base, {
    id: 'getPremisesOfSubmission',
    summary: 'Get the premises that publishing a submission would change, by suburb',
    query: z.object({
      limit: wholeNumber(1, 1_000)
        .optional()
        .meta({ description: 'Suburbs of each kind of change; 20 by default' }),
    }),
    answers: { 200: answer('Its datasets; none where no addresses were imported.', ComparedPremises) },
    async handle({ database }, { params: { id }, query: { limit = 20 } }) {
      const datasets = await comparedDatasets(database, id);
      return {
        datasets: datasets.map(({ suburbs, state, ...dataset }) => ({
          ...dataset,
          // `none` was left out.
          state: state as 'counting' | 'counted' | 'unknown',
          suburbs:
            suburbs &&
            changeKinds.map((change) => ({
              ...{ change, suburb_count: suburbs[change].length },
              suburbs: suburbs[change].slice(0, limit),
            })),
        })),
      };
    },
  }),
  get(`${base}.csv`, {
    id: 'getPremisesListOfSubmission',
    summary: 'Download the addresses that publishing a submission would change',
    description:
      'An address a row, lost ones first: its id, its ids in other systems, the best Mbps down before and after, and what other providers and technologies offer there now.',
    query: z.object({
      change: z.enum(changeKinds).optional().meta({ description: 'Only these', example: 'lost' }),
    }),
    answers: { 200: { description: 'The list.', content: { 'text/csv': { schema: z.string() } } } },
    errors: ['premises_counting'],
    async handle({ database, lookup }, { params: { id }, query }) {
      const datasets = await comparedDatasets(database, id);
      if (datasets.some(({ state }) => state === 'counting')) throw new CovermapError('premises_counting');
      const changed = await readChangedPremises(database, id);
      const listed = changed.filter(({ change }) => query.change === undefined || change === query.change);
      return csv(`premises-${id}`, columns, listChangedPremises(database, lookup, listed));
    },
  }),
  get(`${base}/{number}`, {
    id: 'getChangedPremises',
    summary: 'Get the addresses of premises that publishing a submission would change, and what is there now',
    params: {
      ...submissionId,
      number: wholeNumber(0, 2 ** 31 - 1).meta({ description: 'As in its tiles', example: 7 }),
    },
    answers: { 200: answer('The premises.', ChangedPremises) },
    errors: ['premises_unknown'],
    async handle({ database, lookup }, { params: { id, number } }) {
      const premises = await requireChangedPremises(database, id, number);
      const results = results2(await lookup.at(premises.lat, premises.lng));
      return { ...premises, results: JSON.parse(results) };
    },
  }),
  get(`${base}/{z}/{x}/{y}.mvt`, {
    id: 'getPremisesTile',
    summary: 'Get a tile of the premises that publishing a submission would change',
    description:
      'From zoom 12, with the layer `premises`: points with `number` and `change`. Before zoom 16, one of several that are close together.',
    params: { ...submissionId, ...tileParams },
    answers: tileAnswers,
    errors: ['address_unknown'],
    async handle({ database }, { params: { id }, request, response }) {
      sendTile(request, response, await changedPremisesTile(database, id, tileOf(request)));
    },
  }),
];
