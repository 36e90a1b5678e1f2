import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { coverageOn, explain } from '../../../coverage/lookup/history.ts';
import { isPosition, readPosition } from '../../../coverage/lookup/position.ts';
import { results2 } from '../../../coverage/lookup/results.ts';
import { isDate, today } from '../../../platform/nz-time.ts';
import type { ApiContext } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { addressPart, keyAsks, sendTagged, version2 } from './answer-lookup.ts';

/** Answers lookups of version 2.0 with `?explain=1` or `?at=2026-05-01`, for support staff and operators who dispute an answer. */
export function answerTraced(context: ApiContext): RequestHandler {
  const { lookup, newestDatabase, catalog, config } = context;
  return async (request, response, next) => {
    const { explain: explaining, at } = request.query;
    if ((explaining === undefined || explaining === '0') && at === undefined) return next();
    const [lat, lng] = response.locals.coordinates as [string, string];
    const position = readPosition(lat, lng, config.serviceArea);
    if (!isPosition(position)) throw new Refusal(400, version2.invalid[position]);
    if (explaining !== undefined && explaining !== '0' && explaining !== '1') {
      throw new Refusal(400, 'explain must be 1, or absent.');
    }
    if (at !== undefined && (typeof at !== 'string' || !isDate(at) || at > today())) {
      throw new Refusal(400, 'at must be a day as 2026-05-01 that is not in the future.');
    }
    const coverage =
      at === undefined
        ? await lookup.at(position.lat, position.lng)
        : await coverageOn(newestDatabase, catalog.snapshot, position, at);
    const ids = [...new Set(coverage.tiers.map(({ datasetId }) => datasetId))];
    const explanations = explaining === '1' ? await explain(newestDatabase, ids, at) : undefined;
    const results = results2(
      coverage,
      explanations && (({ datasetId }) => ({ explain: explanations.get(datasetId) ?? null })),
    );
    const body = `{"location":${version2.location(position)},${addressPart(response)}"results":${results}}`;
    const about = `${keyAsks(request)} ${coverage.catalog.version} ${hash('sha256', body, 'base64url')}`;
    sendTagged(context, request, response, about, revalidated.private, body);
  };
}
