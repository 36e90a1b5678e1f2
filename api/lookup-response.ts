import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { CatalogSnapshot } from '../core/coverage/catalog.ts';
import type { PointCoverage } from '../core/coverage/lookup.ts';
import { matches } from './conditional.ts';

/** Ten days: within the ten business days for which the terms allow keeping lookup data. */
const cacheControl = 'private, max-age=864000';

/** Distinct sets of tiers whose JSON is kept. There are as many as kinds of places, not as places. */
const rememberedResults = 5_000;

/** Answers with a lookup's data: cacheable, and 304 where the caller has it already. */
export function sendLookupData(request: Request, response: Response, body: string): void {
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', etag);
  if (matches(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/**
 * The JSON of `results` for a set of tiers, kept by set: many points share one, and writing it out is most of the work
 * of an answer.
 */
export function rememberResults(
  write: (coverage: PointCoverage) => object[],
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
    let results = remembered.get(key);
    if (results === undefined) {
      results = JSON.stringify(write(coverage));
      remembered.set(key, results);
    }
    return results;
  };
}
