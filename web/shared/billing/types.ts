/* What the API answers about billing, as docs/billing-api.md says. Field names are the API's; money in cents without GST. */

/** `YYYY-MM`, in New Zealand. */
export type Month = string;
/** `YYYY-MM-DD`, in New Zealand. */
export type Day = string;

export interface Plan {
  name: string;
  label: string;
  bundled_queries: number;
  price_cents: number;
  offered: boolean;
}

export interface Terms {
  overage_cents: number;
  gst_percent: number;
  free_queries: number;
  /** Days from an invoice to when it is due. */
  due_days: number;
}

export interface Limit {
  per_second: number;
  burst: number;
}

/** What the views of staff begin with. */
export interface Billing {
  today: Day;
  month: Month;
  closed_through: Month | null;
  next_close: { month: Month; over: boolean; scheduled_for: string | null };
  plans: Plan[];
  terms: Terms & { first_processing_cents: number; later_processing_cents: number };
  /** Null where keys ask as often as they like. */
  limit: Limit | null;
  /** The first month of which there is something to show. */
  since: Month;
  /** Amounts that are booked by hand are said twice from here on. */
  confirm_from_cents: number;
  /** Whether invoices are tax invoices. */
  has_gst_number: boolean;
}

export const feeStates = ['accrued', 'invoiced', 'paid', 'waived'] as const;
export type FeeState = (typeof feeStates)[number];

export interface ProcessingFee {
  id: number;
  provider: { id: number; name: string };
  kind: 'first' | 'later';
  amount_cents: number;
  submission: { id: string; file: string; received_at: string };
  accrued_at: string;
  accrued_on: Day;
  state: FeeState;
  changed_at: string | null;
  changed_by: string | null;
  reason: string;
  invoice: number | null;
  /** When that was issued. */
  invoiced_on: Day | null;
}

interface Sum {
  count: number;
  amount_cents: number;
}

export interface ProcessingFees {
  fees: ProcessingFee[];
  totals: Sum & { by_state: Record<FeeState, Sum> };
}

export interface DayUsage {
  date: Day;
  queries: number;
}

export interface Projection {
  queries: number;
  free: number;
  overage: number;
  overage_cents: number;
  plan_fee_cents: number;
  total_cents: number;
}

interface Counts {
  queries: number;
  free: number;
  bundled: number;
  overage: number;
  overage_cents: number;
  plan_fee_cents: number;
}

export interface CustomerMonth extends Counts {
  customer: { id: number; name: string };
  plan: { name: string; label: string } | null;
  bundle: number;
  projection: Projection | null;
}

/** All customers in a month. */
export interface MonthUsage {
  month: Month;
  closed: boolean;
  as_of: string;
  days: DayUsage[];
  totals: Counts;
  /** Counts that could not be read: queries that are billed to nobody. */
  damaged_files: { host: string; file: string; reason: string; found_at: string }[];
  customers: CustomerMonth[];
}

/** One customer in a month. */
export interface CustomerUsage extends Counts {
  customer: { id: number; name: string };
  month: Month;
  closed: boolean;
  as_of: string;
  plan:
    | (Pick<Plan, 'name' | 'label' | 'bundled_queries' | 'price_cents'> & {
        days: number;
        days_in_month: number;
      })
    | null;
  bundle: number;
  free_left: number;
  /** Whether queries after the free ones are answered now. */
  overage_allowed: boolean;
  projection: Projection | null;
  days: DayUsage[];
  keys: { id: number; label: string; hint: string; queries: number }[];
  /** Null where keys ask as often as they like. */
  limit: Limit | null;
  invoice: number | null;
}

export interface Recipient {
  kind: 'customer' | 'operator';
  id: number;
  name: string;
}

export interface Amounts {
  subtotal_cents: number;
  gst_cents: number;
  total_cents: number;
  /** What is to be paid, with GST: the total, less the credit that is used up. */
  due_cents: number;
}

/** The credit with which an invoice begins, and which it leaves; cents with GST. */
export interface Balance {
  brought_forward_cents: number;
  carried_forward_cents: number;
}

