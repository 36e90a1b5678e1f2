import { createHash } from 'node:crypto';
import { CovermapError } from '../../platform/errors.ts';
import type { Day } from '../../platform/nz-time.ts';
import { type CsvRow, centsOf, csvRows, maxFileRows, unreadable } from './csv-rows.ts';
import { readDays } from './dates.ts';
import { type BankColumns, banks, type DateOrder, type Layout, sameHeadings } from './layouts.ts';
import { oneLine, plainHeading } from './texts.ts';

/** The max lines before the headings. */
const maxBefore = 15;
const maxCents = 2_000_000_000;

/** Money that came in. */
export interface ReadLine {
  line: number;
  /** As `bank_line.identity`. */
  identity: string;
  on_day: Day;
  amount_cents: number;
  payer: string;
  particulars: string;
  code: string;
  reference: string;
  details: string;
}

export interface ReadFile {
  bank: string;
  account: string;
  headings: readonly string[];
  lines: ReadLine[];
  debits: number;
  zeros: number;
}

/** The file's headings are of no known bank. */
export class BankUnknown extends CovermapError {
  readonly headings: string[];

  constructor(headings: string[]) {
    super(
      'bank_headings_unknown',
      `Its headings are of no known bank: ${headings.join(', ').slice(0, 300)}.`,
    );
    this.headings = headings;
  }
}

interface Told {
  layouts: readonly Layout[];
  /** The columns of a file of no known bank, and what it is called. */
  named?: { bank: string; columns: BankColumns } | undefined;
  dates?: DateOrder | undefined;
  today: Day;
}

/**
 * Reads a bank's file.
 * @throws CovermapError `bank_file_unreadable`, `bank_headings_unknown`, `bank_dates_ambiguous`
 */
export async function readBankFile(bytes: Uint8Array, told: Told): Promise<ReadFile> {
  const rows = await csvRows(bytes);
  const { layout, at } = layoutOf(rows, told);
  const body = rows.slice(at + 1).filter(({ fields }) => fields.some((field) => field.trim() !== ''));
  if (body.length > maxFileRows)
    throw unreadable(
      `The file has more than ${maxFileRows.toLocaleString('en-NZ')} lines.`,
      'Export a shorter period.',
    );
  if (body.length === 0) throw unreadable('The file has headings and no lines.', 'Export it again.');
  const column = columnsOf(layout);
  const texts = layout.headings.map((_, i) => i).filter((i) => !column.figures.has(i));
  const lines: (Omit<ReadLine, 'on_day' | 'identity'> & { id: string; account: string })[] = [];
  const dates: { line: number; text: string }[] = [];
  const before = accountBefore(layout, rows.slice(0, at));
  const accounts = new Set<string>();
  let debits = 0;
  let zeros = 0;
  for (const { line, fields } of body) {
    const value = (name: keyof BankColumns) => {
      const i = column.of[name];
      return i === undefined ? '' : oneLine(fields[i] ?? '', 200);
    };
    if (fields.length < Math.max(...Object.values(column.of)) + 1)
      throw unreadable(
        `Line ${line} has ${fields.length} columns, and the headings ${layout.headings.length}.`,
      );
    const currency = value('currency');
    if (currency !== '' && currency.toUpperCase() !== 'NZD')
      throw unreadable(`Line ${line} is in ${currency}.`, 'Only New Zealand dollars are reconciled here.');
    dates.push({ line, text: value('date') });
    const account = value('account') || before;
    accounts.add(account);
    const amount_cents = amountOf(line, value);
    if (amount_cents === 0) zeros += 1;
    if (amount_cents < 0) debits += 1;
    if (amount_cents <= 0) continue;
    const used = [column.of.payer, column.of.particulars, column.of.code, column.of.reference];
    const details = texts.filter((i) => !used.includes(i)).map((i) => oneLine(fields[i] ?? '', 200));
    lines.push({
      ...{ line, amount_cents, account, id: value('id') },
      ...{ payer: value('payer'), particulars: value('particulars') },
      ...{ code: value('code'), reference: value('reference') },
      details: oneLine(details.filter(Boolean).join(' '), 300),
    });
  }
  if (accounts.size > 1)
    throw unreadable('The file is of several accounts.', 'Export each account by itself.');
  const days = new Map(
    readDays(dates, told.dates ?? layout.dates, told.today).map((day, i) => [dates[i]?.line, day]),
  );
  const nth = new Map<string, number>();
  return {
    bank: layout.bank,
    account: [...accounts][0] ?? '',
    headings: layout.headings,
    ...{ debits, zeros },
    lines: lines.map(({ id, account, ...line }) => {
      const on_day = days.get(line.line) as Day;
      const { amount_cents, payer, particulars, code, reference, details } = line;
      const facts = [
        layout.bank,
        account,
        on_day,
        amount_cents,
        payer,
        particulars,
        code,
        reference,
        details,
      ];
      // Ids of some banks begin again in each account, and are only sure with the day and the amount.
      const of = JSON.stringify(id ? [layout.bank, account, on_day, amount_cents, id] : facts);
      const n = (nth.get(of) ?? 0) + 1;
      nth.set(of, n);
      const identity = createHash('sha256').update(`${of} ${n}`).digest('hex');
      return { ...line, on_day, identity };
    }),
  };
}

