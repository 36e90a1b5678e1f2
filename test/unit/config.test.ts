import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { variables } from '../../platform/config-variables.ts';

/* The configuration out of environment variables. */

function problemOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    const hint = expect.stringContaining('docs/administrator/configuration.md');
    expect(error).toMatchObject({ code: 'configuration_invalid', hint });
    return (error as Error).message;
  }
  return 'none';
}

test('an empty environment gives an embedded service for this machine alone, in New Zealand', () => {
  const unset = {
    ...{ s3: undefined, databaseUrl: undefined, databaseReadUrl: undefined, redisUrl: undefined },
    ...{ terrainDir: undefined, clutterDir: undefined, basemapStyleUrl: undefined, basemapFile: undefined },
    ...{ publicUrl: undefined, metricsPort: undefined, invoiceIssuer: undefined },
  };
  // Whole numbers are in docs/administrator/configuration.md, which docs.test.ts holds against them.
  expect(readConfig({})).toMatchObject({
    ...unset,
    ...{ host: '127.0.0.1', dataDir: path.resolve('.data'), uploadDir: path.resolve('.data/uploads') },
    ...{ logLevel: 'info', trustProxy: [], metricsNetworks: [] },
    ...{ releaseTime: '00:00:00', closeTime: '06:00:00', publishBlocks: { warnings: ['speeds_absent'] } },
    serviceArea: { south: -47.5, west: 166.2, north: -34.2, east: 178.6 },
  });
});

const primary = 'postgres://covermap:secret@db:5432/covermap';
const replica = 'postgresql://covermap:secret@replica/covermap';
const style = 'https://tiles.example.com/style.json';
const proxies = ['loopback', '192.0.2.1', '2001:db8::/32'];
/** Whole numbers whose place has their name: KEPT_VERSIONS is keptVersions. */
const numbers = `
  PORT METRICS_PORT KEPT_VERSIONS REPLICA_MAX_LAG_SECONDS SWEEP_SECONDS WORKER_LOST_SECONDS READER_MEMORY_MB READER_STALLED_SECONDS
  READER_DEADLINE_MINUTES REGISTRY_MAX_NAMES MAP_LOOKUPS_PER_DAY ADDRESSES_PER_DAY MAP_ADDRESSES_PER_DAY NEARBY_METRES BULK_FILE_LINES BODY_TIMEOUT_SECONDS UPLOAD_MIN_BYTES_PER_SECOND
  MAX_CONNECTIONS MAX_CONNECTIONS_PER_ADDRESS EVENT_HEARTBEAT_SECONDS DRAIN_SECONDS`;
