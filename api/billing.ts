import type { z } from 'zod';
import type { Identity } from '../access/actor.ts';
import type { RateLimit } from '../access/rate-limit/rate-limit.ts';
import { type AccountId, accountKey } from '../billing/ledger.ts';
import { listPlans, termsOf } from '../billing/terms.ts';
import { dayOf, type Month, monthOf } from '../platform/nz-time.ts';
import type { ApiContext } from './context.ts';
import { invalidRequest } from './errors.ts';
import { rowId } from './schemas/values.ts';

/* Common parts of billing's routes. */

/** The account of whoever looks at an operator's papers; undefined: staff, who see anybody's. */
export const operatorOf = ({ providerId }: { providerId: number | null }): AccountId | undefined =>
  providerId === null ? undefined : { kind: 'operator', id: providerId };

/** The rate limit of keys; null where there is none. */
export function shownLimit({ rate }: RateLimit): { per_second: number; burst: number } | null {
  return Number.isFinite(rate.perSecond) ? { per_second: rate.perSecond, burst: rate.burst } : null;
}

/** The terms at the beginning of staff's and customers' pages. */
export async function commonTerms({ database, limit, now }: ApiContext) {
  const at = now();
  const month = monthOf(at);
  return {
    today: dayOf(at),
    month,
    plans: await listPlans(database),
    terms: await termsOf(database, month),
    limit: shownLimit(limit),
  };
}

/** The month of a query string, or the current one. @throws CovermapError `request_invalid` for a future month */
export function usageMonth({ month }: { month?: Month | undefined }, at: Date): Month {
  const current = monthOf(at);
  if (month !== undefined && month > current) throw invalidRequest(`${month} is yet to come.`);
  return month ?? current;
}

interface NamesAccount {
  customer?: number | undefined;
  provider?: number | undefined;
}

export function accountNamed({ customer, provider }: NamesAccount): AccountId | undefined {
  if (customer !== undefined) return { kind: 'customer', id: customer };
  return provider === undefined ? undefined : { kind: 'operator', id: provider };
}

/** The difference between staff's routes, which name a customer in the path, and those of the customer itself. */
export interface Side {
  who: 'staff' | 'customer';
  tag: 'Billing' | 'Account';
  base: string;
  params: Record<string, z.ZodType>;
  customerOf(asked: { params: Record<string, unknown>; identity: Identity }): number;
}

export const staffSide: Side = {
  who: 'staff',
  tag: 'Billing',
  base: '/api/staff/customers/{id}',
  params: { id: rowId('The ID of the customer') },
  customerOf: ({ params }) => params.id as number,
};

export const ownSide: Side = {
  who: 'customer',
  tag: 'Account',
  base: '/api/account',
  params: {},
  customerOf: ({ identity }) => ownId(identity),
};

export function ownId({ customer }: Identity): number {
  if (!customer) throw new Error('a customer asks without being one');
  return customer.id;
}

/** Who asks for a paper, as `printPdf` counts them. */
export function askerOf({ customer, provider }: Identity): string {
  if (customer) return accountKey({ kind: 'customer', id: customer.id });
  return provider ? accountKey({ kind: 'operator', id: provider.id }) : 'staff';
}
