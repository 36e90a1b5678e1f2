import { setMaxListeners } from 'node:events';
import { failedAttempts } from '../access/failed-attempts.ts';
import { openKeyRing } from '../access/key-ring.ts';
import { mapTokens } from '../access/map-tokens.ts';
import { openRateLimit } from '../access/rate-limit/open.ts';
import { type Rate, type RateLimit, unlimited } from '../access/rate-limit/rate-limit.ts';
import { openRegistrarList } from '../access/registrars.ts';
import { openServiceSecret } from '../access/service-secret.ts';
import { openAddressFinder } from '../addresses/finder.ts';
import { recordIssuer } from '../billing/issuer.ts';
import { Meter } from '../billing/metering.ts';
import { queryHoldsIn } from '../billing/query-holds.ts';
import type { Rehearsal } from '../billing/rehearsal/rehearsal.ts';
import type { Step } from '../coverage/attempts.ts';
import type { JobQueue } from '../coverage/jobs/queue.ts';
import { openCatalog } from '../coverage/lookup/catalog.ts';
import { lookupIn } from '../coverage/lookup/lookup.ts';
import { openOrderStops } from '../coverage/stops/orderable.ts';
import type { FindPathProfile } from '../coverage/submissions/path-profile.ts';
import type { TrySpeeds } from '../coverage/submissions/trials.ts';
import { openUploadLocks } from '../coverage/submissions/upload-locks.ts';
import { openSubmissionWatch } from '../coverage/submissions/watch.ts';
import { openBasemapFile } from '../coverage/tiles/basemap-file.ts';
import { publishedTiles } from '../coverage/tiles/published.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import { openDatabaseFor, openReplica } from '../platform/database/open.ts';
import type { Logger } from '../platform/logger.ts';
import { serviceMetrics } from '../platform/metrics/service.ts';
import { dayOf } from '../platform/nz-time.ts';
import { onceForEach } from '../platform/once-for-each.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { openRegister } from '../registry/register.ts';
import { type Pages, readPages } from './pages.ts';
import { apiGauges, readRowGauges } from './service-metrics.ts';

/** Counts billable queries; see {@link Meter}. */
export type QueryCounter = Pick<Meter, 'count'> & Partial<Pick<Meter, 'flush'>>;

/** The resources of the API; the caller closes them after the API. */
export interface ApiResources {
  config: Config;
  /** For requests of operators and staff; lookups have connections of their own. */
  database: Database;
  queue: JobQueue;
  storage: Storage;
  logger: Logger;
}

/** Replacements for benchmarks and tests. */
export interface ApiParts {
  limit?: RateLimit;
  bulkLimit?: RateLimit;
  addressLimit?: RateLimit;
  registryLimit?: RateLimit;
  meter?: QueryCounter;
  /** Undefined where this machine has no terrain. */
  pathProfile?: FindPathProfile | undefined;
  trySpeeds?: TrySpeeds;
  pages?: Pages;
  /** The clock of billing and of the registry. */
  now?: () => Date;
  /** In the demo: staff may move the clock of billing. */
  rehearsal?: Rehearsal | undefined;
}

interface Closing {
  close(): Promise<void> | void;
}

export type ApiContext = Awaited<ReturnType<typeof openContext>>['context'];

