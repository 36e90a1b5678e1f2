import { describe, expect, test } from 'vitest';
import { addKey } from '../../core/access/api-keys.ts';
import { commandActor } from '../../core/actor.ts';
import { closeMonth, previewClose } from '../../core/billing/close.ts';
import { createCustomer, findCustomer, listCustomers } from '../../core/billing/customers.ts';
import { closingTime } from '../../core/billing/months.ts';
import { customerUsage, firstMonthOf, usageOverview } from '../../core/billing/usage.ts';
import type { Connection, Database, Queryable, Statement } from '../../core/database/database.ts';
import { addMonths, type Month, startOfMonth } from '../../core/nz-time.ts';
import { addQueries, delegate } from '../setup/billing.ts';
import { useDatabase } from '../setup/service.ts';
import { textOf } from '../setup/statement.ts';

/*
 * The rows that billing reads do not grow with the months gone by: docs/administrator/billing-operations.md. They are counted by
 * `explain (analyze)` of each statement. Any database reads a table of a few rows whole, so such plans are discouraged.
 */

const first = '2020-01' as Month;
/** Overage in every month: 200 queries a day past Low usage's bundle of 75,000 (and the 1,000 free ones once). */
const daily = 3_000;

const { database } = await useDatabase();
const begins = startOfMonth(first);
const customer = await createCustomer(
  database,
  { name: 'Kea Homes', plan: 'low', begins: '2020-01-01' },
  commandActor,
  begins,
);
const key = (await addKey(database, customer, { label: 'Website' }, commandActor)).key.id;

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
    const db = {
      ...delegate(database),
      query: within.query.bind(within),
      transaction: (inner: (connection: Connection) => Promise<unknown>) => inner(within),
    } as Database;
    await work(db);
  });
  return rows;
}

describe('what is read', () => {
  test('is the same after four years as after three months', async () => {
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
    expect(await look(late)).toEqual(before);
    expect(before['its usage']).toBeGreaterThan(0);
  });
});

describe('counts that come late', () => {
  test('are in the next invoice, however late, and change what was free', async () => {
    // The free ones were used up within the first month: 1,000 more then are 1,000 past the bundle.
    await addQueries(database, key, startOfMonth(first), 1_000);
    const month = (await previewMonth()) as Month;
    const preview = await previewClose(database, month, startOfMonth(addMonths(month, 1)));
    const lines = preview.invoices.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'adjustment');
    expect(lines.map(({ month: of, quantity }) => [of, quantity])).toEqual([[first, 1_000]]);
    await closeMonth(database, month, commandActor, closingTime(month, '06:00:00'));
    const next = await previewClose(database, addMonths(month, 1), startOfMonth(addMonths(month, 2)));
    expect(next.invoices.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'adjustment')).toEqual(
      [],
    );
  });
  test('while the month is being closed wait for the next', async () => {
    const month = (await previewMonth()) as Month;
    await addQueries(database, key, startOfMonth(month), 100_000);
    let added = false;
    const slow: Database = {
      ...delegate(database),
      transaction: (work, isolation) =>
        database.transaction(
          (connection) =>
            work({
              ...connection,
              copyFrom: connection.copyFrom.bind(connection),
              async query(statement, values) {
                // The counts have been read: queries that another process adds now are not in the invoices.
                if (!added && textOf(statement).includes('insert into month_close')) {
                  added = true;
                  const one = [key, startOfMonth(month), 500];
                  await (database.kind === 'embedded' ? connection : database).query(
                    'update usage_hour set queries = queries + $3 where key_id = $1 and hour = $2',
                    one,
                  );
                }
                return connection.query(statement, values);
              },
            }),
          isolation,
        ),
    };
    await closeMonth(slow, month, commandActor, closingTime(month, '06:00:00'));
    expect(added).toBe(true);
    const next = addMonths(month, 1);
    const preview = await previewClose(database, next, startOfMonth(addMonths(next, 1)));
    const lines = preview.invoices.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'adjustment');
    expect(lines.map(({ month: of, quantity }) => [of, quantity])).toEqual([[month, 500]]);
  });

  /** The month after the last that is closed. */
  async function previewMonth(): Promise<Month | undefined> {
    const { rows } = await database.query<{ month: string }>('select max(month) as month from month_close');
    return rows[0] && addMonths(rows[0].month.slice(0, 7) as Month, 1);
  }
});

test('sums are those of the hours, whoever counts at once', async () => {
  const others = await Promise.all(
    ['Tūī', 'Weka', 'Kererū'].map(async (name) => {
      const id = await createCustomer(database, { name }, commandActor, new Date());
      return [
        (await addKey(database, id, { label: 'one' }, commandActor)).key.id,
        (await addKey(database, id, { label: 'two' }, commandActor)).key.id,
      ];
    }),
  );
  const keys = others.flat();
  const hours = [
    '2025-01-31T10:00:00Z',
    '2025-01-31T11:00:00Z',
    '2025-02-28T10:00:00Z',
    '2025-02-28T11:00:00Z',
  ];
  await Promise.all(
    Array.from({ length: 12 }, async (_, round) => {
      for (let step = 0; step < 4; step++) {
        const rows = keys.map((id, index) => [id, hours[(index + round + step) % 4] as string] as const);
        await database.query(
          `insert into usage_hour as u (key_id, hour, queries)
           select key_id, hour, 1 + key_id % 3 from unnest($1::integer[], $2::timestamptz[]) as n (key_id, hour)
           order by key_id, hour
           on conflict (key_id, hour) do update set queries = u.queries + excluded.queries`,
          [rows.map(([id]) => id), rows.map(([, hour]) => hour)],
        );
      }
    }),
  );
  const { rows: months } = await database.query(
    `select customer_id, month, sum(queries)::bigint as queries from (
       select k.customer_id, to_char(u.hour at time zone 'Pacific/Auckland', 'YYYY-MM-01')::date as month, u.queries
       from usage_hour u join api_key k on k.id = u.key_id) as hours
     group by 1, 2 order by 1, 2`,
  );
  const { rows: sums } = await database.query(
    'select customer_id, month, queries from usage_month order by 1, 2',
  );
  expect(sums).toEqual(months);
  const { rows: totals } = await database.query(
    `select t.customer_id from usage_total t where t.queries is distinct from
       (select sum(queries) from usage_month m where m.customer_id = t.customer_id)`,
  );
  expect(totals).toEqual([]);
  await expect(database.query('delete from usage_hour')).rejects.toThrow('only ever added');
});
