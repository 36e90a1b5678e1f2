import path from 'node:path';
import type { z } from 'zod';
import { variables } from './config-variables.ts';
import { CovermapError } from './errors.ts';

/** The configuration, by docs/administrator/configuration.md. An undefined rate is no limit. */
export type Config = ReturnType<typeof readConfig>;
export type Plausibility = Config['plausibility'];

const mebibyte = 1024 * 1024;

const all = {
  ...variables.Service,
  ...variables.Storage,
  ...variables.Coverage,
  ...variables['Rates and limits'],
  ...variables.Registry,
  ...variables.Billing,
  ...variables['E-mail'],
};
type Values = { [Name in keyof typeof all]: z.output<(typeof all)[Name]['schema']> };

/** Reads environment variables. @throws CovermapError `configuration_invalid`, naming every invalid one */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(all).map(([name, { schema }]) => {
      // An empty variable counts as unset: compose and unit files leave variables out that way.
      const { data, error } = schema.safeParse(env[name] || undefined);
      if (error) problems.push(...error.issues.map(({ message }) => `${name} ${message}`));
      return [name, data];
    }),
    // Nothing is returned if one is invalid.
  ) as Values;
  if (values.DATABASE_READ_URL && !values.DATABASE_URL)
    problems.push('DATABASE_READ_URL must not be set without DATABASE_URL');
  if (values.SMTP_URL && !(values.MAIL_FROM && values.PUBLIC_URL))
    problems.push('SMTP_URL needs MAIL_FROM and PUBLIC_URL: who sends, and where links lead');
  if (problems.length > 0) {
    const message = `The environment is not usable: ${problems.join('; ')}.`;
    const hint = 'docs/administrator/configuration.md lists the variables.';
    throw new CovermapError('configuration_invalid', message, hint);
  }
  const dataDir = path.resolve(values.DATA_DIR ?? '.data');
  const place = (given: string | undefined) => given && path.resolve(given);
  /** A rate of 0 a second is no limit. */
  const rate = (perSecond: number, burst: number) => (perSecond === 0 ? undefined : { perSecond, burst });
  const issuer = [
    values.INVOICE_ISSUER,
    values.INVOICE_ADDRESS,
    values.INVOICE_GST_NUMBER,
    values.INVOICE_PAYMENT,
  ] as const;
  const [name = 'covermap', address = '', gstNumber = '', payment = ''] = issuer;
  const bucket = values.S3_BUCKET;
  const region = values.S3_REGION ?? (env.AWS_REGION?.trim() || 'us-east-1');
  return {
    port: values.PORT,
    // The demo keys of the embedded database are public, so by default only this machine may connect.
    host: values.HOST ?? (values.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    uploadDir: path.resolve(values.UPLOAD_DIR ?? path.join(dataDir, 'uploads')),
    s3: bucket === undefined ? undefined : { bucket, endpoint: values.S3_ENDPOINT, region },
    uploadLimitBytes: values.UPLOAD_LIMIT_MB * mebibyte,
    providerQuotas: {
      openUploads: values.PROVIDER_MAX_UPLOADS,
      waitingSubmissions: values.PROVIDER_MAX_WAITING,
      storedBytes: values.PROVIDER_MAX_STORED_MB * mebibyte,
    },
    exports: { keptDays: values.EXPORT_KEPT_DAYS, keptBytes: values.EXPORT_MAX_STORED_MB * mebibyte },
    /** Undefined: the embedded database in `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    replicaMaxLagSeconds: values.REPLICA_MAX_LAG_SECONDS,
    /** Undefined: the queue is in the database. */
    redisUrl: values.REDIS_URL,
    logLevel: values.LOG_LEVEL,
    serviceArea: values.SERVICE_AREA,
    keptVersions: values.KEPT_VERSIONS,
    publishBlocks: { lostPercent: values.PUBLISH_LOST_PERCENT, warnings: values.PUBLISH_BLOCKS },
    /** Percentages above which a file waits for review. */
    plausibility: {
      coveredPercent: values.HOLD_COVERED_PERCENT,
      clippedPercent: values.HOLD_OUTSIDE_PERCENT,
      droppedPercent: values.HOLD_DROPPED_PERCENT,
    },
    terrainDir: place(values.TERRAIN_DIR),
    clutterDir: place(values.CLUTTER_DIR),
    modelling: {
      maxTowers: values.MODEL_MAX_TOWERS,
      keptDays: values.MODEL_KEPT_DAYS,
      unknownPercent: values.HOLD_UNKNOWN_TERRAIN_PERCENT,
      grownPercent: values.HOLD_GROWN_PERCENT,
    },
    sweepSeconds: values.SWEEP_SECONDS,
    workerLostSeconds: values.WORKER_LOST_SECONDS,
    basemapStyleUrl: values.BASEMAP_STYLE_URL,
    basemapFile: place(values.BASEMAP_FILE),
    readerMemoryMb: values.READER_MEMORY_MB,
    readerStalledSeconds: values.READER_STALLED_SECONDS,
    readerDeadlineMinutes: values.READER_DEADLINE_MINUTES,
    trustProxy: values.TRUST_PROXY,
    metricsNetworks: values.METRICS_NETWORKS,
    metricsPort: values.METRICS_PORT,
    registryMaxNames: values.REGISTRY_MAX_NAMES,
    registryRate: rate(values.REGISTRY_RATE, values.REGISTRY_BURST),
    releaseTime: values.RELEASE_TIME,
    rateLimit: rate(values.RATE_LIMIT_PER_SECOND, values.RATE_LIMIT_BURST),
    /** Undefined: staff close months by hand. */
    closeTime: values.CLOSE_TIME,
    confirmFromCents: values.CONFIRM_AMOUNTS_FROM * 100,
    /** Undefined where no variable is set: the recorded issuer stays. */
    invoiceIssuer: issuer.some((value) => value !== undefined)
      ? { name, address, gstNumber, payment }
      : undefined,
    /** Undefined: e-mails wait in the outbox. */
    mail:
      values.SMTP_URL && values.MAIL_FROM
        ? { url: values.SMTP_URL, from: values.MAIL_FROM, origin: values.PUBLIC_URL }
        : undefined,
    mailFrom: values.MAIL_FROM,
    tileCacheBytes: values.TILE_CACHE_MB * mebibyte,
    tileRate: { perSecond: values.TILE_RATE, burst: values.TILE_BURST },
    pageRate: { perSecond: values.PAGE_RATE, burst: values.PAGE_BURST },
    mapLookupRate: { perSecond: values.MAP_LOOKUP_RATE, burst: values.MAP_LOOKUP_BURST },
    mapLookupsPerDay: values.MAP_LOOKUPS_PER_DAY,
    addressRate: rate(values.ADDRESS_RATE, values.ADDRESS_BURST),
    addressesPerDay: values.ADDRESSES_PER_DAY,
    mapAddressRate: { perSecond: values.MAP_ADDRESS_RATE, burst: values.MAP_ADDRESS_BURST },
    mapAddressesPerDay: values.MAP_ADDRESSES_PER_DAY,
    addressFileBytes: values.ADDRESS_FILE_MB * mebibyte,
    nearbyMetres: values.NEARBY_METRES,
    bulkRate: { perSecond: values.BULK_RATE, burst: values.BULK_BURST },
    bulkFileBytes: values.BULK_FILE_MB * mebibyte,
    bulkFileLines: values.BULK_FILE_LINES,
    bulkKeptBytes: values.BULK_MAX_KEPT_MB * mebibyte,
    refusedRate: { perSecond: values.REFUSED_RATE, burst: values.REFUSED_BURST },
    /** Undefined: the origin that each request names. */
    publicUrl: values.PUBLIC_URL,
    bodyTimeoutSeconds: values.BODY_TIMEOUT_SECONDS,
    uploadMinBytesPerSecond: values.UPLOAD_MIN_BYTES_PER_SECOND,
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    drainSeconds: values.DRAIN_SECONDS,
    eventHeartbeatSeconds: values.EVENT_HEARTBEAT_SECONDS,
  };
}
