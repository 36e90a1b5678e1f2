import { setMaxListeners } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failedAttempts } from '../core/access/failed-attempts.ts';
import { openKeyRing } from '../core/access/key-ring.ts';
import { mapTokens } from '../core/access/map-tokens.ts';
import { openRateLimit } from '../core/access/rate-limit/open.ts';
import { type Rate, type RateLimit, unlimited } from '../core/access/rate-limit/rate-limit.ts';
import { openRegistrarList } from '../core/access/registrars.ts';
import { openServiceSecret } from '../core/access/service-secret.ts';
import { openBasemapFile } from '../core/basemap-file.ts';
import { freeQueriesIn } from '../core/billing/free-queries.ts';
import { recordIssuer } from '../core/billing/issuer.ts';
import { Meter } from '../core/billing/metering.ts';
import type { Config } from '../core/config.ts';
import { openCatalog } from '../core/coverage/lookup/catalog.ts';
import { lookupIn } from '../core/coverage/lookup/lookup.ts';
import type { FindPathProfile } from '../core/coverage/submissions/path-profile.ts';
import { openUploadLocks } from '../core/coverage/submissions/upload-locks.ts';
import { openSubmissionWatch } from '../core/coverage/submissions/watch.ts';
import { publishedTiles } from '../core/coverage/tiles/published.ts';
import type { Database } from '../core/database/database.ts';
import { openDatabaseFor, openReplica } from '../core/database/open.ts';
import { CovermapError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { serviceMetrics } from '../core/metrics/service.ts';
import type { JobQueue } from '../core/queue.ts';
import { openRegister } from '../core/registry/register.ts';
import type { Storage } from '../core/storage/storage.ts';
import { createApp } from './app.ts';
import type { QueryCounter } from './context.ts';
import { limitConnections } from './http/connection-limits.ts';
import { drainable } from './http/drain.ts';
import { measured } from './http/measured.ts';
import { messageClasses } from './http/message-classes.ts';
import { inOrder, parseInSlices } from './http/pipelining.ts';
import { traced } from './http/traced.ts';
import { cutUnread, waitsForAnswers } from './http/unread-answers.ts';
import { answerUnreadable } from './http/unreadable-requests.ts';
import { maxHeaderSize } from './middleware/header-limits.ts';
import { describeApi } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/types.ts';
import { readPages } from './pages.ts';

/** Longer than proxies keep an idle connection, so that they close it. */
const keepAliveMs = 65_000;
/** How long a client may take to send the headers of a request, and how often that is checked. */
const headersMs = 20_000;
const headersCheckMs = 5_000;

export interface ApiServer {
  /** As in http://127.0.0.1:3000 */
  url: string;
  /** Accepts no more requests after `DRAIN_SECONDS`, finishes those in flight, and closes what it opened. */
  close(): Promise<void>;
}

/** What the API is given; the caller closes it after the API. */
export interface ApiResources {
  config: Config;
  database: Database;
  queue: JobQueue;
  storage: Storage;
  logger: Logger;
}

/** Replacements for benchmarks and tests. */
export interface ApiParts {
  limit?: RateLimit;
  bulkLimit?: RateLimit;
  registryLimit?: RateLimit;
  meter?: QueryCounter;
  pathProfile?: FindPathProfile | undefined;
  now?: () => Date;
}

/**
 * Serves the API.
 * @throws CovermapError `port_in_use`
 */
export async function startApi(resources: ApiResources, parts: ApiParts = {}): Promise<ApiServer> {
  const { config, database, queue, storage, logger } = resources;
  const basemap = config.basemapFile === undefined ? undefined : await openBasemapFile(config.basemapFile);
  await recordIssuer(database, config.invoiceIssuer);
  const replica = await openReplica(config, logger);
  const lookupDatabase = await openDatabaseFor('lookups', config, database, replica);
  const tileDatabase = await openDatabaseFor('tiles', config, database, replica);
  const catalog = await openCatalog(lookupDatabase, database);
  // Keys are not looked up on a replica: a key that was created or revoked counts at once.
  const now = parts.now ?? (() => new Date());
  const keys = await openKeyRing(config.databaseReadUrl ? database : lookupDatabase, now);
  const registrars = await openRegistrarList(config.databaseReadUrl ? database : lookupDatabase);
  const register = await openRegister(lookupDatabase, database, now);
  const rateLimit = async (rate: Rate | undefined, of?: string) =>
    rate ? openRateLimit(rate, config.redisUrl, logger, undefined, of) : unlimited;
  const limit = parts.limit ?? (await rateLimit(config.rateLimit));
  const bulkLimit = parts.bulkLimit ?? (await rateLimit(config.bulkRate, 'bulk'));
  const registryLimit = parts.registryLimit ?? (await rateLimit(config.registryRate, 'registry'));
  const meteringDatabase = await openDatabaseFor('metering', config, database);
  const ownMeter = parts.meter
    ? undefined
    : Meter.start(meteringDatabase, { dataDir: config.dataDir, logger });
  const meter: QueryCounter = parts.meter ?? (ownMeter as Meter);
  const freeQueries = freeQueriesIn(database, async () => meter.flush?.(), logger);
  const metricsDatabase = await openDatabaseFor('metrics', config, database);
  // The embedded database has one session for all.
  const pools = config.databaseUrl
    ? { main: database, lookups: lookupDatabase, tiles: tileDatabase, metering: meteringDatabase }
    : { main: database };
  const secret = await openServiceSecret(database);
  const attempts = failedAttempts(config.refusedRate, database, logger);
  const watch = await openSubmissionWatch(database, logger);
  const uploadLocks = await openUploadLocks(database);
  const [draining, stopping] = [new AbortController(), new AbortController()];
  // Every stream of events listens.
  setMaxListeners(0, stopping.signal);
  let described: OpenApiDocument | undefined;
  const description = () => (described ??= describeApi(config));
  // Describing takes some 0.3 s, which no request waits for on servers; a demo starts sooner without.
  if (config.databaseUrl) description();
  const app = createApp({
    lookup: lookupIn(lookupDatabase, catalog),
    catalog,
    tiles: publishedTiles(tileDatabase, catalog, config.serviceArea, config.tileCacheBytes),
    basemap,
    keys,
    limit,
    bulkLimit,
    registryLimit,
    attempts,
    meter,
    secret,
    mapTokens: mapTokens(secret, now),
    freeQueries,
    now,
    config,
    database,
    storage,
    sendJob(step, id) {
      for (const one of [step].flat()) {
        queue
          .send(one, id)
          .catch((error) => logger.warn({ err: error, step: one, id }, 'the job will be sent later'));
      }
    },
    watch,
    uploadLocks,
    draining: draining.signal,
    stopping: stopping.signal,
    logger,
    checkReady: async () => void (await catalog.refreshIfStale()),
    checkQueue: async () => void (await queue.figures()),
    countWorkers: () => queue.countWorkers(),
    register,
    registrars,
    newestDatabase: lookupDatabase.primary ?? lookupDatabase,
    replica,
    pathProfile: parts.pathProfile,
    description,
    metrics: serviceMetrics({
      database: metricsDatabase,
      queue,
      pools,
      catalog,
      meter: ownMeter,
      replica,
    }),
    pages: readPages(),
  });
  const { answer, end } = drainable(waitsForAnswers(traced(measured(app as RequestListener, logger))));
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      // The middleware limits the time of bodies, by kind.
      requestTimeout: 0,
      headersTimeout: headersMs,
      connectionsCheckingInterval: headersCheckMs,
      maxHeaderSize,
      // The application refuses that in JSON.
      requireHostHeader: false,
      ...messageClasses(app),
    },
    inOrder(answer),
  );
  parseInSlices(server);
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  limitConnections(server, config, (address) => isProxy(address, 0), logger);
  cutUnread(server, config.bodyTimeoutSeconds);
  answerUnreadable(server, () => description().paths);
  // A client that asks before sending (curl does, with a file) is refused by the size that it announces.
  server.on(
    'checkContinue',
    inOrder((request, response) => {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced <= config.uploadLimitBytes) response.writeContinue();
      answer(request, response);
    }),
  );
  // The meter first: by then every answer has been sent.
  const opened = [
    ...(ownMeter ? [ownMeter] : []),
    ...[
      freeQueries,
      meteringDatabase,
      metricsDatabase,
      attempts,
      limit,
      bulkLimit,
      registryLimit,
      watch,
      uploadLocks,
    ],
    ...[register, registrars, keys, catalog, lookupDatabase, tileDatabase],
    ...(replica ? [replica] : []),
    ...(basemap ? [basemap] : []),
  ];
  const closeResources = async () => {
    for (const resource of opened) await resource.close();
  };
  try {
    await listen(server, config.port, config.host);
  } catch (error) {
    await closeResources();
    throw error;
  }
  return {
    url: urlOf(server),
    async close() {
      draining.abort();
      await end(server, config.drainSeconds * 1000, () => stopping.abort());
      await closeResources();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      const sentence = `Port ${port} on ${host} is taken by another program.`;
      reject(new CovermapError('port_in_use', sentence, 'Stop it, or set PORT to another one.'));
    });
    server.listen(port, host, resolve);
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const anywhere = address === '0.0.0.0' || address === '::';
  return `http://${anywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
