import { z } from 'zod';
import { Key } from '../../access/api-keys.ts';
import { AuditEvent } from '../../access/audit.ts';
import { CustomerToken } from '../../access/tokens.ts';
import { CapUse } from '../../billing/cap-use.ts';
import { capTerms } from '../../billing/caps.ts';
import { bundle, Plan, queryCounts } from '../../billing/charges.ts';
import { BillingContact } from '../../billing/contacts.ts';
import {
  amountFields,
  balanceFields,
  draftFields,
  InvoiceTotals,
  ListedInvoice,
  lineFields,
} from '../../billing/invoices.ts';
import { Lack } from '../../billing/invoicing.ts';
import { Account, entrySource, LedgerEntry, OwnLedgerEntry } from '../../billing/ledger.ts';
import { settings } from '../../billing/settings.ts';
import { StatementLine } from '../../billing/statement.ts';
import { Terms } from '../../billing/terms.ts';
import { isMonth } from '../../platform/nz-time.ts';
import { cents, day, month, NamedCustomer, named, time } from '../../platform/schemas.ts';
import { isPrintable, line, rowNumber } from './values.ts';

/* Billing. */

/** The rate limit of a key; null if there is none. */
export const ShownLimit = named('ShownLimit', { per_second: z.number(), burst: z.number() });

const commonTerms = {
  today: day(),
  month: month(),
  since: month().describe('The first month with a plan, a query or an invoice.'),
  plans: z.array(Plan),
  terms: Terms,
  limit: ShownLimit.nullable(),
};

/** The data at the beginning of staff's pages. */
export const Billing = z.object({
  ...commonTerms,
  closed_through: month().nullable().describe('The last closed month; null if there is none.'),
  next_close: z.object({ month: month(), over: z.boolean(), scheduled_for: time().nullable() }),
  confirm_from_cents: cents(
    'Manual entries of at least this amount must be confirmed. Cents, excluding GST.',
  ),
  has_gst_number: z.boolean().describe('Whether invoices are tax invoices.'),
  debtors_ledger: settings.debtors_ledger.describe('Where payments are recorded.'),
});

/* Usage */

export const DayQueries = named('DayQueries', { date: day(), queries: z.int() });

const charges = { overage_cents: cents(), plan_fee_cents: cents() };

export const Projection = named(
  'Projection',
  z.object({
    queries: z.int(),
    free: z.int(),
    overage: z.int(),
    ...charges,
    total_cents: cents(),
    used_up_on: day()
      .nullable()
      .describe('The day on which the bundle is used up; null if it is not, or is already.'),
  }),
  {
    description:
      'The forecast for the month by the weekdays and the trend so far; null unless it is the current month.',
  },
);

const bundled = z.int();

/** A cap as it is set: of queries or of dollars. */
export const CapBody = z
  .object({
    queries: capTerms.queries.unwrap().optional(),
    budget_cents: capTerms.budget_cents.unwrap().optional(),
    only_warns: capTerms.only_warns,
  })
  .refine(({ queries, budget_cents }) => (queries === undefined) !== (budget_cents === undefined), {
    error: 'A cap is either of "queries" or of "budget_cents".',
  });

const caps = z.array(CapUse).describe('Those of the customer and of staff. The smaller one holds.');

export const UsageOfAll = z.object({
  month: month(),
  closed: z.boolean(),
  as_of: time(),
  days: z.array(DayQueries),
  totals: z.object({ ...queryCounts, bundled, ...charges }),
  damaged_files: z
    .array(
      z.object({
        host: z.string().describe('The host that has the file.'),
        file: z.string().describe('The path of the file.'),
        reason: z.string(),
        found_at: time(),
      }),
    )
    .describe('Usage files that were found damaged in this month. Their queries are not billed.'),
  customers: z.array(
    z.object({
      customer: NamedCustomer,
      plan: z.object({ name: z.string(), label: z.string() }).nullable(),
      ...queryCounts,
      bundle,
      bundled,
      ...charges,
      caps,
      projection: Projection.nullable(),
    }),
  ),
});

