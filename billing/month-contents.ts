import type { Connection } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { addMonths, firstDay, type Month, monthName, startOfMonth } from '../platform/nz-time.ts';
import { planFees, usageOf } from './charges.ts';
import { queriesByKey } from './counts.ts';
import { billedCustomers } from './customers.ts';
import { type DraftLine, entryLine, type InvoiceContent } from './invoicing.ts';
import { type Account, accountKey, unbilledEntries } from './ledger.ts';
import { isClosed } from './months.ts';
import { feeLine } from './plan-start.ts';
import { type Terms, termsByMonth } from './terms.ts';

/** A customer's queries in a month, as counted by a close. */
export type CustomerMonth = { customerId: number; month: Month; queries: number };

/**
 * The contents of each account's invoice of a month, by name: entries on no invoice, and unposted debts of customers: plan fees up to the
 * month after, and overage. Overage of a closed month is an adjustment, as its queries were counted late. Months before the first with
 * late counts cannot have changed, as the free allowance goes to the oldest queries.
 */
export async function monthContents(connection: Connection, month: Month, closed: Month | undefined) {
  const contents = new Map<string, InvoiceContent>();
  const contentOf = (account: Account) => {
    const key = accountKey(account);
    const content = contents.get(key) ?? { occasion: 'month', account, month, lines: [], usage: null };
    contents.set(key, content);
    return content;
  };
  for (const entry of await unbilledEntries(connection, { before: startOfMonth(addMonths(month, 1)) })) {
    contentOf(entry.account).lines.push(entryLine(entry));
  }
  const customers = await billedCustomers(connection, month, { unclosed: true });
  const counts = customers.flatMap(({ id, counts: { months } }) =>
    [...months]
      .filter(([of]) => of <= month)
      .map(([of, queries]): CustomerMonth => ({ customerId: id, month: of, queries })),
  );
  const posted = await postedOverage(connection, counts);
  // Every fee of a closed month was posted when it was closed: no plan begins in one.
  const firstFees = closed && addMonths(closed, 1);
  const postedFees = await postedPlanFees(connection, firstFees);
  const terms = await termsByMonth(connection, [month, ...counts.map((count) => count.month)]);
  const keys = await queriesByKey(connection, month);
  for (const { id, name, free_queries, periods, counts: queryCounts } of customers) {
    const lines: DraftLine[] = [];
    const wanted = [...new Set([...queryCounts.months.keys(), month])].filter((of) => of <= month).sort();
    const free = Math.max(0, free_queries - queryCounts.before);
    const usages = usageOf(queryCounts.months, periods, free, wanted, queryCounts.uncharged);
    for (const { month: of, ...figures } of usages) {
      const postedBefore = posted.get(`${id} ${of}`) ?? 0;
      const quantity = figures.overage - postedBefore;
      if (quantity === 0) continue;
      const isLate = isClosed(closed, of);
      const ownKeys = keys
        .filter(({ customer_id }) => customer_id === id)
        .map(({ id: key, hint, queries }) => ({ id: key, hint, queries }));
      lines.push({
        entry_id: null,
        kind: isLate ? 'adjustment' : 'overage',
        month: of,
        description: `${isLate ? 'Late usage adjustment' : 'Overage queries'}, ${monthName(of)}`,
        quantity,
        unit_price_cents: (terms.get(of) as Terms).overage_cents,
        cause: isLate ? `adjustment:${id}:${of}:${month}` : `overage:${id}:${of}`,
        source: {
          ...figures,
          ...(isLate && { booked_before: postedBefore }),
          ...(of === month && { keys: ownKeys }),
        },
      });
    }
    for (const fee of planFees(periods, addMonths(month, 1), firstFees)) {
      if (!postedFees.has(`${fee.period.id} ${fee.month}`)) lines.push(feeLine(fee));
    }
    const account = { kind: 'customer', id, name } as const;
    if (lines.length === 0 && !contents.has(accountKey(account))) continue;
    const content = contentOf(account);
    content.lines.push(...lines);
    content.usage = usages.at(-1) ?? null;
  }
  const sorted = [...contents.values()].sort(
    ({ account: a }, { account: b }) =>
      a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name, 'en-NZ') || a.id - b.id,
  );
  return { contents: sorted, counts };
}

async function postedOverage(connection: Connection, months: readonly CustomerMonth[]) {
  const { rows } = await connection.query<{ key: string; quantity: number }>(sql`
    select e.customer_id || to_char(e.month, ' YYYY-MM') as key, sum(e.quantity)::bigint as quantity
    from unnest(${months.map(({ customerId }) => customerId)}::integer[],
      ${months.map(({ month }) => firstDay(month))}::date[]) as m (customer_id, month)
    join ledger_entry e on e.customer_id = m.customer_id and e.month = m.month
      and e.kind in ('overage', 'adjustment')
    group by 1`);
  return new Map(rows.map(({ key, quantity }) => [key, quantity]));
}

/** The months of plans, from one on, with a posted fee. */
async function postedPlanFees(connection: Connection, from: Month | undefined): Promise<Set<string>> {
  const first = from && firstDay(from);
  const { rows } = await connection.query<{ key: string }>(sql`
    select customer_plan_id || to_char(month, ' YYYY-MM') as key from ledger_entry
    where kind = 'plan_fee' and (${first}::date is null or month >= ${first})`);
  return new Set(rows.map(({ key }) => key));
}
