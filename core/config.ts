import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import type { Rate } from './access/rate-limit/rate-limit.ts';
import type { ProviderQuotas } from './coverage/submissions/quotas.ts';
import { CovermapError } from './errors.ts';

/** An area in degrees, WGS 84, ends included. */
export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** Percentages above which a file waits for review. */
export interface Plausibility {
  /** Of the service area covered. New Zealand's land is 17 % of the default one. */
  coveredPercent: number;
  /** Of a file's area that lies outside the service area. */
  clippedPercent: number;
  /** Of a file's features, or of a layer's area, that was dropped. */
  droppedPercent: number;
}

export interface Config {
  port: number;
  host: string;
  /** Where the embedded database and, unless `uploadDir` says otherwise, the uploaded files live. */
  dataDir: string;
  uploadDir: string;
  /** The bucket for uploaded files in place of `uploadDir`; credentials are found as AWS's tools find them. */
  s3: { bucket: string; endpoint: string | undefined; region: string } | undefined;
  /** The largest file that is accepted. */
  uploadLimitBytes: number;
  providerQuotas: ProviderQuotas;
  /** PostgreSQL with PostGIS; undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  /** A read replica for lookups; undefined: `databaseUrl`. */
  databaseReadUrl: string | undefined;
  /** Redis for the job queue; undefined: the queue lives in the database. */
  redisUrl: string | undefined;
  logLevel: string;
  /** Coordinates outside are refused, coverage outside is clipped. */
  serviceArea: Bounds;
  /** Superseded versions of a coverage that are kept besides the published one. */
  keptVersions: number;
  /** What stops a submission from being published automatically. */
  publishBlocks: {
    /** Percent of a published coverage's area that may be lost. */
    lostPercent: number;
    /** Codes of warnings. */
    warnings: string[];
  };
  plausibility: Plausibility;
  /** How often the sweep looks for work that the queue has lost. */
  sweepSeconds: number;
  /** After how long a silent worker counts as dead, and another takes its job. */
  workerLostSeconds: number;
  /** The style of the maps on the pages, in place of the built-in one. */
  basemapStyleUrl: string | undefined;
  /** For the process that reads a file: its heap and its decoders. */
  readerMemoryMb: number;
  /** How long reading may go without progress. */
  readerStalledSeconds: number;
  /** For reading and loading a file. */
  readerDeadlineMinutes: number;
  /** Proxies whose X-Forwarded-For is trusted: addresses, networks, or Express's names for some. */
  trustProxy: string[];
  registryMaxNames: number;
  /** Names that a registrar may ask for. Undefined: unlimited. */
  registryRate: Rate | undefined;
  /** When release-domains runs, as HH:MM:SS in Pacific/Auckland. */
  releaseTime: string;
  /** Queries of a key. Undefined: unlimited. */
  rateLimit: Rate | undefined;
  /** When close-month runs on the first of a month, as HH:MM:SS in Pacific/Auckland; undefined: staff close by hand. */
  closeTime: string | undefined;
  /** From this amount on, in cents, staff have to confirm what they post. */
  confirmFromCents: number;
  /** Who issues invoices, as printed on them. */
  invoiceIssuer: { name: string; address: string; gstNumber: string; payment: string };
  /** For the public map's tiles in memory. */
  tileCacheBytes: number;
  /** Tiles, and lookups of the public map, for one address. */
  tileRate: Rate;
  mapLookupRate: Rate;
  /** Coordinates that a key may send in lists. */
  bulkRate: Rate;
  /** The largest file of coordinates. */
  bulkFileBytes: number;
  bulkFileLines: number;
  /** For a customer's files of coordinates and their results. */
  bulkKeptBytes: number;
  /** Wrong keys and tokens from one address. */
  refusedRate: Rate;
  /** The service's own origin, as https://coverage.example.nz; undefined: as each request says. */
  publicUrl: string | undefined;
  /** For a request's body that is no upload; an upload's rate is measured over this time. */
  bodyTimeoutSeconds: number;
  uploadMinBytesPerSecond: number;
  /** Concurrent connections, in all and from one address that is no trusted proxy. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** How often a stream of events sends a sign of life and checks that its client still has access. */
  eventHeartbeatSeconds: number;
}

