import { isIP } from 'node:net';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { z } from 'zod';
import { originOf } from './web-origin.ts';

/* The variables that configure covermap. `npm run docs:config` makes docs/administrator/configuration.md. */

interface Variable<Schema extends z.ZodType> {
  schema: Schema;
  otherwise: string;
  help: string;
}

const million = 1_000_000;

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

const whole = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^\d+$/.test(value), { error: 'must be a whole number', abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** A variable: its schema, its default as the page shows it, and its effect. Links are those of the page. */
const variable =
  <Schema extends z.ZodType>(schema: Schema, otherwise: string) =>
  ([help = '']: TemplateStringsArray): Variable<Schema> => ({ schema, otherwise, help: help.trim() });

const integer = (fallback: number, min: number, max: number) =>
  variable(whole(min, max).prefault(String(fallback)), `${fallback}; ${min} to ${max}`);

function url(protocols: string[], example: string, otherwise: string) {
  // PostgreSQL's may have no host: a folder of sockets stands behind the `?`.
  const isOne = (value: string) =>
    protocols.some((protocol) => value.startsWith(`${protocol}://`)) &&
    URL.canParse(value.replace('@/', '@host/'));
  const escaped = 'with signs such as # and / in a password as %23 and %2F';
  const schema = text.refine((value) => value === undefined || isOne(value), {
    error: ({ input }) => `must look like ${example}${/@/.test(String(input)) ? `, ${escaped}` : ''}`,
  });
  return variable(schema, otherwise);
}

const databaseUrl = (otherwise: string) =>
  url(['postgres', 'postgresql'], 'postgres://user:password@host:5432/database', otherwise);

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

const addresses = (isOne: (text: string) => boolean, example: string) =>
  list('').refine((parts) => parts.every(isOne), `must be addresses or networks, as ${example}`);

/** The names are those of Express: loopback, linklocal (169.254.0.0/16, fe80::/10), uniquelocal (10.0.0.0/8, ...). */
const isProxy = (text: string) => ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isNetwork(text);

function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A network of everyone would let every caller choose its address.
  return (
    length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
  );
}

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
    (value) => value === undefined || originOf(value) !== undefined,
    'must look like https://coverage.example.nz, without a path',
  )
  .transform((value) => value && originOf(value));

