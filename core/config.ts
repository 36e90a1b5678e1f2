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

/** Above which shares, in percent, a file waits for a look. */
export interface Plausibility {
  /** Of the service area that is covered. New Zealand's land is 17 % of the default one. */
  coveredPercent: number;
  /** Of a file's area that lies outside the service area. */
  clippedPercent: number;
  /** Of a file's features, or of a layer's area, that is left out as something about it could not be used. */
  droppedPercent: number;
}

export interface Config {
  port: number;
  host: string;
  /** Where the embedded database and, unless `uploadDir` says otherwise, the uploaded files live. */
  dataDir: string;
  uploadDir: string;
  /** The bucket that keeps uploaded files in place of `uploadDir`; its credentials come the ways that AWS's tools know. */
  s3: { bucket: string; endpoint: string | undefined; region: string } | undefined;
  /** The largest file that is taken in. */
  uploadLimitBytes: number;
  /** What a provider may have here at once. */
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
  /** How many superseded versions of a provider's coverage with a technology are kept besides the published one. */
  keptVersions: number;
  /** What keeps a submission from publishing itself. */
  publishBlocks: {
    /** Percent of a published coverage's area that may be lost. */
    lostPercent: number;
    /** Codes of warnings. */
    warnings: string[];
  };
  /** What of a file is odd enough for somebody to look at it before it is published. */
  plausibility: Plausibility;
  /** How often work is looked for that the queue has lost, or could not be given. */
  sweepSeconds: number;
  /** After how long a silent worker is taken for dead, and its job given to another. */
  workerLostSeconds: number;
  /** The style of the maps on the pages, in place of the built-in one. */
  basemapStyleUrl: string | undefined;
  /** Of the process that reads an uploaded file: its heap, and what decoders take beside it. */
  readerMemoryMb: number;
  /** How long reading may get nothing done. */
  readerStalledSeconds: number;
  /** The longest a file may take to be read and loaded. */
  readerDeadlineMinutes: number;
  /** Proxies whose X-Forwarded-For is believed: addresses, networks, or the names that Express has for some. */
  trustProxy: string[];
  /** The most names in one request to the registry. */
  registryMaxNames: number;
  /** Names that a registrar may ask for: so many a second, and so many at once. Undefined: as many as it likes. */
  registryRate: Rate | undefined;
  /** When release-domains runs, as HH:MM:SS in Pacific/Auckland. */
  releaseTime: string;
  /** How often a key may ask: tokens that come in a second, and the most that are kept. Undefined: as often as it likes. */
  rateLimit: { perSecond: number; burst: number } | undefined;
  /** When close-month runs on the first of a month, as HH:MM:SS in Pacific/Auckland; undefined: staff close by hand. */
  closeTime: string | undefined;
  /** From this amount on, in cents, what staff book by hand has to be said twice. */
  confirmFromCents: number;
  /** Who sends invoices, as it is printed on them. */
  invoiceIssuer: { name: string; address: string; gstNumber: string; payment: string };
  /** How much of the public map's tiles is kept in memory. */
  tileCacheBytes: number;
  /** Tiles, and lookups of the public map, that an address may ask for: so many a second, and so many at once. */
  tileRate: Rate;
  mapLookupRate: Rate;
  /** Coordinates that a key may send in lists: so many a second, and so many at once. */
  bulkRate: Rate;
  /** The largest file of coordinates, and the most lines it may have. */
  bulkFileBytes: number;
  /** Of a customer's files of coordinates and their results. */
  bulkKeptBytes: number;
  /** Wrong keys and tokens that may come from an address: so many a second, and so many at once. */
  refusedRate: Rate;
  /** How this service is reached, as in https://coverage.example.nz; undefined: as each request says. */
  publicUrl: string | undefined;
  bulkFileLines: number;
  /** How long a request's body may take that is no upload, and over how long an upload's rate is measured. */
  bodyTimeoutSeconds: number;
  /** The lowest rate at which an upload may come in. */
  uploadMinBytesPerSecond: number;
  /** Connections of clients at once, in all and from one address that is no trusted proxy's. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** How often a stream of events says that it is alive, and whether who watches it still may is looked up. */
  eventHeartbeatSeconds: number;
}

const text = z
  .string()
  .optional()
  .transform((value) => (value?.trim() ? value.trim() : undefined));

const wholeNumber = (fallback: number, least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least).max(most))
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
  // A network of everyone would let every caller say who it is.
  return (
    length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
  );
}

/** Between 02:00 and 03:00 there is a day in the year without that time, and one that has it twice. */
const timeOfDay = (fallback: string) =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, 'must be a time of day as 00:00:00')
    .refine((value) => !value.startsWith('02:'), { message: 'must not be between 02:00 and 03:00' })
    .default(fallback)
    .transform((value) => (value.length === 5 ? `${value}:00` : value));

/** An origin: the paths of this service are its own. */
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
 * Reads the configuration from environment variables, once, at the start of a process.
 * @throws CovermapError `configuration_invalid`, naming every variable that is wrong
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable means the same as none: that is how compose files and unit files leave one out.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new CovermapError(
      'configuration_invalid',
      `The environment is not usable: ${problems.join('; ')}.`,
      'docs/configuration.md lists the variables.',
    );
  }
  const values = parsed.data;
  const dataDir = path.resolve(values.DATA_DIR ?? '.data');
  return {
    port: values.PORT,
    // The embedded database is for one person at one machine, and its demo keys are public: keep it to that machine.
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
