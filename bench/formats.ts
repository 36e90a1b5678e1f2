import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { readConfig } from '../core/config.ts';
import type { Connection } from '../core/database/database.ts';
import { normaliseBatch } from '../ingest/normalise.ts';
import type { ReferenceSystem } from '../ingest/reference-system.ts';
import { zip } from '../samples/zip.ts';
import type { PrivateServers } from '../test/setup/private-servers.ts';
import { type IngestResult, ingestOnce, median, number, print, timed } from './common.ts';
import { generateCoverage, generatePixels } from './generate.ts';

/*
 * Ingest from a file to rows, beside the usual tools: ogr2ogr (for a raster gdal_polygonize.py) into a plain table, then the statement
 * of ingest/normalise.ts over that table into one like `coverage` with its indexes. The peer's SQL takes so many features at a time, in
 * two sessions as covermap does; of two such numbers the faster counts.
 *
 * In the peer's favour: unpacked files, no foreign key, the attribute's number as the tier, no duplicates looked for, nothing dropped
 * one by one, compared or published. Against it: its SQL begins when all is read.
 */

const runs = 3;
const sessions = 2;
const polygons = { small: 20_000, large: 80_000, vertices: 97 };
const pixels = { small: 1000, large: 2500, metres: 50 };

const speedOfClass = [1, 2, 3, 4].map((value) => ({ value, speeds: { bandwidth_max_mbps: 100 * value } }));
const rasterManifest = { attributes: {}, classes: speedOfClass };

interface Case {
  title: string;
  small: string;
  large: string;
  manifest: object;
  system: ReferenceSystem;
  /** How many features the SQL takes at once, for the peer. */
  featuresAtOnce: [number, number];
  /** What takes it, unpacked, into a table of PostgreSQL. */
  load: (database: string) => [program: string, words: string[]];
  /** The table's columns; the attribute becomes the tier. */
  columns: { id: string; attribute: string; geom: string };
}

export async function benchFormats({ postgresUrl, redisUrl }: PrivateServers, folder: string): Promise<void> {
  if (!hasProgram('ogr2ogr') || !hasProgram('gdal_translate')) {
    print(
      'Left out: formats beside their peers, as ogr2ogr and gdal_translate are missing (Debian: gdal-bin).\n',
    );
    return;
  }
  const admin = new pg.Client(postgresUrl);
  await admin.connect();
  try {
    for (const one of await makeCases(path.join(folder, 'formats'))) {
      await benchCase(one, admin, postgresUrl, { DATA_DIR: folder, REDIS_URL: redisUrl });
    }
  } finally {
    await admin.end();
  }
}

async function benchCase(one: Case, admin: pg.Client, postgresUrl: string, env: Record<string, string>) {
  const own: IngestResult[] = [];
  const loading: number[] = [];
  const byStatements = new Map<number, number[]>(one.featuresAtOnce.map((count) => [count, []]));
  let peer: PeerResult = { rows: 0, areaKm2: 0 };
  const [peerProgram] = one.load(postgresUrl);
  const withPeer = hasProgram(peerProgram);
  const ingestIntoNew = async (size: 'small' | 'large', then: (url: string) => Promise<void>) => {
    const url = postgresUrl.replace(/\/postgres$/, '/formats');
    await admin.query('drop database if exists formats');
    await admin.query('create database formats');
    const result = await ingestOnce(one[size], { ...env, DATABASE_URL: url }, one.manifest);
    await then(url);
    return result;
  };
  for (let i = 0; i < runs; i++) {
    const result = await ingestIntoNew('large', async (url) => {
      if (!withPeer) return;
      await withClient(url, (client) => client.query('create schema peer'));
      loading.push(await timed(async () => run(...one.load(url))));
      for (const [count, times] of byStatements) {
        await withClient(url, (client) => client.query(peerTable));
        times.push(await timed(() => normalisePeer(url, one, count)));
        peer = await withClient(url, peerResult);
      }
    });
    own.push(result);
  }
  const first = own[0] as IngestResult;
  const seconds = median(own.map((result) => result.seconds));
  print(`Ingest of ${one.title} (median of ${runs})`);
  print(`  covermap, from file to published                     ${figure(seconds)} s`);
  if (withPeer) {
    const loaded = median(loading);
    const sums: number[] = [];
    for (const [count, times] of byStatements) {
      const sum = median(times.map((time, i) => time + (loading[i] as number)));
      sums.push(sum);
      const words = `${peerProgram}, then SQL, ${number(count)} at a time`;
      print(`  ${words.padEnd(52)} ${figure(sum)} s  (${figure(loaded)} s of it the program)`);
    }
    print(`  ratio to the faster of them                          ${figure(seconds / Math.min(...sums))}`);
    print(
      `  rows and km2: ${number(first.rows)} and ${number(first.areaKm2)}, peer's ${number(peer.rows)} and ${number(peer.areaKm2)}`,
    );
  } else {
    print(`  Not compared, as ${peerProgram} is missing (Debian: python3-gdal).`);
  }
  const peak = median(own.map(({ peakMb }) => peakMb));
  const smaller = await ingestIntoNew('small', async () => undefined);
  print(
    `  covermap's peak of memory, smaller and larger file   ${number(smaller.peakMb)} MB and ${number(peak)} MB\n`,
  );
}

