import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKey, revokeKey } from '../../access/api-keys.ts';
import { type ApiServer, startApi } from '../../api/server.ts';
import type { BulkAnswer, BulkJob } from '../../client/schema.ts';
import { waitingRows } from '../../coverage/jobs/waiting.ts';
import { expiredBulkJobs, failBulkJob, removeBulkJob } from '../../coverage/lookup/bulk/jobs.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { bulkLookup } from '../../workers/bulk-lookup.ts';
import { delegate, queriesOf as queriesOfCustomer } from '../setup/billing.ts';
import { gate } from '../setup/gate.ts';
import { openSocket } from '../setup/raw-request.ts';
import { expectError, parsedLines, useService } from '../setup/service.ts';
import { textOf } from '../setup/statement.ts';

/* Files of coordinates that are looked up by a worker, as docs/user/bulk.md says. */

const service = await useService({ rateLimit: undefined, bulkFileBytes: 2_000_000, sweepSeconds: 3600 });
await service.ingest(await zippedRectangle(175, -40, 176, -39), { provider: 'Kauri Fibre' });
const { storage } = service;
/** A queue that sends no jobs. */
const queue = { ...service.queue, send: async () => undefined };
/** The same service without a worker that takes its jobs. */
const unworked = await startApi({ ...service, queue });
afterAll(() => unworked?.close());

const base = '/api/2.0/availability/jobs';
const call = (path: string, options: RequestInit & { key?: string; at?: ApiServer } = {}) =>
  fetch(`${(options.at ?? service.api).url}${path}`, {
    ...options,
    headers: { 'x-api-key': options.key ?? service.key, ...options.headers },
  });
const ofCsv = { 'content-type': 'text/csv' };
const send = (
  body: string,
  headers: Record<string, string> = {},
  { query = '', ...options }: { at?: ApiServer; key?: string; query?: string } = {},
) => call(base + query, { method: 'POST', body, headers: { ...ofCsv, ...headers }, ...options });
const shown = async (id: string, key = service.key) =>
  (await (await call(`${base}/${id}`, { key })).json()) as BulkJob;
const done = async (id: string, key = service.key) => {
  const hasEnded = async () => /done|failed/.test((await shown(id, key)).state);
  await expect.poll(hasEnded, { timeout: 100_000, interval: 50 }).toBe(true);
  return shown(id, key);
};
/** Sends a file. @returns its job */
const sent = async (...given: Parameters<typeof send>) => (await (await send(...given)).json()) as BulkJob;
const remove = (id: string, key = service.key) => call(`${base}/${id}`, { key, method: 'DELETE' });
/** A storage that does something once it has stored a file. */
const storageThat = (does: () => unknown): Storage => ({
  ...storage,
  async store(...words) {
    const file = await storage.store(...words);
    await does();
    return file;
  },
});
const queriesOf = (customer: string) => queriesOfCustomer(service.database, customer);
const coordinates = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `${i}`, lat: `${-39.5 - (i % 100) / 100}`, lng: '175.5' }));
const csv = (count: number) =>
  ['id,lat,lng', ...coordinates(count).map((one) => Object.values(one).join())].join('\n');
/** A key of a customer without a plan to whom staff allow overage. */
const keyOf = async (customer: string) => {
  const key = await createKey(service.database, customer);
  await service.database.query('update customer set overage_allowed = true');
  return key;
};
const partsOf = async (id: string) =>
  (await service.database.query('select from bulk_job_part where job_id = $1', [id])).rows.length;
const stored = () => readdirSync(service.config.uploadDir).length;

