import type { RequestHandler, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { LocalBuckets, type Rate } from '../../access/rate-limit/rate-limit.ts';
import { addDays, dayOf, startOfDay } from '../../platform/nz-time.ts';
import { onceForEachApi } from '../context.ts';
import { sendError } from '../errors.ts';

/** Limits the requests of an address, with a 429. For routes without a key. */
export function limitByAddress(rate: Rate): RequestHandler {
  const buckets = new LocalBuckets<string>(rate);
  return (request, response, next) => {
    const { allowed, retryMs } = buckets.take(callerAt(request.ip ?? ''));
    if (allowed) return next();
    const seconds = Math.ceil(retryMs / 1000);
    response.setHeader('Retry-After', String(seconds));
    sendError(response, 429, `Too many requests come from your address. Try again in ${seconds} s.`);
  };
}

/** Pages, their assets, and other public texts share one limit. */
export const limitPages = onceForEachApi(({ config }) => limitByAddress(config.pageRate));

/** Max networks whose calls of a day are counted; beyond that, the count of the least recent one restarts. */
const maxNetworks = 100_000;
/** A site of IPv6 may have 65,536 networks of 64 bits, and has the calls of this many. */
const callersOfSite = 20;

/** Counts calls in a day of New Zealand, by caller and by a group of callers that has the calls of twenty. Each process counts for itself. */
export function dayLimit(perDay: number, now: () => Date) {
  let day = '';
  const calls = new LRUCache<string, number>({ max: maxNetworks });
  const made = (network: string) => calls.get(network) ?? 0;
  return {
    /** @returns false where the calls of the day are used up */
    take(caller: string, site?: string): boolean {
      const today = dayOf(now());
      if (today !== day) calls.clear();
      day = today;
      if (made(caller) >= perDay || (site !== undefined && made(site) >= perDay * callersOfSite))
        return false;
      calls.set(caller, made(caller) + 1);
      if (site !== undefined) calls.set(site, made(site) + 1);
      return true;
    },
    /** Until the next day. */
    retrySeconds(): number {
      const instant = now();
      const seconds = (startOfDay(addDays(dayOf(instant), 1)).getTime() - instant.getTime()) / 1000;
      return Math.max(1, Math.ceil(seconds));
    },
  };
}

/** Limits the calls of an address in a day. @param refuse answers with a 429, after its headers are set */
export function limitByDay(
  perDay: number,
  now: () => Date,
  refuse: (response: Response) => void,
): RequestHandler {
  const limit = dayLimit(perDay, now);
  return (request, response, next) => {
    if (limit.take(...networksOf(request.ip ?? ''))) return next();
    response.setHeader('Retry-After', String(limit.retrySeconds()));
    refuse(response);
  };
}

/** The caller's network: an IPv4 address, or an IPv6 network of 64 bits, as a line is given. */
export const callerAt = (address: string): string => networksOf(address)[0];

/** The caller at an address; and of IPv6 the site, a network of 48 bits, as an organisation or a tunnel is given. */
function networksOf(address: string): [caller: string, site?: string] {
  const text = address.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(text)) return [text];
  const parsed = ipaddr.process(text);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  const parts = parsed.toNormalizedString().split(':');
  return [`${parts.slice(0, 4).join(':')}::/64`, `${parts.slice(0, 3).join(':')}::/48`];
}
