import { expect, test } from 'vitest';
import { commandActor } from '../../core/actor.ts';
import { allowOverage, createCustomer } from '../../core/billing/customers.ts';
import type { Connection } from '../../core/database/database.ts';
import { sql } from '../../core/database/sql.ts';
import { useDatabase } from '../setup/service.ts';

/* Counts added as a set give the same sums as one by one: with and without a plan, overage and free queries left. */

const customers: number[] = [];
const rounds = 20;
const days = ['2026-09-30', '2026-10-01', '2026-10-02', '2026-10-03'];

const { database } = await useDatabase();
for (let count = 0; count < 12; count++) {
  const plan = count % 3 === 0 ? { plan: 'low', begins: days[count % 4] as string } : {};
  const id = await createCustomer(
    database,
    { name: `Customer ${count}`, ...plan },
    commandActor,
    new Date('2026-09-01'),
  );
  await database.query(sql`update customer set free_queries = ${20 * (count % 5)} where id = ${id}`);
  if (count % 4 === 1) await allowOverage(database, id, true, commandActor);
  customers.push(id);
}

test('sums of random counts', async () => {
  const random = (below: number) => Math.floor(Math.random() * below);
  for (let round = 0; round < rounds; round++) {
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
    expect(bySet.months.length).toBeGreaterThan(0);
  }
});

/** The sums after some work, which is rolled back. */
async function sumsOf(work: (connection: Connection) => Promise<void>) {
  return database.withConnection(async (connection) => {
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
}
