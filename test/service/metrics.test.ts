import { randomUUID } from 'node:crypto';
import { globalAgent } from 'node:http';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { serveMetrics } from '../../commands/metrics-listener.ts';
import { steps } from '../../coverage/attempts.ts';
import { readFigures } from '../../coverage/jobs/figures.ts';
import type { Connection } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { createLogger } from '../../platform/logger.ts';
import { cachedRead } from '../../platform/metrics/cached-read.ts';
import { gate } from '../setup/gate.ts';
import { request } from '../setup/load.ts';
import { readScrape, sampleValue } from '../setup/metrics.ts';
import { useApi, useService } from '../setup/service.ts';

const service = await useService();

async function scrape(url = service.api.url) {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return readScrape(await response.text());
}

describe('GET /metrics', () => {
  test('says what the service did: lookups, files, jobs and requests by route', async () => {
    const before = await scrape();
    await service.ingest(await zippedRectangle(174.7, -36.95, 174.75, -36.9));
    await Promise.all(
      ['-36.92/174.72', '-36.93/174.73', '-36.94/174.74'].map((at) =>
        service.get(`/api/2.0/availability/${at}`),
      ),
    );
    const after = await scrape();
    const grown = (name: string, labels = {}) =>
      (sampleValue(after, name, labels) ?? 0) - (sampleValue(before, name, labels) ?? 0);
    expect(grown('covermap_lookup_statement_positions_sum')).toBe(3);
    expect(grown('covermap_lookup_statement_positions_count')).toBeLessThanOrEqual(3);
    expect(grown('covermap_lookup_statement_duration_seconds_count', { outcome: 'ok' })).toBeGreaterThan(0);
    const lookups = { route: '/api/2.0/availability/:lat/:lng', method: 'GET', status: '2xx' };
    expect(grown('http_request_duration_seconds_count', lookups)).toBe(3);
    const format = { format: 'ESRI Shapefile' };
    expect(grown('covermap_ingest_files_total', format)).toBe(1);
    expect(grown('covermap_ingest_features_total', format)).toBe(1);
    expect(grown('covermap_ingest_rows_total', format)).toBe(1);
    expect(grown('covermap_ingest_bytes_total', format)).toBeGreaterThan(100);
    for (const step of ['reading', 'loading', 'checking']) {
      expect(grown('covermap_ingest_step_seconds_total', { step }), step).toBeGreaterThan(0);
    }
    const loads = { kind: 'load', outcome: 'done' };
    expect(grown('covermap_job_duration_seconds_count', loads)).toBeGreaterThan(0);
  });

  test('says how the service is: rows, queue, catalog, pools, and the process', async () => {
    const { rows } = await service.database.query<{ version: number }>('select version from catalog');
    const samples = await scrape();
    const value = (name: string, labels?: Record<string, string>) => sampleValue(samples, name, labels);
    const figures: [name: string, labels: Record<string, string>, value: number | undefined][] = [
      ['covermap_database_up', {}, 1],
      ['covermap_queue_up', {}, 1],
      ['covermap_submissions', { state: 'failed' }, 0],
      ['covermap_catalog_version', {}, rows[0]?.version],
      ['covermap_usage_damaged_files', {}, 0],
      ...steps.flatMap((kind): typeof figures => [
        ['covermap_work_waiting', { kind }, 0],
        ['covermap_work_oldest_waiting_seconds', { kind }, 0],
        ['covermap_work_retrying', { kind }, 0],
        ['covermap_queue_jobs', { queue: kind, state: 'waiting' }, 0],
        ['covermap_queue_oldest_waiting_seconds', { queue: kind }, 0],
      ]),
    ];
    for (const [name, labels, expected] of figures)
      expect(value(name, labels), `${name} ${JSON.stringify(labels)}`).toBe(expected);
    expect(value('covermap_database_connections_max', { pool: 'main' })).toBeGreaterThan(0);
    expect(value('covermap_database_connections', { pool: 'main' })).toBeGreaterThanOrEqual(0);
    expect(value('covermap_database_waiting', { pool: 'main' })).toBeGreaterThanOrEqual(0);
    expect(value('covermap_usage_unstored_seconds')).toBeLessThan(60);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(value('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
  });

  /** The figures of work after statements that are undone then. */
  async function workAfter(...statements: Parameters<Connection['query']>[0][]) {
    const undone = new Error('as it was');
    let work: Awaited<ReturnType<typeof readFigures>>['work'] | undefined;
    const read = async (connection: Connection) => {
      for (const statement of statements) await connection.query(statement);
      work = (await readFigures(connection)).work;
      throw undone;
    };
    await expect(service.database.transaction(read)).rejects.toBe(undone);
    return work;
  }
  test('counts work that is tried again, and none that nobody wants any more', async () => {
    const [wanted, removed] = [randomUUID(), randomUUID()];
    const figures = async (failures: number, retryIn: string, id: string) => {
      const work = await workAfter(
        sql`
          insert into bulk_job (id, api_key_id, state, input_format, output_format, storage_key, size_bytes, entries, expires_at)
          select ${wanted}, min(id), 'queued', 'csv', 'csv', 'x', 1, 1, now() + interval '1 day' from api_key`,
        sql`
          insert into work (kind, id, failures, retry_at)
          values ('bulk-lookup', ${id}, ${failures}, clock_timestamp() + ${retryIn}::interval)`,
      );
      return work?.['bulk-lookup'];
    };
    expect(await figures(0, '5 seconds', wanted)).toMatchObject({ waiting: 1, retrying: 0 });
    expect(await figures(3, '5 seconds', wanted)).toMatchObject({ waiting: 1, retrying: 1 });
    expect(await figures(8, '7 days', wanted)).toMatchObject({ waiting: 0, oldestSeconds: 0, retrying: 1 });
    expect(await figures(3, '5 seconds', removed)).toMatchObject({ waiting: 1, retrying: 0 });
  });

  test('a version from a week ago waits to be restored since somebody decided on it', async () => {
    const work = await workAfter(`
      with d as (update dataset set state = 'restoring', superseded_at = now() - interval '7 days' returning *)
      insert into audit_event (actor_kind, actor_name, action, provider_id, dataset_id)
      select 'staff', 'Sam', 'dataset_rolled_back', provider_id, id from d`);
    expect(work?.rollback?.waiting).toBe(1);
    expect(work?.rollback?.oldestSeconds).toBeLessThan(86_400);
  });

  test('has no more series for more paths, methods and keys, and nothing that a caller wrote', async () => {
    const odd = async (turn: string) => {
      const ask = (path: string, init?: RequestInit) =>
        fetch(`${service.api.url}${path}`, init).then((one) => one.text());
      for (const path of [
        ...[`/marked-${turn}/x?api_key=marked-${turn}`, `/api/operator/marked-${turn}`],
        ...[`/api/staff/customers/marked-${turn}/keys/marked`, `/assets/marked-${turn}.js`],
      ])
        await ask(path);
      await ask(`/api/2.0/availability/marked-${turn}/marked`, { headers: { 'x-api-key': service.key } });
      for (const method of ['PROPFIND', turn === '1' ? 'MKCOL' : 'LOCK']) await ask('/healthz', { method });
    };
    await odd('1');
    const once = await scrape();
    await odd('2');
    const twice = await scrape();
    const series = (samples: typeof once) =>
      samples
        .filter(({ name }) => name.startsWith('http_'))
        .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
    const before = new Set(series(once));
    // The scrape before is itself a request.
    expect(series(twice).filter((one) => !before.has(one) && !one.includes('/metrics'))).toEqual([]);
    expect(JSON.stringify(twice)).not.toContain('marked');
    const requests = (labels: Record<string, string>) =>
      sampleValue(twice, 'http_request_duration_seconds_count', labels);
    expect(requests({ method: 'other' })).toBeGreaterThanOrEqual(4);
    expect(requests({ route: '/api/operator/*', status: '4xx' })).toBeGreaterThanOrEqual(2);
  });
});

describe('whoever may not read them', () => {
  const start = async (metricsNetworks: string[], trustProxy: string[] = []) => {
    const config = { ...service.config, metricsNetworks, trustProxy };
    const api = await useApi({ config }, service.database);
    return async (headers: Record<string, string> = {}) =>
      (await request(api.url, globalAgent, { path: '/metrics', headers })).status;
  };

  test('this machine reads, but neither through a proxy nor by another name', async () => {
    const status = await start([]);
    expect(await status()).toBe(200);
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      expect(await status({ [name]: '127.0.0.1' }), name).toBe(403);
    }
    expect(await status({ host: 'rebound.example' })).toBe(403);
  });

  test('a listed network reads, but a proxy in it does not read for others', async () => {
    const status = await start(['127.0.0.0/8', '2001:db8::/32']);
    expect(await status({ host: 'covermap.example' })).toBe(200);
    expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    expect(await status({ 'x-forwarded-for': '203.0.113.9' })).toBe(403);
  });

  test('behind a trusted proxy it is the named address that counts', async () => {
    const alone = ['10.3.0.1', '2001:db9::1'];
    const status = await start(['10.1.0.0/16', '2001:db8::/32', ...alone], ['loopback']);
    const named = (address: string) => status({ 'x-forwarded-for': address, host: 'covermap.example' });
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8:5::1', ...alone])
      expect(await named(address), address).toBe(200);
    const others = ['10.2.2.3', '203.0.113.9, 10.2.2.3', '10.1.2.3, 203.0.113.9', 'unknown'];
    for (const address of [...others, '10.3.0.2', '2001:db9::2'])
      expect(await named(address), address).toBe(403);
    expect(await status({ host: 'covermap.example' })).toBe(403);
  });
});

test('a process without an API has a listener of its own, which this machine may read', async () => {
  const { config, database, queue, storage } = service;
  const parts = { config, database, queue, storage };
  const application = { ...parts, logger: createLogger('silent'), close: async () => undefined };
  expect(await serveMetrics(application)).toBeUndefined();
  const listener = await serveMetrics({ ...application, config: { ...config, metricsPort: 0 } });
  if (!listener) throw new Error('there is no listener');
  try {
    const { port } = new URL(listener.url);
    const samples = readScrape(await (await fetch(listener.url)).text());
    expect(sampleValue(samples, 'covermap_database_up')).toBe(1);
    expect(sampleValue(samples, 'covermap_work_waiting', { kind: 'load' })).toBe(0);
    const status = async (path: string, init?: RequestInit) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, init)).status;
    expect(await status('/')).toBe(404);
    expect(await status('/metrics', { method: 'POST' })).toBe(405);
    expect(await status('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe(403);
    const refused = (changes: object) => {
      const changed = { ...config, metricsPort: Number(port), ...changes };
      return serveMetrics({ ...application, config: changed }).catch(String);
    };
    expect(await refused({})).toMatch(`Port ${port} on 127.0.0.1 is taken by another program.`);
    // An address of no machine.
    expect(await refused({ host: '192.0.2.1', metricsNetworks: ['192.0.2.0/24'] })).toMatch(
      'cannot be used: listen EADDRNOTAVAIL',
    );
  } finally {
    await listener.close();
  }
});

test('a database and a queue that are away are said, at once, and are no error', async () => {
  const away = () => Promise.reject(new Error('away'));
  const database = { ...service.database, kind: service.database.kind } as typeof service.database;
  database.query = away;
  database.poolUse = () => service.database.poolUse();
  const { serviceMetrics } = await import('../../platform/metrics/service.ts');
  const { readRowGauges } = await import('../../api/service-metrics.ts');
  const metrics = serviceMetrics({
    ...{ readRows: readRowGauges(database), queue: { figures: away }, pools: { main: service.database } },
  });
  const samples = readScrape(await metrics());
  expect(sampleValue(samples, 'covermap_database_up')).toBe(0);
  expect(sampleValue(samples, 'covermap_queue_up')).toBe(0);
  expect(sampleValue(samples, 'covermap_submissions')).toBeUndefined();
  expect(sampleValue(samples, 'covermap_usage_damaged_files')).toBeUndefined();
  expect(sampleValue(samples, 'process_cpu_seconds_total')).toBeGreaterThan(0);
});

describe('a figure that is read seldom', () => {
  test('is shared by all who ask at once, and kept for a while', async () => {
    let clock = 0;
    let reads = 0;
    const figure = cachedRead(async () => ++reads, { everyMs: 10, timeoutMs: 1_000, now: () => clock });
    expect(await Promise.all([figure(), figure()])).toEqual([1, 1]);
    clock = 9;
    expect(await figure()).toBe(1);
    clock = 10;
    expect(await figure()).toBe(2);
  });
  test('is absent where it is late or fails, and a late read is not begun twice', async () => {
    let reads = 0;
    const late = gate();
    const read = async () => {
      reads++;
      await late.opened;
      return 7;
    };
    const figure = cachedRead(read, { everyMs: 60_000, timeoutMs: 1 });
    expect(await figure()).toBeUndefined();
    expect(await figure()).toBeUndefined();
    expect(reads).toBe(1);
    late.open();
    await new Promise(setImmediate);
    expect(await figure()).toBe(7);
    const failing = cachedRead(() => Promise.reject(new Error('away')), { everyMs: 1, timeoutMs: 1_000 });
    expect(await failing()).toBeUndefined();
  });
});