/** A customer's usage in a month for staff, the customer and its programs. */
export const ownUsage = {
  month: month(),
  begins_at: time(),
  ends_at: time(),
  as_of: time(),
  ...queryCounts,
  bundle,
  free_left: z.int(),
  overage_allowed: z.boolean().describe('Whether queries past the free allowance are answered.'),
  overage_cents: cents(),
  caps,
  limit: ShownLimit.nullable(),
};

export const CustomerUsage = named('CustomerUsage', {
  ...ownUsage,
  customer: NamedCustomer,
  closed: z.boolean(),
  plan: z
    .object({
      name: z.string(),
      label: z.string(),
      bundled_queries: z.int(),
      price_cents: cents(),
      days: z.int().describe('The number of days in the month with this plan.'),
      days_in_month: z.int(),
    })
    .nullable(),
  bundled,
  plan_fee_cents: cents(),
  projection: Projection.nullable(),
  days: z.array(DayQueries),
  keys: z.array(z.object({ id: z.int(), label: z.string(), hint: z.string(), queries: z.int() })),
  invoice: z.int().nullable().describe('The number of the month’s invoice; null until the month is closed.'),
});

/* Invoices */

export const Invoices = z.object({ invoices: z.array(ListedInvoice), totals: InvoiceTotals });

const DraftInvoice = z.object({
  ...draftFields,
  lacks: z.array(Lack).describe('What the law asks for and is not known: the invoice is held back.'),
  lines: z.array(
    z.object({ ...lineFields, cause: z.string(), source: entrySource, entry_id: z.int().nullable() }),
  ),
});

/** Invoices that lack what the law asks for. */
export const HeldBack = z.object({
  invoices: z.array(DraftInvoice.extend({ since: day().describe('The day of the oldest entry.') })),
  totals: InvoiceTotals,
});

/** The invoices that closing a month would issue now. */
export const Preview = z.object({
  month: month(),
  state: z.enum(['open', 'closable', 'waiting', 'closed']),
  before: z.array(month()).describe('The months to close first.'),
  invoices: z.array(DraftInvoice),
  totals: InvoiceTotals,
  held_back: z
    .array(DraftInvoice)
    .describe('Invoices that the close would not issue, and that no total includes: `lacks` says why.'),
});

export const ClosedMonth = Invoices.extend({
  month: month(),
  closed: z.boolean().describe('False if the month was already closed.'),
});

/* The ledger */

export const LedgerPage = z.object({ entries: z.array(LedgerEntry), next: z.string().nullable() });

function statement<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    account: Account,
    code: z.string().describe('Printed on its invoices: payments are known by it.'),
    as_of: time(),
    from: day(),
    to: day(),
    opening_cents: cents(
      'What was owed before the first day; below zero for a credit. Cents, including GST.',
    ),
    lines: z.array(StatementLine).describe('In the order of their days.'),
    closing_cents: cents('What is owed after the last line; below zero for a credit. Cents, including GST.'),
    credit_cents: cents('The credit for the next invoice. Cents, including GST.'),
    due_cents: cents('What is left to pay of all invoices today. Cents, including GST.'),
    overdue_cents: cents('The part of it whose due date is past. Cents, including GST.'),
    unbilled: z.object({ entries: z.array(entry).describe('Oldest first.'), subtotal_cents: cents() }),
  });
}
export const Statement = named('Statement', statement(LedgerEntry));
export const OwnStatement = named('OwnStatement', statement(OwnLedgerEntry));

/* Keys and tokens */

export const Keys = z.object({ keys: z.array(Key) });
export const NewKey = z.object({ key: Key, secret: z.string() });
export const RotatedKey = NewKey.extend({ replaced: Key });

/* Customers and their accounts */

export const PlanPeriod = named('PlanPeriod', {
  name: z.string(),
  label: z.string(),
  begins: day(),
  ends: day().nullable().describe('The first day after the plan.'),
});

