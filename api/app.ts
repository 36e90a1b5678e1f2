import express, { type Express } from 'express';
import type { KeyRing } from '../core/access/api-keys.ts';
import type { RegistrarList } from '../core/access/registrars.ts';
import type { Bounds } from '../core/config.ts';
import type { Catalog } from '../core/coverage/catalog.ts';
import type { Lookup } from '../core/coverage/lookup.ts';
import type { Database } from '../core/database/database.ts';
import type { Logger } from '../core/logger.ts';
import type { Register } from '../core/registry/register.ts';
import { unexpectedError, unknownPath } from './middleware/errors.ts';
import { availability1 } from './routes/availability-1.0.ts';
import { availability2 } from './routes/availability-2.0.ts';
import { health } from './routes/health.ts';
import { providers2 } from './routes/providers-2.0.ts';
import { registryAvailability1 } from './routes/registry-availability-1.0.ts';
import { registryDroplist1 } from './routes/registry-droplist-1.0.ts';
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
  register: Register;
  registrars: RegistrarList;
  /** What the droplist is read from. */
  lookupDatabase: Database;
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: string[];
  /** The most names in one request to the registry. */
  registryMaxNames: number;
  /** When release-domains runs, HH:MM:SS in New Zealand. */
  releaseTime: string;
}

/** The HTTP interface. Every path is one router, and the file that makes it is named after it. */
export function createApp(context: ApiContext): Express {
  const app = express();
  app.disable('x-powered-by');
  // The answers carry ETags of their own.
  app.disable('etag');
  // Whose word counts for where a request comes from; nobody's, where the list is empty.
  app.set('trust proxy', context.trustProxy);
  app.use(availability2(context));
  app.use(availability1(context));
  app.use(providers2(context));
  app.use(registryAvailability1(context));
  app.use(registryDroplist1(context));
  app.use(health(context));
  app.use(welcome());
  app.use(unknownPath);
  app.use(unexpectedError(context.logger));
  return app;
}
