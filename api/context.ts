import type { FailedAttempts } from '../core/access/failed-attempts.ts';
import type { KeyRing } from '../core/access/key-ring.ts';
import type { MapTokens } from '../core/access/map-tokens.ts';
import type { RateLimit } from '../core/access/rate-limit/rate-limit.ts';
import type { RegistrarList } from '../core/access/registrars.ts';
import type { ServiceSecret } from '../core/access/service-secret.ts';
import type { BasemapFile } from '../core/basemap-file.ts';
import type { FreeQueries } from '../core/billing/free-queries.ts';
import type { Meter } from '../core/billing/metering.ts';
import type { Config } from '../core/config.ts';
import type { Catalog } from '../core/coverage/lookup/catalog.ts';
import type { Lookup } from '../core/coverage/lookup/lookup.ts';
import type { FindPathProfile } from '../core/coverage/submissions/path-profile.ts';
import type { UploadLocks } from '../core/coverage/submissions/upload-locks.ts';
import type { SubmissionWatch } from '../core/coverage/submissions/watch.ts';
import type { PublishedTiles } from '../core/coverage/tiles/published.ts';
import type { Database } from '../core/database/database.ts';
import type { Replica } from '../core/database/replica.ts';
import type { Logger } from '../core/logger.ts';
import type { ServiceMetrics } from '../core/metrics/service.ts';
import type { Register } from '../core/registry/register.ts';
import type { Storage } from '../core/storage/storage.ts';
import type { Step } from '../core/work.ts';
import type { Pages } from './pages.ts';

/** Counts billable queries, as {@link Meter} does. */
export type QueryCounter = Pick<Meter, 'count'> & Partial<Pick<Meter, 'flush'>>;

/** Makes something once for each API of this process. */
export function onceForEach<T>(make: (context: ApiContext) => T): (context: ApiContext) => T {
  const made = new WeakMap<ApiContext, T>();
  return (context) => {
    const one = made.get(context) ?? make(context);
    made.set(context, one);
    return one;
  };
}

/** What the routes work with. */
export interface ApiContext {
  lookup: Lookup;
  catalog: Catalog;
  keys: KeyRing;
  /** Queries of a key. */
  limit: RateLimit;
  /** Coordinates of a customer in lists. */
  bulkLimit: RateLimit;
  /** Names of a registrar. */
  registryLimit: RateLimit;
  /** Slows guesses of keys and tokens. */
  attempts: FailedAttempts;
  secret: ServiceSecret;
  mapTokens: MapTokens;
  freeQueries: FreeQueries;
  meter: QueryCounter;
  /** The clock of billing and of the registry. */
  now: () => Date;
  tiles: PublishedTiles;
  /** Undefined where BASEMAP_FILE names none. */
  basemap: BasemapFile | undefined;
  config: Config;
  /** For what operators and staff do; lookups have connections of their own. */
  database: Database;
  storage: Storage;
  /**
   * Sends the job of a row that waits for a step, or of one of several, or the jobs of all that wait. Where the queue is out of reach, a
   * worker's sweep sends them later.
   */
  sendJob: (step: Step | readonly Step[], id?: string) => void;
  watch: SubmissionWatch;
  uploadLocks: UploadLocks;
  /** Aborted when the server was told to stop. It still answers, if others are to notice first. */
  draining: AbortSignal;
  /** Aborted when the server stops; long answers end then. */
  stopping: AbortSignal;
  logger: Logger;
  /** Rejects where the service cannot answer lookups. */
  checkReady: () => Promise<void>;
  /** Rejects where the job queue is out of reach. */
  checkQueue: () => Promise<void>;
  /** How many workers take jobs of each kind. Rejects likewise. */
  countWorkers: () => Promise<Record<Step, number>>;
  register: Register;
  registrars: RegistrarList;
  /** The connections for lookups, never of a replica. */
  newestDatabase: Database;
  /** Where lookups read, if the configuration names one. */
  replica: Pick<Replica, 'state'> | undefined;
  description: () => object;
  /** Undefined where this machine has no terrain. */
  pathProfile: FindPathProfile | undefined;
  metrics: ServiceMetrics;
  pages: Pages;
}
