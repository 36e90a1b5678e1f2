import type { Day, Month } from '../platform/nz-time.ts';
import { dollars } from './money.ts';

/* The facts of an invoice, in the order in which CSV, the printed page and the pages have them: each takes all of them from here. */

/** The fields of an invoice that are facts. Amounts in cents. */
interface FactsOf {
  number: number;
  month: Month;
  recipient: { kind: string; name: string };
  issued_on: Day;
  due_on: Day | null;
  subtotal_cents: number;
  gst_cents: number;
  total_cents: number;
  brought_forward_cents: number;
  due_cents: number;
  carried_forward_cents: number;
}

interface Fact {
  /** Its column in CSV, where amounts are dollars. */
  csv?: [heading: string, value: (invoice: FactsOf) => string | number | null];
  /** Its name and its value for people. Titles, lines and sums say the rest. */
  shown?: (invoice: FactsOf) => [name: string, value: string | { day: Day } | { cents: number }];
}

export const invoiceFacts: readonly Fact[] = [
  { csv: ['number', ({ number }) => number] },
  { csv: ['month', ({ month }) => month] },
  { csv: ['recipient_kind', ({ recipient }) => recipient.kind] },
  { csv: ['recipient', ({ recipient }) => recipient.name] },
  { csv: ['issued_on', ({ issued_on }) => issued_on] },
  {
    csv: ['due_on', ({ due_on }) => due_on],
    shown: ({ due_on, due_cents: due, total_cents: total }) => [
      'Due',
      due > 0 && due_on ? { day: due_on } : total < 0 ? 'Nothing to pay' : 'Paid from credit',
    ],
  },
  { csv: ['subtotal', ({ subtotal_cents }) => dollars(subtotal_cents)] },
  { csv: ['gst', ({ gst_cents }) => dollars(gst_cents)] },
  { csv: ['total', ({ total_cents }) => dollars(total_cents)] },
  { csv: ['credit_brought_forward', ({ brought_forward_cents }) => dollars(brought_forward_cents)] },
  {
    csv: ['amount_due', ({ due_cents }) => dollars(due_cents)],
    shown: ({ total_cents: total, due_cents: due }) =>
      total < 0 ? ['Credit (incl. GST)', { cents: -total }] : ['Amount due (incl. GST)', { cents: due }],
  },
  { csv: ['credit_carried_forward', ({ carried_forward_cents }) => dollars(carried_forward_cents)] },
];

/** What people read of an invoice, each with its name. */
export const shownFacts = (invoice: FactsOf) =>
  invoiceFacts.flatMap(({ shown }) => (shown ? [shown(invoice)] : []));
