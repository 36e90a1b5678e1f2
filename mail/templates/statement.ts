import { dayName, dollars, template } from './template.ts';

interface StatementData {
  from: string;
  recipient: string;
  asOf: string;
  /** Cents, with GST: what is left to pay of the open invoices, without the credit. */
  owedCents: number;
  creditCents: number;
  overdueCents: number;
  /** The open invoices, oldest first. */
  open: { number: number; dueOn: string | null; leftCents: number }[];
  payment: string;
  link: string;
}

const maxListed = 40;

export const statement = template<StatementData>({
  title: 'Statement',
  when: 'By staff from an account, and on the first of a month to accounts that owe something.',
  topic: 'statements',
  isMissed: true,
  write: ({ from, recipient, asOf, owedCents, creditCents, overdueCents, open, payment, link }) => ({
    subject: `Statement from ${from}: ${dollars(owedCents)} to pay`,
    blocks: [
      `On ${dayName(asOf)}, ${recipient} has ${dollars(owedCents)} to pay${
        overdueCents > 0 ? `, of which ${dollars(overdueCents)} is overdue` : ''
      }.`,
      {
        facts: open
          .slice(0, maxListed)
          .map(({ number, dueOn, leftCents }): [string, string] => [
            `Invoice ${number}`,
            `${dollars(leftCents)}${dueOn ? `, due ${dayName(dueOn)}` : ''}`,
          ]),
      },
      ...(open.length > maxListed ? [`And ${open.length - maxListed} more invoices.`] : []),
      ...(creditCents > 0
        ? [{ facts: [['Credit of your account', dollars(-creditCents)]] as [string, string][] }]
        : []),
      ...(payment ? [{ facts: [['How to pay', payment]] as [string, string][] }] : []),
      { link, label: 'See all invoices' },
    ],
  }),
  example: {
    ...{
      from: 'Maps & Co',
      recipient: 'Kea Homes',
      asOf: '2027-02-01',
      owedCents: 172_500,
      creditCents: 0,
      overdueCents: 115_000,
    },
    open: [
      { number: 12, dueOn: '2027-01-20', leftCents: 115_000 },
      { number: 19, dueOn: '2027-02-20', leftCents: 57_500 },
    ],
    ...{ payment: 'To 01-0123-0123456-00', link: '/account#/invoices' },
  },
});
