import { z } from 'zod';
import type { Identity } from '../../../access/actor.ts';
import { maxProposed } from '../../../coverage/area-limits.ts';
import {
  addExclusion,
  Exclusion,
  listExclusions,
  maxReasonLength,
  type NewExclusion,
  placed,
  removeExclusion,
  requireExclusion,
} from '../../../coverage/exclusions/exclusions.ts';
import { acceptProposed, listProposed, ProposedExclusion } from '../../../coverage/exclusions/proposed.ts';
import { Taken, takenBy } from '../../../coverage/exclusions/taken.ts';
import { providerNamed } from '../../../coverage/providers/providers.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { named } from '../../../platform/schemas.ts';
import { answer, located, reply, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { pageOf } from '../../http/page.ts';
import { DrawnArea, filter, submissionId } from '../../schemas/operator.ts';
import { dayIfGiven, filledLine, line, nextPage, rowId, wholeNumber } from '../../schemas/values.ts';

const base = '/api/operator/exclusions';
const operator = routesFor({ who: 'operator', tag: 'Exclusions' });
const ofExclusion = routesFor({
  ...{ who: 'operator', tag: 'Exclusions' },
  params: { id: rowId('The ID of the exclusion', 3) },
});

const proposedBase = '/api/operator/submissions/{id}/proposed-exclusions';
const ofSubmission = routesFor({ who: 'operator', tag: 'Exclusions', params: submissionId });

const ground = {
  provider: filledLine().optional().describe('The provider. Operators may omit it.'),
  technology: filledLine().optional().describe('Absent: every technology.'),
  area: DrawnArea.optional(),
  address: filledLine(100)
    .optional()
    .describe('In place of `area`: the ID of an address, for a circle of 15 m around it.'),
};
const newExclusion = z.object({
  ...ground,
  reason: filledLine(maxReasonLength).describe(
    'Why there is no service. Whoever asks why an answer is as it is sees it.',
  ),
  until: dayIfGiven().describe('The last day on which it is in force; absent: for good.'),
  confirmed: z.boolean().optional().describe('True: also where it takes more than half of what is live.'),
});
const previewed = z.object(ground);

const Preview = named('ExclusionPreview', {
  area: DrawnArea,
  address: z.string().nullable(),
  km2: z.number(),
  takes: z.array(Taken).describe('What it would take now, by technology.'),
});

const placeErrors = [
  'address_not_found',
  'area_invalid',
  'exclusion_too_large',
  'technology_unknown',
] as const;
const ownerErrors = ['provider_not_yours'] as const;

/** Ground that operators take back, for good or until a day. */
export const exclusions = [
  operator.get(base, {
    id: 'listExclusions',
    summary: 'List exclusions',
    query: z.object({
      provider: filter('Filter by the provider’s name; for staff'),
      state: z.literal('current').optional().describe('Only those in force, or about to be undone'),
      limit: wholeNumber(1, 200).optional().meta({ description: 'Results per page; 50 by default' }),
      before: nextPage(),
    }),
    answers: {
      200: answer(
        'A page of exclusions, newest first.',
        z.object({
          exclusions: z.array(Exclusion),
          next: z.string().nullable().describe('For `before`; null on the last page.'),
        }),
      ),
    },
    async handle({ database }, { query: { limit = 50, before, state, provider }, viewer }) {
      const found = await listExclusions(database, {
        ...{ ...viewer, provider, current: state === 'current' },
        ...{ before: before === undefined ? undefined : Number(before), limit: limit + 1 },
      });
      const { rows, next } = pageOf(found, limit);
      return { exclusions: rows, next };
    },
  }),
  operator.post(base, {
    id: 'addExclusion',
    summary: 'Exclude an address or an area',
    description:
      'Takes the ground off what is live and off every later upload. Live versions are made again from their files, without a fee; until that is done, the exclusion’s `state` is `applying`.',
    body: newExclusion,
    example: {
      technology: 'wireless',
      area: { circle: { lat: -36.9, lng: 174.8, radius_m: 250 } },
      reason: 'No line of sight behind the hill',
    },
    answers: {
      201: answer('The exclusion.', Exclusion, located('The URL of the exclusion.')),
    },
    errors: [
      ...placeErrors,
      ...ownerErrors,
      ...(['exclusion_ended', 'exclusion_takes_most', 'exclusions_too_many', 'provider_unknown'] as const),
    ],
    async handle(context, { body: { reason, until, confirmed = false, ...asked }, identity, actor, viewer }) {
      const { database, config } = context;
      const exclusion = { ...(await groundOf(database, asked, identity)), reason, until };
      const id = await addExclusion(
        database,
        await placed(database, exclusion, config.serviceArea),
        actor,
        confirmed,
      );
      context.sendJob('load');
      return reply(201, await requireExclusion(database, id, viewer), { Location: `${base}/${id}` });
    },
  }),
  operator.post('/api/operator/exclusion-previews', {
    id: 'previewExclusion',
    summary: 'Preview what an exclusion would take',
    body: previewed,
    example: { area: { circle: { lat: -36.9, lng: 174.8, radius_m: 250 } } },
    answers: { 200: answer('What it would take now. Nothing is changed.', Preview) },
    errors: [...placeErrors, ...ownerErrors, 'provider_unknown'],
    async handle({ database, config }, { body, identity }) {
      const exclusion = { ...(await groundOf(database, body, identity)), reason: '' };
      const found = await placed(database, exclusion, config.serviceArea);
      const { drawn, address, area } = found;
      return {
        area: drawn,
        address: address?.text ?? null,
        km2: area.km2,
        takes: await takenBy(database, found),
      };
    },
  }),
  ofExclusion.get(`${base}/{id}`, {
    id: 'getExclusion',
    summary: 'Get an exclusion',
    answers: { 200: answer('The exclusion.', Exclusion) },
    handle: ({ database }, { params: { id }, viewer }) => requireExclusion(database, id, viewer),
  }),
  ofExclusion.post(`${base}/{id}/remove`, {
    id: 'removeExclusion',
    summary: 'Remove an exclusion',
    description:
      'What it took is offered again, once live versions are made again from their files. The exclusion stays in the list.',
    bodyOptional: true,
    body: z.object({ reason: line(maxReasonLength).optional().describe('Why it is removed.') }),
    example: { reason: 'A new mast stands on the hill' },
    answers: { 200: answer('The exclusion is removed. It may already have been.', Exclusion) },
    async handle(context, { params: { id }, body, actor, viewer }) {
      await removeExclusion(context.database, id, body.reason ?? '', actor);
      context.sendJob('load');
      return requireExclusion(context.database, id, viewer);
    },
  }),
  ofSubmission.get(proposedBase, {
    id: 'listProposedExclusions',
    summary: 'List the exclusions that a submission’s file proposes',
    description:
      'Areas of the file that say “no coverage” over others that are coverage. They take nothing away unless they are made exclusions.',
    answers: {
      200: answer('What it proposes now.', z.object({ proposed: z.array(ProposedExclusion) })),
    },
    handle: async ({ database }, { params: { id } }) => ({ proposed: await listProposed(database, id) }),
  }),
  ofSubmission.post(proposedBase, {
    id: 'acceptProposedExclusions',
    summary: 'Make exclusions of what a submission’s file proposes',
    description:
      'All of those named, or none. A submission that waits for publication is then processed again, and loses the ground.',
    body: z.object({
      ids: z.array(z.int().positive()).min(1).max(maxProposed).describe('Of the list.'),
      reason: filledLine(maxReasonLength)
        .optional()
        .describe('Why there is no service; absent: the name of each in the file.'),
      confirmed: z
        .boolean()
        .optional()
        .describe('True: also where they take more than half of what is live.'),
    }),
    example: { ids: [12, 13] },
    answers: { 201: answer('The exclusions.', z.object({ exclusions: z.array(Exclusion) })) },
    errors: ['proposed_exclusion_unknown', 'exclusion_takes_most', 'exclusions_too_many'],
    async handle(context, { params, body: { ids, reason, confirmed = false }, actor, viewer }) {
      const accepted = { submissionId: params.id, ids, reason, confirmed };
      const made = await acceptProposed(context.database, accepted, actor);
      context.sendJob('load');
      const exclusions = await listExclusions(context.database, {
        ...viewer,
        ids: made,
        limit: made.length,
      });
      return reply(201, { exclusions });
    },
  }),
];

/** Whose ground it is, and where. */
async function groundOf(
  db: Queryable,
  { provider, technology, area, address }: z.output<typeof previewed>,
  { provider: own }: Identity,
): Promise<Omit<NewExclusion, 'reason'>> {
  if ((area === undefined) === (address === undefined))
    throw invalidRequest('Give either an area or an address.');
  const place = area ?? { address: address as string };
  if (own) {
    if (provider !== undefined && provider.toLowerCase() !== own.name.toLowerCase())
      throw new CovermapError('provider_not_yours', `This token is for ${own.name}.`);
    return { providerId: own.id, technology, area: place };
  }
  if (provider === undefined) throw invalidRequest('provider is missing: whose coverage is it?');
  const providerId = await providerNamed(db, provider);
  if (providerId === undefined)
    throw new CovermapError('provider_unknown', `There is no provider "${provider}".`);
  return { providerId, technology, area: place };
}
