import { dayName, dollars, template } from './template.ts';

interface CreditNoteData {
  number: number;
  /** Of the issuer. */
  from: string;
  recipient: string;
  /** The invoice that it corrects. */
  invoice: number;
  /** The credit note that it undoes. */
  undoes: number | null;
  reason: string;
  issuedOn: string;
  /** Cents, with GST; below zero where it undoes another. */
  totalCents: number;
  /** What is left to pay of the invoice. */
  leftCents: number;
  link: string;
}

export const credit_note = template<CreditNoteData>({
  title: 'Credit note',
  when: 'When a credit note is issued, and when one is undone.',
  topic: null,
  isMissed: true,
  write: ({ number, from, recipient, invoice, undoes, reason, issuedOn, totalCents, leftCents, link }) => ({
    subject: `Credit note ${number} from ${from}: invoice ${invoice} is corrected`,
    blocks: [
      undoes === null
        ? `Credit note ${number} credits ${recipient} with ${dollars(totalCents)} of invoice ${invoice}.`
        : `Credit note ${number} takes back credit note ${undoes} of ${dollars(-totalCents)} for ${recipient}.`,
      {
        facts: [
          ['Credit note', String(number)],
          ['Issued', dayName(issuedOn)],
          ['Corrects', `Invoice ${invoice}`],
          ['Reason', reason],
          ['Total, including GST', dollars(totalCents)],
          [`Left to pay of invoice ${invoice}`, dollars(leftCents)],
        ],
      },
      { link, label: 'See the credit note' },
    ],
  }),
  example: {
    ...{ number: 3, from: 'Maps & Co', recipient: 'Kea Homes', invoice: 12, undoes: null },
    ...{ reason: 'Two days without service', issuedOn: '2026-12-09', totalCents: 11_500, leftCents: 103_500 },
    link: '/account#/credit-notes/3',
  },
});
