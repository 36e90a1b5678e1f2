import { z } from 'zod';
import { listRegionLayers, RegionLayer, regionOutlines } from '../../../coverage/regions/layers.ts';
import { type Counts, countsOf, sumOf, thresholds } from '../../../coverage/statistics/count.ts';
import { addressRegions } from '../../../coverage/statistics/inputs.ts';
import {
  openStatistics,
  type RegionStatistics,
  type Statistics,
} from '../../../coverage/statistics/statistics.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { dayOf } from '../../../platform/nz-time.ts';
import { day, named } from '../../../platform/schemas.ts';
import { keptScratch } from '../../../platform/scratch.ts';
import { onceForEachApi } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { type Column, csv } from '../../http/csv.ts';
import { line, rowId } from '../../schemas/values.ts';

const staff = routesFor({ who: 'staff', tag: 'Statistics' });

/** The rule of the terms under which operators supply coverage. */
const use =
  'For staff of this service alone. Use for any research, market or public-benefit, is not permitted by the licences of the data.';

const byThreshold = (what: string) =>
  z.array(z.int()).describe(`${what}, by \`thresholds_mbps\`: at that speed or more.`);

const row = {
  premises: z.int(),
  at_least: byThreshold('With the technology available'),
  providers: z.array(z.int()).describe('With 0, 1, 2, and 3 or more providers that have it available.'),
  planned: z
    .array(z.int())
    .describe(
      'Where it is not available, but planned or under way: by `planned_dates`, each at its earliest.',
    ),
  gained: byThreshold('Available now, and not on the day that it is compared with').nullable(),
  lost: byThreshold('Available on the day that it is compared with, and not now').nullable(),
};

const StatisticsRow = named('StatisticsRow', {
  region: z.string().describe('Empty for premises in no region.'),
  within: z.string().describe('The town of a suburb; else empty.'),
  ...row,
});
type StatisticsRow = z.output<typeof StatisticsRow>;

const PremisesStatistics = named('PremisesStatistics', {
  state: z
    .enum(['counted', 'counting', 'no_addresses'])
    .describe('`counting`: coverage of that day is not counted with the addresses that there are now.'),
  use: z.string().describe('Who may use this, and for what.'),
  by: z.string(),
  technology: z.string().nullable().describe('Null: any.'),
  day: day().describe('What was published at its end; of today, now.'),
  compared_with: day().nullable(),
  technologies: z.array(z.object({ name: z.string(), label: z.string() })),
  thresholds_mbps: z.array(z.number()).describe('Download speeds. 0: any.'),
  planned_dates: z
    .array(z.string().nullable())
    .describe('Days, months or years; null where no date is known.'),
  shared: z.int().describe('Premises on a border, or in several regions: each counts in the first by name.'),
  total: z.object(row).nullable(),
  regions: z.array(StatisticsRow).describe('By name, then premises in no region. They add up to `total`.'),
});

/** The regions of addresses themselves; all others are names of layers. */
export const ofAddresses = Object.keys(addressRegions);

const countsOfApi = onceForEachApi(({ database, config, stopping }) =>
  openStatistics(database, keptScratch(config), stopping),
);

type Asked = { technology: string | undefined; isCompared: boolean };

function rowOf(counts: Counts, premises: number, isCompared: boolean) {
  const { atLeast, providers, planned, gained, lost } = counts;
  return {
    ...{ premises, at_least: atLeast, providers, planned },
    ...{ gained: isCompared ? gained : null, lost: isCompared ? lost : null },
  };
}

function answerOf(
  { technologies, dates }: Statistics,
  regions: RegionStatistics,
  { technology, isCompared }: Asked,
) {
  const known = technologies.findIndex(({ name }) => name === technology);
  if (technology !== undefined && known < 0)
    throw invalidRequest('"technology" is not one that the service knows.');
  const column = known < 0 ? technologies.length : known;
  const counts = Array.from(regions.premises, (_, i) => countsOf(regions, i, column));
  const rows = counts.map((one, i): StatisticsRow => {
    const { name = '', within = '' } = regions.names[i - 1] ?? {};
    return { region: name, within, ...rowOf(one, regions.premises[i] as number, isCompared) };
  });
  const [without, ...named] = rows as [StatisticsRow, ...StatisticsRow[]];
  const premises = rows.reduce((sum, one) => sum + one.premises, 0);
  return {
    planned_dates: [...dates, null],
    shared: regions.shared,
    total: rowOf(sumOf(counts, dates.length), premises, isCompared),
    regions: without.premises > 0 ? [...named, without] : named,
  };
}

