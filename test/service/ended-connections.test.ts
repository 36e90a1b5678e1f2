import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createKey } from '../../access/api-keys.ts';
import { setPlan } from '../../billing/plans.ts';
import type { Connection, Database } from '../../platform/database/database.ts';
import { openServerDatabase } from '../../platform/database/server/server.ts';
import { client } from '../setup/operator.ts';
import { useApi, useDatabaseIf } from '../setup/service.ts';

/* A server ends connections at a restart, at a failover, or on an administrator's command. */

const isServer = inject('backend').kind === 'server';
const { place, database } = await useDatabaseIf(isServer);

describe.runIf(isServer)('while its connection is ended', () => {
  let ends: Database;
  beforeAll(async () => {
    ends = await openServerDatabase(place.config.databaseUrl as string, { connections: 2 });
    await database.query('create table kept (number integer); create sequence numbers');
  });
  afterAll(() => ends.close());

  /** Starts work that waits for a table, ends its connection, and then lets everybody at the table. */
  async function endedMeanwhile<T>(table: string, work: () => Promise<T>): Promise<T> {
    let working: Promise<T> | undefined;
    await ends.transaction(async (connection) => {
      await connection.query(`lock table ${table} in access exclusive mode`);
      working = work();
      working.catch(() => undefined);
      for (let ended = 0; ended === 0; await sleep(5)) {
        const { rows } = await ends.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        );
        ended = rows.length;
      }
    });
    return working as Promise<T>;
  }

  /** Ends all other connections, as a server does that stops. */
  const endAll = () =>
    ends.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );

  const numbers = async () =>
    (await database.query<{ number: number }>('select number from kept')).rows.map(({ number }) => number);

  test('a statement that reads is tried once more, and so is a transaction that only reads', async () => {
    const sql = 'with all_kept as (select 1 from kept) select count(*) from all_kept';
    expect((await endedMeanwhile('kept', () => database.query(sql))).rows).toEqual([{ count: 0 }]);
    let runs = 0;
    const read = async (connection: Connection) => {
      runs++;
      return (await connection.query(sql)).rows;
    };
    const transaction = () => database.transaction(read, 'repeatable read, read only');
    expect(await endedMeanwhile('kept', transaction)).toEqual([{ count: 0 }]);
    expect(runs).toBe(2);
  });

  test.each([
    'insert into kept values (1)',
    'with added as (insert into kept values (1) returning 1) select * from added',
    "select nextval('numbers') from (select count(*) from kept) as counted",
  ])('%s is not', async (statement) => {
    const working = endedMeanwhile('kept', () => database.query(statement));
    await expect(working).rejects.toMatchObject({ code: '57P01' });
    expect(await numbers()).toEqual([]);
  });

  test('nor is a transaction that may write', async () => {
    let runs = 0;
    const write = async (connection: Connection) => {
      runs++;
      await connection.query('select count(*) from kept');
    };
    const working = endedMeanwhile('kept', () => database.transaction(write));
    await expect(working).rejects.toMatchObject({ code: '57P01' });
    expect(runs).toBe(1);
  });

  test('a transaction is begun once more, if its connection had ended before, and done once', async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 5 }, () => database.query('select pg_sleep(0.01)')));
      await endAll();
      const write = (connection: Connection) => connection.query('insert into kept values (1)');
      await Promise.all(Array.from({ length: 5 }, () => database.transaction(write)));
    }
    expect(await numbers()).toHaveLength(50);
  });

  test('lookups, and what operators read, are answered', async () => {
    const key = await createKey(database, 'Customer');
    // Free queries are held in a transaction that writes.
    const { rows } = await database.query<{ id: number }>('select id from customer');
    await setPlan(database, rows[0]?.id as number, { plan: 'high' }, commandActor, new Date());
    const api = await useApi(place, database);
    const { headers } = await client(api.url, database);
    const ask = (path: string) => fetch(api.url + path, { headers: { 'x-api-key': key, ...headers } });
    const lookup = '/api/2.0/availability/-36.9/174.8';
    const staff = '/api/staff/customers';
    for (const [table, path] of [
      ['coverage', lookup],
      ['customer', staff],
    ] as const) {
      expect((await ask(path)).status, path).toBe(200);
      expect((await endedMeanwhile(table, () => ask(path))).status, path).toBe(200);
    }
    // All at once, busy or not, as when a server is stopped.
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 20 }, (_, i) => ask(i % 2 ? lookup : staff));
      await endAll();
      const answers = [...(await Promise.all(asked)), await ask(lookup), await ask(staff)];
      expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    }
  });
});