const text = z
  .string()
  .optional()
  .transform((value) => (value?.trim() ? value.trim() : undefined));

const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .optional()
    .transform((value) => value ?? fallback);

const url = (protocols: string[], example: string) =>
  text.refine(
    (value) => value === undefined || protocols.some((protocol) => value.startsWith(`${protocol}://`)),
    {
      message: `must look like ${example}`,
    },
  );

/** A list of words; `none` is an empty one. */
const words = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '' && word !== 'none'),
    )
    .refine(
      (list) => list.every((word) => /^[a-z_]+$/.test(word)),
      'must be words like speeds_absent,area_lost',
    );

const serviceArea = z
  .string()
  .default('-47.5,166.2,-34.2,178.6')
  .transform((value, context): Bounds => {
    const [south, west, north, east, ...rest] = value
      .split(',')
      .map((part) => (part.trim() ? Number(part) : Number.NaN));
    if (
      south === undefined ||
      west === undefined ||
      north === undefined ||
      east === undefined ||
      rest.length > 0 ||
      !(south >= -90 && south < north && north <= 90 && west >= -180 && west < east && east <= 180)
    ) {
      context.addIssue({ code: 'custom', message: 'must be four numbers: south,west,north,east in degrees' });
      return z.NEVER;
    }
    return { south, west, north, east };
  });

const trustProxy = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine((parts) => parts.every(isProxy), {
    message: 'must be addresses or networks of proxies, as 10.0.0.1,192.168.0.0/16,loopback',
  });

/** The names are those of Express: loopback, linklocal (169.254.0.0/16, fe80::/10), uniquelocal (10.0.0.0/8, ...). */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A network of everyone would let every caller choose its address.
  return (
    length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
  );
}

/** Not between 02:00 and 03:00: on two days of the year that hour is missing or repeated. */
const timeOfDay = (fallback: string) =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, 'must be a time of day as 00:00:00')
    .refine((value) => !value.startsWith('02:'), { message: 'must not be between 02:00 and 03:00' })
    .default(fallback)
    .transform((value) => (value.length === 5 ? `${value}:00` : value));

/** An origin without a path. */
const publicUrl = text
  .refine((value) => value === undefined || (/^https?:\/\//.test(value) && URL.canParse(value)), {
    message: 'must look like https://coverage.example.nz',
  })
  .refine(
    (value) =>
      value === undefined ||
      !URL.canParse(value) ||
      /^\/?$/.test(new URL(value).pathname + new URL(value).search),
    { message: 'must not have a path' },
  )
  .transform((value) => value && new URL(value).origin);