/** The layout of the first row that is the headings of one; else of the row that has the named columns. */
function layoutOf(rows: readonly CsvRow[], { layouts, named }: Told): { layout: Layout; at: number } {
  const first = rows.slice(0, maxBefore);
  const all = [...banks, ...layouts];
  for (const [at, { fields }] of first.entries()) {
    const trimmed = withoutEmptyEnd(fields);
    const layout = all.find(({ headings }) => sameHeadings(headings, trimmed));
    if (layout) return { layout, at };
  }
  // Headings are the first row that is as wide as the file.
  const width = Math.max(...rows.slice(0, 50).map(({ fields }) => withoutEmptyEnd(fields).length));
  const at = first.findIndex(({ fields }) => withoutEmptyEnd(fields).length === width);
  const headings = withoutEmptyEnd(first[Math.max(at, 0)]?.fields ?? []).map((one) => oneLine(one, 100));
  if (!named) throw new BankUnknown(headings);
  for (const one of Object.values(named.columns)) {
    if (one === undefined) continue;
    if (headings.filter((heading) => plainHeading(heading) === plainHeading(one)).length !== 1)
      throw unreadable(`The file has no column “${one.slice(0, 100)}”, or several.`);
  }
  return { layout: { bank: named.bank, headings, columns: named.columns, dates: null }, at: Math.max(at, 0) };
}

function withoutEmptyEnd(fields: readonly string[]): readonly string[] {
  const last = fields.findLastIndex((field) => field.trim() !== '');
  return fields.slice(0, last + 1);
}

/** Where each field is, and which columns are no texts. */
function columnsOf({ headings, columns }: Layout) {
  const of: Partial<Record<keyof BankColumns, number>> = {};
  for (const [name, heading] of Object.entries(columns)) {
    if (heading === undefined) continue;
    of[name as keyof BankColumns] = headings.findIndex((one) => plainHeading(one) === plainHeading(heading));
  }
  const { date, amount, credit, debit, id, account, currency } = of;
  // A balance would make the same line another one in another file.
  const balances = headings.flatMap((one, i) => (/balance|date/i.test(one) ? [i] : []));
  return { of, figures: new Set([date, amount, credit, debit, id, account, currency, ...balances]) };
}

function accountBefore({ accountBefore: pattern, bank }: Layout, before: readonly CsvRow[]): string {
  if (!pattern) return '';
  for (const { fields } of before) {
    const found = pattern.exec(fields.join(',').trim());
    if (found) return found.slice(1).join('-');
  }
  const hint = 'Export it again and drop it as it is, without a spreadsheet between.';
  throw unreadable(`The first lines are missing that say which account of ${bank} it is.`, hint);
}

function amountOf(line: number, value: (name: keyof BankColumns) => string): number {
  const of = (name: 'amount' | 'credit' | 'debit') => {
    const text = value(name);
    const cents = text === '' ? undefined : centsOf(text);
    if (text !== '' && cents === undefined)
      throw unreadable(
        `Line ${line} has an amount that is none of New Zealand dollars: “${text.slice(0, 40)}”.`,
      );
    return cents;
  };
  const [amount, credit, debit] = [of('amount'), of('credit'), of('debit')];
  if (amount === undefined && credit === undefined && debit === undefined)
    throw unreadable(`Line ${line} has no amount.`);
  const cents = amount ?? Math.abs(credit ?? 0) - Math.abs(debit ?? 0);
  if (cents > maxCents) throw unreadable(`Line ${line} has an amount above $20,000,000.`);
  return cents;
}