const customerFields = {
  id: z.int(),
  name: z.string(),
  created_at: time(),
  plan: PlanPeriod.nullable(),
  next_plan: PlanPeriod.nullable(),
  cancelled_on: day().nullable(),
  ends_on: day().nullable().describe('The first day after the subscription.'),
  free_queries: z.int(),
  free_left: z.int(),
  overage_allowed: z.boolean().describe('Whether queries past the free allowance are answered and charged.'),
  month: z.object({ month: month(), queries: z.int(), bundle: z.int() }),
};

export const ListedCustomer = named('ListedCustomer', { ...customerFields, active_keys: z.int() });

export const Customer = named('Customer', {
  ...customerFields,
  periods: z.array(z.object({ plan: z.string(), label: z.string(), begins: day(), ends: day().nullable() })),
  keys: z.array(Key),
  tokens: z.array(CustomerToken).optional().describe('For staff only.'),
  contact: BillingContact,
});

/** The data at the beginning of a customer's pages. */
export const OwnAccount = z.object({ ...commonTerms, customer: Customer });

/* Audit */

export const AuditPage = z.object({ events: z.array(AuditEvent), next: z.string().nullable() });

/** The invoices that starting or changing a plan would issue. */
export const PlanPreview = z.object({
  begins: day().nullable().describe('The day on which the plan begins; null if there will be none.'),
  total_cents: cents(
    'The total of what is issued at once. Cents, including GST. Send it with the plan: if it has changed, nothing is done.',
  ),
  invoices: z
    .array(
      z.object({
        issued_on: day(),
        due_on: day().nullable(),
        month: month(),
        needs_identifier: z
          .boolean()
          .describe('Whether the law requires an address or other identifier of the recipient.'),
        lacks_gst_number: z
          .boolean()
          .describe('Whether it lacks the issuer’s GST number, so that it cannot be issued.'),
        lines: z.array(z.object({ ...lineFields, source: entrySource })),
        ...amountFields,
        ...balanceFields,
        gst_percent: z.int(),
      }),
    )
    .describe(
      'Issued at once, or on the day on which the plan begins. Empty if the fee is on the invoice of the month before.',
    ),
});

const printedLines = z
  .string()
  .transform((text) =>
    text
      .split(/\r?\n/)
      .map((one) => one.trim())
      .join('\n')
      .trim(),
  )
  .refine((text) => text.split('\n').every(isPrintable), { error: 'has characters that cannot be printed.' });

const givenContact = z.object({
  address: z.string().max(500).pipe(printedLines).default(''),
  contact: line(200).default(''),
});

/** The fields on the invoice in a request that starts or changes a plan. */
export const planBilling = {
  contact: givenContact.optional().describe('The billing contact, from this invoice on.'),
  total_cents: cents('The total of the preview. If it has changed, nothing is done.').optional(),
};

/** The body of a request that sets the contact of a recipient of invoices. */
export const contactBody = {
  body: givenContact,
  example: { address: '1 Queen Street\nAuckland 1010', contact: 'accounts@example.com' },
};

/* Requests */

/** A month in a query string, from the year 2000 on. */
const askedMonth = () => month().refine(isMonth, { error: 'has to be a month as 2026-11.' });

export const requiredMonth = () => askedMonth().meta({ description: 'The month', example: '2026-11' });

export const monthFilter = (description: string) => askedMonth().optional().describe(description);

export const usageQuery = z.object({
  month: askedMonth()
    .optional()
    .meta({ description: 'The month; the current one by default', example: '2026-11' }),
});

export const accountFilter = {
  customer: rowNumber('Filter by customer').optional(),
  provider: rowNumber('Filter by operator, by the ID of its provider').optional(),
};

/** The days of a statement, both included. */
export const statementDays = {
  from: day().optional().describe('The first day; by default the first of the month five months ago'),
  to: day().optional().describe('The last day; today by default'),
};

/** For `refine`, of a query string with {@link accountFilter}. */
export const namesOneAtMost = [
  ({ customer, provider }: { customer?: number | undefined; provider?: number | undefined }) =>
    customer === undefined || provider === undefined,
  { error: 'Name a "customer" or a "provider", not both.' },
] as const;
