import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { CopyWriter } from '../../../platform/database/copy.ts';
import type { Database } from '../../../platform/database/database.ts';
import { lockUntilCommit, withKeyInTurn } from '../../../platform/database/database.ts';
import { openEmbeddedDatabase } from '../../../platform/database/embedded/embedded.ts';
import { describeSchema } from '../../../platform/database/schema.ts';
import { openServerDatabase } from '../../../platform/database/server/server.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { endCommandProcesses, runScript } from '../../setup/processes.ts';
import { usePlace } from '../../setup/service.ts';

/* The contract of `platform/database`, alike on a server and on the embedded database: all else is tested on a server. */

const isServer = inject('backend').kind === 'server';

const open = async (): Promise<Database> => {
  const { databaseUrl, dataDir } = place.config;
  return databaseUrl
    ? openServerDatabase(databaseUrl, { connections: 2 })
    : openEmbeddedDatabase(dataDir, { minStatementMs: 500 });
};

// On disk: later threads and processes see earlier commits.
const place = await usePlace({}, { onDisk: true });
let database: Database = await open();
/** The schema after the migrations. */
const schema = await describeSchema(database);
await database.query('create table kept (number integer primary key, text text)');
beforeEach(async () => {
  await database.query('truncate kept');
});
afterAll(async () => {
  endCommandProcesses();
  await database?.close();
});

const kept = async () =>
  (await database.query<{ number: number }>('select number from kept order by number')).rows.map(
    ({ number }) => number,
  );
/** Fails if it is asked for more than one row. */
const only = async (...asked: Parameters<Database['query']>) => {
  const { rows } = await database.query(...asked);
  expect(rows).toHaveLength(1);
  return rows[0];
};
const endless = 'select count(*) from generate_series(1, 1e12::bigint)';

test('docs/schema.sql is what the migrations give; npm run schema writes it', () => {
  const written = readFileSync(new URL('../../../docs/schema.sql', import.meta.url), 'utf8');
  expect(schema).toBe(written);
});

describe('values', () => {
  test.each<[type: string, value: unknown]>([
    ['smallint', -32768],
    ['integer', 2147483647],
    ['bigint', 9007199254740991],
    ['float8', 0.1],
    ['numeric', '12345678901234567890.5'],
    ['boolean', false],
    ['text', "ā'\\\n$1 🥝"],
    ['text', ''],
    ['uuid', '00000000-0000-4000-8000-000000000001'],
    ['date', '2026-04-05'],
    ['timestamptz', new Date('2026-04-05T02:30:00.123+12:00')],
    ['bytea', Buffer.from([0, 1, 92, 255])],
    ['jsonb', { a: [1, 'ā', null, { b: true }] }],
    ['json', { a: 1 }],
    ['integer[]', [3, 1, 2]],
    ['text[]', ['a,b', '{"', 'null', '']],
    ['uuid[]', ['00000000-0000-4000-8000-000000000001']],
    ['boolean[]', [true, false]],
    ['integer', null],
    ['text[]', []],
  ])('%s comes back as it was given: %j', async (type, value) => {
    const row = await only(`select $1::${type} as value`, [value]);
    const { value: back } = row as { value: unknown };
    expect(back instanceof Uint8Array ? Buffer.from(back) : back).toEqual(value);
  });

  test('of PostGIS are bytes, texts and numbers', async () => {
    const row = await only(
      `select st_astext(g) as text, st_area(g) as area, st_asbinary(g) as bytes, st_isvalid(g) as valid
       from st_geomfromwkb(st_asbinary(st_makeenvelope(0, 0, $1, 1, 4326)), 4326) as g`,
      [2],
    );
    expect(row).toMatchObject({ text: 'POLYGON((0 0,0 1,2 1,2 0,0 0))', area: 2, valid: true });
    expect((row as { bytes: Uint8Array }).bytes).toHaveLength(93);
  });
});

