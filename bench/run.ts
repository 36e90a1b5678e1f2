import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { open as openWithPackage } from 'shapefile';
import { readConfig } from '../core/config.ts';
import { openCatalog } from '../core/coverage/lookup/catalog.ts';
import { type Lookup, lookupIn } from '../core/coverage/lookup/lookup.ts';
import { openServerDatabase } from '../core/database/server/server.ts';
import { readerLimits, readFile } from '../ingest/reader.ts';
import { startPrivateServers } from '../test/setup/private-servers.ts';
import { endCommandProcesses } from '../test/setup/processes.ts';
import { findOrInstallServers } from '../test/setup/server-binaries.ts';
import { benchBulk } from './bulk.ts';
import { ingestOnce, median, number, print, timed } from './common.ts';
import { benchFormats } from './formats.ts';
import { generateCoverage, generatedArea } from './generate.ts';
import { benchMetering } from './metering.ts';
import { benchRegistry } from './registry.ts';
import { benchSmallFile, benchStart } from './small.ts';
import { benchTiles } from './tiles.ts';

// npm run bench: every figure beside a peer or a smaller case of the same run. Medians; ratios are what to compare.
// npm run bench -- formats (or small, registry, metering, tiles): one part alone.

const parts = ['small', 'formats', 'registry', 'metering', 'tiles'];
const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-bench-'));
const small = { features: 10_000, vertices: 97 };
const large = { features: 100_000, vertices: 97 };
const file = (size: typeof small) => path.join(folder, `${size.features}.zip`);

async function main(): Promise<void> {
  print(`${os.cpus().length} cores, Node ${process.version}\n`);
  const only = process.argv[2];
  if (only !== undefined && !parts.includes(only)) {
    throw new Error(`there is no part ${only}: name ${parts.join(', ')}, or none for all`);
  }
  if (!only) {
    for (const size of [small, large])
      writeFileSync(file(size), await generateCoverage(size.features, size.vertices));
    await benchReading();
    await benchIngest('embedded database', { DATA_DIR: path.join(folder, 'embedded') }, [small]);
  }
  if (!only || only === 'small') {
    await benchStart(folder);
    await benchSmallFile('small_file_embedded', { DATA_DIR: path.join(folder, 'small') });
  }
  const binaries = findOrInstallServers();
  if (typeof binaries === 'string') {
    print(`Left out, as there are no servers: ${binaries}`);
    return;
  }
  const servers = await startPrivateServers(binaries);
  try {
    if (!only || only === 'formats') await benchFormats(servers, folder);
    if (only === 'formats') return;
    const admin = new pg.Client(servers.postgresUrl);
    await admin.connect();
    await admin.query('create database bench');
    await admin.end();
    const databaseUrl = servers.postgresUrl.replace(/\/postgres$/, '/bench');
    const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, REDIS_URL: servers.redisUrl };
    if (!only || only === 'small') await benchSmallFile('small_file_server', env);
    if (!only) {
      await benchIngest('PostgreSQL and Redis', env, [small, large]);
      await benchLookups(databaseUrl);
    }
    if (!only || only === 'metering') await benchMetering(databaseUrl, env);
    if (!only || only === 'tiles') {
      await benchTiles(folder, databaseUrl, env);
      // Of the same polygons.
      await benchBulk(databaseUrl, env);
    }
    if (!only || only === 'registry') await benchRegistry(folder, databaseUrl, env, pgbenchPath());
  } finally {
    await servers.stop();
  }
}

