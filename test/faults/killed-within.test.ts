import { createHash } from 'node:crypto';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addMonths, monthOf, startOfMonth } from '../../platform/nz-time.ts';
import { addQueries, makeCustomer } from '../setup/billing.ts';
import { brokenRules } from '../setup/end-state.ts';
import { type Client, client, clientWith, manifest } from '../setup/operator.ts';
import { makeStoppablePlace } from '../setup/stoppable.ts';

/*
 * Each part is killed (SIGKILL) in the middle of a change: its statement waits for a lock of the test. Each thing, by its key, is as it was or
 * as it was to become, and the same request again gives what an undisturbed one gives, once.
 */

const place = await makeStoppablePlace();
const { database } = place;
afterAll(() => place.remove());
const startApi = () => place.startApi();
const startWorker = () => place.startWorker({ WORKER_LOST_SECONDS: '5' });
let [api, worker] = await Promise.all([startApi(), startWorker()]);
const owner = await client(api.url, database, 'Kauri Fibre');
const byStaff = await client(api.url, database);
/** The API has another port after each start. */
let kauri: Client;
let staff: Client;
const useApi = () => {
  kauri = clientWith(api.url, owner.token);
  staff = clientWith(api.url, byStaff.token);
};
useApi();

/** What there is of everything that these tests change, by its key. */
async function things(): Promise<Record<string, string>> {
  const text = `
    select 'submission ' || encode(sha256, 'hex') as key, string_agg(id::text || ' ' || state, ',' order by id) as value
    from submission where state in ('published', 'superseded', 'ready') group by sha256
    union all select 'uploaded ' || encode(sha256, 'hex'), count(*)::text from submission group by sha256
    union all select 'dataset ' || id, state || ' ' || (select count(*) from publication where dataset_id = d.id)
    from dataset d where state in ('published', 'superseded')
    union all select 'close ' || month, closed_by from month_close
    union all select 'invoice ' || customer_id || ' ' || month || ' ' || occasion, count(*) || ' ' || sum(total_cents)
    from invoice group by customer_id, month, occasion
    union all select 'entry ' || customer_id || ' ' || month || ' ' || kind, count(*) || ' ' || sum(amount_cents)
    from ledger_entry where customer_id is not null group by customer_id, month, kind`;
  const { rows } = await persist(() => database.query<{ key: string; value: string }>(text));
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

const patience = { timeout: 100_000, interval: 100 };
/** Asks until there is a database again. */
const persist = <T>(ask: () => Promise<T>) => vi.waitFor(ask, patience);

/** Holds up what writes to a table. @returns the waiting process of the database, and the end of it */
async function holdUp(table: string) {
  const holder = new pg.Client({ connectionString: place.databaseUrl });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query(`begin; lock table ${table} in share row exclusive mode`);
  return {
    untilItWaits: () =>
      vi.waitFor(
        async () => {
          const { rows } = await database.query<{ pid: number }>(
            `select pid from pg_locks where not granted and relation = $1::regclass`,
            [table],
          );
          expect(rows).not.toEqual([]);
          return rows[0]?.pid as number;
        },
        { timeout: 100_000, interval: 10 },
      ),
    letGo: () => holder.end().catch(() => undefined),
  };
}

let number = 0;
async function readyFile() {
  const west = 168 + (number++ % 90) / 10;
  const file = await zippedRectangle(west, -44, west + 0.05, -43.95);
  const scope = `part ${Math.ceil(number / 2)}`;
  return { file, scope };
}
const readySubmission = async (scope = `part ${++number}`) => {
  const { file } = await readyFile();
  return kauri.handIn(file, { ...manifest, scope });
};

interface Action {
  table: string;
  /** @returns a request, the same whenever it is sent, and what is then there that was not */
  prepare(): Promise<{ ask: () => Promise<Response>; made: () => Promise<unknown>; expected: unknown }>;
}

let month = addMonths(monthOf(new Date()), -30);
beforeAll(async () => {
  for (const plan of ['low', 'medium']) {
    const { keyId } = await makeCustomer(
      database,
      `On ${plan}`,
      { plan, begins: `${month}-01` },
      startOfMonth(month),
    );
    await database.query('update customer set overage_allowed = true');
    for (let i = 0; i < 30; i++)
      await addQueries(database, keyId, startOfMonth(addMonths(month, i)), 70_000 + 1_000 * i);
  }
});

const stateOf = async (id: number | undefined) => {
  const { rows } = await persist(() =>
    database.query<{ state: string; times: number }>(
      `select state, (select count(*) from publication where dataset_id = d.id)::int as times from dataset d where id = $1`,
      [id],
    ),
  );
  return rows[0];
};

/** The pieces of a version where lookups read, and those that are kept aside. */
const rowsOf = async (id: number) => {
  const { rows } = await persist(() =>
    database.query(
      `select (select count(*) from coverage c where c.tier_id = any(tiers))::int as coverage,
         (select count(*) from coverage_archive c where c.tier_id = any(tiers))::int as archived
       from (select array_agg(id) as tiers from tier where dataset_id = $1) as t`,
      [id],
    ),
  );
  return rows[0];
};

/** Has an earlier version whose rows are kept aside, and one that replaced it. */
async function prepareRollback() {
  const scope = `part ${++number}`;
  const versions: number[] = [];
  for (let i = 0; i < 2; i++) {
    const { id, datasets } = await readySubmission(scope);
    expect((await kauri.post(`/api/operator/submissions/${id}/publish`)).status).toBe(200);
    versions.push(datasets[0]?.id as number);
  }
  const [earlier, later] = versions as [number, number];
  await vi.waitFor(async () => {
    const { rows } = await database.query(
      'select from coverage c join tier t on t.id = c.tier_id where t.dataset_id = $1',
      [earlier],
    );
    expect(rows).toEqual([]);
  }, patience);
  return {
    ask: () => kauri.post(`/api/operator/datasets/${earlier}/rollback`),
    made: async () => [await stateOf(earlier), await rowsOf(earlier), await stateOf(later)],
    expected: [
      { state: 'published', times: 2 },
      { coverage: 1, archived: 0 },
      { state: 'superseded', times: 1 },
    ],
  };
}

const actions: Record<string, Action> = {
  publication: {
    table: 'catalog',
    async prepare() {
      const { id, datasets } = await readySubmission();
      return {
        ask: () => kauri.post(`/api/operator/submissions/${id}/publish`),
        made: () => stateOf(datasets[0]?.id),
        expected: { state: 'published', times: 1 },
      };
    },
  },
  'rollback, while rows return': { table: 'coverage', prepare: prepareRollback },
  'rollback, as it replaces': { table: 'catalog', prepare: prepareRollback },
  'close of a month': {
    table: 'invoice_line',
    async prepare() {
      const closing = month;
      month = addMonths(month, 1);
      return {
        ask: () => staff.post(`/api/staff/invoices/close?month=${closing}`),
        async made() {
          const { rows } = await persist(() =>
            database.query(
              `select (select count(*) from month_close where month = $1)::int as closes,
                 count(*)::int as invoices, count(distinct customer_id)::int as customers
               from invoice where month = $1 and occasion = 'month'`,
              [`${closing}-01`],
            ),
          );
          return rows[0];
        },
        expected: { closes: 1, invoices: 2, customers: 2 },
      };
    },
  },
  upload: {
    table: 'submission',
    async prepare() {
      const { file, scope } = await readyFile();
      const key = createHash('sha256').update(file.bytes).digest('hex');
      return {
        ask: () => kauri.send(file, { ...manifest, scope: `${scope} up` }),
        made: async () => (await things())[`uploaded ${key}`],
        expected: '1',
      };
    },
  },
};

const parts: Record<string, (waiting: number) => Promise<() => Promise<unknown>>> = {
  'the API': async () => {
    api.child.kill('SIGKILL');
    await api.ended;
    return async () => {
      api = await startApi();
      useApi();
    };
  },
  // PostgreSQL ends all others then, and starts again by itself.
  'its process of PostgreSQL': async (waiting) => {
    process.kill(waiting, 'SIGKILL');
    return () => persist(() => database.query('select'));
  },
  Redis: async () => {
    await place.redis.end('SIGKILL');
    return () => place.redis.start();
  },
  'the worker': async () => {
    worker.child.kill('SIGKILL');
    await worker.ended;
    return async () => {
      worker = await startWorker();
    };
  },
};

describe.each(Object.entries(actions))('in the middle of: %s', (_action, { table, prepare }) => {
  test.each(Object.entries(parts))('%s is killed', async (_part, kill) => {
    const { ask, made, expected } = await prepare();
    const before = await things();
    const held = await holdUp(table);
    const asked = ask().then(
      ({ status }) => status,
      () => 'broken' as const,
    );
    const waiting = await held.untilItWaits();
    const start = await kill(waiting);
    await held.letGo();
    const outcome = await asked;
    await start();
    // What is not said to be done may be, as an answer can be lost; it is never a part of it.
    expect(await persist(() => brokenRules(database))).toEqual({});
    if (outcome === 200 || outcome === 202) expect(await made()).toEqual(expected);
    const again = await vi.waitFor(
      async () => {
        const { status } = await ask();
        expect(status).toBeLessThan(500);
        return status;
      },
      { timeout: 100_000, interval: 200 },
    );
    expect([200, 202, 409]).toContain(again);
    expect(await made()).toEqual(expected);
    expect(await brokenRules(database)).toEqual({});
    const now = await things();
    // Nothing else has changed: of before, what this was to replace alone.
    const changed = Object.keys(before).filter((key) => now[key] !== before[key]);
    expect(changed.filter((key) => !/^(dataset|submission) /.test(key))).toEqual([]);
    expect(changed.length).toBeLessThanOrEqual(4);
  });
});
