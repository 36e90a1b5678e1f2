import type { NextFunction, RequestHandler } from 'express';

/**
 * Handlers in sequence, as one: Express would match the path again before each of them. `next('router')` leaves the chain for the handler behind it.
 */
export function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, leave) => {
    let at = 0;
    const next: NextFunction = (error?: unknown) => {
      if (error === 'router') return leave();
      const handler = handlers[at++];
      if (error || !handler) return leave(error);
      // As in Express: a thrown error, or a promise's rejection, is passed on.
      try {
        const running: unknown = handler(request, response, next);
        if (running instanceof Promise) running.catch(leave);
      } catch (thrown) {
        leave(thrown);
      }
    };
    next();
  };
}
