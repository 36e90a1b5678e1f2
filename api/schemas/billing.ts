import { z } from 'zod';
import { isMonth } from '../../core/nz-time.ts';
import { NamedProvider, named } from './named.ts';
import { anyObject, cents, day, isPrintable, line, month, rowNumber, time } from './values.ts';

/* Billing. */

export const NamedCustomer = named('NamedCustomer', { id: z.int(), name: z.string() });

export const Plan = named('Plan', {
  name: z.string(),
  label: z.string(),
  bundled_queries: z.int().describe('Per month.'),
  price_cents: cents('Per month. Cents, excluding GST.'),
  offered: z.boolean().describe('Whether customers can start this plan.'),
});

/** The rate limit of a key; null if there is none. */
export const ShownLimit = named('ShownLimit', { per_second: z.number(), burst: z.number() });

export const Terms = z.object({
  overage_cents: cents(),
  gst_percent: z.int(),
  free_queries: z.int(),
  due_day: z
    .int()
    .nullable()
    .describe('The day of the month after its issue on which an invoice is due; null if `due_days` applies.'),
  due_days: z
    .int()
    .describe('The days from the issue of an invoice until it is due, where `due_day` is null.'),
});

const commonTerms = {
  today: day(),
  month: month(),
  since: month().describe('The first month with a plan, a query or an invoice.'),
  plans: z.array(Plan),
  limit: ShownLimit.nullable(),
};

/** What the pages of staff begin with. */
export const Billing = z.object({
  ...commonTerms,
  closed_through: month().nullable().describe('The last closed month; null if there is none.'),
  next_close: z.object({ month: month(), over: z.boolean(), scheduled_for: time().nullable() }),
  terms: Terms.extend({ first_processing_cents: cents(), later_processing_cents: cents() }),
  confirm_from_cents: cents(
    'Manual entries of at least this amount must be confirmed. Cents, excluding GST.',
  ),
  has_gst_number: z.boolean().describe('Whether invoices are tax invoices.'),
});

/* Processing fees */

export const feeStates = ['accrued', 'invoiced', 'paid', 'waived'] as const;

export const ProcessingFee = named('ProcessingFee', {
  id: z.int(),
  provider: NamedProvider,
  kind: z.enum(['first', 'later']),
  amount_cents: cents(),
  submission: z.object({ id: z.uuid(), file: z.string(), received_at: time() }),
  accrued_at: time(),
  accrued_on: day(),
  state: z.enum(feeStates),
  changed_at: time().nullable(),
  changed_by: z.string().nullable(),
  reason: z.string().describe('Empty if none was given.'),
  invoice: z.int().nullable().describe('The number of the invoice.'),
  invoiced_on: day().nullable().describe('The date of the invoice.'),
});

const FeeSum = z.object({ count: z.int(), amount_cents: cents() });
export const FeeTotals = FeeSum.extend({
  by_state: z.object({ accrued: FeeSum, invoiced: FeeSum, paid: FeeSum, waived: FeeSum }),
});

export const ProcessingFees = z.object({ fees: z.array(ProcessingFee), totals: FeeTotals });

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
  }),
  { description: 'The forecast for the month at the current rate; null unless it is the current month.' },
);

const counts = {
  queries: z.int().describe('The sum of `free`, `bundled` and `overage`.'),
  free: z.int(),
  overage: z.int(),
};
const bundle = z.int().describe('The queries that the plan includes.');
const bundled = z.int();

export const MonthUsage = z.object({
  month: month(),
  closed: z.boolean(),
  as_of: time(),
  days: z.array(DayQueries),
  totals: z.object({ ...counts, bundled, ...charges }),
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
      ...counts,
      bundle,
      bundled,
      ...charges,
      projection: Projection.nullable(),
    }),
  ),
});

