import express, { type Express } from 'express';
import type { KeyRing } from '../core/access/api-keys.ts';
import type { Bounds } from '../core/config.ts';
import type { Catalog } from '../core/coverage/catalog.ts';
import type { Lookup } from '../core/coverage/lookup.ts';
import type { Logger } from '../core/logger.ts';
import { unexpectedError, unknownPath } from './middleware/errors.ts';
import { availability1 } from './routes/availability-1.0.ts';
import { availability2 } from './routes/availability-2.0.ts';
import { health } from './routes/health.ts';
import { providers2 } from './routes/providers-2.0.ts';
import { welcome } from './routes/welcome.ts';

/** What the routes work with. */
export interface ApiContext {
  lookup: Lookup;
  catalog: Catalog;
  keys: KeyRing;
  serviceArea: Bounds;
  logger: Logger;
  /** Rejects where the service cannot answer lookups. */
  checkReady: () => Promise<void>;
}

/** The HTTP interface. Every path is one router, and the file that makes it is named after it. */
export function createApp(context: ApiContext): Express {
  const app = express();
  app.disable('x-powered-by');
  // The answers carry ETags of their own.
  app.disable('etag');
  app.use(availability2(context));
  app.use(availability1(context));
  app.use(providers2(context));
  app.use(health(context));
  app.use(welcome());
  app.use(unknownPath);
  app.use(unexpectedError(context.logger));
  return app;
}
