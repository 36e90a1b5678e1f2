import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { closeMonth, previewClose } from '../../billing/close.ts';
import { allowOverage, findCustomer, listCustomers } from '../../billing/customers.ts';
import { closedThrough, closingTime } from '../../billing/months.ts';
import { customerUsage, firstMonthOf, usageOverview } from '../../billing/usage.ts';
import type { Connection, Database, Queryable, Statement } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { addMonths, type Month, monthOf, startOfMonth } from '../../platform/nz-time.ts';
import { addQueries, delegate, interrupted, makeCustomer } from '../setup/billing.ts';
import { useDatabase } from '../setup/service.ts';

/*
 * The rows that billing reads do not grow with the months gone by: docs/administrator/billing-operations.md. They are counted by
 * `explain (analyze)` of each statement. Any database reads a table of a few rows whole, so such plans are discouraged.
 */

const first = '2020-01' as Month;
/** Overage in every month: 200 queries a day past Low usage's bundle of 75,000 (and the 1,000 free ones once). */
const daily = 3_000;

const { database } = await useDatabase();
const plan = { plan: 'low', begins: '2020-01-01' };
const { id: customer, keyId: key } = await makeCustomer(database, 'Kea Homes', plan, startOfMonth(first));

/** Asks every day of months, and closes each when it is over. */
async function live(from: Month, months: number): Promise<Month> {
  let month = from;
  for (let count = 0; count < months; count++, month = addMonths(month, 1)) {
    await database.query(
      `insert into usage_hour (key_id, hour, queries)
       select $1, hour, $4 from generate_series($2::timestamptz, $3::timestamptz - interval '1 hour', '1 day') as hour
       on conflict do nothing`,
      [key, startOfMonth(month), startOfMonth(addMonths(month, 1)), daily],
    );
    await closeMonth(database, month, commandActor, closingTime(month, '06:00:00'));
  }
  return month;
}

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/** Counts the rows of tables that a plan read. */
function rowsRead(node: PlanNode): number {
  const own = node['Relation Name']
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}

/** How many rows the statements of some work read. */
async function reads(work: (db: Database) => Promise<unknown>): Promise<number> {
  let rows = 0;
  const counted = <Q extends Queryable>(db: Q): Q => ({
    ...db,
    async query(statement: string | Statement, given?: readonly unknown[]) {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: given } : statement;
      if (/^\s*(select|with)\b/i.test(text) && !/advisory/.test(text)) {
        const { rows: plans } = await db.query<Record<'QUERY PLAN', [{ Plan: PlanNode }]>>(
          `explain (analyze, timing off, format json) ${text}`,
          values,
        );
        rows += rowsRead((plans[0] as Record<'QUERY PLAN', [{ Plan: PlanNode }]>)['QUERY PLAN'][0].Plan);
      }
      return db.query(text, values);
    },
  });
  await database.transaction(async (connection: Connection) => {
    await connection.query('set local enable_seqscan = off; set local enable_bitmapscan = off');
    const within = counted(connection);
    const query = within.query.bind(within);
    await work(delegate(database, { query, transaction: (inner) => inner(within) }));
  });
  return rows;
}

test('what is read is the same after four years as after three months', async () => {
  const look = async (month: Month) => {
    const at = new Date(startOfMonth(month).getTime() + 20 * 86_400_000);
    await addQueries(database, key, startOfMonth(month), daily);
    await database.query(
      'analyze usage_hour, usage_month, usage_total, ledger_entry, open_entry, invoice_line, invoice, customer_plan',
    );
    return {
      'a customer': await reads((db) => findCustomer(db, customer, at)),
      'all customers': await reads((db) => listCustomers(db, at)),
      'its usage': await reads((db) => customerUsage(db, customer, month, at)),
      'the usage of all': await reads((db) => usageOverview(db, month, at)),
      'the first month': await reads((db) => firstMonthOf(db, undefined, at)),
      'the first month of a customer': await reads((db) => firstMonthOf(db, customer, at)),
      'a preview': await reads((db) => previewClose(db, month, at)),
    };
  };
  const early = await live(first, 3);
  const before = await look(early);
  const late = await live(early, 45);
  expect(late).toBe('2024-01');
  const after = await look(late);
  // The forecast reads the days of eight weeks, which are of one hour more or less.
  for (const [what, reads] of Object.entries(before)) {
    expect(Math.abs((after[what as keyof typeof after] ?? 0) - reads), what).toBeLessThanOrEqual(
      /usage/.test(what) ? 2 : 0,
    );
  }
  expect(before['its usage']).toBeGreaterThan(0);
});