/** What staff, the customer, and its programs see of its usage in a month. */
export const ownUsage = {
  month: month(),
  begins_at: time(),
  ends_at: time(),
  as_of: time(),
  ...counts,
  bundle,
  free_left: z.int(),
  overage_allowed: z.boolean().describe('Whether queries past the free allowance are answered.'),
  overage_cents: cents(),
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

/** Whose account it is: an operator's is that of a provider. */
export const NamedAccount = z.object({
  kind: z.enum(['customer', 'operator']),
  id: z.int(),
  name: z.string(),
});

export const BillingContact = named('BillingContact', {
  address: z.string().describe('As printed on invoices; empty if unknown.'),
  contact: z.string().describe('An email address, phone number, NZBN or website; may be empty.'),
});

const Recipient = NamedAccount.extend({ address: z.string(), contact: z.string() });

const amounts = {
  subtotal_cents: cents(),
  gst_cents: cents('The GST, in cents.'),
  total_cents: cents('Cents, including GST; negative for a credit.'),
  due_cents: cents('The amount to pay. Cents, including GST.'),
};
const balance = {
  brought_forward_cents: cents('The credit that the previous invoice carried forward. Cents, including GST.'),
  carried_forward_cents: cents('The credit left for the next invoice. Cents, including GST.'),
};
const occasion = z
  .enum(['month', 'plan_start'])
  .describe(
    '`month`: the month was closed. `plan_start`: a plan started during the month and is billed in advance.',
  );

/** An invoice in a list. */
export const Invoice = named('Invoice', {
  number: z.int(),
  occasion,
  month: month(),
  recipient: NamedAccount,
  issued_on: day(),
  due_on: day().nullable().describe('Null if nothing is due.'),
  ...amounts,
  ...balance,
});

export const InvoiceTotals = named('InvoiceTotals', { count: z.int(), ...amounts });

export const Invoices = z.object({ invoices: z.array(Invoice), totals: InvoiceTotals });

const entryKinds = [
  'plan_fee',
  'overage',
  'adjustment',
  'processing_fee',
  'waiver',
  'credit',
  'charge',
  'reversal',
] as const;

const entryFigures = {
  kind: z.enum(entryKinds),
  month: month(),
  description: z.string(),
  quantity: z.number(),
  unit_price_cents: cents(),
};
const lineFields = {
  position: z.int(),
  ...entryFigures,
  amount_cents: cents('Cents, excluding GST; negative for waivers and credits.'),
};
const source = anyObject().describe('The figures behind the amount; the fields depend on the kind.');

/** The queries of an invoice's month; null for operators. */
const usage = z.object({ month: month(), ...counts, bundle, bundled }).nullable();

const invoiceFields = {
  ...Invoice.shape,
  recipient: Recipient,
  usage,
  gst_percent: z.int(),
  issuer: z.object({
    name: z.string(),
    address: z.string(),
    gst_number: z.string(),
    payment: z.string(),
  }),
};

/** An invoice as its recipient has it: each line with the figures that it was worked out from. */
export const OwnInvoiceDetail = named('OwnInvoiceDetail', {
  ...invoiceFields,
  lines: z.array(z.object({ ...lineFields, source })),
});

/** An invoice as staff have it: each line with its entry in the ledger. */
export const InvoiceDetail = named('InvoiceDetail', {
  ...invoiceFields,
  lines: z.array(
    z.object({
      ...lineFields,
      entry: z.object({
        id: z.int(),
        cause: z.string(),
        booked_at: time(),
        booked_by: z.string(),
        source,
      }),
    }),
  ),
});

/** What closing a month now would issue. */
export const Preview = z.object({
  month: month(),
  state: z.enum(['open', 'closable', 'waiting', 'closed']),
  before: z.array(month()).describe('The months to close first.'),
  invoices: z.array(
    z.object({
      occasion,
      month: month(),
      recipient: Recipient,
      lacks_identifier: z
        .boolean()
        .describe('Whether the recipient lacks the address or other identifier that the law requires.'),
      lines: z.array(z.object({ ...lineFields, cause: z.string(), source, entry_id: z.int().nullable() })),
      usage,
      ...amounts,
      ...balance,
      gst_percent: z.int(),
    }),
  ),
  totals: InvoiceTotals,
});

export const ClosedMonth = Invoices.extend({
  month: month(),
  closed: z.boolean().describe('False if the month was already closed.'),
});

/* The ledger */

/** An entry as its account has it. */
export const OwnLedgerEntry = named('OwnLedgerEntry', {
  id: z.int(),
  account: NamedAccount,
  ...entryFigures,
  amount_cents: cents(),
  booked_at: time(),
  corrects: z.int().nullable().describe('The entry that this one reverses.'),
  left_cents: cents('The amount that can still be reversed. Cents, excluding GST.'),
  invoice: z.int().nullable().describe('The number of its invoice.'),
  state: z
    .enum(['unbilled', 'invoiced', 'settled'])
    .describe('`unbilled`: it goes on the next invoice. `settled`: it was reversed before it was invoiced.'),
});

export const LedgerEntry = named(
  'LedgerEntry',
  OwnLedgerEntry.extend({
    cause: z.string(),
    source: anyObject(),
    booked_by: z.string(),
  }),
);

export const LedgerPage = z.object({ entries: z.array(LedgerEntry), next: z.string().nullable() });

function statement<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    account: NamedAccount,
    as_of: time(),
    credit_cents: cents('The credit for the next invoice. Cents, including GST.'),
    invoices: z.array(Invoice).describe('Newest first.'),
    unbilled: z.object({ entries: z.array(entry).describe('Oldest first.'), subtotal_cents: cents() }),
  });
}
export const Statement = named('Statement', statement(LedgerEntry));
export const OwnStatement = named('OwnStatement', statement(OwnLedgerEntry));

