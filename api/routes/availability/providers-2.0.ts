import type { z } from 'zod';
import type { CatalogSnapshot, Provider, Technology } from '../../../coverage/lookup/catalog.ts';
import { answer, routesFor } from '../../define-route.ts';
import { sendKeptJson } from '../../http/conditional.ts';
import { type Provider as ListedProvider, Providers } from '../../schemas/availability.ts';
import { keptHeaders, keyErrors2, notModified } from '../../schemas/document-errors.ts';
import { tenDays } from './answer-lookup.ts';

/** The providers with published coverage. Requests take from the key's rate and are not billed. */
export const providers2 = [
  routesFor({ who: 'key', tag: 'Coverage' }).get('/api/2.0/providers', {
    id: 'getProviders',
    summary: 'List providers',
    description: 'Lists the providers with published coverage, by name. Does not count as a query.',
    answers: {
      200: answer('The providers.', Providers, {
        example: {
          results: [
            {
              name: 'Kauri Fibre',
              description: 'Fibre in the north.',
              areaServed: ['Auckland', 'Northland'],
              technologies: ['Fibre'],
              url: 'https://kauri-fibre.example/',
            },
          ],
        },
        headers: keptHeaders,
      }),
      304: notModified,
      ...keyErrors2,
    },
    async handle({ catalog }, { request, response }) {
      const results = providersOf(await catalog.refreshIfStale());
      sendKeptJson(request, response, JSON.stringify({ results }), tenDays);
    },
  }),
];

function providersOf({ technologies, tiers }: CatalogSnapshot): z.output<typeof ListedProvider>[] {
  const offered = new Map<Provider, Set<Technology>>();
  for (const { provider, technology } of tiers.values()) {
    const list = offered.get(provider) ?? new Set();
    offered.set(provider, list.add(technology));
  }
  return [...offered]
    .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
    .map(([provider, list]) => ({
      name: provider.name,
      description: provider.description,
      areaServed: provider.areaServed,
      technologies: technologies.filter((technology) => list.has(technology)).map(({ label }) => label),
      url: provider.url,
    }));
}
