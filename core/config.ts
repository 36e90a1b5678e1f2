import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import type { Bounds } from '../geometry/bounds.ts';
import { CovermapError } from './errors.ts';

/** The configuration. docs/administrator/configuration.md says what each variable does. Where a rate is undefined, there is no limit. */
export type Config = ReturnType<typeof readConfig>;
export type Plausibility = Config['plausibility'];

const mebibyte = 1024 * 1024;
const million = 1_000_000;

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

const url = (protocols: string[], example: string) =>
  text.refine(
    (value) => value === undefined || protocols.some((protocol) => value.startsWith(`${protocol}://`)),
    `must look like ${example}`,
  );

const databaseUrl = url(['postgres', 'postgresql'], 'postgres://user:password@host:5432/database');

const list = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) => value.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''));

/** Codes of warnings; `none` stands for an empty list. */
const warningCodes = list('speeds_absent')
  .transform((codes) => codes.filter((code) => code !== 'none'))
  .refine(
    (codes) => codes.every((code) => /^[a-z_]+$/.test(code)),
    'must be words like speeds_absent,area_lost',
  );

const serviceArea = z
  .string()
  .default('-47.5,166.2,-34.2,178.6')
  .transform((value) => value.split(',').map((part) => (part.trim() ? Number(part) : Number.NaN)))
  .refine((numbers): numbers is [number, number, number, number] => {
    const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = numbers;
    const isBox = south >= -90 && south < north && north <= 90 && west >= -180 && west < east && east <= 180;
    return isBox && numbers.length === 4;
  }, 'must be four numbers: south,west,north,east in degrees')
  .transform(([south, west, north, east]): Bounds => ({ south, west, north, east }));

const trustProxy = list('').refine(
  (parts) => parts.every(isProxy),
  'must be addresses or networks of proxies, as 10.0.0.1,192.168.0.0/16,loopback',
);

/** The names are those of Express: loopback, linklocal (169.254.0.0/16, fe80::/10), uniquelocal (10.0.0.0/8, ...). */
function isProxy(text: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isNetwork(text);
}

/** An address, or a network as in 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A network of everyone would let every caller choose its address.
  return (
    length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
  );
}

const networks = list('').refine(
  (parts) => parts.every(isNetwork),
  'must be addresses or networks, as 10.0.0.7,192.168.0.0/16',
);

/** HH:MM:SS in Pacific/Auckland. Not between 02:00 and 03:00: on two days of the year that hour is missing or repeated. */
const timeOfDay = (fallback: string) =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, 'must be a time of day as 00:00:00')
    .refine((value) => !value.startsWith('02:'), 'must not be between 02:00 and 03:00')
    .default(fallback)
    .transform((value) => (value.length === 5 ? `${value}:00` : value));

const closeTime = z
  .union([z.literal('off'), timeOfDay('06:00:00')], { error: 'must be a time of day as 06:00:00, or off' })
  .transform((value) => (value === 'off' ? undefined : value));