/* Keys and tokens */

const keyState = z.enum(['active', 'expiring', 'expired', 'revoked']);
const keyFields = {
  id: z.int(),
  hint: z.string().describe('The first characters of the secret.'),
  created_at: time(),
  revoked_at: time().nullable(),
};

export const Key = named('Key', {
  ...keyFields,
  label: z.string(),
  state: keyState,
  expires_at: time().nullable(),
  replaced_by: z.int().nullable(),
  last_used: time()
    .nullable()
    .describe('The start of the last hour with a billable query, or the key’s creation if it is later.'),
});

export const Keys = z.object({ keys: z.array(Key) });
export const NewKey = z.object({ key: Key, secret: z.string() });
export const RotatedKey = NewKey.extend({ replaced: Key });

export const CustomerToken = named('CustomerToken', {
  ...keyFields,
  name: z.string(),
  expires_at: time(),
  state: keyState.describe('`expiring`: the token expires within 30 days.'),
});

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

/** What the pages of a customer begin with. */
export const Account = z.object({ ...commonTerms, customer: Customer, terms: Terms });

/* Audit */

export const AuditEvent = named('AuditEvent', {
  id: z.int(),
  at: time(),
  actor: z.object({
    kind: z.enum(['operator', 'staff', 'customer', 'command', 'service']),
    name: z.string(),
    token_id: z.int().nullable(),
  }),
  address: z.string().nullable(),
  action: z.string(),
  provider: z.string().nullable(),
  customer: z.string().nullable(),
  submission_id: z.uuid().nullable(),
  dataset_id: z.int().nullable(),
  details: anyObject(),
});

export const AuditPage = z.object({ events: z.array(AuditEvent), next: z.string().nullable() });

/** What starting or changing a plan would issue. */
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
        lines: z.array(z.object({ ...lineFields, source })),
        ...amounts,
        ...balance,
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

/** What a request that starts or changes a plan says of its invoice. */
export const planBilling = {
  contact: givenContact.optional().describe('The billing contact, from this invoice on.'),
  total_cents: cents('The total of the preview. If it has changed, nothing is done.').optional(),
};

/** The body of a request that sets how a recipient of invoices can be reached. */
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

/** For `refine`, of a query string with {@link accountFilter}. */
export const namesOneAtMost = [
  ({ customer, provider }: { customer?: number | undefined; provider?: number | undefined }) =>
    customer === undefined || provider === undefined,
  { error: 'Name a "customer" or a "provider", not both.' },
] as const;
