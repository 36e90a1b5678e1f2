import { zippedRectangle } from '@covermap/testing/shapes.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { serviceActor } from '../../access/actor.ts';
import { createKey } from '../../access/api-keys.ts';
import { type ApiServer, startApi } from '../../api/server.ts';
import { readRowGauges } from '../../api/service-metrics.ts';
import { closeMonth } from '../../billing/close.ts';
import { openWorkQueue } from '../../coverage/jobs/queue.ts';
import type { Database } from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { openServerDatabase } from '../../platform/database/server/server.ts';
import { createLogger } from '../../platform/logger.ts';
import { addMonths, monthOf, startOfMonth } from '../../platform/nz-time.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { releaseDomains } from '../../registry/release.ts';
import { startWorkers } from '../../workers/worker.ts';
import { importAddresses, listOf, madeStreet } from '../setup/address-lists.ts';
import { client, manifest } from '../setup/operator.ts';
import { runCommandToEnd } from '../setup/processes.ts';
import { readText } from '../setup/project.ts';
import { makePlace, type Place } from '../setup/service.ts';
import { makeDatabase } from '../setup/topology.ts';

/* With deploy/roles.sql and deploy/grants.sql API and workers do all of their work, and own nothing. */

describe.runIf(inject('backend').kind === 'server')('a database with roles', () => {
  let place: Place;
  let urlOf: (role: string) => string;
  let owner: Database;
  let worker: Database;
  let api: Database;
  let server: ApiServer;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    place = await makePlace();
    closing.push(() => place.remove());
    const { postgresUrl } = inject('backend') as { postgresUrl: string };
    urlOf = await makeDatabase(postgresUrl, `roles_${process.pid}`, closing);
    const openAs = async (role: string) => {
      const database = await openServerDatabase(urlOf(role));
      closing.unshift(() => database.close());
      return database;
    };
    owner = await openAs('covermap_owner');
    const logger = createLogger('silent');
    const storage = await openStorage(place.config);
    const start = async <P extends { close(): Promise<void> }>(
      role: string,
      run: (parts: Parameters<typeof startWorkers>[0]) => Promise<P>,
    ) => {
      const database = await openAs(role);
      await migrate(database);
      const config = { ...place.config, databaseUrl: urlOf(role) };
      const queue = openWorkQueue(config, database);
      const part = await run({ config, database, queue, storage, logger });
      closing.unshift(async () => {
        await part.close();
        await queue.close();
      });
      return { database, part };
    };
    ({ database: api, part: server } = await start('covermap_api', startApi));
    ({ database: worker } = await start('covermap_worker', startWorkers));
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  test('lets a worker publish coverage, look up files, release names and close months', async () => {
    const operator = await client(server.url, api, 'Kauri Fibre');
    for (const east of [175.1, 175.2]) {
      const file = await zippedRectangle(175, -40, east, -39.9);
      const { status, error } = await operator.handIn(file, { ...manifest, publish: 'auto' });
      expect([status, error]).toEqual(['published', null]);
    }
    const key = await createKey(api, 'Kea Homes');
    const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
    const jobs = `${server.url}/api/2.0/availability/jobs`;
    const sent = await fetch(jobs, { method: 'POST', headers, body: '-39.95,175.05\n-39.95,175.06\n' });
    const { id } = (await sent.json()) as { id: string };
    const job = async () => (await (await fetch(`${jobs}/${id}`, { headers })).json()) as object;
    await expect.poll(job, { timeout: 100_000 }).toMatchObject({ state: 'done', answered: 2 });
    const now = new Date();
    const month = monthOf(now);
    const after = startOfMonth(addMonths(month, 1));
    expect(await closeMonth(worker, month, serviceActor, after)).toMatchObject({ closed: true });
    await releaseDomains(worker, now, place.config.releaseTime);
  });
  test('lets a worker import addresses, and the same again', async () => {
    const parts = { config: place.config, database: worker };
    await importAddresses(parts, listOf(...madeStreet(5)));
    expect(await importAddresses(parts, listOf(...madeStreet(6)))).toMatchObject({
      changed: { added: 1, unchanged: 5 },
    });
  });
  test('lets a worker inspect an upload, whoever sent it', async () => {
    const operator = await client(server.url, api, 'Rimu Wireless');
    const { id } = await operator.upload(await zippedRectangle(175, -41, 175.1, -40.9));
    const file = () => operator.json<{ state: string }>(`/api/operator/files/${id}`);
    await expect.poll(file, { timeout: 60_000 }).toMatchObject({ state: 'inspected' });
  });
  test('keeps the worker from tokens, keys and the schema', async () => {
    for (const forbidden of [
      'create table t (a integer)',
      'create schema s',
      'drop table coverage',
      'alter table coverage add column a integer',
      'truncate coverage',
      'select token_sha256 from access_token',
      'select hint from access_token',
      'select from session',
      'select secret from service_secret',
      "insert into access_token (role) values ('staff')",
      'update api_key set revoked_at = null',
      'insert into customer (name) values (1)',
      'delete from schema_migration',
    ]) {
      await expect(worker.query(forbidden), forbidden).rejects.toThrow(/permission denied|must be owner/);
    }
    const { rows } = await owner.query(
      "select relname from pg_class where relowner in ('covermap_worker'::regrole, 'covermap_api'::regrole) and relpersistence <> 't'",
    );
    expect(rows).toEqual([]);
  });
  test('an API that may not read all that it needs says so, and ends', async () => {
    const env = { ...place.env, DATABASE_URL: urlOf('covermap_worker') };
    const output = expect.stringContaining('deploy/grants.sql');
    expect(await runCommandToEnd('api', [], env)).toMatchObject({ status: 4, output });
  });
  test('grants its rights again without a word', async () => {
    const said: unknown[] = [];
    const client = new pg.Client({ connectionString: urlOf('covermap_owner') });
    client.on('notice', ({ message }) => said.push(message));
    await client.connect();
    try {
      await client.query(readText('deploy/grants.sql'));
    } finally {
      await client.end();
    }
    expect(said).toEqual([]);
  });
  test('lets workers read the figures that they show', async () => {
    const written: Record<string, unknown> = {};
    for (const write of await readRowGauges(worker)())
      write((name, _, samples) => {
        written[name] = samples;
      });
    expect(written).toMatchObject({ usage_damaged_files: [[0]] });
    expect(written.work_waiting).toContainEqual([0, { kind: 'inspect' }]);
  });
  test('is brought up to date by its owner alone', async () => {
    const last = '(select max(number) from schema_migration)';
    await owner.query(`delete from schema_migration where number = ${last}`);
    await expect(migrate(worker)).rejects.toMatchObject({ code: 'schema_outdated' });
  });
});
