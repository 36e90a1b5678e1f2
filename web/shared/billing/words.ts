/* Texts for money and months. */

import type { Account } from '../schemas.ts';
import { calendarFormat } from '../words.ts';

/** `YYYY-MM`, in New Zealand. */
export type Month = string;
/** `YYYY-MM-DD`, in New Zealand. */
export type Day = string;

const locale = 'en-NZ';
const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'NZD' });

/** Cents as dollars: $1,500.00, −$5.00. */
export function money(cents: number): string {
  return dollars.format(cents / 100).replace('-', '−');
}

const dates = (options: Intl.DateTimeFormatOptions) =>
  calendarFormat(new Intl.DateTimeFormat(locale, options));

const monthAndYear = dates({ month: 'long', year: 'numeric' });

/** "November 2026". */
export function monthName(month: Month): string {
  return monthAndYear(`${month}-01`);
}

/** "October 2026", "September and October 2026", "August, September and October 2026" and the like. */
export function monthNames(months: readonly Month[]): string {
  return new Intl.ListFormat(locale).format(months.map(monthName));
}

/** "Sun, 1 Nov" of a calendar date, which has no time zone. */
export const dayOfWeek = dates({ weekday: 'short', day: 'numeric', month: 'short' });

/** "1 Nov 2026" of a calendar date. */
export const dateName = dates({ day: 'numeric', month: 'short', year: 'numeric' });

const dateThere = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' });

/** The date, YYYY-MM-DD, of a moment in New Zealand. */
export function dateOfMoment(iso: string): string {
  return dateThere.format(new Date(iso));
}

/** The day before: the end of a period is the first day after it, and people name the last one in it. */
export function dayBefore(date: string): string {
  const before = new Date(`${date}T00:00:00Z`);
  before.setUTCDate(before.getUTCDate() - 1);
  return before.toISOString().slice(0, 10);
}

/** The month `count` months later, or earlier if negative. */
export function addMonths(month: Month, count: number): Month {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Newest first, both ends included. */
export function monthsDown(last: Month, first: Month): Month[] {
  const months: Month[] = [];
  for (let month = last; month >= first; month = addMonths(month, -1)) months.push(month);
  return months;
}

/** The same as options of a choice. */
export function monthOptions(last: Month, first: Month): [month: Month, name: string][] {
  return monthsDown(last, first).map((month) => [month, monthName(month)]);
}

export function daysIn(month: Month): number {
  return new Date(Number(month.slice(0, 4)), Number(month.slice(5)), 0).getDate();
}

const ordinals = new Intl.PluralRules(locale, { type: 'ordinal' });
const ordinalEndings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** The due date of invoices: "on the 20th of the month after the invoice", "14 days after the invoice". */
export function dueWords({
  due_day: day,
  due_days: days,
}: Pick<Account['terms'], 'due_day' | 'due_days'>): string {
  if (day === null) return `${days} days after the invoice`;
  return `on the ${day}${ordinalEndings[ordinals.select(day)]} of the month after the invoice`;
}

export const kindWords: Record<string, string> = {
  plan_fee: 'Plan fee',
  overage: 'Overage',
  adjustment: 'Adjustment',
  processing_fee: 'Processing fee',
  waiver: 'Waiver',
  credit: 'Credit',
  charge: 'Charge',
  reversal: 'Reversal',
};
