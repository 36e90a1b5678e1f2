import type { RequestHandler, Response } from 'express';
import type { QueryCounter } from '../context.ts';
import { keyOf } from './api-key.ts';

const counted = new WeakSet<Response>();

/** Whether an answer was counted as a query. */
export function wasCounted(response: Response): boolean {
  return counted.has(response);
}

/**
 * Counts the request as a query of its key once a 2xx answer has been sent completely: errors, 304 and answers that the
 * caller did not wait for are not counted.
 */
export function countQuery(meter: QueryCounter): RequestHandler {
  return (request, response, next) => {
    response.on('finish', () => {
      const { statusCode } = response;
      // The event may come, too, where the connection was gone before the answer.
      if (statusCode >= 200 && statusCode < 300 && !request.socket.destroyed) {
        meter.count(keyOf(request).id);
        counted.add(response);
      }
    });
    next();
  };
}