const environment = z.object({
  PORT: wholeNumber(3000, 0, 65535),
  HOST: text,
  DATA_DIR: text,
  UPLOAD_DIR: text,
  S3_BUCKET: text,
  S3_ENDPOINT: url(['http', 'https'], 'https://s3.example.com'),
  S3_REGION: text,
  AWS_REGION: text,
  UPLOAD_LIMIT_MB: wholeNumber(2048, 1, 1_048_576),
  PROVIDER_MAX_UPLOADS: wholeNumber(20, 1, 100_000),
  PROVIDER_MAX_WAITING: wholeNumber(100, 1, 100_000),
  PROVIDER_MAX_STORED_MB: wholeNumber(102_400, 1, 1_073_741_824),
  DATABASE_URL: url(['postgres', 'postgresql'], 'postgres://user:password@host:5432/database'),
  DATABASE_READ_URL: url(['postgres', 'postgresql'], 'postgres://user:password@host:5432/database'),
  REDIS_URL: url(['redis', 'rediss'], 'redis://host:6379'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
  SERVICE_AREA: serviceArea,
  KEPT_VERSIONS: wholeNumber(3, 0, 1000),
  PUBLISH_LOST_PERCENT: wholeNumber(20, 0, 100),
  PUBLISH_BLOCKS: words('speeds_absent'),
  HOLD_COVERED_PERCENT: wholeNumber(25, 0, 100),
  HOLD_OUTSIDE_PERCENT: wholeNumber(10, 0, 100),
  HOLD_DROPPED_PERCENT: wholeNumber(10, 0, 100),
  SWEEP_SECONDS: wholeNumber(30, 1, 3600),
  WORKER_LOST_SECONDS: wholeNumber(20, 5, 3600),
  BASEMAP_STYLE_URL: url(['http', 'https'], 'https://tiles.example.com/style.json'),
  READER_MEMORY_MB: wholeNumber(1024, 256, 65536),
  READER_STALLED_SECONDS: wholeNumber(120, 5, 3600),
  READER_DEADLINE_MINUTES: wholeNumber(60, 1, 10080),
  TRUST_PROXY: trustProxy,
  REGISTRY_MAX_NAMES: wholeNumber(1000, 1, 100_000),
  REGISTRY_RATE: wholeNumber(100, 0, 1_000_000),
  REGISTRY_BURST: wholeNumber(10_000, 1, 100_000_000),
  RELEASE_TIME: timeOfDay('00:00:00'),
  RATE_LIMIT_PER_SECOND: wholeNumber(2, 0, 100_000),
  RATE_LIMIT_BURST: wholeNumber(20, 1, 1_000_000),
  CLOSE_TIME: z.union([z.literal('off'), timeOfDay('06:00:00')], {
    error: 'must be a time of day as 06:00:00, or off',
  }),
  CONFIRM_AMOUNTS_FROM: wholeNumber(1000, 0, 1_000_000),
  INVOICE_ISSUER: text,
  INVOICE_ADDRESS: text,
  INVOICE_GST_NUMBER: text,
  INVOICE_PAYMENT: text,
  TILE_CACHE_MB: wholeNumber(64, 0, 65536),
  TILE_RATE: wholeNumber(100, 1, 1_000_000),
  TILE_BURST: wholeNumber(1000, 1, 1_000_000),
  MAP_LOOKUP_RATE: wholeNumber(1, 1, 1_000_000),
  MAP_LOOKUP_BURST: wholeNumber(20, 1, 1_000_000),
  BULK_RATE: wholeNumber(50, 1, 1_000_000),
  BULK_BURST: wholeNumber(10_000, 10_000, 100_000_000),
  BULK_FILE_MB: wholeNumber(64, 1, 4096),
  BULK_MAX_KEPT_MB: wholeNumber(4096, 1, 1_048_576),
  REFUSED_RATE: wholeNumber(1, 1, 1_000_000),
  REFUSED_BURST: wholeNumber(60, 1, 1_000_000),
  PUBLIC_URL: publicUrl,
  BULK_FILE_LINES: wholeNumber(2_000_000, 1, 1_000_000_000),
  BODY_TIMEOUT_SECONDS: wholeNumber(30, 1, 3600),
  UPLOAD_MIN_BYTES_PER_SECOND: wholeNumber(4096, 0, 1_000_000_000),
  MAX_CONNECTIONS: wholeNumber(10_000, 1, 1_000_000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1_000, 1, 1_000_000),
  EVENT_HEARTBEAT_SECONDS: wholeNumber(15, 1, 3600),
});

/**
 * Reads the configuration from environment variables.
 * @throws CovermapError `configuration_invalid`, naming every variable that is wrong
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as unset: compose and unit files leave variables out that way.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new CovermapError(
      'configuration_invalid',
      `The environment is not usable: ${problems.join('; ')}.`,
      'docs/administrator/configuration.md lists the variables.',
    );
  }
  const values = parsed.data;
  const dataDir = path.resolve(values.DATA_DIR ?? '.data');
  return {
    port: values.PORT,
    // The demo keys of the embedded database are public, so by default only this machine may connect.
    host: values.HOST ?? (values.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    uploadDir: path.resolve(values.UPLOAD_DIR ?? path.join(dataDir, 'uploads')),
    s3: values.S3_BUCKET
      ? {
          bucket: values.S3_BUCKET,
          endpoint: values.S3_ENDPOINT,
          region: values.S3_REGION ?? values.AWS_REGION ?? 'us-east-1',
        }
      : undefined,
    uploadLimitBytes: values.UPLOAD_LIMIT_MB * 1024 * 1024,
    providerQuotas: {
      openUploads: values.PROVIDER_MAX_UPLOADS,
      waitingSubmissions: values.PROVIDER_MAX_WAITING,
      storedBytes: values.PROVIDER_MAX_STORED_MB * 1024 * 1024,
    },
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    redisUrl: values.REDIS_URL,
    logLevel: values.LOG_LEVEL ?? 'info',
    serviceArea: values.SERVICE_AREA,
    keptVersions: values.KEPT_VERSIONS,
    publishBlocks: { lostPercent: values.PUBLISH_LOST_PERCENT, warnings: values.PUBLISH_BLOCKS },
    plausibility: {
      coveredPercent: values.HOLD_COVERED_PERCENT,
      clippedPercent: values.HOLD_OUTSIDE_PERCENT,
      droppedPercent: values.HOLD_DROPPED_PERCENT,
    },
    sweepSeconds: values.SWEEP_SECONDS,
    workerLostSeconds: values.WORKER_LOST_SECONDS,
    basemapStyleUrl: values.BASEMAP_STYLE_URL,
    readerMemoryMb: values.READER_MEMORY_MB,
    readerStalledSeconds: values.READER_STALLED_SECONDS,
    readerDeadlineMinutes: values.READER_DEADLINE_MINUTES,
    trustProxy: values.TRUST_PROXY,
    registryMaxNames: values.REGISTRY_MAX_NAMES,
    registryRate:
      values.REGISTRY_RATE === 0
        ? undefined
        : { perSecond: values.REGISTRY_RATE, burst: values.REGISTRY_BURST },
    releaseTime: values.RELEASE_TIME,
    rateLimit:
      values.RATE_LIMIT_PER_SECOND === 0
        ? undefined
        : { perSecond: values.RATE_LIMIT_PER_SECOND, burst: values.RATE_LIMIT_BURST },
    closeTime: values.CLOSE_TIME === 'off' ? undefined : values.CLOSE_TIME,
    confirmFromCents: values.CONFIRM_AMOUNTS_FROM * 100,
    invoiceIssuer: {
      name: values.INVOICE_ISSUER ?? 'covermap',
      address: values.INVOICE_ADDRESS ?? '',
      gstNumber: values.INVOICE_GST_NUMBER ?? '',
      payment: values.INVOICE_PAYMENT ?? '',
    },
    tileCacheBytes: values.TILE_CACHE_MB * 1024 * 1024,
    tileRate: { perSecond: values.TILE_RATE, burst: values.TILE_BURST },
    bulkRate: { perSecond: values.BULK_RATE, burst: values.BULK_BURST },
    bulkFileBytes: values.BULK_FILE_MB * 1024 * 1024,
    bulkKeptBytes: values.BULK_MAX_KEPT_MB * 1024 * 1024,
    refusedRate: { perSecond: values.REFUSED_RATE, burst: values.REFUSED_BURST },
    publicUrl: values.PUBLIC_URL,
    bulkFileLines: values.BULK_FILE_LINES,
    bodyTimeoutSeconds: values.BODY_TIMEOUT_SECONDS,
    uploadMinBytesPerSecond: values.UPLOAD_MIN_BYTES_PER_SECOND,
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    eventHeartbeatSeconds: values.EVENT_HEARTBEAT_SECONDS,
    mapLookupRate: { perSecond: values.MAP_LOOKUP_RATE, burst: values.MAP_LOOKUP_BURST },
  };
}
