import type { NextFunction, RequestHandler } from 'express';

/**
 * Handlers one after the other, as one: Express would match the path again before each of them. What a handler passes on with
 * `next('router')` leaves the chain and goes on behind it.
 */
export function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, leave) => {
    let at = 0;
    const next: NextFunction = (error?: unknown) => {
      if (error === 'router') return leave();
      const handler = handlers[at++];
      if (error || !handler) return leave(error);
      // As Express does: an error that is thrown, or that a promise rejects with, is passed on.
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