describe('counts that come late', () => {
  const close = (month: Month, db = database) =>
    closeMonth(db, month, commandActor, closingTime(month, '06:00:00'));
  const nextMonth = async () => addMonths((await closedThrough(database)) as Month, 1);
  /** The adjustments on the invoices of the next month. */
  async function adjustments() {
    const month = await nextMonth();
    const { invoices } = await previewClose(database, month, startOfMonth(addMonths(month, 1)));
    const lines = invoices.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'adjustment');
    return lines.map(({ month: of, quantity }) => [of, quantity]);
  }

  test('are in the next invoice, however late, and change what was free', async () => {
    // The free ones were used up within the first month: 1,000 more then are 1,000 past the bundle.
    await addQueries(database, key, startOfMonth(first), 1_000);
    expect(await adjustments()).toEqual([[first, 1_000]]);
    await close(await nextMonth());
    expect(await adjustments()).toEqual([]);
  });
  test('while the month is being closed wait for the next', async () => {
    const month = await nextMonth();
    await addQueries(database, key, startOfMonth(month), 100_000);
    let added = false;
    const slow = interrupted(database, {
      // The counts have been read: queries that another process adds now are not in the invoices.
      async before(text, connection) {
        if (added || !text.includes('insert into month_close')) return;
        added = true;
        const other = database.kind === 'embedded' ? connection : database;
        const more = 'update usage_hour set queries = queries + 500 where key_id = $1 and hour = $2';
        await other.query(more, [key, startOfMonth(month)]);
      },
    });
    await close(month, slow);
    expect(added).toBe(true);
    expect(await adjustments()).toEqual([[month, 500]]);
  });
});

test('sums are those of the hours, whoever counts at once', async () => {
  const owners = new Map<number, number>([[key, customer]]);
  for (const name of ['Tūī', 'Weka', 'Kererū']) {
    const { id, keyId } = await makeCustomer(database, name);
    owners.set(keyId, id).set((await addKey(database, id, {}, commandActor)).key.id, id);
  }
  const keys = [...owners.keys()].slice(1);
  // The last hours of months in New Zealand, and the first ones: in summer, and once the clocks were put back and forward.
  const ends = ['2025-01-31T10', '2025-04-30T11', '2025-09-30T10'].map((hour) => new Date(`${hour}:00Z`));
  const hours = ends.flatMap((end) => [end, new Date(end.getTime() + 3_600_000)]);
  await Promise.all(
    Array.from({ length: 12 }, async (_, round) => {
      for (let step = 0; step < 6; step++) {
        const counted = keys.map((_, index) => hours[(index + round + step) % 6]);
        await database.query(
          `insert into usage_hour as u (key_id, hour, queries)
           select key_id, hour, 1 + key_id % 3 from unnest($1::integer[], $2::timestamptz[]) as n (key_id, hour)
           order by key_id, hour
           on conflict (key_id, hour) do update set queries = u.queries + excluded.queries`,
          [keys, counted],
        );
      }
    }),
  );
  const { rows } = await database.query<{ key_id: number; hour: Date; queries: number }>(
    'select key_id, hour, queries from usage_hour',
  );
  const [months, totals] = [new Map<string, number>(), new Map<string, number>()];
  for (const { key_id, hour, queries } of rows) {
    const of = owners.get(key_id);
    for (const [sums, name] of [
      [months, `${of} ${monthOf(hour)}`],
      [totals, `${of}`],
    ] as const)
      sums.set(name, (sums.get(name) ?? 0) + queries);
  }
  const summed = async (name: string, from: string) => {
    const sums = `select ${name} as name, queries from ${from}`;
    const { rows } = await database.query<{ name: string; queries: number }>(sums);
    return new Map(rows.map(({ name, queries }) => [name, queries]));
  };
  expect(await summed(`customer_id || to_char(month, ' YYYY-MM')`, 'usage_month')).toEqual(months);
  expect(await summed('customer_id::text', 'usage_total')).toEqual(totals);
  await expect(database.query('delete from usage_hour')).rejects.toThrow('only ever added');
});

test('counts added as a set give the same sums as one by one, with and without a plan, overage and free queries left', async () => {
  const days = ['2026-09-30', '2026-10-01', '2026-10-02', '2026-10-03'];
  const customers: number[] = [];
  for (let count = 0; count < 12; count++) {
    const plan = count % 3 === 0 ? { plan: 'low', begins: days[count % 4] as string } : {};
    const { id } = await makeCustomer(database, `Customer ${count}`, plan, new Date('2026-09-01'));
    await database.query(sql`update customer set free_queries = ${20 * (count % 5)} where id = ${id}`);
    if (count % 4 === 1) await allowOverage(database, id, true, commandActor);
    customers.push(id);
  }
  const random = (below: number) => Math.floor(Math.random() * below);
  /** The sums after some work, which is rolled back. */
  const sumsOf = (work: (connection: Connection) => Promise<void>) =>
    database.withConnection(async (connection) => {
      await connection.query('begin');
      try {
        await work(connection);
        const totals = await connection.query('select * from usage_total order by customer_id');
        const months = await connection.query('select * from usage_month order by customer_id, month');
        return { totals: totals.rows, months: months.rows };
      } finally {
        await connection.query('rollback');
      }
    });
  for (let round = 0; round < 20; round++) {
    const batches = Array.from({ length: 3 }, () =>
      customers.flatMap((customer) =>
        days.filter(() => random(2)).map((day) => ({ customer, day, queries: 1 + random(30) })),
      ),
    );
    const oneByOne = await sumsOf(async (connection) => {
      for (const { customer, day, queries } of batches.flat()) {
        await connection.query(sql`select add_usage(${customer}, ${day}::date, ${queries})`);
      }
    });
    const bySet = await sumsOf(async (connection) => {
      for (const batch of batches) {
        await connection.query(sql`
          select add_usages(${batch.map(({ customer }) => customer)}::integer[], ${batch.map(({ day }) => day)}::date[],
            ${batch.map(({ queries }) => queries)}::bigint[])`);
      }
    });
    expect(bySet).toEqual(oneByOne);
    expect(bySet).not.toEqual(await sumsOf(async () => {}));
  }
});