const origin = text
  .refine(
    (value) => value === undefined || (/^https?:\/\//.test(value) && URL.canParse(value)),
    'must look like https://coverage.example.nz',
  )
  .refine(
    (value) =>
      !value || !URL.canParse(value) || /^\/?$/.test(new URL(value).pathname + new URL(value).search),
    'must not have a path',
  )
  .transform((value) => value && new URL(value).origin);

const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info');

/**
 * Reads the configuration from environment variables.
 * @throws CovermapError `configuration_invalid`, naming every variable that is wrong
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const problems: string[] = [];
  const read = <Output>(name: string, schema: z.ZodType<Output>): Output => {
    // An empty variable counts as unset: compose and unit files leave variables out that way.
    const { data, error } = schema.safeParse(env[name] || undefined);
    if (error) problems.push(...error.issues.map(({ message }) => `${name} ${message}`));
    // Where it is wrong, the configuration is not returned.
    return data as Output;
  };
  const readInteger = (name: string, fallback: number, min: number, max: number): number => {
    const value = env[name] || String(fallback);
    const isInRange = Number(value) >= min && Number(value) <= max;
    if (!/^\d+$/.test(value)) problems.push(`${name} must be a whole number`);
    else if (!isInRange) problems.push(`${name} must be between ${min} and ${max}`);
    return Number(value);
  };

  const dataDir = path.resolve(read('DATA_DIR', text) ?? '.data');
  const mainDatabase = read('DATABASE_URL', databaseUrl);
  const terrainDir = read('TERRAIN_DIR', text);
  const clutterDir = read('CLUTTER_DIR', text);
  const bucket = read('S3_BUCKET', text);
  const endpoint = read('S3_ENDPOINT', url(['http', 'https'], 'https://s3.example.com'));
  const region = read('S3_REGION', text) ?? read('AWS_REGION', text) ?? 'us-east-1';
  const registryRate = {
    perSecond: readInteger('REGISTRY_RATE', 100, 0, million),
    burst: readInteger('REGISTRY_BURST', 10_000, 1, 100 * million),
  };
  const rateLimit = {
    perSecond: readInteger('RATE_LIMIT_PER_SECOND', 2, 0, 100_000),
    burst: readInteger('RATE_LIMIT_BURST', 20, 1, million),
  };
  const issuer = {
    name: read('INVOICE_ISSUER', text),
    address: read('INVOICE_ADDRESS', text),
    gstNumber: read('INVOICE_GST_NUMBER', text),
    payment: read('INVOICE_PAYMENT', text),
  };
  const config = {
    port: readInteger('PORT', 3000, 0, 65_535),
    // The demo keys of the embedded database are public, so by default only this machine may connect.
    host: read('HOST', text) ?? (mainDatabase ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    uploadDir: path.resolve(read('UPLOAD_DIR', text) ?? path.join(dataDir, 'uploads')),
    /** In place of `uploadDir`. */
    s3: bucket === undefined ? undefined : { bucket, endpoint, region },
    uploadLimitBytes: readInteger('UPLOAD_LIMIT_MB', 2048, 1, 1_048_576) * mebibyte,
    providerQuotas: {
      openUploads: readInteger('PROVIDER_MAX_UPLOADS', 20, 1, 100_000),
      waitingSubmissions: readInteger('PROVIDER_MAX_WAITING', 100, 1, 100_000),
      storedBytes: readInteger('PROVIDER_MAX_STORED_MB', 102_400, 1, 1_073_741_824) * mebibyte,
    },
    /** Undefined: the embedded database in `dataDir`. */
    databaseUrl: mainDatabase,
    /** A streaming replica for lookups. */
    databaseReadUrl: read('DATABASE_READ_URL', databaseUrl),
    replicaMaxLagSeconds: readInteger('REPLICA_MAX_LAG_SECONDS', 10, 5, 3600),
    /** Undefined: the queue is in the database. */
    redisUrl: read('REDIS_URL', url(['redis', 'rediss'], 'redis://host:6379')),
    logLevel: read('LOG_LEVEL', logLevel),
    serviceArea: read('SERVICE_AREA', serviceArea),
    keptVersions: readInteger('KEPT_VERSIONS', 3, 0, 1000),
    publishBlocks: {
      lostPercent: readInteger('PUBLISH_LOST_PERCENT', 20, 0, 100),
      warnings: read('PUBLISH_BLOCKS', warningCodes),
    },
    /** Percentages above which a file waits for review. */
    plausibility: {
      /** Of the service area. New Zealand's land is 17 % of the default one. */
      coveredPercent: readInteger('HOLD_COVERED_PERCENT', 25, 0, 100),
      /** Of a file's area. */
      clippedPercent: readInteger('HOLD_OUTSIDE_PERCENT', 10, 0, 100),
      /** Of a file's features, or of a layer's area. */
      droppedPercent: readInteger('HOLD_DROPPED_PERCENT', 10, 0, 100),
    },
    /** Elevation models, from which workers model coverage; undefined: staff do. */
    terrainDir: terrainDir && path.resolve(terrainDir),
    /** Land cover, which weakens the signal of receivers in it. */
    clutterDir: clutterDir && path.resolve(clutterDir),
    modelling: {
      /** A list of more towers is left to staff. */
      maxTowers: readInteger('MODEL_MAX_TOWERS', 500, 1, 10_000),
      keptDays: readInteger('MODEL_KEPT_DAYS', 60, 1, 3650),
      /** Percentages above which modelled coverage waits for review: of the ground without terrain or land cover, and of the live area. */
      unknownPercent: readInteger('HOLD_UNKNOWN_TERRAIN_PERCENT', 50, 0, 100),
      grownPercent: readInteger('HOLD_GROWN_PERCENT', 300, 100, 1_000_000),
    },
    sweepSeconds: readInteger('SWEEP_SECONDS', 30, 1, 3600),
    workerLostSeconds: readInteger('WORKER_LOST_SECONDS', 20, 5, 3600),
    basemapStyleUrl: read(
      'BASEMAP_STYLE_URL',
      url(['http', 'https'], 'https://tiles.example.com/style.json'),
    ),
    readerMemoryMb: readInteger('READER_MEMORY_MB', 1024, 256, 65_536),
    readerStalledSeconds: readInteger('READER_STALLED_SECONDS', 120, 5, 3600),
    readerDeadlineMinutes: readInteger('READER_DEADLINE_MINUTES', 60, 1, 10_080),
    trustProxy: read('TRUST_PROXY', trustProxy),
    /** Who may read metrics, besides callers of this machine. */
    metricsNetworks: read('METRICS_NETWORKS', networks),
    /** Where a worker shows its metrics; undefined: nowhere. */
    metricsPort: env.METRICS_PORT ? readInteger('METRICS_PORT', 0, 0, 65_535) : undefined,
    registryMaxNames: readInteger('REGISTRY_MAX_NAMES', 1000, 1, 100_000),
    registryRate: registryRate.perSecond === 0 ? undefined : registryRate,
    releaseTime: read('RELEASE_TIME', timeOfDay('00:00:00')),
    rateLimit: rateLimit.perSecond === 0 ? undefined : rateLimit,
    /** Undefined: staff close months by hand. */
    closeTime: read('CLOSE_TIME', closeTime),
    confirmFromCents: readInteger('CONFIRM_AMOUNTS_FROM', 1000, 0, million) * 100,
    /** Undefined where nothing is said: whoever is recorded stays. */
    invoiceIssuer: Object.values(issuer).some((value) => value !== undefined)
      ? {
          name: issuer.name ?? 'covermap',
          address: issuer.address ?? '',
          gstNumber: issuer.gstNumber ?? '',
          payment: issuer.payment ?? '',
        }
      : undefined,
    tileCacheBytes: readInteger('TILE_CACHE_MB', 64, 0, 65_536) * mebibyte,
    tileRate: {
      perSecond: readInteger('TILE_RATE', 100, 1, million),
      burst: readInteger('TILE_BURST', 1000, 1, million),
    },
    pageRate: {
      perSecond: readInteger('PAGE_RATE', 100, 1, million),
      // A page loads up to fifty files.
      burst: readInteger('PAGE_BURST', 1000, 100, million),
    },
    mapLookupRate: {
      perSecond: readInteger('MAP_LOOKUP_RATE', 1, 1, million),
      burst: readInteger('MAP_LOOKUP_BURST', 20, 1, million),
    },
    mapLookupsPerDay: readInteger('MAP_LOOKUPS_PER_DAY', 500, 1, million),
    bulkRate: {
      perSecond: readInteger('BULK_RATE', 50, 1, million),
      burst: readInteger('BULK_BURST', 10_000, 10_000, 100 * million),
    },
    bulkFileBytes: readInteger('BULK_FILE_MB', 64, 1, 4096) * mebibyte,
    bulkFileLines: readInteger('BULK_FILE_LINES', 2 * million, 1, 1000 * million),
    bulkKeptBytes: readInteger('BULK_MAX_KEPT_MB', 4096, 1, 1_048_576) * mebibyte,
    refusedRate: {
      perSecond: readInteger('REFUSED_RATE', 1, 1, million),
      burst: readInteger('REFUSED_BURST', 60, 1, million),
    },
    /** Undefined: the origin that each request names. */
    publicUrl: read('PUBLIC_URL', origin),
    bodyTimeoutSeconds: readInteger('BODY_TIMEOUT_SECONDS', 30, 1, 3600),
    uploadMinBytesPerSecond: readInteger('UPLOAD_MIN_BYTES_PER_SECOND', 4096, 0, 1000 * million),
    maxConnections: readInteger('MAX_CONNECTIONS', 10_000, 1, million),
    maxConnectionsPerAddress: readInteger('MAX_CONNECTIONS_PER_ADDRESS', 1000, 1, million),
    drainSeconds: readInteger('DRAIN_SECONDS', 0, 0, 300),
    eventHeartbeatSeconds: readInteger('EVENT_HEARTBEAT_SECONDS', 15, 1, 3600),
  };
  if (config.databaseReadUrl && !mainDatabase)
    problems.push('DATABASE_READ_URL must not be set without DATABASE_URL');
  if (problems.length === 0) return config;
  throw new CovermapError(
    'configuration_invalid',
    `The environment is not usable: ${problems.join('; ')}.`,
    'docs/administrator/configuration.md lists the variables.',
  );
}
