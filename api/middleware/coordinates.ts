import type { RequestHandler } from 'express';

/** Takes the two coordinates that a path ends with into `response.locals.coordinates`; any other path is not this one. */
export const readCoordinates: RequestHandler = (request, response, next) => {
  const pair = readPair(request.path);
  if (!pair) return next('router');
  response.locals.coordinates = pair;
  next();
};

/**
 * The two texts that a path ends with, decoded; they may be empty. Not left to the router, which would refuse a path
 * that does not decode before the caller's key is looked at.
 * @param path as in `/-36.9/174.8`
 * @returns undefined where there are fewer or more; a text that does not decode comes as it is, and is no number
 */
function readPair(path: string): [string, string] | undefined {
  const match = /^\/([^/]*)\/([^/]*)\/?$/.exec(path);
  return match ? [decode(match[1] as string), decode(match[2] as string)] : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