describe('statements', () => {
  test('count the rows that they return or change', async () => {
    for (const [count, text, values = []] of [
      [5, 'insert into kept select n from generate_series(1, $1) as n', [5]],
      [
        1,
        'insert into kept values ($1, $2) on conflict (number) do update set text = excluded.text',
        [5, 'a'],
      ],
      [0, 'insert into kept values ($1) on conflict do nothing', [5]],
      [2, 'update kept set text = $1 where number > 3 returning number', ['b']],
      [2, 'delete from kept where number = any($1::integer[])', [[1, 2, 99]]],
      [1, 'with gone as (delete from kept where number = $1 returning *) select count(*) from gone', [3]],
      [2, 'select * from kept for update skip locked'],
      [
        1,
        'select * from unnest($1::integer[], $2::text[]) as u(n, t) where t is not null',
        [
          [1, 2],
          ['a', null],
        ],
      ],
      [2, 'select * from json_to_recordset($1) as r(n integer)', [JSON.stringify([{ n: 1 }, { n: 2 }])]],
      [1, 'select from kept where number = $1', [4]],
    ] as [number, string, unknown[]?][])
      expect((await database.query(text, values)).rowCount, text).toBe(count);
  });

  test('may be several without values; all of them happen or none does', async () => {
    await database.query(
      `-- for a migration\n/* of two */ insert into kept values (1); insert into kept values (2);`,
    );
    const half = database.query('insert into kept values (3); insert into kept values (1)');
    await expect(half).rejects.toMatchObject({ code: '23505' });
    expect(await kept()).toEqual([1, 2]);
  });

  test('with a name can be asked again, with other values', async () => {
    const named = (value: number) =>
      only({ name: 'twice', text: 'select 2 * $1::integer as twice', values: [value] });
    expect([await named(1), await named(2)]).toEqual([{ twice: 2 }, { twice: 4 }]);
  });

  test.each([
    ['23505', 'insert into kept values (1), (1)', { constraint: 'kept_pkey', table: 'kept' }],
    ['23502', 'insert into kept values (null)', { column: 'number' }],
    ['42703', 'select no_such_column', {}],
    ['42601', 'select select', {}],
    ['22P02', `select 'x'::integer`, {}],
    ['22012', 'select 1 / 0', {}],
    ['P0001', `do $$ begin raise exception 'of a trigger' using detail = 'why'; end $$`, { detail: 'why' }],
  ])('fail with PostgreSQL’s own error: %s', async (code, text, fields) => {
    const error = await database.query(text).catch((one) => one);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code, ...fields });
    expect(await kept()).toEqual([]);
  });
});

