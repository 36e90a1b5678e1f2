import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type RequestHandler, Router } from 'express';
import { routes } from './all-routes.ts';
import { areas, hasCodedErrors, isGuarded } from './areas.ts';
import type { ApiContext } from './context.ts';
import type { Route } from './define-route.ts';
import { codedErrors, unexpectedError, unknownAddress, unknownPath } from './errors.ts';
import { guard } from './guards.ts';
import { everyRequest } from './http/every-request.ts';
import { named } from './http/recorded.ts';
import { asPattern, mount } from './mount.ts';
import { pages } from './routes/public/pages.ts';
import { session } from './routes/public/session.ts';

/** The HTTP interface: what a request passes, from top to bottom. `all-routes.ts` lists the routes. */
export function createApp(context: ApiContext): Express {
  const app = express();
  app.enable('case sensitive routing');
  app.disable('x-powered-by');
  // The answers carry ETags of their own.
  app.disable('etag');
  // Proxies with a trusted X-Forwarded-For; none for an empty list.
  app.set('trust proxy', context.config.trustProxy);
  const all = routes(context.config);
  // Headers of the answer, and limits of the request.
  app.use(inTurn(everyRequest(context.config)));
  // Lookups of both versions: `serve` of availability-2.0.ts and availability-1.0.ts lists what they pass.
  for (const route of all) if (route.below) app.use(route.below, chainOf(context, route));
  // All other routes that take neither a token nor a session.
  app.use(
    mount(
      context,
      all.filter(({ path, below }) => !below && !hasCodedErrors(path)),
    ),
  );
  app.use(signedIn(context, all));
  app.use(pages(context));
  app.use(unknownPath);
  app.use(unexpectedError(context.logger));
  return app;
}

/** The routes that take a token or a session (of an operator, of staff, of a customer), with coded errors. */
function signedIn(context: ApiContext, all: readonly Route[]): Router {
  const router = Router({ caseSensitive: true });
  router.use(mount(context, session));
  router.use(guard(context));
  const guarded = all.filter(({ path }) => isGuarded(path));
  router.use(mount(context, guarded));
  router.use(
    areas.map(({ path }) => path),
    unknownAddress,
  );
  router.use(codedErrors(context.logger));
  return router;
}

/** The chain of a route that serves every path and method below its own. */
function chainOf(context: ApiContext, { path, serve }: Route): RequestHandler {
  return inTurn([named(asPattern(path)), ...(serve?.(context) ?? [])]);
}

/**
 * Handlers in sequence, as one: Express would match the path again before each of them. `next('router')` leaves the chain for the handler behind it.
 */
export function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, leaveChain) => {
    let at = 0;
    const next: NextFunction = (error?: unknown) => {
      if (error === 'router') return leaveChain();
      const handler = handlers[at++];
      if (error || !handler) return leaveChain(error);
      // As in Express: a thrown error, or a promise's rejection, is passed on.
      try {
        const running: unknown = handler(request, response, next);
        if (running instanceof Promise) running.catch(leaveChain);
      } catch (thrown) {
        leaveChain(thrown);
      }
    };
    next();
  };
}

/**
 * Classes of messages with Express's prototypes. Express otherwise sets the prototype of each request and response, after which V8 loses their
 * shape: a short answer took four times as long. @returns options for `createServer`
 */
export function messageClasses(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse };
}
