import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { CovermapError } from '../platform/errors.ts';
import { hasCodedErrors } from './areas.ts';
import { checkBody, checkParams, checkQuery } from './checks.ts';
import type { ApiContext } from './context.ts';
import { type Asked, Reply, type Route, type Send } from './define-route.ts';
import { invalidRequest, sendError, sendJson } from './errors.ts';
import { wantedFormat } from './http/csv.ts';
import { givenOnce, misusedParameter } from './http/parameters.ts';
import { actorOf, identityOf, viewerOf } from './middleware/identity.ts';
import { admitKey } from './middleware/key.ts';

/** Serves routes: each path answers its methods, and 405 with `Allow` to all others. */
export function mount(context: ApiContext, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true });
  const paths = new Map<string, Route[]>();
  for (const route of routes) {
    const path = asPattern(route.path);
    paths.set(path, [...(paths.get(path) ?? []), route]);
  }
  for (const [path, ofPath] of paths) {
    if (ofPath.some(({ anyOrigin }) => anyOrigin)) router.all(path, allowAnyOrigin);
    for (const route of ofPath) router[route.method](path, ...handlersOf(context, route));
    const options = ofPath.find((route) => route.options)?.options?.(context);
    if (options) router.all(path, onlyOptions(options));
    router.all(path, refuseOthers(path, ofPath, options ? ['OPTIONS'] : []));
  }
  return router;
}

/** Converts `/api/staff/customers/{id}` to Express's `/api/staff/customers/:id`. */
export const asPattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

function refuseOthers(path: string, routes: readonly Route[], more: readonly string[]): RequestHandler {
  const methods = [...routes.map(({ method }) => method.toUpperCase()), ...more];
  const isCoded = hasCodedErrors(path);
  const allowed = methods.includes('GET') && !isCoded ? [...methods, 'HEAD'] : methods;
  return ({ method }, response) => {
    response.setHeader('Allow', allowed.join(', '));
    const [sentence, hint] = [`${method} is not possible here.`, `Use ${methods.join(' or ')}.`];
    if (isCoded) throw new CovermapError('method_not_allowed', sentence, hint);
    sendError(response, 405, `${sentence} ${hint}`);
  };
}

/** Lets scripts of any page read the answer. Not for answers that depend on the caller's address: a page calls from its reader's. */
const allowAnyOrigin: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  next();
};

function onlyOptions(handler: RequestHandler): RequestHandler {
  return (request, response, next) =>
    request.method === 'OPTIONS' ? handler(request, response, next) : next();
}

function handlersOf(context: ApiContext, route: Route): RequestHandler[] {
  if (route.serve) return route.serve(context);
  const before = route.who === 'key' ? admitKey(context) : [];
  const handler: RequestHandler = (request, response) => {
    const answer = route.handle?.(context, readRequest(route, request, response) as never);
    // Answered at once if possible: the answers to later requests on the connection wait for it.
    if (answer instanceof Promise) return answer.then((found) => send(route, response, found));
    return send(route, response, answer);
  };
  return route.body
    ? [...before, express.json({ limit: route.bodyLimit ?? '10kb' }), handler]
    : [...before, handler];
}

/** @throws CovermapError `request_invalid`, `..._unknown` */
function readRequest(route: Route, request: Request, response: Response): Asked<unknown, unknown, unknown> {
  const once = [
    ...Object.keys((route.query as z.ZodObject | undefined)?.shape ?? {}),
    ...(route.formats ? ['format'] : []),
  ];
  const misused = misusedParameter(once, request.query);
  if (misused !== undefined) throw invalidRequest(givenOnce(misused));
  return {
    params: route.params && checkParams(route.params, request.params, route.unknown),
    query: route.query && checkQuery(route.query, request.query),
    body: route.body && checkBody(route.body, request.body),
    format: route.formats ? wantedFormat(request, route.formats) : 'json',
    get identity() {
      return identityOf(request);
    },
    get actor() {
      return actorOf(request);
    },
    get viewer() {
      return viewerOf(request);
    },
    request,
    response,
  };
}

async function send(route: Route, response: Response, answer: unknown): Promise<void> {
  if (answer === undefined) return;
  if (typeof answer === 'function') await (answer as Send)(response);
  else if (answer instanceof Reply) {
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    if (answer.body === undefined) response.status(answer.status).end();
    else sendJson(response, answer.status, answer.body as object);
  } else sendJson(response, successStatus(route), answer as object);
}

function successStatus({ answers }: Route): number {
  return Object.keys(answers)
    .map(Number)
    .find((status) => status >= 200 && status < 300) as number;
}