/** Opens the context of the routes. `close` closes it, once every answer has been sent. */
export async function openContext(resources: ApiResources, parts: ApiParts, description: () => object) {
  const { config, database, queue, storage, logger } = resources;
  const { pathProfile, trySpeeds, rehearsal, now: presentNow = () => new Date() } = parts;
  const now = rehearsal?.now ?? presentNow;
  const opened: Closing[] = [];
  const closedAtEnd = <T extends Closing | undefined>(one: T): T => {
    if (one) opened.unshift(one);
    return one;
  };
  const basemap = closedAtEnd(config.basemapFile ? await openBasemapFile(config.basemapFile) : undefined);
  await recordIssuer(database, config.invoiceIssuer);
  const replica = closedAtEnd(await openReplica(config, logger));
  const lookupDatabase = closedAtEnd(await openDatabaseFor('lookups', config, database, replica));
  const tileDatabase = closedAtEnd(await openDatabaseFor('tiles', config, database, replica));
  const meteringDatabase = closedAtEnd(await openDatabaseFor('metering', config, database));
  const metricsDatabase = closedAtEnd(await openDatabaseFor('metrics', config, database));
  const catalog = closedAtEnd(await openCatalog(lookupDatabase, database));
  // Not on a replica: a created or revoked key counts at once.
  const accessDatabase = config.databaseReadUrl ? database : lookupDatabase;
  const keys = closedAtEnd(await openKeyRing(accessDatabase, now));
  const registrars = closedAtEnd(await openRegistrarList(accessDatabase));
  const addresses = closedAtEnd(await openAddressFinder(lookupDatabase, database));
  const newestDatabase = lookupDatabase.primary ?? lookupDatabase;
  const orderStops = closedAtEnd(await openOrderStops(newestDatabase, database, () => dayOf(presentNow())));
  const register = closedAtEnd(await openRegister(lookupDatabase, database, presentNow));
  const uploadLocks = closedAtEnd(await openUploadLocks(database));
  const watch = closedAtEnd(await openSubmissionWatch(database, logger));
  const rateLimit = async (replacement: RateLimit | undefined, rate: Rate | undefined, of?: string) =>
    closedAtEnd(
      replacement ?? (rate ? await openRateLimit(rate, config.redisUrl, logger, undefined, of) : unlimited),
    );
  const limit = await rateLimit(parts.limit, config.rateLimit);
  const bulkLimit = await rateLimit(parts.bulkLimit, config.bulkRate, 'bulk');
  const addressLimit = await rateLimit(parts.addressLimit, config.addressRate, 'addresses');
  const registryLimit = await rateLimit(parts.registryLimit, config.registryRate, 'registry');
  const attempts = closedAtEnd(failedAttempts(config.refusedRate, database, logger));
  const queryHolds = closedAtEnd(queryHoldsIn(database, async () => meter.flush?.(), logger));
  const ownMeter = parts.meter
    ? undefined
    : closedAtEnd(
        Meter.start(meteringDatabase, {
          dataDir: config.dataDir,
          logger,
          ...(rehearsal ? { now: () => now().getTime() } : {}),
        }),
      );
  const meter: QueryCounter = parts.meter ?? (ownMeter as Meter);
  const secret = await openServiceSecret(database);
  // The embedded database has one session for all.
  const pools = config.databaseUrl
    ? { main: database, lookups: lookupDatabase, tiles: tileDatabase, metering: meteringDatabase }
    : { main: database };
  const [draining, stopping] = [new AbortController(), new AbortController()];
  // Every stream of events listens.
  setMaxListeners(0, stopping.signal);
  const context = {
    lookup: lookupIn(lookupDatabase, catalog),
    catalog,
    addresses,
    /** Where no new connections are taken. */
    orderStops,
    keys,
    /** Per key, in queries. */
    limit,
    /** Per customer, in coordinates of lists. */
    bulkLimit,
    /** Per key, in searches for an address. */
    addressLimit,
    /** Per registrar, in names. */
    registryLimit,
    /** Slows guesses of keys and tokens. */
    attempts,
    secret,
    mapTokens: mapTokens(secret, presentNow),
    /** Of customers with a limit. */
    queryHolds,
    meter,
    /** The clock of billing, which a rehearsal moves. */
    now,
    /** The clock of everything else. */
    presentNow,
    rehearsal,
    tiles: publishedTiles(tileDatabase, catalog, config.serviceArea, config.tileCacheBytes),
    basemap,
    config,
    database,
    storage,
    /** Sends the job of a row that waits for a step or one of several, or those of all rows. A worker's sweep sends those that the queue misses. */
    sendJob(step: Step | readonly Step[], id?: string) {
      for (const one of [step].flat()) {
        queue
          .send(one, id)
          .catch((error) => logger.warn({ err: error, step: one, id }, 'the job will be sent later'));
      }
    },
    watch,
    uploadLocks,
    /** Aborted when the server was told to stop. It still answers, so that others can notice first. */
    draining: draining.signal,
    /** Aborted when the server stops; long answers end then. */
    stopping: stopping.signal,
    logger,
    /** Rejects where the service cannot answer lookups. */
    checkReady: (): Promise<unknown> => catalog.refreshIfStale(),
    /** Rejects where the job queue is out of reach. */
    checkQueue: (): Promise<unknown> => queue.figures(),
    /** The number of workers of each step. Rejects where the job queue is out of reach. */
    countWorkers: () => queue.countWorkers(),
    register,
    registrars,
    /** The connections for lookups, never to a replica. */
    newestDatabase,
    replica,
    description,
    pathProfile,
    trySpeeds,
    metrics: serviceMetrics({
      ...{ readRows: readRowGauges(metricsDatabase), queue, pools, replica },
      parts: apiGauges(catalog, ownMeter),
    }),
    pages: parts.pages ?? readPages(),
  };
  const close = async () => {
    for (const one of opened) await one.close();
  };
  return { context, draining, stopping, close };
}

/** Makes a value once for each API of this process. */
export const onceForEachApi = <Value>(make: (context: ApiContext) => Value) => onceForEach(make);
