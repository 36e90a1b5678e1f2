import type { Request, RequestHandler, Response } from 'express';
import type { RateLimit } from '../../access/rate-limit/rate-limit.ts';
import type { ApiContext } from '../context.ts';
import { Refusal, sendError } from '../errors.ts';
import { logged } from '../http/request-id.ts';
import { callerAt } from './address-limit.ts';
import { rateReporter } from './key.ts';
import { isLocalCaller } from './local-caller.ts';

const registrarNumbers = new WeakMap<Request, number>();

/** Passes a request on if it comes from a registrar's address: that of the connection or, behind a trusted proxy, the one it names. */
export function requireRegistrar({ registrars, attempts, logger }: ApiContext): RequestHandler {
  return async (request, response, next) => {
    const address = request.ip;
    const registrar = await registrars.registrarAt(address, isLocalCaller(request));
    if (registrar !== undefined) {
      registrarNumbers.set(request, registrar);
      return next();
    }
    // Counted, but not slowed: the answer comes from memory, and there is nothing to guess.
    attempts.count('registrar', callerAt(address ?? ''));
    logger.debug({ address, ...logged(request) }, 'a call from an unregistered address was refused');
    sendError(response, 403, 'Calls are taken from the registered addresses of registrars only.');
  };
}

/**
 * Limits the names in a registrar's requests, over all its addresses. The answer has the remaining names, in the fields of
 * draft-ietf-httpapi-ratelimit-headers. It comes after {@link requireRegistrar}. @throws Refusal 429
 */
export function limitNames(
  limit: RateLimit,
): (request: Request, response: Response, names: number) => Promise<void> {
  if (!Number.isFinite(limit.rate.perSecond)) return async () => undefined;
  const reportRate = rateReporter(limit.rate, 'registrar');
  return async (request, response, names) => {
    const registrar = registrarNumbers.get(request);
    if (registrar === undefined) throw new Error('limitNames was called before requireRegistrar');
    // A list longer than the burst takes all of the burst; otherwise it would never be admitted.
    const taken = await limit.take(registrar, Math.min(Math.max(names, 1), limit.rate.burst));
    reportRate(response, taken);
    if (taken.allowed) return;
    const retrySeconds = Math.ceil(taken.retryMs / 1000);
    const sentence = `You have asked for too many names. Try again in ${retrySeconds} s.`;
    throw new Refusal(429, sentence, { retrySeconds });
  };
}
