import type { FailedAttempts } from '../core/access/failed-attempts.ts';
import type { KeyRing } from '../core/access/key-ring.ts';
import type { RateLimit } from '../core/access/rate-limit/rate-limit.ts';
import type { RegistrarList } from '../core/access/registrars.ts';
import type { FreeQueries } from '../core/billing/free-queries.ts';
import type { Config } from '../core/config.ts';
import type { Catalog } from '../core/coverage/lookup/catalog.ts';
import type { Lookup } from '../core/coverage/lookup/lookup.ts';
import type { UploadLocks } from '../core/coverage/submissions/upload-locks.ts';
import type { SubmissionWatch } from '../core/coverage/submissions/watch.ts';
import type { PublishedTiles } from '../core/coverage/tiles/published.ts';
import type { Database } from '../core/database/database.ts';
import type { Logger } from '../core/logger.ts';
import type { JobKind } from '../core/queue.ts';
import type { Register } from '../core/registry/register.ts';
import type { Storage } from '../core/storage/storage.ts';
import type { Pages } from './pages.ts';

/** What counts billable queries; see core/billing/metering.ts. */
export interface QueryCounter {
  count(keyId: number, queries?: number): void;
  /** Brings in what was counted so far. */
  flush?(): Promise<void>;
}

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
  /** How often a key may ask. */
  limit: RateLimit;
  /** How many coordinates a key may send in lists. */
  bulkLimit: RateLimit;
  /** How many names a registrar may ask for. */
  registryLimit: RateLimit;
  /** Slows whoever guesses keys and tokens. */
  attempts: FailedAttempts;
  /** How many free queries are left of customers without a plan. */
  freeQueries: FreeQueries;
  /** Counts billable queries. */
  meter: QueryCounter;
  /** The clock of billing and of the registry. */
  now: () => Date;
  tiles: PublishedTiles;
  config: Config;
  /** For what operators and staff do; lookups have connections of their own. */
  database: Database;
  storage: Storage;
  /** Sends the job for a row. Where the queue is out of reach, a worker's sweep sends it later. */
  sendJob: (kind: JobKind, id: string) => void;
  /** Tells of changes to submissions. */
  watch: SubmissionWatch;
  uploadLocks: UploadLocks;
  /** Aborted when the server stops: what goes on for long ends then. */
  stopping: AbortSignal;
  logger: Logger;
  /** Whether what the start puts into the database is in. */
  isPrepared: () => boolean;
  /** Rejects where the service cannot answer lookups. */
  checkReady: () => Promise<void>;
  register: Register;
  registrars: RegistrarList;
  /** What the droplist is read from. */
  lookupDatabase: Database;
  /** What /openapi.json answers. */
  description: () => object;
  /** What is shown in browsers. */
  pages: Pages;
}
