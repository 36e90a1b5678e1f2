import type { NextFunction, RequestHandler, Response } from 'express';
import { freeQueriesUsedUp } from '../../billing/free-queries.ts';
import type { ApiContext, QueryCounter } from '../context.ts';
import { type KeyScheme, keyOf } from './api-key.ts';

const counted = Symbol('counted');
type CountedResponse = Response & { [counted]?: true };

/** Refuses a request whose key has neither a plan nor a free query left. Keys with a plan pass at once. */
export function limitFreeQueries({ freeQueries }: ApiContext, { refuse }: KeyScheme): RequestHandler {
  return (request, response, next) => {
    const { freeOnly, customerId } = keyOf(request);
    return freeOnly ? limit(customerId, response, next) : next();
  };

  async function limit(customerId: number, response: CountedResponse, next: NextFunction) {
    const hold = await freeQueries.take(customerId);
    if (hold) {
      // If the caller has left, its connection emits no more events.
      if (response.closed) freeQueries.end(hold, false);
      else response.once('close', () => freeQueries.end(hold, response[counted] === true));
      return next();
    }
    refuse(response, freeQueriesUsedUp);
  }
}

/** Counts the request as a query of its key after a 2xx answer was sent completely; errors and 304 do not count. */
export function countQuery(meter: QueryCounter): RequestHandler {
  return (request, response: CountedResponse, next) => {
    response.on('finish', () => {
      const { statusCode } = response;
      const { destroyed, errored } = request.socket;
      // The event also follows a failed write. A caller that only half-closes its connection has been answered.
      if (statusCode >= 200 && statusCode < 300 && !destroyed && !errored) {
        meter.count(keyOf(request).id);
        response[counted] = true;
      }
    });
    next();
  };
}
