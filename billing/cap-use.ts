import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { type Month, monthOf } from '../platform/nz-time.ts';
import { named } from '../platform/schemas.ts';
import { capTerms, queriesWithin, setBy } from './caps.ts';
import { type BilledCustomer, billedCustomers } from './customers.ts';
import { termsOf } from './terms.ts';

export const CapUse = named('CapUse', {
  set_by: setBy,
  ...capTerms,
  max_queries: z
    .int()
    .nullable()
    .describe(
      'The max queries of the month within it, free and included ones too; null: a budget of what costs nothing.',
    ),
  used: z
    .int()
    .describe('The queries of the month, with those that may have been answered by killed processes.'),
  left: z.int().nullable(),
  reached: z.boolean().describe('At a cap that is reached keys get 429, unless it only warns.'),
});
export type CapUse = z.output<typeof CapUse>;

/** How far each cap of a customer is used in a month. @param overageCents the price of a query past the bundle */
export function capUsesOf(customer: BilledCustomer, month: Month, overageCents: number): CapUse[] {
  const used = (customer.counts.months.get(month) ?? 0) + customer.lost;
  return customer.caps.map((cap) => {
    const max = queriesWithin(cap, customer, month, overageCents);
    const left = Number.isFinite(max) ? Math.max(0, max - used) : null;
    return { ...cap, max_queries: left === null ? null : max, used, left, reached: left === 0 };
  });
}

/** How far the caps of all customers are used in the month of an instant. */
export async function capsInUse(db: Queryable, at: Date) {
  const month = monthOf(at);
  const customers = await billedCustomers(db, month, { capped: true });
  const { overage_cents } = await termsOf(db, month);
  return customers.flatMap((customer) =>
    capUsesOf(customer, month, overage_cents).map((use) => ({
      customer: { id: customer.id, name: customer.name },
      ...use,
    })),
  );
}

/** The customers that are refused because a cap of theirs is reached. */
export async function refusedAtCap(db: Queryable, at: Date): Promise<number[]> {
  const refusing = (await capsInUse(db, at)).filter(({ reached, only_warns }) => reached && !only_warns);
  return [...new Set(refusing.map(({ customer }) => customer.id))];
}
