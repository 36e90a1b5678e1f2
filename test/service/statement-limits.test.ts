import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../core/database/database.ts';
import { openEmbeddedDatabase } from '../../core/database/embedded/embedded.ts';
import { openServerDatabase } from '../../core/database/server/server.ts';
import { CovermapError } from '../../core/errors.ts';
import { makePlace, type Place } from '../setup/service.ts';

/* A statement has an end, and what it holds up meanwhile is the database alone. */

let place: Place;
let database: Database;

beforeAll(async () => {
  // On disk: what a thread has committed is there for the next one.
  place = await makePlace({}, { onDisk: true });
  database = place.config.databaseUrl
    ? await openServerDatabase(place.config.databaseUrl, { connections: 2 })
    : await openEmbeddedDatabase(place.config.dataDir, { minStatementMs: 500 });
  await database.query('create table kept (number integer)');
});
afterAll(async () => {
  await database?.close();
  await place?.remove();
});

const endless = 'select count(*) from generate_series(1, 1e12::bigint)';
const kept = async () =>
  (await database.query<{ number: number }>('select number from kept order by number')).rows.map(
    ({ number }) => number,
  );

test('a statement past its timeout ends, and the process works meanwhile', async () => {
  await database.query('insert into kept values (1)');
  let turns = 0;
  const turning = setInterval(() => turns++, 10);
  await expect(database.query({ text: endless, timeoutMs: 500 })).rejects.toMatchObject({ code: '57014' });
  clearInterval(turning);
  expect(turns).toBeGreaterThan(5);
  expect(await kept()).toEqual([1]);
});

test('a statement is ended by its signal, and what its transaction did is undone', async () => {
  const stop = new AbortController();
  const reason = new Error('not wanted any more');
  const work = database.transaction(async (connection) => {
    await connection.query('insert into kept values (2)');
    setTimeout(() => stop.abort(reason), 50);
    await connection.query({ text: endless, signal: stop.signal });
  });
  await expect(work).rejects.toBe(reason);
  expect(await kept()).toEqual([1]);
  await expect(database.query({ text: 'select 1', signal: stop.signal })).rejects.toBe(reason);
});

test('a signal that comes after the statement has ended ends nothing', async () => {
  const stop = new AbortController();
  await database.withConnection(async (connection) => {
    await connection.query({ text: 'select 1', signal: stop.signal });
    stop.abort(new Error('too late'));
    expect((await connection.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  });
});

test('who listens hears of what is announced after a statement was ended, and that something may be missing', async () => {
  const heard: string[] = [];
  let gaps = 0;
  const stopListening = await database.listen(
    'limits',
    (payload) => heard.push(payload),
    () => gaps++,
  );
  await database.query({ text: endless, timeoutMs: 500 }).catch(() => undefined);
  await database.query(`notify limits, 'again'`);
  await expect.poll(() => heard).toEqual(['again']);
  if (database.kind === 'embedded') expect(gaps).toBe(1);
  await stopListening();
});

test('who cannot wait for others gives up, and holds up nobody', async () => {
  await database.withConnection(async (connection) => {
    await connection.query('begin');
    await connection.query('lock table kept');
    const waiting = database.query({ text: 'select count(*) from kept', timeoutMs: 200 });
    await expect(waiting).rejects.toMatchObject({ code: '57014' });
    await connection.query('commit');
  });
  expect(await kept()).toEqual([1]);
});

test('connections outlive the errors of those who use them', async () => {
  const before = await sessions();
  const refused = new CovermapError('refused', 'This is not possible.');
  await expect(database.transaction(() => Promise.reject(refused))).rejects.toBe(refused);
  await expect(database.query('select no_such_column')).rejects.toMatchObject({ code: '42703' });
  expect(await sessions()).toEqual(before);
});

/** The server's processes behind both connections of the pool. */
async function sessions(): Promise<(number | undefined)[]> {
  const session = () =>
    database.withConnection(async (connection) => {
      const { rows } = await connection.query<{ pid: number }>(
        'select pg_backend_pid() as pid, pg_sleep(0.2)',
      );
      return rows[0]?.pid;
    });
  return (await Promise.all([session(), session()])).sort();
}

test('a connection that is lost is replaced', async () => {
  const dropped = database.withConnection(async (connection) => {
    await connection.query('begin');
    if (database.kind === 'server') await connection.query('select pg_terminate_backend(pg_backend_pid())');
    else throw new Error('the session of an embedded database is not lost');
  });
  await expect(dropped).rejects.toThrow();
  expect(await kept()).toEqual([1]);
});
