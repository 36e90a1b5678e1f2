import type { Request, RequestHandler } from 'express';
import { sendError } from '../errors.ts';

/**
 * A parameter that a route knows, in a form that it does not: given twice, or with brackets, as in `at[]=2026-05-01`. Ignored, it would be a question
 * without it, which is answered and paid for. @param names the parameters that may be given once @returns its name; undefined for none
 */
export function oddParameter(names: readonly string[], query: Request['query']): string | undefined {
  for (const [given, value] of Object.entries(query)) {
    const [name] = given.split('[', 1) as [string];
    if (names.includes(name) && (given !== name || Array.isArray(value))) return name;
  }
  return undefined;
}

export const onceInWords = (name: string) => `${name} has to be given once, as ${name}=<value>.`;

/** Refuses requests with an {@link oddParameter}, in the shape of routes without coded errors. */
export const requireOnce =
  (...names: string[]): RequestHandler =>
  (request, response, next) => {
    // Express reads the query each time.
    const odd = request.url.includes('?') ? oddParameter(names, request.query) : undefined;
    if (odd === undefined) return next();
    sendError(response, 400, onceInWords(odd));
  };
