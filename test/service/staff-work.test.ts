import { randomUUID } from 'node:crypto';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startApi } from '../../api/server.ts';
import type { Work } from '../../client/schema.ts';
import { Attempts, postpone, recordFailure, steps } from '../../coverage/attempts.ts';
import { listWork } from '../../coverage/jobs/unfinished-work.ts';
import { sql } from '../../platform/database/sql.ts';
import { startWorkers } from '../../workers/worker.ts';
import { client, manifest } from '../setup/operator.ts';
import { useDatabase, useParts } from '../setup/service.ts';

/* Staff see the work as its rows say, wherever the queue is. */

const { place, database } = await useDatabase();
const parts = await useParts(place, database);
const api = await startApi(parts);
afterAll(() => api.close());
const staff = await client(api.url, database);
const kauri = await client(api.url, database, 'Kauri Fibre');

const work = () => staff.json<Work>('/api/staff/work');
const pieceOf = async (id: string) => (await work()).work.find((one) => one.id === id);
const kindOf = async (kind: string) => (await work()).kinds.find((one) => one.kind === kind);
async function send(file = zippedRectangle(174.7, -36.95, 174.75, -36.9)): Promise<string> {
  return (await kauri.sent(await file, manifest)).id;
}

test('a file that no worker takes waits, and it is said that there is no worker', async () => {
  const empty = await work();
  expect(empty.work).toEqual([]);
  expect(empty.kinds.map(({ kind }) => kind)).toEqual([...steps]);
  const id = await send();
  expect(await pieceOf(id)).toMatchObject({
    ...{ kind: 'load', state: 'waiting', owner: 'Kauri Fibre', submission: id, tries: 0, error: null },
    ...{ retry_at: null, process: null, file: expect.stringMatching(/\.zip$/) },
  });
  const { queue: is, kinds } = await work();
  expect(is).toBe('ok');
  expect(kinds.find(({ kind }) => kind === 'load')).toMatchObject({
    ...{ waiting: 1, running: 0, delayed: 0, failed: 0, workers: 0 },
    waiting_since: (await pieceOf(id))?.since,
  });
});

test('work that runs names its process, delayed work the time of its next attempt, and postponed work is shown as failed', async () => {
  const [{ id }] = (await work()).work as [Work['work'][0]];
  const mark = randomUUID();
  await new Attempts(database, mark).run('load', id, async () => {
    expect(await pieceOf(id)).toMatchObject({ state: 'running', process: mark, tries: 1 });
    expect(await kindOf('load')).toMatchObject({ waiting: 0, running: 1, waiting_since: null });
  });
  for (let count = 0; count < 4; count++) await recordFailure(database, 'load', id);
  const delayed = await pieceOf(id);
  expect(delayed).toMatchObject({ state: 'delayed', tries: 4, process: null });
  expect(Date.parse(delayed?.retry_at as string)).toBeGreaterThan(Date.now());
  expect(await kindOf('load')).toMatchObject({ waiting: 0, delayed: 1 });
  await postpone(database, 'load', id);
  expect(await pieceOf(id)).toMatchObject({ state: 'failed' });
  await database.query(`delete from work`);
});

test('staff withdraw a waiting submission by its usual operation, which leaves an entry in the audit', async () => {
  const id = await send(zippedRectangle(174.8, -36.95, 174.85, -36.9));
  expect((await staff.post(`/api/operator/submissions/${id}/withdraw`)).status).toBe(200);
  expect(await pieceOf(id)).toBeUndefined();
  const { events } = await staff.json<{ events: object[] }>(`/api/staff/audit?submission=${id}`);
  expect(events[0]).toMatchObject({ action: 'submission_withdrawn', actor: { kind: 'staff' } });
});

test.each([
  [
    'load',
    `with s as (
       update submission set kind = 'towers', processed_by = 'service', towers_read_at = now() where id = $1 returning *)
     insert into prediction (submission_id, file_name, storage_key, size_bytes, sha256, manifest)
     select id, file_name, storage_key, size_bytes, sha256, manifest from s`,
  ],
  [
    'publish',
    `update submission set state = 'ready', finished_at = now(), manifest = manifest || '{"publish": "auto"}' where id = $1`,
  ],
])('a submission of a week ago waits for %s only since its step before was done', async (kind, done) => {
  const id = await send(zippedRectangle(174.8, -36.95, 174.85, -36.9));
  const undone = new Error('as it was');
  const look = database.transaction(async (connection) => {
    await connection.query(
      sql`update submission set received_at = now() - interval '7 days' where id = ${id}`,
    );
    await connection.query(done, [id]);
    const piece = (await listWork(connection)).find((one) => one.id === id);
    expect(piece).toMatchObject({ kind, state: 'waiting' });
    expect(Date.now() - Number(piece?.since)).toBeLessThan(86_400_000);
    throw undone;
  });
  await expect(look).rejects.toBe(undone);
  await staff.post(`/api/operator/submissions/${id}/withdraw`);
});

test('with workers what waits is done, and what fails stays with its error until it is run again', async () => {
  const workers = await startWorkers(parts);
  onTestFinished(() => workers.close());
  const kinds = steps.map((kind) => ({ kind, workers: 1 }));
  await expect.poll(work, { timeout: 60_000 }).toMatchObject({ kinds, work: [] });
  const id = await send(Promise.resolve({ name: 'broken.zip', bytes: Buffer.from('no zip') }));
  await kauri.until(id, ({ finished }) => finished);
  const failed = await pieceOf(id);
  expect(failed).toMatchObject({ kind: 'load', state: 'failed', file: 'broken.zip', owner: 'Kauri Fibre' });
  expect(failed?.error).toMatchObject({ code: (await kauri.submission(id)).error?.code });
  expect(await kindOf('load')).toMatchObject({ waiting: 0, running: 0, failed: 1 });
  const { id: draft } = await staff.json(`/api/operator/submissions/${id}/reprocess`, {});
  const inspected = { kind: 'inspect', state: 'failed' };
  await expect.poll(() => pieceOf(draft), { timeout: 60_000 }).toMatchObject(inspected);
});