export interface ListedInvoice extends Amounts, Balance {
  number: number;
  /** `plan_start`: the first month of a plan, paid in advance. */
  occasion: 'month' | 'plan_start';
  month: Month;
  recipient: Recipient;
  issued_on: Day;
  /** Null where nothing is to be paid. */
  due_on: Day | null;
}

export interface Invoices {
  invoices: ListedInvoice[];
  totals: Amounts & { count: number };
}

export type EntryKind =
  | 'plan_fee'
  | 'overage'
  | 'adjustment'
  | 'processing_fee'
  | 'waiver'
  | 'credit'
  | 'charge'
  | 'reversal';

/** What a figure was worked out from; which fields there are depends on the kind. */
export type EntrySource = Record<string, unknown>;

export interface InvoiceLine {
  position: number;
  kind: EntryKind;
  month: Month;
  description: string;
  quantity: number;
  unit_price_cents: number;
  amount_cents: number;
}

export interface Invoice extends ListedInvoice {
  recipient: Recipient & Contact;
  lines: (InvoiceLine & {
    /** The recipient's copy has what a line was worked out from. */
    source?: EntrySource;
    /** And that of staff the entry of the ledger. */
    entry?: { id: number; cause: string; booked_at: string; booked_by: string; source: EntrySource };
  })[];
  gst_percent: number;
}

export interface Preview {
  month: Month;
  state: 'open' | 'closable' | 'waiting' | 'closed';
  /** Those that have to be closed before it. */
  before: Month[];
  invoices: (Amounts &
    Balance & {
      occasion: 'month' | 'plan_start';
      recipient: Recipient;
      /** The law asks for an address or another identifier of the recipient, and there is none. */
      lacks_identifier: boolean;
      lines: (InvoiceLine & { source: EntrySource })[];
    })[];
  totals: Amounts & { count: number };
}

/** An entry of the ledger as its account has it. */
export interface OwnLedgerEntry extends Omit<InvoiceLine, 'position'> {
  id: number;
  booked_at: string;
  /** The entry that it takes back. */
  corrects: number | null;
  /** What of it has not been taken back; 0 where it cannot be. */
  left_cents: number;
  invoice: number | null;
  /** `settled`: on no invoice ever, as it was taken back before. */
  state: 'unbilled' | 'invoiced' | 'settled';
}

export interface LedgerEntry extends OwnLedgerEntry {
  cause: string;
  source: EntrySource;
  booked_by: string;
}

/** How an account stands. */
export interface Statement {
  /** With GST. */
  credit_cents: number;
  invoices: ListedInvoice[];
  unbilled: { entries: OwnLedgerEntry[]; subtotal_cents: number };
}

/** How a recipient of invoices can be reached; empty where it is not known. */
export interface Contact {
  address: string;
  contact: string;
}

export interface PlanSpan {
  name: string;
  label: string;
  begins: Day;
  ends: Day | null;
}

export interface ListedCustomer {
  id: number;
  name: string;
  created_at: string;
  plan: PlanSpan | null;
  next_plan: PlanSpan | null;
  cancelled_on: Day | null;
  /** The first day on which neither plan nor keys are good. */
  ends_on: Day | null;
  free_queries: number;
  free_left: number;
  /** Without a plan: answered, and charged, after the free queries. */
  overage_allowed: boolean;
  month: { month: Month; queries: number; bundle: number };
  active_keys: number;
}

export interface Customer extends Omit<ListedCustomer, 'active_keys'> {
  periods: { plan: string; label: string; begins: Day; ends: Day | null }[];
  contact: Contact;
}

export interface Key {
  id: number;
  label: string;
  hint: string;
  created_at: string;
  state: 'active' | 'expiring' | 'expired' | 'revoked';
  expires_at: string | null;
  revoked_at: string | null;
  replaced_by: number | null;
  last_used: string | null;
}

export interface CustomerToken {
  id: number;
  name: string;
  hint: string;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  /** `expiring`: it ends within 30 days. */
  state: 'active' | 'expiring' | 'expired' | 'revoked';
}

/** What the views of a customer begin with. */
export interface Account {
  customer: Customer;
  today: Day;
  month: Month;
  plans: Plan[];
  terms: Terms;
  /** Null where keys ask as often as they like. */
  limit: Limit | null;
  since: Month;
}
