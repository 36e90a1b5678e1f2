import type { CreditNote } from '../credit-notes.ts';
import { type Paper, paperDay, paperMoney, paperSum, recipientFact } from './paper.ts';

/** A credit note, with the supply correction information that the Goods and Services Tax Act 1985, section 19N, requires. */
export function creditNotePaper(note: CreditNote): Paper {
  const { number, issuer, invoice, undoes, reason } = note;
  const corrects = `${issuer.gst_number ? 'tax invoice' : 'invoice'} ${invoice}`;
  return {
    title: `Credit note ${number}`,
    about: `Corrects ${corrects} of ${paperDay(note.invoice_issued_on)}`,
    recipient: note.recipient.name,
    issuer,
    day: note.issued_on,
    facts: [
      recipientFact(note.recipient),
      { name: 'Date', value: paperDay(note.issued_on) },
      { name: 'Corrects', value: `Invoice ${invoice}`, more: [paperDay(note.invoice_issued_on)] },
      ...(undoes === null ? [] : [{ name: 'Undoes', value: `Credit note ${undoes}` }]),
      { name: 'Credit (incl. GST)', value: paperMoney(note.total_cents) },
    ],
    tables: [
      {
        columns: [
          { name: 'Description' },
          ...['Invoiced', 'Credited'].map((name) => ({ name, numeric: true })),
        ],
        rows: note.lines.map((line) => [
          line.description,
          paperMoney(line.invoiced_cents),
          paperMoney(line.amount_cents),
        ]),
        sums: [
          paperSum('Credited (excl. GST)', note.subtotal_cents),
          paperSum(`GST (${note.gst_percent}%)`, note.gst_cents),
          paperSum('Credited (incl. GST)', note.total_cents, true),
        ],
      },
      {
        heading: `Invoice ${invoice} after this correction`,
        columns: [],
        rows: [
          ['Total as it was issued (incl. GST)', paperMoney(note.invoice_total_cents)],
          [
            'All credit notes of it up to this one',
            paperMoney(note.corrected_total_cents - note.invoice_total_cents),
          ],
          ['Corrected total (incl. GST)', paperMoney(note.corrected_total_cents)],
        ],
        sums: [],
      },
    ],
    notes: [
      `Reason: ${reason}`,
      undoes === null
        ? `The credit is taken from what is left to pay of invoice ${invoice}. What remains is used up by your next invoices.`
        : `The credit of credit note ${undoes} is taken back: what it paid of invoice ${invoice} is due again.`,
    ],
  };
}
