import { dayName, dollars, template } from './template.ts';

interface InvoiceData {
  number: number;
  /** Of the issuer. */
  from: string;
  recipient: string;
  issuedOn: string;
  dueOn: string | null;
  /** Cents, with GST. */
  totalCents: number;
  dueCents: number;
  /** How it is paid; empty where unknown. */
  payment: string;
  /** The page on which the recipient sees it. */
  link: string;
}

export const invoice = template<InvoiceData>({
  title: 'Invoice',
  when: 'When an invoice is issued.',
  topic: null,
  isMissed: true,
  write: ({ number, from, recipient, issuedOn, dueOn, totalCents, dueCents, payment, link }) => ({
    subject: dueOn
      ? `Invoice ${number} from ${from}: ${dollars(dueCents)} due ${dayName(dueOn)}`
      : `Invoice ${number} from ${from}`,
    blocks: [
      dueOn
        ? `Invoice ${number} for ${recipient} is ready. Please pay ${dollars(dueCents)} by ${dayName(dueOn)}.`
        : `Invoice ${number} for ${recipient} is ready. There is nothing to pay.`,
      {
        facts: [
          ['Invoice', String(number)],
          ['Issued', dayName(issuedOn)],
          ['Total, including GST', dollars(totalCents)],
          ['To pay', dollars(dueCents)],
          ...(dueOn ? [['Due', dayName(dueOn)] as [string, string]] : []),
          ...(payment && dueOn ? [['How to pay', payment] as [string, string]] : []),
        ],
      },
      { link, label: 'See the invoice' },
    ],
  }),
  example: {
    ...{ number: 12, from: 'Maps & Co', recipient: 'Kea Homes', issuedOn: '2026-12-01', dueOn: '2027-01-20' },
    ...{ totalCents: 115_000, dueCents: 115_000, payment: 'To 01-0123-0123456-00, reference 12' },
    link: '/account#/invoices/12',
  },
});