test('a file is submitted, looked up and counted once, and its result is that of a list', async () => {
  const key = await keyOf('Of files');
  const files = stored();
  const body = `${csv(2_500)}\nbad,x,y\n`;
  const response = await send(body, {}, { key });
  expect(response.status).toBe(202);
  const job = (await response.json()) as BulkJob;
  expect(response.headers.get('location')).toBe(`${base}/${job.id}`);
  expect(job).toMatchObject({ error: null, links: { self: `${base}/${job.id}` } });
  const ended = await done(job.id, key);
  expect(ended).toMatchObject({ state: 'done', percent: 100, coordinates: 2_501, answered: 2_500 });
  const hours = (Date.parse(ended.expires_at as string) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThanOrEqual(24);
  expect(await queriesOf('Of files')).toBe(2_500);

  const result = await call(ended.links.result as string, { key });
  expect(result.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const answers = parsedLines<BulkAnswer>(await result.text());
  expect(answers.map(({ id }) => id)).toEqual([...coordinates(2_500).map(({ id }) => id), 'bad']);
  expect(answers.at(-1)?.error).toEqual({ code: 400, error: 'The given coordinates are not valid.' });
  const list = { method: 'POST', body: csv(200), headers: ofCsv };
  const bulk = await call('/api/2.0/availability/bulk', list);
  expect(answers.slice(0, 200)).toEqual(parsedLines(await bulk.text()));

  // Any key of its customer asks for it.
  const another = await keyOf('Of files');
  expect((await call(`${base}/${job.id}`, { key: another })).status).toBe(200);

  expect((await remove(job.id, key)).status).toBe(204);
  expect((await call(`${base}/${job.id}`, { key })).status).toBe(404);
  expect(stored()).toBe(files);
  expect(await queriesOf('Of files')).toBe(2_500);
});

test.each([
  ['application/json', (text: string) => JSON.parse(text).length],
  ['text/csv', (text: string) => text.trimEnd().split('\r\n').length - 1],
])('the result is whole as %s', async (accept, entries) => {
  const ndjson = coordinates(2_100).map((one) => JSON.stringify(one));
  const { id } = await sent(ndjson.join('\n'), { accept, 'content-type': 'application/x-ndjson' });
  const { links } = await done(id);
  const result = await call(links.result as string);
  const text = await result.text();
  expect(Number(result.headers.get('content-length'))).toBe(Buffer.byteLength(text));
  expect(entries(text)).toBe(accept === 'text/csv' ? 5 * 2_100 : 2_100);
  await remove(id);
});

describe('a worker that ends on its way', () => {
  /** Does the work as a worker would, with a storage or a database that fails in a way of its own. */
  const run = async (
    id: string,
    parts: { storage?: Storage; database?: Database; stopping?: AbortSignal } = {},
  ) => {
    const { stopping = new AbortController().signal, ...others } = parts;
    await bulkLookup({ ...service, ...others }).work(id, stopping);
  };
  const begin = async (customer: string) => {
    const key = await keyOf(customer);
    const files = stored();
    return { key, files, id: (await sent(csv(3_500), {}, { at: unworked, key })).id };
  };
  const finished = async (id: string, key: string, customer: string) => {
    await run(id);
    const text = await (await call(`${base}/${id}/result`, { key })).text();
    const ids = parsedLines<BulkAnswer>(text).map((entry) => entry.id);
    expect(ids).toEqual(coordinates(3_500).map(({ id: name }) => name));
    expect(await queriesOf(customer)).toBe(3_500);
    // A queue that has not recorded the end hands the job out again.
    await run(id);
    expect(await queriesOf(customer)).toBe(3_500);
    await remove(id, key);
  };

  test('is asked to stop after a part: another worker continues after it', async () => {
    const { key, id } = await begin('Stopped');
    const stop = new AbortController();
    const storage = storageThat(() => stop.abort(new Error('stopping')));
    await expect(run(id, { storage, stopping: stop.signal })).rejects.toThrow();
    expect(await partsOf(id)).toBe(1);
    // Nobody can have the answers yet.
    expect(await queriesOf('Stopped')).toBe(0);
    const job = await shown(id, key);
    expect(job).toMatchObject({ state: 'running', coordinates: 2_000, answered: 2_000, links: {} });
    expect(job.percent).toBeGreaterThan(30);
    expect(job.percent).toBeLessThan(60);
    await finished(id, key, 'Stopped');
  });

  test('dies between the last answer and counting: the file is counted once', async () => {
    const { key, id } = await begin('Killed');
    const transaction = () => Promise.reject(new Error('killed'));
    const database = delegate(service.database, { transaction });
    await expect(run(id, { database })).rejects.toThrow('killed');
    expect(await queriesOf('Killed')).toBe(0);
    await finished(id, key, 'Killed');
  });

  test.each([1, 2])(
    'finds the job removed after part %i: nothing is left of it, nor counted',
    async (last) => {
      const { key, files, id } = await begin(`Removed ${last}`);
      let part = 0;
      await run(id, { storage: storageThat(() => (++part === last ? remove(id, key) : undefined)) });
      expect(stored()).toBe(files);
      expect(await queriesOf(`Removed ${last}`)).toBe(0);
    },
  );

  test('comes to its end while the files of the job are removed: nothing is left of it, nor counted', async () => {
    const { files, id } = await begin('Slowly removed');
    const workEnded = gate();
    let removing: Promise<void> | undefined;
    const beginRemoving = () =>
      new Promise<void>((begun) => {
        const slow: Storage = {
          ...storage,
          async remove(...words) {
            begun();
            await workEnded.opened;
            return storage.remove(...words);
          },
        };
        removing = removeBulkJob(service.database, slow, id);
      });
    await run(id, { storage: storageThat(() => (removing ? undefined : beginRemoving())) });
    workEnded.open();
    await removing;
    expect(stored()).toBe(files);
    expect(await queriesOf('Slowly removed')).toBe(0);
  });

  test('cannot go on after a part: the file fails, and what was answered is not counted', async () => {
    const { key, id } = await begin('Failed');
    const failing: Storage = {
      ...storage,
      async store(...words) {
        if ((await partsOf(id)) > 0) throw new Error('broken');
        return storage.store(...words);
      },
    };
    await expect(run(id, { storage: failing })).rejects.toThrow('broken');
    await bulkLookup(service).fail?.(id, new Error('broken'));
    expect(await shown(id, key)).toMatchObject({ state: 'failed', answered: 2_000 });
    expect((await call(`${base}/${id}/result`, { key })).status).toBe(409);
    await remove(id, key);
    expect(await queriesOf('Failed')).toBe(0);
  });
});

test('a file of more positions than were counted as it came fails: nothing more is answered, and nothing counted', async () => {
  const key = await keyOf('Counted short');
  const { id } = await sent(csv(3), {}, { at: unworked, key });
  await service.database.query('update bulk_job set entries = 2 where id = $1', [id]);
  await expect(bulkLookup(service).work(id, new AbortController().signal)).rejects.toMatchObject({
    code: 'bulk_entries_differ',
  });
  expect(await partsOf(id)).toBe(0);
  await remove(id, key);
});

test('queries of a file are of the hour in which they were answered, not of that in which it came', async () => {
  const key = await keyOf('Answered later');
  const { id } = await sent(csv(3), {}, { at: unworked, key });
  const { database } = service;
  await database.query("update bulk_job set created_at = created_at - interval '2 hours' where id = $1", [
    id,
  ]);
  await bulkLookup(service).work(id, new AbortController().signal);
  const { rows } = await database.query(sql`
    select u.hour > j.created_at as later, u.queries
    from bulk_job j join usage_hour u on u.key_id = j.api_key_id where j.id = ${id}`);
  expect(rows).toEqual([{ later: true, queries: 3 }]);
  await remove(id, key);
});

test('after a day file and result are removed; before they are done they are not', async () => {
  const files = stored();
  const { id } = await sent(csv(5));
  await done(id);
  const { id: failed } = await sent(csv(5), {}, { at: unworked });
  await failBulkJob(service.database, failed, { code: 'internal_error', message: 'It failed.' });
  const { id: waiting } = await sent(csv(5), {}, { at: unworked });
  const { id: quoted } = await sent(csv(5), {}, { at: unworked, query: '?quote=1' });
  // Removing another job leaves these alone.
  await remove((await sent(csv(5), {}, { at: unworked })).id);
  expect(parsedLines(await (await call(`${base}/${id}/result`)).text())).toHaveLength(5);
  await service.database.query(`update bulk_job set expires_at = now() - interval '1 second'`);
  for (const expired of await expiredBulkJobs(service.database)) {
    await removeBulkJob(service.database, storage, expired);
  }
  expect(await waitingRows(service.database, 'bulk-lookup')).toMatchObject([{ id: waiting }]);
  for (const path of [id, `${id}/result`, failed, quoted])
    expect((await call(`${base}/${path}`)).status).toBe(404);
  expect((await shown(waiting)).state).toBe('queued');
  await expectError(await call(`${base}/${waiting}/result`), 409);
  await remove(waiting);
  expect(stored()).toBe(files);
});

test('a result that the storage does not give is an error, and not an answer that breaks off', async () => {
  const { id } = await sent(csv(3));
  await done(id);
  const read = () => Promise.reject(new CovermapError('storage_unavailable'));
  const api = await startApi({ ...service, storage: { ...storage, read }, queue });
  onTestFinished(() => api.close());
  for (const method of ['GET', 'HEAD'])
    expect((await call(`${base}/${id}/result`, { at: api, method })).status).toBe(503);
  await remove(id);
});

test('a file whose job is recorded stays, also where the answer to it cannot be made', async () => {
  const key = await keyOf('Recorded');
  const { database } = service;
  // The database is lost right after the job is in it.
  const failing = delegate(database, {
    query: (...call: Parameters<Database['query']>) =>
      /from bulk_job j join/.test(textOf(call[0]))
        ? Promise.reject(new Error('lost'))
        : database.query(...call),
  });
  const api = await startApi({ ...service, database: failing, queue });
  onTestFinished(() => api.close());
  const files = stored();
  expect((await send(csv(3), {}, { at: api, key })).status).toBe(500);
  expect(stored()).toBe(files + 1);
  const [{ id }] = (await (await call(base, { key })).json()) as [BulkJob];
  await service.queue.send('bulk-lookup', id);
  expect(await done(id, key)).toMatchObject({ state: 'done' });
  await remove(id, key);
});

test.each([
  ['without coordinates', 400, 'lat,lng\n\n\n'],
  ['that is too large', 413, 'x'.repeat(2_000_001)],
])('a file %s is refused, and not kept: %i', async (_, status, body) => {
  const files = stored();
  await expectError(await send(body), status);
  expect(stored()).toBe(files);
});

test('a refused file is read to its end, for clients that send all of it before they read the answer', async () => {
  const body = Buffer.alloc(20_000_000);
  const headers = `Host: localhost\r\nx-api-key: ${service.key}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}`;
  const socket = openSocket(service.api.url, `POST ${base} HTTP/1.1\r\n${headers}\r\n\r\n`).pause();
  await new Promise((resolve, reject) => {
    socket.on('error', reject).write(body, resolve);
  });
  const [answer] = await once(socket.resume(), 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 415 .*must be application\/x-ndjson or text\/csv/s);
  socket.destroy();
});

test('only so many files of a customer wait at once', async () => {
  const key = await keyOf('Many files');
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(csv(3), {}, { at: unworked, key })));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 202, 429, 429, 429]);
  const answerOf = (wanted: number) => answers.find(({ status }) => status === wanted) as Response;
  const { id } = (await answerOf(202).json()) as BulkJob;
  const error = expect.stringMatching(`5 files that are not finished: .*${id}`);
  expect(await answerOf(429).json()).toEqual({ code: 429, error });
  // One at work and one that is quoted are not finished, either.
  for (const state of ['running', 'quoted']) {
    await service.database.query('update bulk_job set state = $2 where id = $1', [id, state]);
    expect((await send(csv(3), {}, { at: unworked, key })).status, state).toBe(429);
  }
});

