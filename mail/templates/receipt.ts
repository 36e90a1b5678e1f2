import { dayName, dollars, template } from './template.ts';

interface ReceiptData {
  from: string;
  recipient: string;
  onDay: string;
  /** Cents, with GST. */
  cents: number;
  invoices: { number: number; cents: number }[];
  link: string;
}

export const receipt = template<ReceiptData>({
  title: 'Receipt',
  when: 'By staff, of a payment.',
  topic: null,
  isMissed: true,
  write({ from, recipient, onDay, cents, invoices, link }) {
    const rest = cents - invoices.reduce((sum, invoice) => sum + invoice.cents, 0);
    return {
      subject: `Receipt from ${from}: ${dollars(cents)}`,
      blocks: [
        `Thank you. ${dollars(cents)} from ${recipient} came in on ${dayName(onDay)}.`,
        {
          facts: [
            ...invoices.map((paid): [string, string] => [`Invoice ${paid.number}`, dollars(paid.cents)]),
            ...(rest > 0 ? [['Credit for your next invoices', dollars(rest)] as [string, string]] : []),
          ],
        },
        { link, label: 'See all invoices' },
      ],
    };
  },
  example: {
    ...{ from: 'Maps & Co', recipient: 'Kea Homes', onDay: '2027-01-18', cents: 120_000 },
    invoices: [{ number: 12, cents: 115_000 }],
    link: '/account#/invoices',
  },
});
