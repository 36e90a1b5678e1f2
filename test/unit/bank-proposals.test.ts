import { describe, expect, test } from 'vitest';
import {
  type KnownPayer,
  type OpenInvoice,
  type PayingAccount,
  type PaymentLine,
  proposer,
} from '../../billing/bank/proposals.ts';
import { makeYear, openOn } from '../setup/bank-years.ts';

/* Whose payment a line is: proposals, which a person confirms. */

const accounts: PayingAccount[] = [
  { account: 'customer:1', names: ['Kererū Mapping Limited'], code: 'KERE' },
  { account: 'customer:2', names: ['Northern Networks Ltd'], code: 'NORT' },
  { account: 'customer:3', names: ['Northern Networks Taranaki Ltd'], code: 'NOR2' },
  { account: 'operator:4', names: ['Alpine Fibre'], code: 'ALPI04' },
];
const invoice = (number: number, account: string, left_cents: number): OpenInvoice => ({
  ...{ number, account, left_cents, due_on: null },
});
const open = [
  invoice(12, 'customer:1', 11_500),
  invoice(13, 'customer:1', 23_000),
  invoice(14, 'customer:2', 11_500),
  invoice(15, 'customer:3', 11_500),
  invoice(16, 'operator:4', 115_000),
  invoice(17, 'customer:1', 11_500),
];

const propose = (line: Partial<PaymentLine>, known: KnownPayer[] = []) => {
  const whole = {
    amount_cents: 0,
    payer: '',
    particulars: '',
    code: '',
    reference: '',
    details: '',
    ...line,
  };
  const { confidence, candidates } = proposer(open, accounts, known)(whole);
  const [first] = candidates;
  return {
    confidence,
    account: first?.account,
    pays: first?.allocations.map((one) => [one.invoice, one.amount_cents]),
    credit: first?.credit_cents,
    others: candidates.slice(1).map(({ account }) => account),
    reasons: first?.reasons.join('; '),
  };
};