async function makeCases(folder: string): Promise<Case[]> {
  const gdb = (size: 'small' | 'large') => path.join(folder, size, 'coverage.gdb');
  for (const size of ['small', 'large'] as const) {
    const inSize = path.join(folder, size);
    mkdirSync(inSize, { recursive: true });
    writeFileSync(path.join(inSize, 'shp.zip'), await generateCoverage(polygons[size], polygons.vertices));
    // GDAL reads the archive in place as well; taken out of it, the peer has less to do.
    run('unzip', ['-q', path.join(inSize, 'shp.zip'), '-d', inSize]);
    run('ogr2ogr', ['-f', 'OpenFileGDB', gdb(size), path.join(inSize, 'coverage.shp')]);
    const files = readdirSync(gdb(size)).map((name) => [
      `coverage.gdb/${name}`,
      readFileSync(path.join(gdb(size), name)),
    ]);
    writeFileSync(path.join(inSize, 'gdb.zip'), await zip(Object.fromEntries(files)));
    const width = pixels[size];
    const image = path.join(inSize, 'classes.pgm');
    writeFileSync(
      image,
      Buffer.concat([Buffer.from(`P5 ${width} ${width} 255\n`), generatePixels(width, width)]),
    );
    const [west, north] = [1_400_000, 5_550_000];
    const corners = [west, north, west + width * pixels.metres, north - width * pixels.metres].map(String);
    const options = ['-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-a_nodata', '0', '-a_srs', 'EPSG:2193'];
    run('gdal_translate', ['-q', ...options, '-a_ullr', ...corners, image, path.join(inSize, 'classes.tif')]);
    rmSync(image);
  }
  const million = (count: number) => number((count * polygons.vertices) / 1e6, 1);
  const vector = {
    manifest: {},
    system: { definition: 'EPSG:4326', projected: false, wgs84: true, name: '' },
    featuresAtOnce: [500, 2000] as [number, number],
    columns: { id: 'id', attribute: 'speed', geom: 'geom' },
  };
  const size = `${number(polygons.large)} polygons, ${million(polygons.large)} million vertices; the smaller ${number(polygons.small)}`;
  const intoPostgres = (file: string) => (url: string) =>
    [
      'ogr2ogr',
      [
        ...['--config', 'PG_USE_COPY', 'YES', '-f', 'PostgreSQL', gdalName(url), file, '-nln', 'peer.raw'],
        ...['-nlt', 'PROMOTE_TO_MULTI', '-lco', 'SPATIAL_INDEX=NONE', '-lco', 'UNLOGGED=ON'],
        ...['-lco', 'GEOMETRY_NAME=geom', '-lco', 'FID=id'],
      ],
    ] as [string, string[]];
  return [
    {
      ...vector,
      title: `a zipped shapefile of ${size}`,
      small: path.join(folder, 'small', 'shp.zip'),
      large: path.join(folder, 'large', 'shp.zip'),
      load: intoPostgres(path.join(folder, 'large', 'coverage.shp')),
    },
    {
      ...vector,
      title: `a zipped file geodatabase of ${size}`,
      small: path.join(folder, 'small', 'gdb.zip'),
      large: path.join(folder, 'large', 'gdb.zip'),
      load: intoPostgres(gdb('large')),
    },
    {
      title: `a GeoTIFF of ${pixels.large} x ${pixels.large} pixels of ${pixels.metres} m in 4 smooth classes and nodata, NZTM2000; the smaller ${pixels.small} x ${pixels.small}`,
      small: path.join(folder, 'small', 'classes.tif'),
      large: path.join(folder, 'large', 'classes.tif'),
      manifest: rasterManifest,
      system: { definition: 'EPSG:2193', projected: true, wgs84: false, name: '' },
      featuresAtOnce: [10, 100],
      load: (url) => {
        const file = path.join(folder, 'large', 'classes.tif');
        return ['gdal_polygonize.py', ['-q', file, '-of', 'PostgreSQL', gdalName(url), 'peer.raw', 'class']];
      },
      columns: { id: 'ogc_fid', attribute: 'class', geom: 'wkb_geometry' },
    },
  ];
}

