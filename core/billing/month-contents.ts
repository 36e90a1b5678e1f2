import type { Connection } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { addMonths, firstDay, type Month, monthName, startOfMonth } from '../nz-time.ts';
import { type MonthUsage, noQueries, planFees, usageOf } from './charges.ts';
import { type CountRow, queriesByKey, queryCounts } from './counts.ts';
import type { DraftLine, InvoiceContent } from './invoicing.ts';
import { type Account, accountKey, unbilledEntries } from './ledger.ts';
import { isClosed } from './months.ts';
import { feeLine } from './plan-start.ts';
import { planPeriods, termsOf } from './terms.ts';

/* What the invoices of a month are about. */

/** A customer's queries in a month, as a close has seen them. */
export interface CustomerMonth {
  customerId: number;
  month: Month;
  queries: number;
}

/** What each account is invoiced for with a month, in order of name: entries that are on no invoice yet, and what is to be posted. */
export async function monthContents(connection: Connection, month: Month, closed: Month | undefined) {
  const contents = new Map<string, InvoiceContent>();
  const contentOf = (account: Account) => {
    const key = accountKey(account);
    const content = contents.get(key) ?? { occasion: 'month', account, month, lines: [], usage: null };
    contents.set(key, content);
    return content;
  };
  for (const entry of await unbilledEntries(connection, { before: startOfMonth(addMonths(month, 1)) })) {
    const { id: entry_id, kind, month: of, description, quantity, unit_price_cents, cause, source } = entry;
    const line = { entry_id, kind, month: of, description, quantity, unit_price_cents, cause, source };
    contentOf(entry.account).lines.push(line);
  }
  const { customers, counts } = await customerContents(connection, month, closed);
  for (const { account, usage, lines } of customers) {
    if (lines.length === 0 && !contents.has(accountKey(account))) continue;
    const content = contentOf(account);
    content.lines.push(...lines);
    content.usage = usage;
  }
  const sorted = [...contents.values()].sort(
    (a, b) =>
      a.account.kind.localeCompare(b.account.kind) ||
      a.account.name.localeCompare(b.account.name, 'en-NZ') ||
      a.account.id - b.account.id,
  );
  return { contents: sorted, counts };
}

/**
 * What customers owe that is not posted yet: plan fees up to the month after the one that is closed, and overage. Overage of a month
 * that is closed already is an adjustment, as its queries were counted late. Only a customer's months from the first with late counts
 * are looked at: the free allowance goes to the oldest queries, so nothing before can have changed.
 */
async function customerContents(connection: Connection, month: Month, closed: Month | undefined) {
  const { rows: customers } = await connection.query<{ id: number; name: string; free_queries: number }>(
    'select id, name, free_queries from customer order by id',
  );
  const periods = await planPeriods(connection);
  const queries = await unclosedCounts(connection, month);
  const counts = [...queries].flatMap(([customerId, { months }]) =>
    [...months]
      .filter(([of]) => of <= month)
      .map(([of, count]) => ({ customerId, month: of, queries: count })),
  );
  const posted = await postedOverage(connection, counts);
  // Every fee of a closed month was posted when it was closed: no plan begins in one.
  const firstFees = closed && addMonths(closed, 1);
  const postedFees = await postedPlanFees(connection, firstFees);
  const keys = await queriesByKey(connection, month);
  const prices = new Map<Month, number>();
  const priceOf = async (of: Month) => {
    const price = prices.get(of) ?? (await termsOf(connection, of)).overage_cents;
    prices.set(of, price);
    return price;
  };
  const all: { account: Account; usage: MonthUsage; lines: DraftLine[] }[] = [];
  for (const { id, name, free_queries } of customers) {
    const own = periods.get(id) ?? [];
    const { before, months, uncharged } = queries.get(id) ?? noQueries;
    const lines: DraftLine[] = [];
    const wanted = [...new Set([...months.keys(), month])].filter((of) => of <= month).sort();
    const usages = usageOf(months, own, Math.max(0, free_queries - before), wanted, uncharged);
    for (const usage of usages) {
      const postedBefore = posted.get(`${id} ${usage.month}`) ?? 0;
      const quantity = usage.overage - postedBefore;
      if (quantity === 0) continue;
      const ownKeys = keys.filter((key) => key.customer_id === id);
      const isLate = isClosed(closed, usage.month);
      const { month: _, ...figures } = usage;
      lines.push({
        entry_id: null,
        kind: isLate ? 'adjustment' : 'overage',
        month: usage.month,
        description: `${isLate ? 'Late usage adjustment' : 'Overage queries'}, ${monthName(usage.month)}`,
        quantity,
        unit_price_cents: await priceOf(usage.month),
        cause: isLate ? `adjustment:${id}:${usage.month}:${month}` : `overage:${id}:${usage.month}`,
        source: {
          ...figures,
          ...(isLate && { booked_before: postedBefore }),
          ...(usage.month === month && {
            keys: ownKeys.map(({ id: key, hint, queries: count }) => ({ id: key, hint, queries: count })),
          }),
        },
      });
    }
    for (const fee of planFees(own, addMonths(month, 1), firstFees)) {
      if (!postedFees.has(`${fee.period.id} ${fee.month}`)) lines.push(feeLine(fee));
    }
    const account = { kind: 'customer', id, name } as const;
    all.push({ account, usage: usages.find((usage) => usage.month === month) as MonthUsage, lines });
  }
  return { customers: all, counts };
}

/** Counts by customer from the first month with counts that its close has not seen, or else from the month that is closed. */
async function unclosedCounts(connection: Connection, month: Month) {
  const { rows } = await connection.query<CountRow>(sql`
    select t.customer_id, t.queries - t.uncharged as total, to_char(m.month, 'YYYY-MM') as month, m.queries, m.uncharged
    from usage_total t
    cross join lateral (
      -- "+ 0" keeps the order of months out of the plan: the index of the months that have changed has a row or two.
      select least(${firstDay(month)}::date, min(c.month + 0)) as month from usage_month c
      where c.customer_id = t.customer_id and c.closed_queries <> c.queries) as first
    left join usage_month m on m.customer_id = t.customer_id and m.month >= first.month
    order by 1, 3`);
  return queryCounts(rows);
}

/** The overage that is posted for months of customers, by customer and month. */
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

/** The months of plans, from one on, whose fee is posted. */
async function postedPlanFees(connection: Connection, from: Month | undefined): Promise<Set<string>> {
  const first = from && firstDay(from);
  const { rows } = await connection.query<{ key: string }>(sql`
    select customer_plan_id || to_char(month, ' YYYY-MM') as key from ledger_entry
    where kind = 'plan_fee' and (${first}::date is null or month >= ${first})`);
  return new Set(rows.map(({ key }) => key));
}