test('a file that is sent again with its Idempotency-Key is one job, and is counted once', async () => {
  const key = await keyOf('Of lost answers');
  const files = stored();
  const again = { 'idempotency-key': 'of May' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(csv(3), again, { key })));
  const [first, ...others] = (await Promise.all(answers.map((one) => one.json()))) as BulkJob[];
  const id = first?.id as string;
  expect(others.map((job) => job.id)).toEqual([id, id, id]);
  await done(id, key);
  expect(await sent(csv(3), again, { key })).toMatchObject({ id, state: 'done' });
  expect(await queriesOf('Of lost answers')).toBe(3);
  // The file and the answers to it.
  expect(stored()).toBe(files + 2);

  for (const [status, answer] of [
    [422, send(csv(4), again, { key })],
    [422, send(csv(3), { ...again, accept: 'text/csv' }, { key })],
    [422, send(csv(3), again, { key, query: '?quote=1' })],
    [400, send(csv(3), { 'idempotency-key': 'k'.repeat(256) }, { key })],
  ] as const) {
    await expectError(await answer, status, expect.stringContaining('Idempotency-Key'));
  }

  // The same name with another key is another request; and a list shows jobs of its customer.
  const other = await keyOf('Of found answers');
  const { id: another } = await sent(csv(3), again, { key: other });
  const { id: unnamed } = await sent(csv(3), {}, { key: other });
  const listed = (await (await call(base, { key: other })).json()) as BulkJob[];
  expect(listed.map((job) => job.id)).toEqual([unnamed, another]);
  for (const one of [another, unnamed]) {
    await done(one, other);
    await remove(one, other);
  }
  expect(stored()).toBe(files + 2);
  await remove(id, key);
});

