import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { Refusal, sendError } from '../errors.ts';
import { mediaType, readBody } from './body.ts';
import { hasBody } from './every-request.ts';

/* The parameters of requests: in a path, in a query string, in a form. */

/**
 * Reads the two coordinates at the end of a path, which may be empty, into `response.locals.coordinates`; passes other paths to the next route.
 * The router's own parameters would refuse an undecodable path before the caller's key is checked.
 */
export const readCoordinates: RequestHandler = (request, response, next) => {
  const [, first, second] = /^\/([^/]*)\/([^/]*)\/?$/.exec(request.path) ?? [];
  if (first === undefined || second === undefined) return next('router');
  response.locals.coordinates = [decodePercent(first), decodePercent(second)];
  next();
};

/**
 * A parameter that a route knows, in a form that it does not: given twice, or with brackets, as in `at[]=2026-05-01`. Ignored, it would be a question
 * without it, which is answered and paid for. @param names the parameters that may be given once @returns its name; undefined for none
 */
export function misusedParameter(names: readonly string[], query: Request['query']): string | undefined {
  for (const [given, value] of Object.entries(query)) {
    const [name] = given.split('[', 1) as [string];
    if (names.includes(name) && (given !== name || Array.isArray(value))) return name;
  }
  return undefined;
}

export const givenOnce = (name: string) => `${name} has to be given once, as ${name}=<value>.`;

/** Refuses requests with an {@link misusedParameter}, in the shape of routes without coded errors. */
export const requireOnce =
  (...names: string[]): RequestHandler =>
  (request, response, next) => {
    // Express reads the query each time.
    const misused = request.url.includes('?') ? misusedParameter(names, request.query) : undefined;
    if (misused === undefined) return next();
    sendError(response, 400, givenOnce(misused));
  };

/** Parameters of version 2.0's lookup that change the question. */
const tracing = ['at', 'explain', 'nearby', 'orderable'];

/** The first of these parameters that is given, in whatever form. */
export function tracingOf(request: Request, names: readonly string[] = tracing): string | undefined {
  // Express reads the query each time.
  if (!request.url.includes('?')) return undefined;
  const { query } = request;
  return misusedParameter(names, query) ?? names.find((name) => query[name] !== undefined);
}

/**
 * Refuses `?at=`, `?explain=`, `?nearby=` and `?orderable=` on routes that do not know them: the caller would take, and pay for, the current answer
 * as that of a day. @param known those that the route does know
 */
export const refuseTracing = (...known: string[]): RequestHandler => {
  const refused = tracing.filter((name) => !known.includes(name));
  return (request, response, next) => {
    const given = tracingOf(request, refused);
    if (given === undefined) return next();
    const sentence = `${given} is not a parameter of this request, only of GET /api/2.0/availability/<lat>/<lng>.`;
    sendError(response, 400, sentence);
  };
};

/** A name and a value, in the order of the request. */
export type Parameter = [name: string, value: string];

/**
 * The parameters of a request: those of the query string, then those of a form-encoded body. The registry's own command-line client sends a
 * GET with such a body, which RFC 9110 (section 9.3.1) allows. @throws Refusal
 */
export async function readParameters(request: IncomingMessage, maxBytes: number): Promise<Parameter[]> {
  const url = request.url ?? '';
  const question = url.indexOf('?');
  const query = question === -1 ? [] : decodeForm(url.slice(question + 1));
  return hasBody(request) ? [...query, ...decodeForm(await readForm(request, maxBytes))] : query;
}

async function readForm(request: IncomingMessage, maxBytes: number): Promise<string> {
  const type = mediaType(request);
  if (type !== undefined && type !== 'application/x-www-form-urlencoded') {
    throw new Refusal(
      415,
      'Parameters in the body have to be form-encoded (application/x-www-form-urlencoded).',
    );
  }
  return (await readBody(request, maxBytes)).toString('utf8');
}

/** Parses application/x-www-form-urlencoded by the URL standard; undecodable text stays as it is. */
export function decodeForm(text: string): Parameter[] {
  const parameters: Parameter[] = [];
  // A long list repeats the same name.
  let last = '';
  let name = '';
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const written = equals === -1 ? pair : pair.slice(0, equals);
    if (written !== last) {
      last = written;
      name = decode(written);
    }
    parameters.push([name, equals === -1 ? '' : decode(pair.slice(equals + 1))]);
  }
  return parameters;
}

const decode = (text: string) => decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);

/** Decodes a percent-encoded text; undecodable text stays as it is. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
