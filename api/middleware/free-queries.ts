import type { NextFunction, RequestHandler, Response } from 'express';
import { freeQueriesUsedUp } from '../../core/billing/free-queries.ts';
import type { ApiContext } from '../context.ts';
import { keyOf } from './api-key.ts';
import { wasCounted } from './metering.ts';
import { isAdmitted } from './rate-limit.ts';

/**
 * Refuses a request whose key has no plan behind it and no free query left. Keys with a plan pass at once.
 * @param refuse answers in this version's shape, with a sentence
 */
export function limitFreeQueries(
  { freeQueries }: Pick<ApiContext, 'freeQueries'>,
  refuse: (response: Response, sentence: string) => void,
): RequestHandler {
  return (request, response, next) => {
    const { freeLeft, customerId } = keyOf(request);
    if (freeLeft === null) return next();
    return limit(customerId, freeLeft, response, next);
  };

  async function limit(customerId: number, freeLeft: number, response: Response, next: NextFunction) {
    const taken = freeQueries.take(customerId, freeLeft);
    if (taken === true || (await taken)) {
      // A caller who did not wait has gone by now, and its connection tells nothing more.
      if (response.closed) freeQueries.end(customerId, false);
      else response.once('close', () => freeQueries.end(customerId, wasCounted(response)));
      return next();
    }
    if (await isAdmitted(response)) refuse(response, freeQueriesUsedUp);
  }
}
