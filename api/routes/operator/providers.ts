import { z } from 'zod';
import { parseProfile } from '../../../coverage/providers/profile.ts';
import {
  automaticPublications,
  listProviders,
  type Provider,
  saveProfile,
} from '../../../coverage/providers/providers.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { describedAs, ProviderProfile } from '../../schemas/operator.ts';
import { rowId } from '../../schemas/values.ts';

const base = '/api/operator/providers';
const operator = routesFor({ who: 'operator', tag: 'Providers' });
const providerId = { id: rowId('The ID of the provider', 7) };
const tagged = { headers: { ETag: { description: 'The revision, for `If-Match`.' } } };

/** Providers and their profiles. */
export const operatorProviders = [
  operator.get(base, {
    id: 'listProviders',
    summary: 'List provider profiles',
    answers: {
      200: answer(
        'The operator’s own profile, or all of them for staff, by name.',
        z.object({ providers: z.array(ProviderProfile) }),
      ),
    },
    handle: async ({ database }, { viewer }) => ({
      providers: await listProviders(database, viewer.providerId),
    }),
  }),
  operator.get(`${base}/{id}`, {
    id: 'getProvider',
    summary: 'Get a provider profile',
    params: providerId,
    answers: { 200: answer('The profile.', ProviderProfile, tagged) },
    async handle({ database }, { params }) {
      const [provider] = (await listProviders(database, params.id)) as [Provider];
      return reply(200, provider, { ETag: etagOf(provider) });
    },
  }),
  operator.put(`${base}/{id}`, {
    id: 'saveProvider',
    summary: 'Save a provider profile',
    description:
      'All lookups show the saved profile, and manifests no longer change it. Only staff can rename a provider.',
    params: providerId,
    headers: {
      'If-Match': z.string().meta({
        description: 'The `ETag` of the profile that you edited, or `*` to overwrite any',
        example: '"3"',
      }),
    },
    body: describedAs('SavedProfile'),
    // 100 areas of 200 characters, each of which may take four bytes.
    bodyLimit: '200kb',
    example: {
      url: 'https://kauri-fibre.example/',
      wholesale_network: 'Yes',
      description: 'Wholesale fibre in the upper North Island.',
      area_served: ['Northland', 'Auckland'],
    },
    answers: { 200: answer('The saved profile.', ProviderProfile, tagged) },
    errors: [
      'provider_name_fixed',
      'provider_exists',
      'provider_changed',
      'profile_invalid',
      'if_match_missing',
    ],
    async handle(context, { params: { id }, body, identity: { provider: own }, actor, request }) {
      const profile = parseProfile(body);
      if (own && profile.name !== undefined && profile.name !== own.name) {
        throw new CovermapError('provider_name_fixed');
      }
      const seen = seenRevision(request.get('if-match')?.trim());
      const saved = await saveProfile(context.database, id, profile, seen, actor);
      for (const submission of await automaticPublications(context.database, id)) {
        context.sendJob('publish', submission);
      }
      return reply(200, saved, { ETag: etagOf(saved) });
    },
  }),
];

const etagOf = ({ revision }: Provider) => `"${revision}"`;

/** The revision of `If-Match`; undefined for `*`. @throws CovermapError `if_match_missing` */
function seenRevision(tag: string | undefined): number | undefined {
  if (tag === undefined || tag === '') throw new CovermapError('if_match_missing');
  if (tag === '*') return undefined;
  const revision = /^"(\d{1,9})"$/.exec(tag)?.[1];
  if (revision === undefined) throw invalidRequest('"If-Match" has to be the ETag of a profile, or *.');
  return Number(revision);
}
