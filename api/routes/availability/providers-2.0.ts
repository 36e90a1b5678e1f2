import { Router } from 'express';
import type { CatalogSnapshot, Provider, Technology } from '../../../core/coverage/lookup/catalog.ts';
import type { ApiContext } from '../../context.ts';
import { requireKey } from '../../middleware/api-key.ts';
import { readOnly } from '../../middleware/errors.ts';
import { isAdmitted, limitRate, refuseRate2 } from '../../middleware/rate-limit.ts';
import { refuseKey2 } from './availability-2.0.ts';
import { sendLookupData } from './lookup-response.ts';

/**
 * The data providers: those with published coverage, by name.
 *
 *     GET /api/2.0/providers
 *     x-api-key: <key>
 *
 * 200 `{results: [{name, description, areaServed, technologies, url}]}`; 403 without a good key, 429 for
 * too many. It takes from the key's rate and is not billed.
 */
export function providers2(context: ApiContext): Router {
  const { catalog, limit } = context;
  const router = Router({ caseSensitive: true });
  router.all(
    '/api/2.0/providers',
    readOnly,
    requireKey(context, (request) => request.headers['x-api-key'], refuseKey2),
    limitRate(limit, refuseRate2),
    async (request, response) => {
      if (!(await isAdmitted(response))) return;
      sendLookupData(request, response, JSON.stringify({ results: results(await catalog.refreshIfStale()) }));
    },
  );
  return router;
}

function results({ technologies, tiers }: CatalogSnapshot): object[] {
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