const camelCase = (name: string) =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** A variable with a value, its place in the configuration, and the value there. */
type Place = [variable: string, value: string, place: string, configured: unknown];
const places: Place[] = [
  ['HOST', '::1', 'host', '::1'],
  ['DATA_DIR', '/var/lib/covermap', 'dataDir', '/var/lib/covermap'],
  ['UPLOAD_DIR', '/mnt/uploads', 'uploadDir', '/mnt/uploads'],
  ['S3_BUCKET', 'coverage', 's3.bucket', 'coverage'],
  ['S3_ENDPOINT', 'https://s3.example.com', 's3.endpoint', 'https://s3.example.com'],
  ['S3_REGION', 'ap-southeast-2', 's3.region', 'ap-southeast-2'],
  ['UPLOAD_LIMIT_MB', '10', 'uploadLimitBytes', 10 * 1024 ** 2],
  ['PROVIDER_MAX_UPLOADS', '2', 'providerQuotas.openUploads', 2],
  ['PROVIDER_MAX_WAITING', '3', 'providerQuotas.waitingSubmissions', 3],
  ['PROVIDER_MAX_STORED_MB', '4', 'providerQuotas.storedBytes', 4 * 1024 ** 2],
  ['DATABASE_URL', primary, 'databaseUrl', primary],
  ['DATABASE_READ_URL', replica, 'databaseReadUrl', replica],
  ['REDIS_URL', 'rediss://queue:6379', 'redisUrl', 'rediss://queue:6379'],
  ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  ['SERVICE_AREA', '-44, 112, -10, 154', 'serviceArea', { south: -44, west: 112, north: -10, east: 154 }],
  ['PUBLISH_LOST_PERCENT', '5', 'publishBlocks.lostPercent', 5],
  ['PUBLISH_BLOCKS', 'none', 'publishBlocks.warnings', []],
  ['HOLD_COVERED_PERCENT', '40', 'plausibility.coveredPercent', 40],
  ['HOLD_OUTSIDE_PERCENT', '1', 'plausibility.clippedPercent', 1],
  ['HOLD_DROPPED_PERCENT', '100', 'plausibility.droppedPercent', 100],
  ['TERRAIN_DIR', '/srv/terrain', 'terrainDir', '/srv/terrain'],
  ['CLUTTER_DIR', '/srv/clutter', 'clutterDir', '/srv/clutter'],
  ['MODEL_MAX_TOWERS', '7', 'modelling.maxTowers', 7],
  ['MODEL_KEPT_DAYS', '9', 'modelling.keptDays', 9],
  ['HOLD_UNKNOWN_TERRAIN_PERCENT', '0', 'modelling.unknownPercent', 0],
  ['HOLD_GROWN_PERCENT', '150', 'modelling.grownPercent', 150],
  ['BASEMAP_STYLE_URL', style, 'basemapStyleUrl', style],
  ['TRUST_PROXY', proxies.join(', '), 'trustProxy', proxies],
  [
    'METRICS_NETWORKS',
    '192.0.2.7,10.0.0.1/32, ::1/128',
    'metricsNetworks',
    ['192.0.2.7', '10.0.0.1/32', '::1/128'],
  ],
  ['RELEASE_TIME', '03:30', 'releaseTime', '03:30:00'],
  ['TILE_CACHE_MB', '0', 'tileCacheBytes', 0],
  ['BULK_FILE_MB', '1', 'bulkFileBytes', 1024 ** 2],
  ['ADDRESS_FILE_MB', '1', 'addressFileBytes', 1024 ** 2],
  ['EXPORT_KEPT_DAYS', '3', 'exports.keptDays', 3],
  ['EXPORT_MAX_STORED_MB', '5', 'exports.keptBytes', 5 * 1024 ** 2],
  ['BULK_MAX_KEPT_MB', '2', 'bulkKeptBytes', 2 * 1024 ** 2],
  ['PUBLIC_URL', 'https://coverage.example.nz/', 'publicUrl', 'https://coverage.example.nz'],
  ['CLOSE_TIME', 'off', 'closeTime', undefined],
  ['CONFIRM_AMOUNTS_FROM', '250', 'confirmFromCents', 25_000],
  ['INVOICE_ISSUER', 'Maps Ltd', 'invoiceIssuer.name', 'Maps Ltd'],
  ['INVOICE_ADDRESS', '1 Queen Street, Auckland', 'invoiceIssuer.address', '1 Queen Street, Auckland'],
  ['INVOICE_GST_NUMBER', '123-456-789', 'invoiceIssuer.gstNumber', '123-456-789'],
  ['INVOICE_PAYMENT', 'To 01-0001-0000001-00', 'invoiceIssuer.payment', 'To 01-0001-0000001-00'],
  ['RATE_LIMIT_PER_SECOND', '5', 'rateLimit.perSecond', 5],
  ['RATE_LIMIT_BURST', '50', 'rateLimit.burst', 50],
  // Each with a value of its own, that all of them take.
  ...numbers
    .trim()
    .split(/\s+/)
    .map((name, i): Place => [name, `${256 + i}`, camelCase(name), 256 + i]),
  ...['REGISTRY', 'TILE', 'PAGE', 'MAP_LOOKUP', 'BULK', 'REFUSED', 'ADDRESS', 'MAP_ADDRESS'].flatMap(
    (name, i): Place[] => [
      [`${name}_RATE`, `${10 + i}`, `${camelCase(name)}Rate.perSecond`, 10 + i],
      [`${name}_BURST`, `${20_000 + i}`, `${camelCase(name)}Rate.burst`, 20_000 + i],
    ],
  ),
];

test('every variable has its place', () => {
  const expected: Record<string, unknown> = {};
  for (const [, , place, configured] of places) {
    const [name = '', inner] = place.split('.');
    expected[name] = inner ? { ...(expected[name] as object), [inner]: configured } : configured;
  }
  // Variables of other programs do no harm.
  expect(readConfig({ PATH: '/usr/bin', ...Object.fromEntries(places) })).toEqual(expected);
});

test('an empty variable means the same as none', () => {
  for (const name of Object.values(variables).flatMap((group) => Object.keys(group)))
    expect(readConfig({ [name]: '' }), name).toEqual(readConfig({}));
});

test('the region is that of S3_REGION, else that of AWS_REGION, else one of America', () => {
  const region = (AWS_REGION: string, S3_REGION?: string) =>
    readConfig({ S3_BUCKET: 'coverage', AWS_REGION, S3_REGION }).s3?.region;
  expect([region(''), region(' ')]).toEqual(['us-east-1', 'us-east-1']);
  expect([region('a'), region('a', 'b')]).toEqual(['a', 'b']);
});