test('a file that is started and removed at once is queued, or is not there', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = await sent('-39.5,175.5\n', {}, { at: unworked, query: '?quote=1' });
    const [started, removed] = await Promise.all([
      call(`${base}/${id}/start`, { method: 'POST', at: unworked }),
      call(`${base}/${id}`, { method: 'DELETE', at: unworked }),
    ]);
    expect([202, 404]).toContain(started.status);
    expect(removed.status).toBe(204);
  }
});

describe('a key that is revoked', () => {
  const keyIdOf = async (key: string) =>
    (
      await service.database.query<{ id: number }>(`select id from api_key where key_sha256 = sha256($1)`, [
        Buffer.from(key),
      ])
    ).rows[0]?.id as number;
  const refusedFor = (key: string) =>
    vi.waitFor(async () => expect((await call(base, { key })).status).toBe(403), { timeout: 60_000 });

  /** Does the work on a file, which fails. */
  async function expectEnded(id: string, storage: Storage = service.storage) {
    const { work, fail } = bulkLookup({ ...service, storage });
    const error = await work(id, new AbortController().signal).catch((error) => error);
    expect(error).toMatchObject({ code: 'bulk_key_ended' });
    await fail?.(id, error);
  }

  test.each([
    ['while its file waits', 0],
    ['after a part of its file', 1],
    ['after the last part', 2],
  ])('%s: the file fails and costs nothing; other keys of the customer see why', async (when, parts) => {
    const [key, other] = [await keyOf(`Revoked ${when}`), await keyOf(`Revoked ${when}`)];
    const { id } = await sent(csv(2_500), {}, { at: unworked, key });
    const revoke = async () => revokeKey(service.database, await keyIdOf(key));
    let part = 0;
    if (parts === 0) await revoke();
    const storage = storageThat(() => (++part === parts ? revoke() : undefined));
    await expectEnded(id, storage);
    await refusedFor(key);
    expect(await shown(id, other)).toMatchObject({
      state: 'failed',
      error: { code: 'bulk_key_ended' },
      links: {},
    });
    expect((await call(`${base}/${id}/result`, { key: other })).status).toBe(409);
    expect(await queriesOf(`Revoked ${when}`)).toBe(0);
  });

  test('or expires after a rotation: what it has done stays for other keys of the customer, and no others', async () => {
    const [key, other] = [await keyOf('Rotated'), await keyOf('Rotated')];
    const [waiting, done1] = [
      await sent(csv(10), {}, { at: unworked, key }),
      await sent(csv(10), {}, { key }),
    ];
    const result = (await done(done1.id, key)).links.result as string;
    await service.database.query('update api_key set expires_at = now() where id = $1', [await keyIdOf(key)]);
    await bulkLookup(service).work(waiting.id, new AbortController().signal);
    await revokeKey(service.database, await keyIdOf(key));
    await refusedFor(key);
    const statuses = [key, other, await keyOf('Somebody else')].map(
      async (one) => (await call(result, { key: one })).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 200, 404]);
    expect(await shown(waiting.id, other)).toMatchObject({ state: 'done', answered: 10 });
    expect(await queriesOf('Rotated')).toBe(20);
  });

  test('with its customer, who has left: a file that is not done costs nothing', async () => {
    const key = await keyOf('Left');
    const { id } = await sent(csv(10), {}, { at: unworked, key });
    await service.database.query(
      `update customer set cancelled_on = current_date, closes_at = now() where name = 'Left'`,
    );
    await expectEnded(id);
    expect(await queriesOf('Left')).toBe(0);
  });
});
