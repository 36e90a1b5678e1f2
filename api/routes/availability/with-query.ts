import type { RequestHandler } from 'express';

/** Passes requests without a query string, which are almost all, by a handler. */
export const withQuery =
  (handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    request.url.includes('?') ? handler(request, response, next) : next();
