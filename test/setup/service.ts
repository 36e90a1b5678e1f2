import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '@covermap/testing/scratch.ts';
import { afterAll, expect, inject } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { type RateLimit, unlimited } from '../../access/rate-limit/rate-limit.ts';
import type { ApiParts } from '../../api/context.ts';
import { type ApiServer, startApi } from '../../api/server.ts';
import type { Availability, BulkAnswer } from '../../client/schema.ts';
import { type FollowedSubmission, submitAndFollow } from '../../commands/submit.ts';
import { openWorkQueue } from '../../coverage/jobs/queue.ts';
import { type ManifestInput, parseManifest } from '../../coverage/submissions/manifest.ts';
import { submitLocalFile } from '../../coverage/submissions/submit.ts';
import { pathProfiles } from '../../ingest/towers/path-profiles.ts';
import { speedTrials } from '../../ingest/towers/speed-trials.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { openEmbeddedDatabase } from '../../platform/database/embedded/embedded.ts';
import { inMemory } from '../../platform/database/embedded/messages.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { startWorkers } from '../../workers/worker.ts';
import type { Backend } from './embedded-half.ts';
import { administer } from './private-servers.ts';
import { publishFreely, testConfig, withoutTerms } from './test-config.ts';

/** An empty, migrated database and a folder for tests alone. `remove` deletes both. */
export interface Place {
  config: Config;
  /** The environment of processes that use the place. */
  env: Record<string, string>;
  open(): Promise<Database>;
  remove(): Promise<void>;
}

export interface PlaceOptions {
  /** Other processes are to open it, too. */
  onDisk?: boolean;
  /** Where the half runs on servers, an embedded database is made as at a first start. */
  kind?: Backend['kind'];
}

