import type { z } from 'zod';
import type { CatalogSnapshot, Provider, Technology } from '../../../core/coverage/lookup/catalog.ts';
import { sendKeptJson } from '../../http/conditional.ts';
import { tenDays } from '../../middleware/answer-lookup.ts';
import { isAdmitted } from '../../middleware/rate-limit.ts';
import { limitRate2, requireKey2 } from '../../middleware/version-2.0.ts';
import { answer, routesFor } from '../../route.ts';
import { type Provider as ListedProvider, Providers } from '../../schemas/availability.ts';
import { fault2, forbidden2, keptHeaders, notModified, tooManyRequests2 } from '../../schemas/errors.ts';

/** The data providers: those with published coverage. They take from the key's rate and are not billed. */
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
      403: forbidden2,
      429: tooManyRequests2,
      500: fault2,
    },
    serve: (context) => [
      requireKey2(context),
      limitRate2(context),
      async (request, response) => {
        if (!(await isAdmitted(response))) return;
        const results = providersOf(await context.catalog.refreshIfStale());
        sendKeptJson(request, response, JSON.stringify({ results }), tenDays);
      },
    ],
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
