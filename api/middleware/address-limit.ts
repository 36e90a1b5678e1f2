import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { LocalBuckets } from '../../core/access/rate-limit/local.ts';
import type { Rate } from '../../core/access/rate-limit/rate-limit.ts';
import { sendError } from './errors.ts';

/** Limits the requests of an address, with a 429. For routes that take no key. */
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

const networkOf = (address: string) => `${address.split(':').slice(0, 4).join(':')}::/64`;

/** A caller has one IPv4 address, or an IPv6 network of 64 bits, as a line is given. */
export function callerAt(address: string): string {
  const text = address.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(text)) return text;
  const parsed = ipaddr.process(text);
  return parsed.kind() === 'ipv4' ? parsed.toString() : networkOf(parsed.toNormalizedString());
}