describe('a transaction', () => {
  test('is seen by others once it has committed', async () => {
    let meanwhile: Promise<number[]> | undefined;
    await database.transaction(async (connection) => {
      await connection.query('insert into kept values (1)');
      meanwhile = kept();
      // The embedded database has one session: others wait for its transaction.
      if (isServer) await meanwhile;
    });
    expect(await meanwhile).toEqual(isServer ? [] : [1]);
    expect(await kept()).toEqual([1]);
  });

  test('that fails leaves nothing, and its connection works on', async () => {
    const before = await sessions();
    const refused = new CovermapError('refused', 'This is not possible.');
    const failing = database.transaction(async (connection) => {
      await connection.query('insert into kept values (1)');
      await connection.query('savepoint here');
      await expect(connection.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
      await expect(connection.query('select 1')).rejects.toMatchObject({ code: '25P02' });
      await connection.query('rollback to here');
      await connection.query('insert into kept values (2)');
      throw refused;
    });
    await expect(failing).rejects.toBe(refused);
    await expect(database.query('select no_such_column')).rejects.toMatchObject({ code: '42703' });
    expect(await kept()).toEqual([]);
    expect(await sessions()).toEqual(before);
  });

  test('that is left open is undone, and so are its settings and tables', async () => {
    await database.withConnection(async (connection) => {
      await connection.query('begin');
      await connection.query(`set local work_mem = '5MB'; create temporary table passing () on commit drop`);
      await connection.query('insert into kept values (1)');
    });
    expect(await kept()).toEqual([]);
    const left = `select to_regclass('passing')::text as passing, current_setting('work_mem') as memory`;
    expect(await only(left)).toEqual({ passing: null, memory: '4MB' });
  });

  test('that only reads is of one moment, and may not write', async () => {
    await database.transaction(async (connection) => {
      const seen = async () => (await connection.query('select from kept')).rowCount;
      expect(await seen()).toBe(0);
      if (isServer) await database.query('insert into kept values (1)');
      expect(await seen()).toBe(0);
    }, 'repeatable read, read only');
    for (const isolation of ['repeatable read, read only', 'read committed, read only'] as const) {
      const writing = database.transaction((one) => one.query('insert into kept values (2)'), isolation);
      await expect(writing).rejects.toMatchObject({ code: '25006' });
    }
  });

  test('that locks a name holds up others of that name until it commits', async () => {
    const order: string[] = [];
    let second: Promise<void> | undefined;
    const locked = (after: () => Promise<void>) =>
      database.transaction(async (connection) => {
        await lockUntilCommit(connection, 'a name');
        await after();
      });
    await locked(async () => {
      second = locked(async () => void order.push('second'));
      await expect.poll(() => database.poolUse()).toMatchObject(isServer ? { busy: 2 } : { waiting: 1 });
      order.push('first');
    });
    await second;
    expect(order).toEqual(['first', 'second']);
    expect(database.poolUse()).toEqual({ max: isServer ? 2 : 1, busy: 0, waiting: 0 });
  });

  test('is gone with its connection, which is replaced', async () => {
    const dropped = database.withConnection(async (connection) => {
      await connection.query('begin');
      await connection.query('insert into kept values (1)');
      if (isServer) await connection.query('select pg_terminate_backend(pg_backend_pid())');
      else throw new Error('the session of an embedded database is not lost');
    });
    await expect(dropped).rejects.toThrow();
    expect(await kept()).toEqual([]);
  });
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

describe('copying rows in', () => {
  beforeAll(async () => {
    await database.query(
      'create table copied (number integer unique, at timestamptz, yes boolean, text text, bytes bytea)',
    );
  });
  const target = 'copied (number, at, yes, text, bytes)';
  const copyOf = (numbers: number[]) => {
    const copy = new CopyWriter(5, 0);
    for (const number of numbers) {
      copy.row();
      copy.integer(number);
      copy.timestamp(number === 0 ? null : Date.UTC(2026, 0, number) * 1000);
      copy.boolean(number % 2 === 1);
      copy.ascii(`row ${number}`);
      copy.room(number).fill(number);
    }
    return copy.finish();
  };
  const count = async () => (await only('select count(*) from copied')) as { count: number };

  test('gives each value, in however many chunks they come', async () => {
    const good = copyOf([0, 1, 2]);
    const chunks = Array.from({ length: Math.ceil(good.length / 7) }, (_, i) => good.slice(7 * i, 7 * i + 7));
    await database.withConnection((one) => one.copyFrom(target, chunks));
    const { rows } = await database.query(`
      select number, at, yes, text, encode(bytes, 'hex') as bytes from copied order by number`);
    expect(rows).toEqual([
      { number: 0, at: null, yes: false, text: 'row 0', bytes: '' },
      { number: 1, at: new Date('2026-01-01T00:00:00Z'), yes: true, text: 'row 1', bytes: '01' },
      { number: 2, at: new Date('2026-01-02T00:00:00Z'), yes: false, text: 'row 2', bytes: '0202' },
    ]);
  });

  test('that are cut short, or that a rule forbids, copies none of them; the transaction goes as one', async () => {
    const before = await count();
    const copy = (bytes: Uint8Array<ArrayBuffer>) =>
      database.transaction(async (connection) => {
        await connection.copyFrom(target, [copyOf([7])]);
        await connection.copyFrom(target, [bytes]);
      });
    await expect(copy(copyOf([8, 9]).slice(0, -9))).rejects.toMatchObject({ code: '22P04' });
    await expect(copy(copyOf([8, 7]))).rejects.toMatchObject({ code: '23505' });
    expect(await count()).toEqual(before);
    await copy(copyOf([8]));
    expect(await count()).toEqual({ count: before.count + 2 });
  });

  test('is not begun once its signal has come', async () => {
    const reason = new Error('not wanted any more');
    const copying = database.withConnection((one) =>
      one.copyFrom(target, [copyOf([20])], { signal: AbortSignal.abort(reason) }),
    );
    await expect(copying).rejects.toBe(reason);
  });
});

describe('a statement has an end', () => {
  test('after its timeout, and the process works meanwhile', async () => {
    await database.query('insert into kept values (1)');
    let turns = 0;
    const turning = setInterval(() => turns++, 10);
    await expect(database.query({ text: endless, timeoutMs: 500 })).rejects.toMatchObject({ code: '57014' });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
    expect(await kept()).toEqual([1]);
  });

  test('by its signal, and what its transaction did is undone', async () => {
    const stop = new AbortController();
    const reason = new Error('not wanted any more');
    const work = database.transaction(async (connection) => {
      await connection.query('insert into kept values (2)');
      setTimeout(() => stop.abort(reason), 50);
      await connection.query({ text: endless, signal: stop.signal });
    });
    await expect(work).rejects.toBe(reason);
    expect(await kept()).toEqual([]);
    await expect(database.query({ text: 'select 1', signal: stop.signal })).rejects.toBe(reason);
  });

  test.runIf(isServer)('by a cancellation that the server heeds: the session is good for more', async () => {
    await database.withConnection(async (connection) => {
      const signal = AbortSignal.timeout(50);
      await expect(connection.query({ text: endless, signal })).rejects.toThrow();
      expect((await connection.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    });
  });

  test('which a signal that comes after it does not change', async () => {
    const stop = new AbortController();
    await database.withConnection(async (connection) => {
      await connection.query({ text: 'select 1', signal: stop.signal });
      stop.abort(new Error('too late'));
      // Long enough for a cancellation to meet it.
      const long = 'select count(*)::integer as many from generate_series(1, 1000000)';
      expect((await connection.query(long)).rows).toEqual([{ many: 1_000_000 }]);
    });
  });

  test('also while it waits for others, and holds up nobody', async () => {
    await database.withConnection(async (connection) => {
      await connection.query('begin');
      await connection.query('lock table kept');
      const waiting = database.query({ text: 'select count(*) from kept', timeoutMs: 200 });
      await expect(waiting).rejects.toMatchObject({ code: '57014' });
      await connection.query('commit');
    });
    expect(await kept()).toEqual([]);
  });
});

describe('notifications', () => {
  test('come in order, to everybody who listens, once their transaction has committed', async () => {
    const heard: string[] = [];
    const listen = (name: string) => database.listen('heard', (payload) => heard.push(`${name} ${payload}`));
    const stops = [await listen('a'), await listen('b')];
    await database.query('select pg_notify($1, $2)', ['heard', 'first: ā']);
    const undone = database.transaction(async (connection) => {
      await connection.query(`notify heard, 'undone'`);
      throw new Error('undone');
    });
    await undone.catch(() => undefined);
    await database.transaction(async (connection) => {
      await connection.query(`notify heard, 'second'`);
      await connection.query(`notify another, 'of another channel'`);
    });
    await expect.poll(() => heard).toEqual(['a first: ā', 'b first: ā', 'a second', 'b second']);
    await stops[0]?.();
    await database.query(`notify heard, 'third'`);
    await expect.poll(() => heard.slice(4)).toEqual(['b third']);
    await stops[1]?.();
  });

  test('come again after a statement was ended, and who listens hears that some may be missing', async () => {
    const heard: string[] = [];
    let gaps = 0;
    const hear = (payload: string) => heard.push(payload);
    const stopListening = await database.listen('limits', hear, () => gaps++);
    await database.query({ text: endless, timeoutMs: 500 }).catch(() => undefined);
    await database.query(`notify limits, 'again'`);
    await expect.poll(() => heard).toEqual(['again']);
    expect(gaps).toBe(isServer ? 0 : 1);
    await stopListening();
  });

  test('come to the clients of the queue’s pool, whose tables have a schema of their own', async () => {
    type Client = NodeJS.EventEmitter & Pick<Database, 'query'> & { release(): void };
    const pool = database.queuePool() as Pick<Database, 'query'> & { connect(): Promise<Client> };
    const client = await pool.connect();
    await client.query('LISTEN "queue_heard"');
    const heard = once(client, 'notification');
    await pool.query(`select pg_notify('queue_heard', $1)`, ['a job']);
    expect(await heard).toMatchObject([{ channel: 'queue_heard', payload: 'a job' }]);
    const { rows } = await client.query<{ path: string }>(`select current_setting('search_path') as path`);
    expect(rows[0]?.path).toMatch(/\bbullmq$/);
    client.release();
  });
});

describe('under an exclusive key', () => {
  test('one works while another is refused at once, and can work afterwards', async () => {
    const inner = await database.withExclusiveKey('a', async () => {
      expect(await database.withExclusiveKey('b', async () => 'other key')).toBe('other key');
      return [await database.withExclusiveKey('a', async () => 'same key')];
    });
    expect(inner).toEqual([undefined]);
    expect(await database.withExclusiveKey('a', async () => 'afterwards')).toBe('afterwards');
  });

  test('work that fails gives the key back', async () => {
    const failing = database.withExclusiveKey('c', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await database.withExclusiveKey('c', async () => 'again')).toBe('again');
  });

  test('others come in turn', async () => {
    const order: string[] = [];
    let next: Promise<void> | undefined;
    await withKeyInTurn(database, 'e', async () => {
      next = withKeyInTurn(database, 'e', async () => void order.push('second'));
      expect(await database.withExclusiveKey('e', async () => 'held')).toBeUndefined();
      order.push('first');
    });
    await next;
    expect(order).toEqual(['first', 'second']);
  });

  // The embedded database has no connection that could be lost.
  test.runIf(isServer)(
    'work whose connection is lost hears of it, and another can have the key',
    async () => {
      const takeOver = () => database.withExclusiveKey('d', async () => 'taken over');
      await database.withExclusiveKey('d', async (lost) => {
        const told = once(lost, 'abort');
        // Connections of this database alone: others are on the same server.
        await database.query(`
          select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and d.datname = current_database()`);
        await told;
        // The server tells the client before it lets go of the lock.
        await expect.poll(takeOver, { timeout: 60_000 }).toBe('taken over');
      });
    },
  );
});

test('a process that is killed leaves what it has committed, and nothing else; meanwhile it alone has its folder', async () => {
  await database.close();
  const other = runScript(['test/setup/half-written.ts'], place.env);
  await other.printed(/half written/);
  if (isServer) database = await open();
  else await expect(open()).rejects.toMatchObject({ code: 'data_directory_in_use' });
  other.child.kill('SIGKILL');
  await other.ended;
  if (!isServer) database = await open();
  expect(await kept()).toEqual([10]);
  await database.query('insert into kept values (11)');
  expect(await kept()).toEqual([10, 11]);
});

test('one that was closed answers nothing, and can be opened again', async () => {
  await database.close();
  await expect(database.query('select 1')).rejects.toThrow();
  database = await open();
  expect(await kept()).toEqual([]);
});