describe('a line is proposed', () => {
  test.each([
    [
      'its number, amount and a cut name',
      { payer: 'KERERU MAPPI', reference: 'INV 13', amount_cents: 23_000 },
      'certain',
      [[13, 23_000]],
    ],
    [
      'two numbers',
      { payer: 'Kereru Mapping', reference: 'INV12 13', amount_cents: 34_500 },
      'certain',
      [
        [12, 11_500],
        [13, 23_000],
      ],
    ],
    [
      'two numbers in two fields',
      { payer: 'Kereru Mapping', particulars: 'Invoices', code: '12', reference: '13', amount_cents: 34_500 },
      'certain',
      [
        [12, 11_500],
        [13, 23_000],
      ],
    ],
    [
      'joined numbers',
      { payer: 'Kereru Mapping', reference: 'INV1213', amount_cents: 34_500 },
      'likely',
      [
        [12, 11_500],
        [13, 23_000],
      ],
    ],
    [
      'a bare number',
      { payer: 'KERERU MAPPI', reference: '13', amount_cents: 23_000 },
      'certain',
      [[13, 23_000]],
    ],
    [
      'the customer’s code, though two others come to as much',
      { payer: 'R WHAANGA', code: 'kere', amount_cents: 23_000 },
      'likely',
      [[13, 23_000]],
    ],
    [
      'the oldest of equal ones, but not as certain',
      { payer: 'KERERU MAPPING LTD', amount_cents: 11_500 },
      'likely',
      [[12, 11_500]],
    ],
    [
      'three in one payment',
      { payer: 'KERERU MAPPING LTD', amount_cents: 46_000 },
      'certain',
      [
        [12, 11_500],
        [13, 23_000],
        [17, 11_500],
      ],
    ],
    [
      'what it is short of',
      { payer: 'KERERU MAPPING LTD', reference: 'INV 13', amount_cents: 22_990 },
      'likely',
      [[13, 22_990]],
    ],
    [
      'the amount rather than a wrong number',
      { payer: 'KERERU MAPPING LTD', reference: 'INV 9', amount_cents: 23_000 },
      'likely',
      [[13, 23_000]],
    ],
    [
      'an over-payment as credit',
      { payer: 'KERERU MAPPING LTD', reference: 'INV 13', amount_cents: 25_000 },
      'likely',
      [[13, 23_000]],
    ],
  ] as const)('by %s', (_, line, confidence, pays) => {
    expect(propose(line)).toMatchObject({ account: 'customer:1', confidence, pays });
  });

  test('with its reasons in words', () => {
    const { reasons } = propose({ payer: 'KERERU MAPPI', reference: 'INV 13', amount_cents: 22_990 });
    expect(reasons).toBe('the payer’s name is the begin of it; $0.10 short of invoice 13');
  });

  test('as it was confirmed for this payer before', () => {
    const line = { payer: 'R WHAANGA', amount_cents: 115_000 };
    expect(propose(line)).toMatchObject({ account: 'operator:4', confidence: 'unsure' });
    expect(propose(line, [{ payer: 'r. whaanga', account: 'operator:4' }])).toMatchObject({
      ...{ account: 'operator:4', confidence: 'certain', pays: [[16, 115_000]] },
    });
  });

  test('never as certain where a cut name or an amount is two accounts’', () => {
    const cut = propose({ payer: 'NORTHERN NETW', amount_cents: 11_500 });
    expect(cut.confidence).toBe('unsure');
    expect([cut.account, ...cut.others].toSorted()).toEqual(['customer:2', 'customer:3']);
    expect(propose({ payer: 'SOMEBODY', amount_cents: 11_500 })).toMatchObject({ confidence: 'unsure' });
    expect(
      propose({ payer: 'KERERU MAPPING', reference: 'INV 14', amount_cents: 11_500 }).confidence,
    ).not.toBe('certain');
  });

  test('to nobody where nothing fits', () => {
    expect(propose({ payer: 'INLAND REVENUE', reference: 'GST REFUND', amount_cents: 77_777 })).toMatchObject(
      {
        ...{ account: undefined, confidence: 'unsure' },
      },
    );
  });

  test('at once for what is hostile', () => {
    const digits = '12'.repeat(100);
    expect(
      propose({ payer: '((((', reference: digits, details: `inv ${digits}`, amount_cents: 1 }).confidence,
    ).toBe('unsure');
  });
});

/** Shares of a made-up year, each line proposed with what was known on its day, and then confirmed as it truly was. */
function measure(seed: number, shape: 'plain' | 'other') {
  const year = makeYear(seed, shape);
  const paid = new Map<number, number>();
  const known: KnownPayer[] = [];
  const counts = { lines: year.payments.length, right: 0, certain: 0, certainlyWrong: 0 };
  for (const payment of year.payments) {
    const open = openOn(payment.day, year, paid);
    const { confidence, candidates } = proposer(open, year.accounts, known)(payment.line);
    let left = payment.amount_cents;
    const truth = payment.invoices.flatMap((number) => {
      const cents = Math.min(left, open.find((one) => one.number === number)?.left_cents ?? 0);
      left -= cents;
      paid.set(number, (paid.get(number) ?? 0) + cents);
      return cents > 0 ? [`${number}: ${cents}`] : [];
    });
    const [first] = candidates;
    const proposed = first?.allocations.map((one) => `${one.invoice}: ${one.amount_cents}`).toSorted();
    const isRight = first?.account === payment.account && proposed?.join() === truth.toSorted().join();
    counts.right += Number(isRight);
    counts.certain += Number(confidence === 'certain');
    counts.certainlyWrong += Number(confidence === 'certain' && !isRight);
    known.push({ payer: payment.line.payer, account: payment.account });
  }
  return counts;
}

describe('of a made-up year of payments', () => {
  test.each([
    ['plain', 1],
    ['plain', 2],
    ['other', 1],
    ['other', 2],
  ] as const)('95 of 100 first proposals are right, and all certain ones: %s, seed %i', (shape, seed) => {
    const { lines, right, certain, certainlyWrong } = measure(seed, shape);
    expect(right / lines).toBeGreaterThanOrEqual(0.95);
    expect(certain / lines).toBeGreaterThan(0.3);
    expect(certainlyWrong).toBe(0);
  });
});