function columnsOf(dates: readonly (string | null)[], isCompared: boolean): Column<StatisticsRow>[] {
  const speeds = (of: 'at_least' | 'gained' | 'lost', name: string) =>
    thresholds.map(
      (mbps, i): Column<StatisticsRow> => [
        `${name}_${mbps === 0 ? 'any_speed' : `${mbps}_mbps`}`,
        (one) => one[of]?.[i] ?? null,
      ],
    );
  return [
    ['region', ({ region }) => region],
    ['within', ({ within }) => within],
    ['premises', ({ premises }) => premises],
    ...speeds('at_least', 'available'),
    ...['0', '1', '2', '3_or_more'].map(
      (name, i): Column<StatisticsRow> => [`providers_${name}`, ({ providers }) => providers[i] as number],
    ),
    ...dates.map(
      (date, i): Column<StatisticsRow> => [
        `planned_${date ?? 'without_date'}`,
        ({ planned }) => planned[i] as number,
      ],
    ),
    ...(isCompared ? [...speeds('gained', 'gained'), ...speeds('lost', 'lost')] : []),
    ['use', () => use],
  ];
}

const Outlines = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      properties: z.object({ region: z.string() }),
      geometry: z.object({
        type: z.literal('MultiPolygon'),
        coordinates: z.array(z.array(z.array(z.array(z.number())))),
      }),
    }),
  ),
});

/** What is where, for staff alone. */
export const statistics = [
  staff.get('/api/staff/premises', {
    id: 'getPremisesStatistics',
    summary: 'Get how many premises have what, by region',
    description: use,
    query: z.object({
      by: line(60)
        .default('authority')
        .describe('`authority`, `town` or `suburb` of the addresses, or the name of a layer of regions'),
      technology: line(60).optional().describe('Any technology unless given'),
      day: day().optional().describe('As published at the end of this day; today by default'),
      compared_with: day().optional().describe('Also tells what changed since the end of this day'),
    }),
    formats: ['json', 'csv'],
    answers: { 200: answer('The counts.', PremisesStatistics) },
    errors: ['regions_unknown', 'day_unknown', 'statistics_counting', 'statistics_busy'],
    async handle(context, { query, format }) {
      const { by, technology, compared_with: compared } = query;
      const today = dayOf(context.presentNow());
      const { day: asked = today } = query;
      for (const one of [asked, compared ?? today])
        if (one > today) throw invalidRequest(`"day" and "compared_with" cannot be after today, ${today}.`);
      if (!ofAddresses.includes(by)) {
        const layers = await listRegionLayers(context.database);
        if (!layers.some(({ name }) => name === by)) throw new CovermapError('regions_unknown');
      }
      const counted = await countsOfApi(context)(asked, compared, today);
      const head = {
        ...{ use, by, technology: technology ?? null, day: asked, compared_with: compared ?? null },
        thresholds_mbps: [...thresholds],
      };
      if (typeof counted === 'string') {
        if (format === 'csv' && counted === 'counting') throw new CovermapError('statistics_counting');
        const state = counted === 'counting' ? counted : ('no_addresses' as const);
        const nothing = { technologies: [], planned_dates: [], shared: 0, total: null, regions: [] };
        return format === 'csv'
          ? csv('staff-only-premises', columnsOf([], false), [])
          : { state, ...head, ...nothing };
      }
      const regions = counted.by.get(by);
      if (!regions) throw new CovermapError('regions_unknown');
      const isCompared = compared !== undefined;
      const found = answerOf(counted, regions, { technology, isCompared });
      if (format === 'csv')
        return csv('staff-only-premises', columnsOf(found.planned_dates, isCompared), found.regions);
      return { state: 'counted' as const, ...head, technologies: counted.technologies, ...found };
    },
  }),
  staff.get('/api/staff/regions', {
    id: 'listRegionLayers',
    summary: 'List the layers of regions',
    answers: { 200: answer('By name.', z.object({ layers: z.array(RegionLayer) })) },
    handle: async ({ database }) => ({ layers: await listRegionLayers(database) }),
  }),
  staff.get('/api/staff/regions/{layer}/outlines', {
    id: 'getRegionOutlines',
    summary: 'Get coarse outlines of regions, for a map',
    params: { layer: rowId('The ID of the layer') },
    unknown: 'regions_unknown',
    answers: { 200: answer('GeoJSON.', Outlines) },
    async handle({ database }, { params }) {
      const regions = await regionOutlines(database, params.layer);
      return {
        type: 'FeatureCollection' as const,
        features: regions.map(({ name, outline }) => ({
          type: 'Feature' as const,
          properties: { region: name },
          geometry: { type: 'MultiPolygon' as const, coordinates: outline },
        })),
      };
    },
  }),
];