/** The reader thread, whole, beside the `shapefile` package on the same files: neither has to unpack them. */
async function benchReading(): Promise<void> {
  print(`Reading ${number(large.features)} polygons of ${large.vertices} vertices (median of 5)`);
  const unpacked = path.join(folder, 'unpacked');
  const uncompressed = path.join(folder, 'uncompressed.zip');
  writeFileSync(uncompressed, await generateCoverage(large.features, large.vertices, false));
  spawnSync('unzip', ['-q', '-o', file(large), '-d', unpacked]);
  const compressed: number[] = [];
  const own: number[] = [];
  const peer: number[] = [];
  const limits = readerLimits(readConfig());
  for (let i = 0; i < 5; i++) {
    for (const [zip, times] of [
      [file(large), compressed],
      [uncompressed, own],
    ] as const) {
      times.push(
        await timed(async () => {
          const task = {
            kind: 'coverage' as const,
            file: zip,
            name: 'coverage.zip',
            options: { layers: undefined, classes: undefined, smoothing: false },
            rules: {
              technology: 'fibre',
              technologies: [{ name: 'fibre', label: 'Fibre' }],
              availability: 'available' as const,
              today: '2026-11-22',
              speeds: { bandwidth_up_max_mbps: 10 },
              attributes: { bandwidth_max_mbps: { field: 'SPEED', unit: 'mbps' as const } },
            },
          };
          for await (const _ of readFile(task, limits)) {
            // Messages are taken and nothing is done with them.
          }
        }),
      );
    }
    peer.push(
      await timed(async () => {
        const source = await openWithPackage(path.join(unpacked, 'coverage.shp'));
        while (!(await source.read()).done) {
          // As above.
        }
      }),
    );
  }
  print(`  covermap, in a process of its own, to WKB        ${number(median(own), 2)} s`);
  print(`  shapefile package, to GeoJSON objects            ${number(median(peer), 2)} s`);
  print(`  ratio ${number(median(own) / median(peer), 2)}`);
  print(`  covermap, from a compressed archive              ${number(median(compressed), 2)} s\n`);
}

async function benchIngest(title: string, env: Record<string, string>, sizes: (typeof small)[]) {
  print(`Ingest into the ${title}, from file to published`);
  for (const size of sizes) {
    const result = await ingestOnce(file(size), env);
    const { seconds, rows, features, idleMb, peakMb } = result;
    print(
      `  ${number(features).padStart(7)} polygons, ${number((features * size.vertices) / 1e6, 1).padStart(4)} million vertices: ${number(seconds, 1)} s, ` +
        `${number(features / seconds)} polygons/s, ${number(rows / seconds)} rows/s; peak ${number(peakMb)} MB, idle ${number(idleMb)} MB`,
    );
  }
  print('');
}

/** Lookups through the coalescing class, beside pgbench asking PostgreSQL one point a statement, prepared. */
async function benchLookups(databaseUrl: string): Promise<void> {
  print(`Lookups of random points, ${number(large.features)} polygons published (median of 3 runs of 5 s)`);
  const script = path.join(folder, 'lookup.sql');
  const { west, south, east, north } = generatedArea;
  writeFileSync(
    script,
    `\\set x random(${west * 1e6}, ${east * 1e6})\n\\set y random(${south * 1e6}, ${north * 1e6})\n` +
      'select distinct tier_id from coverage where st_intersects(geom, st_setsrid(st_makepoint(:x / 1000000.0, :y / 1000000.0), 4326));\n',
  );
  const database = await openServerDatabase(databaseUrl, { connections: 4 });
  const catalog = await openCatalog(database);
  const lookup = lookupIn(database, catalog);
  const own: number[] = [];
  const peer: number[] = [];
  for (let i = 0; i < 3; i++) {
    own.push(await lookupsPerSecond(lookup, 64, 5000));
    const words = ['-n', '-M', 'prepared', '-c', '8', '-j', '1', '-T', '5', '-f', script, databaseUrl];
    const pgbench = spawnSync(pgbenchPath(), words, { encoding: 'utf8' });
    peer.push(Number(/tps = ([\d.]+)/.exec(pgbench.stdout ?? '')?.[1] ?? Number.NaN));
  }
  const alone = await lookupsPerSecond(lookup, 1, 3000);
  await catalog.close();
  await database.close();
  print(`  covermap, 64 at once, in this process  ${number(median(own))} points/s`);
  print(`  pgbench, 8 connections, prepared       ${number(median(peer))} points/s`);
  print(`  ratio ${number(median(own) / median(peer), 2)}`);
  print(`  covermap, one at a time                ${number(alone)} points/s\n`);
}

async function lookupsPerSecond(lookup: Lookup, atOnce: number, ms: number): Promise<number> {
  const { west, south, east, north } = generatedArea;
  let answered = 0;
  const until = performance.now() + ms;
  const ask = async () => {
    while (performance.now() < until) {
      await lookup.at(south + Math.random() * (north - south), west + Math.random() * (east - west));
      answered++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return answered / (ms / 1000);
}

function pgbenchPath(): string {
  const binaries = findOrInstallServers();
  return typeof binaries === 'string' ? 'pgbench' : path.join(path.dirname(binaries.postgres), 'pgbench');
}

function cleanUp(): void {
  endCommandProcesses();
  rmSync(folder, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(1);
  });
}
try {
  await main();
} finally {
  cleanUp();
}
