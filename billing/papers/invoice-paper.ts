import { monthName } from '../../platform/nz-time.ts';
import { shownFacts } from '../invoice-facts.ts';
import type { Invoice, InvoiceLine } from '../invoices.ts';
import {
  type Paper,
  type PaperFact,
  type PaperSum,
  type PaperTable,
  paperCount,
  paperDay,
  paperMoney,
  paperSum,
  recipientFact,
} from './paper.ts';

/** An invoice, with the particulars that the Goods and Services Tax Act 1985, section 19K, requires. */
export function invoicePaper(invoice: Invoice): Paper {
  const { issuer, lines, usage } = invoice;
  return {
    title: `${titleOf(invoice)} ${invoice.number}`,
    about: `${invoice.occasion === 'plan_start' ? 'Start of your plan, ' : ''}${monthName(invoice.month)}`,
    recipient: invoice.recipient.name,
    issuer,
    day: invoice.issued_on,
    facts: [
      recipientFact(invoice.recipient),
      { name: 'Date', value: paperDay(invoice.issued_on) },
      codeFact(invoice),
      ...shownFacts(invoice).map(factOf),
    ],
    tables: [
      {
        ...lineTable(lines),
        sums: [
          paperSum('Subtotal (excl. GST)', invoice.subtotal_cents),
          paperSum(`GST (${invoice.gst_percent}%)`, invoice.gst_cents),
          ...balanceSums(invoice),
        ],
      },
      ...(usage ? [usageTable(usage)] : []),
    ],
    notes: [
      ...(issuer.payment && invoice.due_cents > 0 ? [issuer.payment] : []),
      ...(invoice.carried_forward_cents > 0
        ? [
            `Nothing is to be paid. The credit of ${paperMoney(invoice.carried_forward_cents)} is used up by your next invoices.`,
          ]
        : []),
    ],
  };
}

/** The lines of a paper: entries of the ledger. Amounts without GST. */
const lineTable = (
  lines: readonly Pick<InvoiceLine, 'description' | 'quantity' | 'unit_price_cents' | 'amount_cents'>[],
) => ({
  columns: [
    { name: 'Description' },
    ...['Quantity', 'Unit price', 'Amount'].map((name) => ({ name, numeric: true })),
  ],
  rows: lines.map((line) => [
    line.description,
    paperCount(line.quantity),
    paperMoney(line.unit_price_cents),
    paperMoney(line.amount_cents),
  ]),
});

/** What payers write, so that their payment is known. */
const codeFact = ({ recipient, account_code }: Invoice): PaperFact => ({
  name: recipient.kind === 'operator' ? 'Operator code' : 'Customer code',
  value: account_code,
});

/** "Tax invoice" means that the issuer is registered for GST. */
function titleOf({ total_cents: total, issuer }: Invoice): string {
  // Numbered as an invoice: credit notes have numbers of their own.
  if (total < 0) return 'Credit invoice';
  return issuer.gst_number ? 'Tax invoice' : 'Invoice';
}

function factOf([name, value]: ReturnType<typeof shownFacts>[number]): PaperFact {
  if (typeof value === 'string') return { name, value };
  return { name, value: 'day' in value ? paperDay(value.day) : paperMoney(value.cents) };
}

/** The total, and the effect of credit on the amount due. */
function balanceSums(invoice: Invoice): PaperSum[] {
  const { total_cents: total, brought_forward_cents: brought, carried_forward_cents: carried } = invoice;
  if (brought === 0 && carried === 0) return [paperSum('Total (incl. GST)', total, true)];
  return [
    paperSum('Total (incl. GST)', total),
    ...(brought > 0 ? [paperSum('Credit brought forward', -brought)] : []),
    carried > 0
      ? paperSum('Credit carried forward', carried, true)
      : paperSum('Amount due', invoice.due_cents, true),
  ];
}

function usageTable(usage: NonNullable<Invoice['usage']>): PaperTable {
  const { month, queries, free, bundle, bundled, overage } = usage;
  const rows: [string, number][] = [
    ['Billable queries', queries],
    ['Free allowance', free],
    [`Included, of ${paperCount(bundle)}`, bundled],
    ['Overage', overage],
  ];
  return {
    heading: `Usage in ${monthName(month)}`,
    columns: [],
    rows: rows.map(([name, value]) => [name, paperCount(value)]),
    sums: [],
  };
}