/** An address, alone or behind a name. */
const sender = text.refine(
  (value) => value === undefined || /^[^\s<>@"]{1,64}@[^\s<>@"]{1,190}$/.test(bareAddress(value)),
  'must be an address as billing@example.nz, or Example Maps <billing@example.nz>',
);
function bareAddress(value: string): string {
  const at = value.indexOf('<');
  return at >= 0 && value.endsWith('>') ? value.slice(at + 1, -1) : value;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const logLevel = z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info');

export const variables = {
  Service: {
    PORT: integer(3000, 0, 65_535)`where to listen`,
    HOST: variable(text, '127.0.0.1 embedded, 0.0.0.0 on servers')`the address to listen at`,
    PUBLIC_URL: variable(origin, 'none: as each request says')`
      the address at which callers reach the service, such as \`https://coverage.example.nz\``,
    TRUST_PROXY: variable(addresses(isProxy, '10.0.0.1,192.168.0.0/16,loopback'), 'none')`
      proxies whose \`X-Forwarded-For\` is trusted: \`10.0.0.1,192.168.0.0/16,loopback\``,
    LOG_LEVEL: variable(logLevel, '`info`; `warn` for `npm start`')`
      trace, debug, info, warn, error, fatal, silent`,
    METRICS_NETWORKS: variable(addresses(isNetwork, '10.0.0.7,192.168.0.0/16'), 'none: this machine')`
      who else may read \`/metrics\`: \`10.0.0.7,192.168.0.0/16\``,
    METRICS_PORT: variable(whole(0, 65_535).optional(), 'none: off')`
      where a worker shows its metrics: on 127.0.0.1, or at \`HOST\` if \`METRICS_NETWORKS\` names any`,
  },
  Storage: {
    DATA_DIR: variable(text, '`.data`')`the embedded database, uploads, and counts not stored yet`,
    UPLOAD_DIR: variable(text, '`DATA_DIR/uploads`')`uploaded files`,
    S3_BUCKET: variable(text, 'none: `UPLOAD_DIR`')`
      a bucket in place of the folder; credentials as AWS's tools read them`,
    S3_ENDPOINT: url(['http', 'https'], 'https://s3.example.com', "AWS's")`where the bucket is`,
    S3_REGION: variable(text, '`AWS_REGION`, or `us-east-1`')`its region`,
    DATABASE_URL: databaseUrl('none: embedded')`\`postgres://...\`, with PostGIS`,
    DATABASE_READ_URL: databaseUrl('`DATABASE_URL`')`
      a [streaming replica](../scale.md#a-replica) for lookups`,
    REPLICA_MAX_LAG_SECONDS: integer(10, 5, 3600)`how old its answers may be; then lookups read the primary`,
    REDIS_URL: url(['redis', 'rediss'], 'redis://host:6379', 'none: the queue is in the database')`
      \`redis://...\``,
  },
  Coverage: {
    SERVICE_AREA: variable(serviceArea, '`-47.5,166.2,-34.2,178.6`')`
      south,west,north,east: positions outside are refused, coverage is clipped`,
    UPLOAD_LIMIT_MB: integer(2048, 1, 1_048_576)`the largest coverage file`,
    PROVIDER_MAX_UPLOADS: integer(20, 1, 100_000)`drafts per provider`,
    PROVIDER_MAX_WAITING: integer(100, 1, 100_000)`queued submissions per provider; unlimited for staff`,
    PROVIDER_MAX_STORED_MB: integer(102_400, 1, 1_073_741_824)`
      total size of a provider's files, stored or announced`,
    EXPORT_KEPT_DAYS: integer(7, 1, 365)`how long [exports](../operator/operator-page.md#exports) are kept`,
    EXPORT_MAX_STORED_MB: integer(10_240, 1, 1_073_741_824)`
      total size of the exports of a provider's coverage, by the provider and by staff each`,
    KEPT_VERSIONS: integer(3, 0, 1000)`superseded versions kept per scope`,
    PUBLISH_LOST_PERCENT: integer(20, 0, 100)`
      how much of a published scope's premises may be lost without review; of its area, where it has no premises`,
    PUBLISH_BLOCKS: variable(warningCodes, '`speeds_absent`')`
      warnings that prevent automatic publication; or \`none\``,
    // New Zealand's land is 17 % of the default service area.
    HOLD_COVERED_PERCENT: integer(25, 0, 100)`how much of the service area a file may cover without review`,
    HOLD_OUTSIDE_PERCENT: integer(10, 0, 100)`
      how much of a file's area may lie outside the service area without review`,
    HOLD_DROPPED_PERCENT: integer(10, 0, 100)`
      how many features, or how much of the area, may be dropped without review`,
    READER_MEMORY_MB: integer(1024, 256, 65_536)`memory of the process that reads a file, decoders included`,
    READER_DEADLINE_MINUTES: integer(60, 1, 10_080)`how long a file may take in all`,
    READER_STALLED_SECONDS: integer(120, 5, 3600)`how long a file may take without progress`,
    TERRAIN_DIR: variable(text, 'none: staff model')`
      elevation models, as \`npm run predict\` takes them, at every worker, and at APIs for the terrain on the map of the signal: [tower data](../operator/tower-data.md) is [modelled](administrator-guide.md#terrain) over them`,
    CLUTTER_DIR: variable(text, 'none')`
      land cover, where \`TERRAIN_DIR\` is: it [weakens the signal](../propagation.md#clutter) of receivers in it`,
    MODEL_MAX_TOWERS: integer(500, 1, 10_000)`a longer list of towers is left to staff`,
    MODEL_KEPT_DAYS: integer(60, 1, 3650)`
      how long a site that was worked out is kept for the next list that has it`,
    HOLD_UNKNOWN_TERRAIN_PERCENT: integer(50, 0, 100)`
      how much of the ground around the towers may be without terrain, or without a class of land cover, without review`,
    HOLD_GROWN_PERCENT: integer(300, 100, million)`
      how large modelled coverage may be beside the live one, without review`,
    NEARBY_METRES: integer(
      200,
      1,
      5000,
    )`how far from a position \`?nearby=1\` looks for the edge of an offer`,
    ADDRESS_FILE_MB: integer(
      4096,
      1,
      1_048_576,
    )`the largest file of [addresses](addresses.md) that staff upload`,
    SWEEP_SECONDS: integer(30, 1, 3600)`how often workers look for lost jobs`,
    WORKER_LOST_SECONDS: integer(20, 5, 3600)`after how long a silent worker is considered dead`,
    BASEMAP_STYLE_URL: url(['http', 'https'], 'https://tiles.example.com/style.json', 'none: built in')`
      the style of the maps on the pages`,
    BASEMAP_FILE: variable(text, 'none: coastline and towns')`
      a PMTiles archive of streets for the maps on the pages, at every API, served from there: [how to make one](administrator-guide.md#streets-on-the-maps)`,
  },
  'Rates and limits': {
    RATE_LIMIT_PER_SECOND: integer(2, 0, 100_000)`queries per key in a second; 0: unlimited`,
    RATE_LIMIT_BURST: integer(20, 1, million)`queries per key at once`,
    BULK_RATE: integer(50, 1, million)`positions in a customer's lists in a second`,
    BULK_BURST: integer(10_000, 10_000, 100 * million)`the same at once`,
    BULK_FILE_MB: integer(64, 1, 4096)`the largest file of positions`,
    BULK_FILE_LINES: integer(2 * million, 1, 1000 * million)`how many lines it may have`,
    BULK_MAX_KEPT_MB: integer(4096, 1, 1_048_576)`a customer's files of positions and their results`,
    TILE_RATE: integer(100, 1, million)`tiles per address in a second`,
    TILE_BURST: integer(1000, 1, million)`tiles per address at once`,
    PAGE_RATE: integer(100, 1, million)`
      pages, the files and settings that they load and the API's description, per address in a second`,
    // A page loads up to fifty files.
    PAGE_BURST: integer(1000, 100, million)`the same at once`,
    TILE_CACHE_MB: integer(64, 0, 65_536)`memory for tiles of the public map`,
    MAP_LOOKUP_RATE: integer(1, 1, million)`lookups of the public map per address in a second`,
    MAP_LOOKUP_BURST: integer(20, 1, million)`the same at once`,
    MAP_LOOKUPS_PER_DAY: integer(500, 1, million)`
      the same in a day of New Zealand, per IPv4 address or 64 bits of IPv6, and twenty times as many per 48 bits; each API process counts for itself`,
    ADDRESS_RATE: integer(20, 0, million)`searches for an address per key in a second; 0: unlimited`,
    ADDRESS_BURST: integer(200, 1, million)`the same at once`,
    ADDRESSES_PER_DAY: integer(100_000, 1, 1000 * million)`
      the same in a day of New Zealand; each API process counts for itself`,
    MAP_ADDRESS_RATE: integer(5, 1, million)`
      searches for an address on the public map, and by visitors of other sites, per address in a second`,
    MAP_ADDRESS_BURST: integer(50, 1, million)`the same at once`,
    MAP_ADDRESSES_PER_DAY: integer(3000, 1, million)`
      the same in a day of New Zealand, per IPv4 address or 64 bits of IPv6, and twenty times as many per 48 bits; each API process counts for itself`,
    REFUSED_RATE: integer(1, 1, million)`wrong keys and tokens per address in a second`,
    REFUSED_BURST: integer(60, 1, million)`the same at once`,
    BODY_TIMEOUT_SECONDS: integer(30, 1, 3600)`
      how long a request may take to arrive (uploads may take longer), and how long a client may take nothing of an answer`,
    UPLOAD_MIN_BYTES_PER_SECOND: integer(4096, 0, 1000 * million)`
      the slowest upload, over each \`BODY_TIMEOUT_SECONDS\`; a slower one ends with a 408`,
    MAX_CONNECTIONS: integer(10_000, 1, million)`connections at once`,
    MAX_CONNECTIONS_PER_ADDRESS: integer(1000, 1, million)`the same per address that is not a trusted proxy`,
    DRAIN_SECONDS: integer(0, 0, 300)`
      how long an API process that was told to stop still answers, so that proxies notice ([restarts](administrator-guide.md#restart-without-a-gap))`,
    EVENT_HEARTBEAT_SECONDS: integer(15, 1, 3600)`
      how often event streams send a sign of life and check their token`,
  },
  Registry: {
    REGISTRY_MAX_NAMES: integer(1000, 1, 100_000)`names in one request`,
    REGISTRY_RATE: integer(100, 0, million)`names per registrar in a second; 0: unlimited`,
    REGISTRY_BURST: integer(10_000, 1, 100 * million)`names per registrar at once`,
    RELEASE_TIME: variable(timeOfDay('00:00:00'), '`00:00:00`')`
      when release-domains runs daily, Pacific/Auckland`,
  },
  Billing: {
    CLOSE_TIME: variable(closeTime, '`06:00:00`')`
      when close-month runs on the first of a month, Pacific/Auckland; \`off\`: staff close by hand`,
    CONFIRM_AMOUNTS_FROM: integer(1000, 0, million)`dollars from which staff give an amount twice`,
    INVOICE_ISSUER: variable(text, '`covermap`')`
      who issues invoices, as printed. API processes record it, and the three below, at their start, for the invoices from then on; one with none of these variables leaves what is recorded: those that were issued [never change](billing-operations.md#where-a-figure-comes-from)`,
    INVOICE_ADDRESS: variable(text, 'none')`the address of the issuer`,
    INVOICE_GST_NUMBER: variable(text, 'none')`with it, invoices are tax invoices`,
    INVOICE_PAYMENT: variable(text, 'none')`how they are paid`,
  },
  'E-mail': {
    SMTP_URL: url(['smtp', 'smtps'], 'smtp://user:password@host:587', 'none: e-mails wait in the outbox')`
      the server through which workers send [e-mails](mail.md): \`smtp://user:password@host:587\`, \`smtps://\` for TLS from the first byte; \`?tls=off\` where it knows none`,
    MAIL_FROM: variable(sender, 'none; required with `SMTP_URL`')`
      who sends them: \`billing@example.nz\`, or \`Example Maps <billing@example.nz>\``,
  },
} as const;
