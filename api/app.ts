import express, { type Express, Router } from 'express';
import { areas, guard, isGuarded } from './access.ts';
import type { ApiContext } from './context.ts';
import { limitBodyTime } from './middleware/body-time.ts';
import { unexpectedError, unknownPath } from './middleware/errors.ts';
import { limitHeaders, requireHost } from './middleware/header-limits.ts';
import { operatorErrors, unknownAddress } from './middleware/operator-errors.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { mount } from './mount.ts';
import { availability1 } from './routes/availability/availability-1.0.ts';
import { bulk2 } from './routes/availability/bulk-2.0.ts';
import { bulkJobs2 } from './routes/availability/bulk-jobs-2.0.ts';
import { providers2 } from './routes/availability/providers-2.0.ts';
import { usage2 } from './routes/availability/usage-2.0.ts';
import { health } from './routes/public/health.ts';
import { mapLookup } from './routes/public/map-lookup.ts';
import { mapSettings } from './routes/public/map-settings.ts';
import { openapi } from './routes/public/openapi.ts';
import { pages } from './routes/public/pages.ts';
import { session } from './routes/public/session.ts';
import { tiles } from './routes/public/tiles.ts';
import { welcome } from './routes/public/welcome.ts';
import { registryAvailability1 } from './routes/registry/availability-1.0.ts';
import { registryDroplist1 } from './routes/registry/droplist-1.0.ts';
import { routes } from './routes.ts';

/** The HTTP interface. Every path is one router, and the file that makes it is named after it. */
export function createApp(context: ApiContext): Express {
  const app = express();
  app.disable('x-powered-by');
  // The answers carry ETags of their own.
  app.disable('etag');
  // Whose word counts for where a request comes from; nobody's, where the list is empty.
  app.set('trust proxy', context.config.trustProxy);
  app.use(securityHeaders);
  app.use(requireHost);
  app.use(limitHeaders);
  app.use(limitBodyTime(context.config));
  app.use(
    mount(
      context,
      routes(context.config).filter(({ path }) => !isGuarded(path)),
    ),
  );
  app.use(availability1(context));
  app.use(providers2(context));
  app.use(usage2(context));
  app.use(registryAvailability1(context));
  app.use(registryDroplist1(context));
  app.use(health(context));
  app.use(bulk2(context));
  app.use(bulkJobs2(context));
  app.use(tiles(context));
  app.use(mapLookup(context));
  app.use(operatorsAndStaff(context));
  app.use(mapSettings(context));
  app.use(openapi(context));
  app.use(pages(context));
  app.use(welcome());
  app.use(unknownPath);
  app.use(unexpectedError(context.logger));
  return app;
}

/** What takes a token or a session (of an operator, of staff, of a customer), and the errors of which have a code. */
function operatorsAndStaff(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.use(session(context));
  router.use(guard(context));
  router.use(
    mount(
      context,
      routes(context.config).filter(({ path }) => isGuarded(path)),
    ),
  );
  router.use(
    areas.map(({ path }) => path),
    unknownAddress,
  );
  router.use(operatorErrors(context.logger));
  return router;
}
