import { type Day, dayName } from '../../platform/nz-time.ts';
import type { Issuer } from '../issuer.ts';
import { dollars } from '../money.ts';

/* A paper as plain data, in the order in which it is read. `html.ts` and `pdf.ts` write any of them: they know no invoice. */

export interface Paper {
  /** As in "Tax invoice 17". */
  title: string;
  /** What it is about, below the title. */
  about: string;
  recipient: string;
  issuer: Issuer;
  /** The day from which the file has its dates. */
  day: Day;
  /** The first is about the recipient, and is given the width for an address. */
  facts: PaperFact[];
  tables: PaperTable[];
  /** Paragraphs below the first table, such as how to pay. */
  notes: string[];
}

export interface PaperFact {
  name: string;
  value: string;
  /** Further lines, as of an address. */
  more?: string[];
}

export interface PaperTable {
  heading?: string;
  /** None: rows of a name and a value. */
  columns: { name: string; numeric?: boolean }[];
  rows: string[][];
  sums: PaperSum[];
}

export interface PaperSum {
  name: string;
  value: string;
  isTotal?: boolean;
}

/** As in −$1,150.00. */
export function paperMoney(cents: number): string {
  const [whole = '', rest] = dollars(Math.abs(cents)).split('.');
  return `${cents < 0 ? '−' : ''}$${paperCount(Number(whole))}.${rest}`;
}

export const paperCount = (value: number): string => value.toLocaleString('en-NZ');

/** As in 1 November 2026. */
export const paperDay: (day: Day) => string = dayName;

export const paperSum = (name: string, cents: number, isTotal = false): PaperSum => ({
  name,
  value: paperMoney(cents),
  isTotal,
});

/** The recipient as an invoice keeps it. */
export const recipientFact = ({
  name,
  address,
  contact,
}: {
  name: string;
  address: string;
  contact: string;
}) => ({
  name: 'To',
  value: name,
  more: [...address.split('\n'), contact].filter(Boolean),
});