/** On the database that the half of the suite runs on, unless `kind` says otherwise. */
export async function makePlace(changes: Partial<Config> = {}, { onDisk = false, kind }: PlaceOptions = {}) {
  const backend = inject('backend');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-test-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const base = { dataDir: folder, uploadDir: path.join(folder, 'uploads'), ...changes };
  const common: Record<string, string> = { DATA_DIR: folder, ...publishFreely, ...withoutTerms };
  if (backend.kind === 'embedded' || kind === 'embedded') {
    const config = testConfig(base);
    const archive = backend.kind === 'embedded' ? backend.archive : undefined;
    if (archive && onDisk) {
      const data = path.join(folder, 'postgres');
      mkdirSync(data);
      spawnSync('tar', ['-xf', archive, '-C', data]);
      writeFileSync(path.join(folder, 'postgres.complete'), '');
    }
    return {
      config,
      env: common,
      async open() {
        if (archive && !onDisk) return openEmbeddedDatabase(inMemory, { template: async () => archive });
        const database = await openDatabase(config);
        await migrate(database);
        return database;
      },
      remove: async () => removeFolder(),
    };
  }
  const name = `test_${process.pid}_${path.basename(folder).slice(-6).toLowerCase()}`;
  await administer(backend.postgresUrl, `create database "${name}" template ${backend.template}`);
  const databaseUrl = backend.postgresUrl.replace(/\/postgres$/, `/${name}`);
  // Each place has a database of the Redis server to itself.
  const { rows } = await administer(backend.postgresUrl, `select nextval('places')`);
  const redisUrl = `${backend.redisUrl}/${rows[0].nextval}`;
  const config = testConfig({ ...base, databaseUrl, redisUrl });
  return {
    config,
    env: { ...common, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    open: () => openDatabase(config),
    async remove() {
      await administer(backend.postgresUrl, `drop database "${name}" with (force)`);
      removeFolder();
    },
  };
}

/** A place for the test that asks for it, or else for its file. */
export async function usePlace(...given: Parameters<typeof makePlace>): Promise<Place> {
  const place = await makePlace(...given);
  atEnd(() => place.remove());
  return place;
}

/** The same, with its database open. */
export async function useDatabase(...given: Parameters<typeof makePlace>) {
  const place = await usePlace(...given);
  const database = await place.open();
  atEnd(() => database.close());
  return { place, database };
}

/** As `useDatabase`, for a file whose tests may all be skipped: nothing is opened then, as such a file has no end. */
export const useDatabaseIf = async (isAsked: boolean) =>
  (isAsked ? await useDatabase() : {}) as Awaited<ReturnType<typeof useDatabase>>;

/** The values of NDJSON. */
export const parsedLines = <T>(text: string): T[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Expects an error in the shape of versions 1.0 and 2.0. */
export async function expectError(response: Response, status: number, error: unknown = expect.any(String)) {
  expect([response.status, await response.json()]).toEqual([status, { code: status, error }]);
}

/** The parts that API and workers are started with. */
const openParts = async (config: Config, database: Database, logger = createLogger(config.logLevel)) => ({
  ...{ config, database, logger, queue: openWorkQueue(config, database), storage: await openStorage(config) },
});

/** The same, for all tests of a file. */
export async function useParts({ config }: { config: Config }, database: Database, logger?: Logger) {
  const parts = await openParts(config, database, logger);
  atEnd(() => parts.queue.close());
  return parts;
}

/** A rate limit that refuses nothing, and counts requests that have passed all checks. */
export function countingLimit(): RateLimit & { untilTaken(count: number): Promise<void> } {
  let taken = 0;
  return {
    ...unlimited,
    // An unlimited rate would never be asked.
    rate: { perSecond: 1000, burst: 1000 },
    take: () => {
      taken++;
      return { allowed: true, remaining: 1000, retryMs: 0, fullMs: 0 };
    },
    async untilTaken(count) {
      while (taken < count) await sleep(5);
    },
  };
}

/** The API alone in this process, on a place's database. */
export async function startApiAlone(
  { config }: { config: Config },
  database: Database,
  logger?: Logger,
  parts?: ApiParts,
): Promise<ApiServer> {
  const opened = await openParts(config, database, logger);
  const api = await startApi(opened, parts);
  return { url: api.url, close: () => api.close().then(() => opened.queue.close()) };
}

/** The API alone for the test that asks for it, or else for its file. */
export async function useApi(...given: Parameters<typeof startApiAlone>): Promise<ApiServer> {
  const api = await startApiAlone(...given);
  atEnd(() => api.close());
  return api;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** The whole service in this process, as `npm start` runs it, on a place of its own. */
export async function startService(
  changes: Partial<Config> = {},
  makeParts: (config: Config) => Promise<ApiParts> = async () => ({}),
) {
  const place = await makePlace(changes);
  const { config } = place;
  const database = await place.open();
  const opened = await openParts(config, database);
  const parts = {
    ...(await makeParts(config)),
    pathProfile: pathProfiles(config, opened.storage),
    trySpeeds: speedTrials(config, opened.storage, database),
  };
  const api = await startApi(opened, parts);
  const workers = await startWorkers(opened);
  const key = await createKey(database, 'Test customer');
  // Lookups go on past the free queries: most tests are not about plans.
  await database.query('update customer set overage_allowed = true');
  /** GET with a path, and the key in the header unless headers say otherwise. */
  const get = (address: string, headers: Record<string, string> = { 'x-api-key': key }) =>
    fetch(`${api.url}${address}`, { headers });
  return {
    ...{ ...opened, api, key, get },
    /** The answer of version 2.0. */
    async at(lat: number | string, lng: number | string) {
      const response = await get(`/api/2.0/availability/${lat}/${lng}`);
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as Availability;
    },
    /** The answers of version 2.0 to many positions, as one list. */
    async atAll(positions: readonly (readonly [lat: number | string, lng: number | string])[]) {
      const response = await fetch(`${api.url}/api/2.0/availability/bulk`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(positions),
      });
      const lines = await response.text();
      if (response.status !== 200) throw new Error(`${response.status}: ${lines}`);
      return parsedLines<BulkAnswer & Availability>(lines);
    },
    /** Submits a file and waits for the end of the work on it. */
    async ingest(file: TestFile, manifest: Partial<ManifestInput> = {}): Promise<FollowedSubmission> {
      const application = { ...opened, close: async () => {} };
      const described = parseManifest(await withAddress(database, { ...defaultManifest, ...manifest }));
      let last: FollowedSubmission | undefined;
      for await (const submission of submitAndFollow(application, writtenIn(place, file), described))
        last = submission;
      return last as FollowedSubmission;
    },
    async stop() {
      await workers.close();
      await api.close();
      await opened.queue.close();
      await database.close();
      await place.remove();
    },
  };
}

/** The whole service for all tests of a file. */
export async function useService(...given: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...given);
  afterAll(() => service.stop());
  return service;
}

/** A provider with any web address, as a new one needs one. */
export function providerNamed(name: string): { name: string; url: string } {
  return { name, url: 'https://provider.example/' };
}

/** Adds any web address to a manifest's provider, as a new one needs one. */
async function withAddress(database: Database, manifest: ManifestInput): Promise<ManifestInput> {
  const given = manifest.provider;
  const provider = typeof given === 'string' ? { name: given } : given;
  if (provider.url !== undefined) return manifest;
  const named = 'select from provider where lower(name) = lower($1)';
  const { rowCount } = await database.query(named, [provider.name]);
  return rowCount > 0
    ? manifest
    : { ...manifest, provider: { ...provider, ...providerNamed(provider.name) } };
}

export const defaultManifest: ManifestInput = {
  provider: 'Test Networks',
  technology: 'fibre',
  speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 },
  publish: 'auto',
};

export interface TestFile {
  name: string;
  bytes: Uint8Array;
}

function writtenIn({ config }: Pick<Place, 'config'>, { name, bytes }: TestFile) {
  const file = path.join(config.dataDir, `in-${path.basename(name)}`);
  writeFileSync(file, bytes);
  return { path: file, name };
}

/** Receives a file of a provider, and sends no job for it. @returns the submission's id */
export async function submitFile(
  place: Place,
  database: Database,
  provider: string,
  file: TestFile,
  manifest: Partial<ManifestInput> = {},
): Promise<string> {
  const described = parseManifest({ ...defaultManifest, provider: providerNamed(provider), ...manifest });
  const storage = await openStorage(place.config);
  return (await submitLocalFile(database, storage, writtenIn(place, file), described)).id;
}
