import { LRUCache } from 'lru-cache';
import type { CatalogSnapshot } from './catalog.ts';
import type { PointCoverage } from './lookup.ts';

/** Distinct sets of tiers of which something is kept. There are as many as kinds of places, not as places. */
const rememberedResults = 5_000;

/**
 * The JSON of `results` for a set of tiers, kept by set: many points share one, and writing it out is most of the work
 * of an answer.
 */
export function rememberResults(
  write: (coverage: PointCoverage) => object[],
): (coverage: PointCoverage) => string {
  return rememberByTiers((coverage) => JSON.stringify(write(coverage)));
}

/** What is made of a set of tiers, kept by set. */
export function rememberByTiers(
  make: (coverage: PointCoverage) => string,
): (coverage: PointCoverage) => string {
  const byCatalog = new WeakMap<CatalogSnapshot, LRUCache<string, string>>();
  return (coverage) => {
    let remembered = byCatalog.get(coverage.catalog);
    if (!remembered) {
      remembered = new LRUCache({ max: rememberedResults });
      byCatalog.set(coverage.catalog, remembered);
    }
    const key = coverage.tiers
      .map((tier) => tier.id)
      .sort((a, b) => a - b)
      .join();
    let made = remembered.get(key);
    if (made === undefined) {
      made = make(coverage);
      remembered.set(key, made);
    }
    return made;
  };
}
