import express, { type Express, Router } from 'express';
import { routes } from './all-routes.ts';
import type { ApiContext } from './context.ts';
import type { Route } from './define-route.ts';
import { codedErrors, unexpectedError, unknownAddress, unknownPath } from './errors.ts';
import { areas, guard, hasCodedErrors, isGuarded } from './guards.ts';
import { limitBodyTime } from './middleware/body-time.ts';
import { limitHeaders, requireHost } from './middleware/header-limits.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { mount } from './mount.ts';
import { pages } from './routes/public/pages.ts';
import { session } from './routes/public/session.ts';

/** The HTTP interface: the checks of every request, the routes (`routes.ts` lists them), the pages, and the errors. */
export function createApp(context: ApiContext): Express {
  const app = express();
  app.disable('x-powered-by');
  // The answers carry ETags of their own.
  app.disable('etag');
  // Proxies with a trusted X-Forwarded-For; none for an empty list.
  app.set('trust proxy', context.config.trustProxy);
  app.use(securityHeaders(context.config));
  app.use(requireHost);
  app.use(limitHeaders);
  app.use(limitBodyTime(context.config));
  const all = routes(context.config);
  const open = all.filter(({ path }) => !hasCodedErrors(path));
  app.use(mount(context, open));
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