test('directories begin where the process runs, and uploads go below the data unless they have one of their own', () => {
  expect(readConfig({ DATA_DIR: '/srv/covermap' }).uploadDir).toBe('/srv/covermap/uploads');
  const { dataDir, uploadDir } = readConfig({ DATA_DIR: 'data', UPLOAD_DIR: '../uploads' });
  expect([dataDir, uploadDir]).toEqual([path.resolve('data'), path.resolve('..', 'uploads')]);
});

test('with a database server the service listens to every machine, unless configured otherwise', () => {
  const DATABASE_URL = 'postgres://db/covermap';
  expect(readConfig({ DATABASE_URL }).host).toBe('0.0.0.0');
  expect(readConfig({ DATABASE_URL, HOST: '127.0.0.1' }).host).toBe('127.0.0.1');
});

const refused: Record<string, string[]> = {
  PORT: ['http', '-1', '65536', '80.5'],
  PUBLIC_URL: ['example.nz', 'ftp://example.nz', 'https://', 'https://example.nz/map'],
  DATABASE_URL: ['mysql://db/covermap', 'covermap', 'postgres://covermap:pa#ss@db/covermap'],
  // The second is a replica without a primary to fall back on.
  DATABASE_READ_URL: ['redis://db', 'postgres://replica/covermap'],
  REPLICA_MAX_LAG_SECONDS: ['4'],
  REDIS_URL: ['localhost:6379', 'redis://:pa/ss@localhost:6379'],
  LOG_LEVEL: ['loud'],
  SERVICE_AREA: [
    ...['New Zealand', '-47.5,166.2,-34.2', '-47.5,166.2,-34.2,178.6,0', '-47.5,166.2,,178.6'],
    ...['-34.2,166.2,-47.5,178.6', '-47.5,178.6,-34.2,166.2', '-91,166.2,-34.2,178.6'],
    ...['-47.5,166.2,91,178.6', '-47.5,-181,-34.2,178.6', '-47.5,166.2,-34.2,181'],
    ...['-40,170,-40,178', '-42,170,-40,170'],
  ],
  KEPT_VERSIONS: ['all', '1001'],
  READER_MEMORY_MB: ['255', '512MB'],
  READER_DEADLINE_MINUTES: ['0'],
  READER_STALLED_SECONDS: ['0'],
  TRUST_PROXY: ['true', '1', 'proxy.example', '10.0.0.1,10.0.0.0/33', '0.0.0.0/0', '::/129', '10.0.0.0/8/8'],
  METRICS_NETWORKS: ['loopback', '0.0.0.0/0'],
  METRICS_PORT: ['70000'],
  REGISTRY_MAX_NAMES: ['0'],
  REGISTRY_BURST: ['0'],
  BULK_BURST: ['9999'],
  TILE_RATE: ['0'],
  // On days when the clocks change, 02:30 is missing or comes twice.
  RELEASE_TIME: ['midnight', '24:00', '02:30:00'],
  RATE_LIMIT_PER_SECOND: ['none'],
  RATE_LIMIT_BURST: ['0'],
  CLOSE_TIME: ['never', '02:30'],
};
test.each(Object.entries(refused))('%s is refused by name where it is none', (name, values) => {
  for (const value of values) expect(problemOf({ [name]: value }), value).toContain(`${name} `);
});

test('a whole number is taken within the bounds that the page of variables tells', () => {
  const all = Object.values(variables).flatMap((section) => Object.entries<{ otherwise: string }>(section));
  const bounded = all.filter(([, { otherwise }]) => /; \d+ to \d+$/.test(otherwise));
  expect(bounded.length).toBeGreaterThan(30);
  for (const [name, { otherwise }] of bounded) {
    const [min = 0, max = 0] = otherwise.split('; ').at(-1)?.split(' to ').map(Number) ?? [];
    const isRefused = (value: number) =>
      problemOf({ [name]: `${value}` }).includes(`${name} must be between`);
    const beyond = [min - 1, max + 1].filter((value) => value >= 0);
    expect([min, max, ...beyond].filter(isRefused), name).toEqual(beyond);
  }
});

test('a rate of nothing a second is no limit', () => {
  expect(readConfig({ RATE_LIMIT_PER_SECOND: '0' }).rateLimit).toBeUndefined();
  expect(readConfig({ REGISTRY_RATE: '0' }).registryRate).toBeUndefined();
});

test('every variable that is wrong is named at once, without its password', () => {
  const wrong = { PORT: 'http', REDIS_URL: 'queue', DATABASE_URL: 'mysql://covermap:secret@db/covermap' };
  const message = problemOf(wrong);
  for (const name of Object.keys(wrong)) expect(message).toContain(`${name} must`);
  expect(message).not.toContain('secret');
});

test('the whole world can be the service area', () => {
  const world = { south: -90, west: -180, north: 90, east: 180 };
  expect(readConfig({ SERVICE_AREA: '-90,-180,90,180' }).serviceArea).toEqual(world);
});