const peerTable = `
  drop table if exists peer.coverage;
  create table peer.coverage (like public.coverage including all)`;

interface PeerResult {
  rows: number;
  areaKm2: number;
}

async function peerResult(client: pg.Client): Promise<PeerResult> {
  const { rows } = await client.query<PeerResult>(
    'select count(*)::integer as rows, sum(coverage_area_m2(geom)) / 1e6 as "areaKm2" from peer.coverage',
  );
  return rows[0] as PeerResult;
}

/** The normalising statement over the peer's table, so many features at a time. */
async function normalisePeer(url: string, { system, columns }: Case, atOnce: number): Promise<void> {
  const { id, attribute, geom } = columns;
  const { text, values } = await normalisingStatement(system);
  const max = await withClient(url, async (client) => {
    const { rows } = await client.query<{ max: number }>(`select max(${id})::integer as max from peer.raw`);
    return rows[0]?.max ?? 0;
  });
  let next = 0;
  const work = async (client: pg.Client) => {
    // As covermap's connections have it.
    await client.query(
      `set jit = off;
       set search_path = peer, public;
       create temporary view staging as
         select ${id} as feature, ${attribute}::integer as tier_id, false as repaired, ${geom} as geom
         from peer.raw
         where ${id} >= current_setting('bench.first')::integer and ${id} < current_setting('bench.past')::integer`,
    );
    while (next <= max) {
      const first = next;
      next += atOnce;
      await client.query(`set bench.first = ${first}; set bench.past = ${next}`);
      await client.query(text, values);
    }
  };
  await Promise.all(Array.from({ length: sessions }, () => withClient(url, work)));
}

/** What the normalising of a batch sends, caught on its way. */
async function normalisingStatement(system: ReferenceSystem): Promise<{ text: string; values: unknown[] }> {
  const sent: { text: string; values: unknown[] }[] = [];
  const nothing = { tier_id: null, outcomes: [], loaded: 0, repaired: 0, clipped: 0, box: null };
  const connection: Connection = {
    query: async (statement, values = []) => {
      const { text, values: own } = typeof statement === 'string' ? { text: statement, values } : statement;
      sent.push({ text, values: [...(own ?? values)] });
      return { rows: [nothing as never], rowCount: 1 };
    },
    copyFrom: async () => undefined,
  };
  const batch = {
    wkb: new Uint8Array(0),
    offsets: Uint32Array.of(0, 0),
    ids: Uint32Array.of(1),
    tierIds: Uint32Array.of(1),
    repaired: Uint8Array.of(0),
  };
  await normaliseBatch(connection, batch, system, readConfig({}).serviceArea);
  const statement = sent.find(({ text }) => text.includes('insert into coverage'));
  if (!statement) throw new Error('no normalising statement was sent');
  return statement;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function gdalName(url: string): string {
  const { hostname, port, username, pathname } = new URL(url);
  return `PG:host=${hostname} port=${port} user=${username} dbname=${pathname.slice(1)}`;
}

function hasProgram(name: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
}

function run(program: string, words: string[]): void {
  const env = { ...process.env, PG_USE_COPY: 'YES' };
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
}

function figure(value: number): string {
  return number(value, 2).padStart(6);
}
