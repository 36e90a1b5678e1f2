import { LRUCache } from 'lru-cache';
import type { CatalogSnapshot } from './catalog.ts';
import type { PointCoverage } from './lookup.ts';

/** Distinct sets of tiers to keep. */
const maxSets = 5_000;

/** Caches a text about a point's coverage by its set of tiers: many points share one, and writing it is most of the work. */
export function cachedByTiers(
  write: (coverage: PointCoverage) => string,
): (coverage: PointCoverage) => string {
  const byCatalog = new WeakMap<CatalogSnapshot, LRUCache<string, string>>();
  return (coverage) => {
    let cache = byCatalog.get(coverage.catalog);
    if (!cache) {
      cache = new LRUCache({ max: maxSets });
      byCatalog.set(coverage.catalog, cache);
    }
    const key = coverage.tiers
      .map((tier) => tier.id)
      .sort((a, b) => a - b)
      .join();
    let text = cache.get(key);
    if (text === undefined) {
      text = write(coverage);
      cache.set(key, text);
    }
    return text;
  };
}
