import { z } from 'zod';
import { listProviders } from '../../../coverage/providers/providers.ts';
import { maxReason, maxStops, OrderStop, stopTarget } from '../../../coverage/stops/stop.ts';
import { changeStop, listStops, makeStop, undoStop } from '../../../coverage/stops/stops.ts';
import { submissionStopsIn } from '../../../coverage/stops/submission-stops.ts';
import { listTargets, StopTargets } from '../../../coverage/stops/targets.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { dayOf } from '../../../platform/nz-time.ts';
import { day } from '../../../platform/schemas.ts';
import { type ApiContext, onceForEachApi } from '../../context.ts';
import { type Asked, answer, reply, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { filter, submissionId } from '../../schemas/operator.ts';
import { dayIfGiven, line, lineIfGiven, rowId, wholeNumber } from '../../schemas/values.ts';

/** One for each API, as it keeps what it has counted. */
const submissionStops = onceForEachApi(({ database }) => submissionStopsIn(database));

const base = '/api/operator/stops';
const operator = routesFor({ who: 'operator', tag: 'Stops' });
const ofSubmission = routesFor({ who: 'operator', tag: 'Stops', params: submissionId });
const ofStop = routesFor({ who: 'operator', tag: 'Stops', params: { id: rowId('The ID of the stop', 4) } });

/** Stops: what takes no new connections, though its coverage stays as it is. */
export const stops = [
  operator.get(base, {
    id: 'listStops',
    summary: 'List stops',
    query: z.object({
      provider: filter('Filter by the provider’s name; for staff'),
      limit: wholeNumber(1, 500).optional().meta({ description: 'Results; 500 by default' }),
    }),
    answers: {
      200: answer(
        'The stops: those that have not ended first, each newest first.',
        z.object({
          stops: z.array(OrderStop),
          today: day().describe('In New Zealand.'),
          max: z.int().describe('Of a provider, that have not ended.'),
        }),
      ),
    },
    handle: async (context, { viewer, query: { limit = 500, provider } }) => {
      const today = dayOf(context.presentNow());
      const found = await listStops(context.database, today, { ...viewer, provider, limit });
      return { stops: found, today, max: maxStops };
    },
  }),
  operator.post(base, {
    id: 'makeStop',
    summary: 'Close a tower, a tier or an area to new connections',
    description:
      'Lookups with `orderable=1`, the map and the review of a submission show it within two seconds; the coverage itself stays as it is. Making the same stop again changes nothing.',
    body: z.object({
      provider: lineIfGiven().describe('The provider’s name; for staff.'),
      ...stopTarget,
      large: z.boolean().optional().describe('True: the area is meant to be as large as it is.'),
      from: dayIfGiven().describe('The first day, in New Zealand; today by default.'),
      until: dayIfGiven().describe('The last day; not known by default.'),
      reason: line(maxReason).optional().describe('For operator and staff alone.'),
    }),
    example: { area: { circle: { lat: -36.9, lng: 174.8, radius_m: 800 } }, until: '2026-12-18' },
    answers: { 201: answer('The stop.', OrderStop) },
    errors: [
      ...(['stop_past', 'stop_days_reversed', 'stop_closes_nothing', 'stop_too_large'] as const),
      ...(['tower_ground_unknown', 'stops_too_many', 'area_invalid', 'provider_not_yours'] as const),
      'technology_unknown',
    ],
    async handle(context, { body, actor, identity }) {
      const { tower, tier, area, technology, from, until, large = false, reason = '', provider } = body;
      const given = [tower, tier, area].filter((one) => one !== undefined).length;
      if (given !== 1) throw invalidRequest('Send exactly one of "tower", "tier" and "area".');
      if (technology !== undefined && !area) throw invalidRequest('"technology" is that of an "area".');
      const today = dayOf(context.presentNow());
      const target = { tower, tier, area, technology, large };
      const asked = { ...target, from: from ?? today, until: until ?? null, reason };
      const providerId = await providerOf(context, identity, provider);
      const deciding = { today, actor };
      return reply(
        201,
        await makeStop(context.database, providerId, asked, context.config.serviceArea, deciding),
      );
    },
  }),
  operator.get('/api/operator/stop-targets', {
    id: 'listStopTargets',
    summary: 'List what can be closed',
    query: z.object({ provider: filter('The provider’s name; staff name one', 'Kauri Fibre') }),
    answers: {
      200: answer(
        'The published coverage of the provider, with its tiers and towers.',
        z.object({ coverage: z.array(StopTargets) }),
      ),
    },
    handle: async (context, { identity, query: { provider } }) => ({
      coverage: await listTargets(
        context.database,
        identity.provider?.id ?? (await providerOf(context, identity, provider)),
      ),
    }),
  }),
  ofSubmission.get('/api/operator/submissions/{id}/stops', {
    id: 'listStopsOfSubmission',
    summary: 'List the stops that a submission’s coverage meets',
    answers: {
      200: answer(
        'The stops that have not ended.',
        z.object({
          stops: z.array(OrderStop),
          premises: z
            .object({
              covered: z.int().describe('By available coverage.'),
              not_orderable: z
                .int()
                .describe('Of these, without new connections to the fastest offer today.'),
            })
            .nullable()
            .optional()
            .describe('Null while they are being counted; absent where no addresses were imported.'),
        }),
      ),
    },
    handle: (context, { params: { id } }) => submissionStops(context)(id, dayOf(context.presentNow())),
  }),
  ofStop.get(`${base}/{id}`, {
    id: 'getStop',
    summary: 'Get a stop',
    answers: { 200: answer('The stop.', OrderStop) },
    async handle(context, { params: { id }, viewer }) {
      const [stop] = await listStops(context.database, dayOf(context.presentNow()), {
        ...viewer,
        id,
        limit: 1,
      });
      if (!stop) throw new CovermapError('stop_unknown');
      return stop;
    },
  }),
  ofStop.put(`${base}/{id}/until`, {
    id: 'changeStop',
    summary: 'Change the last day of a stop',
    body: z.object({
      until: day().nullable().optional().describe('The last day without new connections; null: not known.'),
    }),
    example: { until: '2027-01-15' },
    answers: { 200: answer('The stop.', OrderStop) },
    errors: ['stop_past', 'stop_days_reversed', 'stop_ended'],
    async handle(context, { params: { id }, body, request, actor }) {
      // Null has a meaning here; in other bodies it counts as absent.
      const until = request.body?.until === null ? null : body.until;
      if (until === undefined) throw invalidRequest('"until" is missing: a day, or null.');
      return changeStop(context.database, id, until, { today: dayOf(context.presentNow()), actor });
    },
  }),
  ofStop.delete(`${base}/{id}`, {
    id: 'undoStop',
    summary: 'Undo a stop',
    description: 'As if it had never been; the audit alone still tells of it.',
    answers: { 204: { description: 'The stop is undone.' } },
    async handle(context, { params: { id }, actor }) {
      await undoStop(context.database, id, { today: dayOf(context.presentNow()), actor });
      return reply(204, undefined);
    },
  }),
];

/** The provider that a caller acts for. @param named by staff, or by an operator that names itself */
async function providerOf(
  { database }: ApiContext,
  { provider: own }: Asked<unknown, unknown, unknown>['identity'],
  named: string | undefined,
): Promise<number> {
  if (own && (named === undefined || named.toLowerCase() === own.name.toLowerCase())) return own.id;
  if (own) throw new CovermapError('provider_not_yours', `This token is for ${own.name}.`);
  if (named === undefined) throw invalidRequest('"provider" is missing: the name of the provider.');
  const found = (await listProviders(database, null)).find(
    ({ name }) => name.toLowerCase() === named.toLowerCase(),
  );
  if (!found) throw invalidRequest('There is no provider of this name.');
  return found.id;
}
