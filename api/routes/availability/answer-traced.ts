import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { exclusionsAt } from '../../../coverage/exclusions/exclusions.ts';
import { coverageOn, explain } from '../../../coverage/lookup/history.ts';
import { isPosition, readPosition } from '../../../coverage/lookup/position.ts';
import { nearbyJson, results2 } from '../../../coverage/lookup/results.ts';
import { isDate, today } from '../../../platform/nz-time.ts';
import type { ApiContext } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { type AvailabilityVersion, addressPart, keyAsks, sendTagged, version2 } from './answer-lookup.ts';

/**
 * Answers lookups of version 2.0 with `?explain=1` or `?at=2026-05-01`, for support staff and operators who dispute an answer, with `?nearby=1`, for
 * who knows a house by its point at the road, and with `?orderable=1`, for who wants to be connected.
 */
export function answerTraced(context: ApiContext): RequestHandler {
  const { lookup, newestDatabase, catalog, orderStops, config } = context;
  return async (request, response, next) => {
    const { explain: explaining, nearby, orderable, at } = request.query;
    const switches = { explain: explaining, nearby, orderable };
    if (Object.values(switches).every((one) => (one ?? '0') === '0') && at === undefined) return next();
    const [lat, lng] = response.locals.coordinates as [string, string];
    const position = readPosition(lat, lng, config.serviceArea);
    if (!isPosition(position)) throw new Refusal(400, version2.invalid[position]);
    for (const [name, value] of Object.entries(switches)) requireSwitch(name, value);
    if (at !== undefined && (typeof at !== 'string' || !isDate(at) || at > today())) {
      throw new Refusal(400, 'at must be a day as 2026-05-01 that is not in the future.');
    }
    if (at !== undefined && nearby === '1') {
      throw new Refusal(400, 'nearby tells of the coverage of today: ask without at, or without nearby.');
    }
    if (at !== undefined && orderable === '1') throw new Refusal(400, orderableToday);
    const around =
      nearby === '1' ? await lookup.around(position.lat, position.lng, config.nearbyMetres) : undefined;
    const coverage =
      around ??
      (at === undefined
        ? await lookup.at(position.lat, position.lng)
        : await coverageOn(newestDatabase, catalog.snapshot, position, at));
    const ids = [...new Set(coverage.tiers.map(({ datasetId }) => datasetId))];
    const explanations = explaining === '1' ? await explain(newestDatabase, ids, at) : undefined;
    const orderableOf =
      orderable === '1' ? await orderStops.at(coverage, position.lng, position.lat) : undefined;
    const results = results2(coverage, (tier) => ({
      ...orderableOf?.(tier),
      ...(explanations && { explain: explanations.get(tier.datasetId) ?? null }),
      ...(around && { edge_m: wholeMetres(around.edgeOf(tier)) }),
    }));
    const excluded = explanations ? await exclusionsAt(newestDatabase, position, at) : [];
    const why = excluded.length > 0 ? `,"excluded":${JSON.stringify(excluded)}` : '';
    const more = around ? `,"nearby":${nearbyJson(around.nearby)}` : '';
    const body = `{"location":${version2.location(position)},${addressPart(response)}"results":${results}${why}${more}}`;
    const about = `${keyAsks(request)} ${coverage.catalog.version} ${hash('sha256', body, 'base64url')}`;
    sendTagged(context, request, response, about, revalidated.private, body);
  };
}

/** Answers lookups with `?orderable=1` alone: of version 1.0, and of the map. The parameter was given at most once. */
export function answerOrderable(
  context: ApiContext,
  version: AvailabilityVersion,
  askerOf = keyAsks,
): RequestHandler {
  const { lookup, orderStops, config } = context;
  return async (request, response, next) => {
    const { orderable } = request.query;
    if ((orderable ?? '0') === '0') return next();
    requireSwitch('orderable', orderable);
    const [lat, lng] = response.locals.coordinates as [string, string];
    const position = readPosition(lat, lng, config.serviceArea);
    if (!isPosition(position)) throw new Refusal(400, version.invalid[position]);
    const { lat: y, lng: x } = position;
    const results = await lookup
      .at(y, x)
      .then(async (coverage) => ({
        coverage,
        text: version.results(coverage, await orderStops.at(coverage, x, y)),
      }))
      .catch((cause) => {
        throw new Refusal(500, version.failed, { cause });
      });
    const body = `{"location":${version.location(position)},"results":${results.text}}`;
    const about = `${askerOf(request)} ${results.coverage.catalog.version} ${hash('sha256', body, 'base64url')}`;
    sendTagged(context, request, response, about, revalidated.private, body);
  };
}

const orderableToday = 'orderable tells of today: ask without at, or without orderable.';

/** @throws Refusal */
function requireSwitch(name: string, value: unknown): void {
  if (value !== undefined && value !== '0' && value !== '1')
    throw new Refusal(400, `${name} must be 1, or absent.`);
}

const wholeMetres = (metres: number | undefined) => (metres === undefined ? null : Math.round(metres));
