import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { coverageOn, explain } from '../../../coverage/lookup/history.ts';
import { isPosition, readPosition } from '../../../coverage/lookup/position.ts';
import { nearbyJson, results2 } from '../../../coverage/lookup/results.ts';
import { isDate, today } from '../../../platform/nz-time.ts';
import type { ApiContext } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { addressPart, keyAsks, sendTagged, version2 } from './answer-lookup.ts';

/**
 * Answers lookups of version 2.0 with `?explain=1` or `?at=2026-05-01`, for support staff and operators who dispute an answer, and with `?nearby=1`, for
 * who knows a house by its point at the road.
 */
export function answerTraced(context: ApiContext): RequestHandler {
  const { lookup, newestDatabase, catalog, config } = context;
  return async (request, response, next) => {
    const { explain: explaining, nearby, at } = request.query;
    if ((explaining ?? '0') === '0' && (nearby ?? '0') === '0' && at === undefined) return next();
    const [lat, lng] = response.locals.coordinates as [string, string];
    const position = readPosition(lat, lng, config.serviceArea);
    if (!isPosition(position)) throw new Refusal(400, version2.invalid[position]);
    for (const [name, value] of Object.entries({ explain: explaining, nearby })) {
      if (value !== undefined && value !== '0' && value !== '1') {
        throw new Refusal(400, `${name} must be 1, or absent.`);
      }
    }
    if (at !== undefined && (typeof at !== 'string' || !isDate(at) || at > today())) {
      throw new Refusal(400, 'at must be a day as 2026-05-01 that is not in the future.');
    }
    if (at !== undefined && nearby === '1') {
      throw new Refusal(400, 'nearby tells of the coverage of today: ask without at, or without nearby.');
    }
    const around =
      nearby === '1' ? await lookup.around(position.lat, position.lng, config.nearbyMetres) : undefined;
    const coverage =
      around ??
      (at === undefined
        ? await lookup.at(position.lat, position.lng)
        : await coverageOn(newestDatabase, catalog.snapshot, position, at));
    const ids = [...new Set(coverage.tiers.map(({ datasetId }) => datasetId))];
    const explanations = explaining === '1' ? await explain(newestDatabase, ids, at) : undefined;
    const results = results2(coverage, (tier) => ({
      ...(explanations && { explain: explanations.get(tier.datasetId) ?? null }),
      ...(around && { edge_m: wholeMetres(around.edgeOf(tier)) }),
    }));
    const more = around ? `,"nearby":${nearbyJson(around.nearby)}` : '';
    const body = `{"location":${version2.location(position)},${addressPart(response)}"results":${results}${more}}`;
    const about = `${keyAsks(request)} ${coverage.catalog.version} ${hash('sha256', body, 'base64url')}`;
    sendTagged(context, request, response, about, revalidated.private, body);
  };
}

const wholeMetres = (metres: number | undefined) => (metres === undefined ? null : Math.round(metres));
