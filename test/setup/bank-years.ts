import { randomNumbers } from '@covermap/testing/random.ts';
import type { OpenInvoice, PayingAccount, PaymentLine } from '../../billing/bank/proposals.ts';

/*
 * Made-up years of payments by bank, each with its own truth: who paid which invoices. Of two shapes: `plain`, by which proposals were made, and `other`,
 * which has other names, other habits and other mistakes and is only measured.
 */

export interface MadeInvoice {
  number: number;
  account: string;
  /** Day of the year. */
  issued: number;
  total_cents: number;
}

export interface MadePayment {
  day: number;
  account: string;
  line: PaymentLine;
  /** The invoices that it is for, in the order in which they are paid. */
  invoices: number[];
  amount_cents: number;
}

export interface MadeYear {
  accounts: PayingAccount[];
  invoices: MadeInvoice[];
  payments: MadePayment[];
}

type Random = ReturnType<typeof randomNumbers>;

interface Shape {
  places: string[];
  trades: string[];
  forms: string[];
  firstNumber: number;
  accounts: number;
  amounts: number[];
  /** Of all payments, the share in which the payer is called otherwise than the account. */
  otherPayer: number;
  /** Of all payments: two or three invoices in one; cents short; too much. */
  several: number;
  short: number;
  over: number;
  payerText(name: string, random: Random): string;
  references(
    facts: { numbers: number[]; code: string; name: string; last: number },
    random: Random,
  ): Partial<PaymentLine>;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const cut = (text: string, length: number) => text.slice(0, length);

const plain: Shape = {
  places: [
    'Kea',
    'Northern',
    'Waikato',
    'Kererū',
    'Harbour',
    'Alpine',
    'Southern Lakes',
    'Taranaki',
    'Coastal',
    'Ridge',
    'Tāwhiri',
    'Hauraki',
    'Mackenzie',
  ],
  trades: [
    'Networks',
    'Wireless',
    'Fibre',
    'Mapping',
    'Broadband',
    'Insights',
    'Realty',
    'Telecom',
    'Survey',
    'Data',
  ],
  forms: [' Limited', ' Ltd', ' NZ Ltd', '', ' Group', ' & Co'],
  firstNumber: 1,
  accounts: 60,
  amounts: [5750, 11_500, 28_750, 57_500, 115_000],
  ...{ otherPayer: 0.08, several: 0.1, short: 0.04, over: 0.02 },
  payerText(name, random) {
    const way = random();
    const upper = name.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
    if (way < 0.35) return cut(upper, 20);
    if (way < 0.6) return cut(upper, 12);
    if (way < 0.75) return upper.replace(/ (LIMITED|LTD|NZ LTD|& CO)$/, '');
    if (way < 0.85) return `D/C FROM ${cut(upper, 20)}`;
    return name;
  },
  references({ numbers, code, name, last }, random) {
    const way = random();
    const text = numbers.join(' ');
    if (way < 0.25) return { reference: cut(`INV ${text}`, 12) };
    if (way < 0.4) return { particulars: cut(name.toUpperCase(), 12), reference: cut(text, 12) };
    if (way < 0.5) return { particulars: 'INV', code: cut(text, 12) };
    if (way < 0.58) return { reference: cut(`INV${numbers.join('')}`, 12) };
    if (way < 0.7) return { code, reference: 'PAYMENT' };
    if (way < 0.78) return { reference: cut(`INVOICE ${text}`, 12) };
    // Numbers of their own, which look like an invoice's.
    if (way < 0.86) return { reference: `${1 + Math.floor(random() * last)}` };
    // An earlier invoice's.
    if (way < 0.9)
      return { reference: `INV ${Math.max(1, (numbers[0] as number) - 1 - Math.floor(random() * 80))}` };
    return { particulars: 'COVERAGE', reference: 'BROADBAND' };
  },
};

const other: Shape = {
  places: [
    'Te Rūnanga o Waitaha',
    'Upper Hutt',
    'Opōtiki District',
    'J & M Tamihere',
    'P D Ferguson',
    'Central Otago',
    'Whanganui',
    'Golden Bay',
    'Great Barrier',
    'Marlborough',
    'McLeod',
    'van der Berg',
  ],
  trades: [
    'Council',
    'Trust',
    'Partners',
    'Farms',
    'Towers',
    'Internet Service',
    'Community Network',
    'Engineering',
    'Consulting Engineers',
  ],
  forms: ['', ' Incorporated', ' Limited Partnership', ' (2019) Limited', ' Trust Board', ''],
  firstNumber: 1038,
  accounts: 45,
  amounts: [11_500, 28_750, 28_750, 34_500, 115_000],
  ...{ otherPayer: 0.05, several: 0.2, short: 0.07, over: 0.05 },
  payerText(name, random) {
    const way = random();
    const words = name.split(' ');
    if (way < 0.3) return cut(name.toUpperCase(), 18);
    if (way < 0.5) return cut(name.toLowerCase(), 20);
    // A letter missing, or two swapped.
    if (way < 0.62) {
      const at = 2 + Math.floor(random() * (name.length - 4));
      return random() < 0.5
        ? name.slice(0, at) + name.slice(at + 1)
        : name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
    }
    if (way < 0.72) return `${words.slice(0, -1).join(' ') || name} ACCOUNTS`;
    if (way < 0.8) return `DC FROM ${name}`;
    return name;
  },
  references({ numbers, code, name, last }, random) {
    const way = random();
    const list = numbers.join(pick(random, [' ', '/', ', ', ' & ', '-']));
    if (way < 0.2) return { particulars: 'Invoice', code: cut(list, 12), reference: cut(name, 12) };
    if (way < 0.32) return { details: `Invoices ${list} thank you` };
    if (way < 0.42) return { particulars: cut(list, 12) };
    if (way < 0.5) return { reference: cut(`Inv#${numbers[0]}`, 12) };
    if (way < 0.62)
      return { particulars: code.toLowerCase(), reference: `PO${4000 + Math.floor(random() * 900)}` };
    if (way < 0.7) return { reference: `INV${String(numbers[0]).padStart(6, '0')}` };
    // Two digits swapped, a year, a telephone number.
    if (way < 0.76) {
      const digits = [...String(numbers[0])];
      [digits[2], digits[3]] = [digits[3] as string, digits[2] as string];
      return { reference: `INV ${digits.join('')}` };
    }
    if (way < 0.84) return { reference: `${last - Math.floor(random() * 60)}`, particulars: 'OUR REF' };
    if (way < 0.9) return { code: '2026', reference: '0274556120' };
    return { particulars: 'Subscription' };
  },
};

const shapes = { plain, other };

export function makeYear(seed: number, of: keyof typeof shapes): MadeYear {
  const shape = shapes[of];
  const random = randomNumbers(seed);
  const names = new Set<string>();
  while (names.size < shape.accounts)
    names.add(`${pick(random, shape.places)} ${pick(random, shape.trades)}${pick(random, shape.forms)}`);
  const codes = new Set<string>();
  const accounts = [...names].map((name, i) => {
    const letters = name
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toUpperCase()
      .slice(0, 4);
    let code = letters;
    for (let n = 2; codes.has(code); n += 1) code = `${letters}${n}`;
    codes.add(code);
    return {
      account: `customer:${i + 1}`,
      names: [name],
      code,
      amount: pick(random, shape.amounts),
      payer: '',
    };
  });
  // Somebody else pays for some, always the same: a director, a parent company, an agency.
  for (const [i, account] of accounts.entries())
    if (random() < shape.otherPayer)
      account.payer = `${pick(random, ['R', 'T', 'S', 'A'])} ${pick(random, ['Whaanga', 'Nguyen', 'Patel', 'O’Brien', 'Holdings', 'Sinclair'])} ${i}`;
  const invoices: MadeInvoice[] = [];
  const payments: MadePayment[] = [];
  let number = shape.firstNumber;
  const waiting = new Map<string, MadeInvoice[]>();
  for (let month = 0; month < 12; month += 1) {
    for (const {
      account,
      names: [name = ''],
      code,
      amount,
      payer,
    } of accounts) {
      if (random() < 0.08) continue;
      const overage = random() < 0.5 ? Math.round(random() * 9_000) : 0;
      const invoice = { number, account, issued: month * 30 + 1, total_cents: amount + overage };
      number += 1;
      invoices.push(invoice);
      const due = [...(waiting.get(account) ?? []), invoice];
      waiting.set(account, due);
      if (due.length < 3 && random() < shape.several) continue;
      waiting.set(account, []);
      const total = due.reduce((cents, one) => cents + one.total_cents, 0);
      const way = random();
      const few = 1 + Math.floor(random() * 40);
      const amount_cents =
        way < shape.short
          ? total - few
          : way < shape.short + shape.over
            ? Math.ceil((total + 1) / 500) * 500
            : total;
      const isOther = payer !== '';
      const numbers = due.map((one) => one.number);
      payments.push({
        ...{ day: month * 30 + 3 + Math.floor(random() * 40), account, amount_cents, invoices: numbers },
        line: {
          ...{ amount_cents, particulars: '', code: '', reference: '', details: '' },
          payer: isOther ? payer.toUpperCase() : shape.payerText(name, random),
          ...shape.references({ numbers, code, name, last: number }, random),
        },
      });
    }
  }
  return {
    accounts: accounts.map(({ account, names, code }) => ({ account, names, code })),
    invoices,
    payments: payments.toSorted((a, b) => a.day - b.day),
  };
}

/** What is open on a day, before the payments from `paid` on. */
export function openOn(
  day: number,
  { invoices }: MadeYear,
  paid: ReadonlyMap<number, number>,
): OpenInvoice[] {
  return invoices
    .filter(({ issued }) => issued <= day)
    .map(({ number, account, total_cents }) => ({
      ...{ number, account, due_on: null },
      left_cents: total_cents - (paid.get(number) ?? 0),
    }))
    .filter(({ left_cents }) => left_cents > 0);
}
