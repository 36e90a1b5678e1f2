import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { queriesOf } from '../setup/billing.ts';
import { type Bucket, startBucket } from '../setup/bucket.ts';
import { type FlakyProxy, startFlakyProxy } from '../setup/flaky-proxy.ts';
import { type Client, client, manifest as reviewed } from '../setup/operator.ts';
import { type Command, endCommandProcesses, startCommand } from '../setup/processes.ts';
import { makePlace, type Place } from '../setup/service.ts';

/*
 * API and worker as processes that share nothing but PostgreSQL, Redis and a bucket. The embedded database is one
 * process by its nature, so this is for the half on servers.
 */

const onServers = inject('backend').kind === 'server';
const manifest = { ...reviewed, publish: 'auto' };

const scratch = scratchFolder();
let place: Place;
let bucket: Bucket;
let redis: FlakyProxy;
let database: Database;
let kauri: Client;
let api: Awaited<ReturnType<typeof startApiProcess>>;

/** The environment of a process with a folder of its own, which no other sees. */
function envApart(): Record<string, string> {
  const redisUrl = new URL(place.env.REDIS_URL as string);
  redisUrl.port = new URL(redis.url).port;
  return {
    ...place.env,
    ...bucket.env,
    DATA_DIR: mkdtempSync(path.join(scratch, 'apart-')),
    REDIS_URL: redisUrl.href,
    PORT: '0',
    SWEEP_SECONDS: '1',
    LOG_LEVEL: 'info',
  };
}

const startApiProcess = () => startCommand('api', envApart());
const startWorkerProcess = () => startCommand('worker', envApart());
async function stopsInOrder({ child, ended, output }: Command) {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output()).toMatch(/Stopped\.\n$/);
}

beforeAll(async () => {
  if (!onServers) return;
  place = await makePlace();
  bucket = await startBucket();
  redis = await startFlakyProxy(place.env.REDIS_URL as string);
  database = await place.open();
  api = await startApiProcess();
  kauri = await client(api.url, database, 'Kauri Fibre');
});
afterAll(async () => {
  endCommandProcesses();
  await redis?.close();
  await database?.close();
  await bucket?.stop();
  await place?.remove();
});

describe.runIf(onServers)('API and worker', () => {
  test('send a file from one process through the bucket to the other, and both tell how it goes', async () => {
    const other = await startApiProcess();
    const worker = await startWorkerProcess();
    const { id, links } = await kauri.sent(await zippedRectangle(174.7, -36.95, 174.75, -36.9), manifest);
    // The other API process, which has had no request yet, follows the submission to its end.
    const events = await fetch(`${other.url}${links.events}`, { headers: kauri.headers });
    const told = await events.text();
    expect(told).toMatch(/"status":"published"/);
    expect(told).toMatch(/event: end\ndata: \{\}\n\n$/);
    expect((await kauri.submission(id)).status).toBe('published');
    const key = await createKey(database, 'Customer');
    const answer = await fetch(`${other.url}/api/2.0/availability/-36.92/174.72`, {
      headers: { 'x-api-key': key },
    });
    const { results } = (await answer.json()) as { results: object[] };
    expect(results[0]).toMatchObject({ technology: 'fibre', availability: 'available' });
    expect(bucket.keys()).toHaveLength(1);
    for (const one of [other, worker]) await stopsInOrder(one);
    // Nor is a query lost that was answered right before.
    expect(await queriesOf(database, 'Customer')).toBe(1);
  });

  test('keep a file that comes while Redis is away, and send its job later', async () => {
    redis.cut();
    await stopsInOrder(await startWorkerProcess());
    const { id } = await kauri.sent(await zippedRectangle(174.8, -36.95, 174.85, -36.9), manifest);
    expect((await kauri.submission(id)).status).toBe('received');
    redis.mend();
    const worker = await startWorkerProcess();
    const done = await kauri.until(id, ({ finished }) => finished);
    // It loses most of the published area: the settings of tests allow that.
    expect(done.status).toBe('published');
    await stopsInOrder(worker);
  });
});
