/* Texts for money and months. */

import { addDays, type Day, dayOf, type Month, monthName, monthsBetween } from '../../../platform/nz-time.ts';
import type { Account, DayQueries } from '../schemas.ts';
import { calendarFormat, count, number } from '../words.ts';

const locale = 'en-NZ';
const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'NZD' });

/** Cents as dollars: $1,500.00, −$5.00. */
export function money(cents: number): string {
  return dollars.format(cents / 100).replace('-', '−');
}

const dates = (options: Intl.DateTimeFormatOptions) =>
  calendarFormat(new Intl.DateTimeFormat(locale, options));

/** "October 2026", "September and October 2026", "August, September and October 2026" and the like. */
export function monthNames(months: readonly Month[]): string {
  return new Intl.ListFormat(locale).format(months.map(monthName));
}

/** "Sun, 1 Nov" of a calendar date, which has no time zone. */
export const dayOfWeek = dates({ weekday: 'short', day: 'numeric', month: 'short' });

/** The chart of the queries by day in a sentence: of equal days the first is the peak, and of none there is none. */
export function chartInWords(month: Month, days: readonly DayQueries[], of: string): string {
  const all = days.reduce((sum, { queries }) => sum + queries, 0);
  const busiest = days.reduce<DayQueries | undefined>(
    (best, day) => (day.queries > (best?.queries ?? 0) ? day : best),
    undefined,
  );
  const peak = busiest ? ` Peak: ${dayOfWeek(busiest.date)}, ${number(busiest.queries)}.` : '';
  return `Bar chart of the queries of ${of} by day in ${monthName(month)}: ${number(all)} in ${count(days.length, 'day')}.${peak}`;
}

/** "1 Nov 2026" of a calendar date. */
export const dateName = dates({ day: 'numeric', month: 'short', year: 'numeric' });

/** The date, YYYY-MM-DD, of a moment in New Zealand. */
export const dateOfMoment = (iso: string): Day => dayOf(new Date(iso));

/** The day before: the end of a period is the first day after it, and people name the last one in it. */
export const dayBefore = (date: Day): Day => addDays(date, -1);

/** Newest first, both ends included. */
export const monthsDown = (last: Month, first: Month): Month[] => monthsBetween(first, last).reverse();

/** The same as options of a choice. */
export function monthOptions(last: Month, first: Month): [month: Month, name: string][] {
  return monthsDown(last, first).map((month) => [month, monthName(month)]);
}

const ordinals = new Intl.PluralRules(locale, { type: 'ordinal' });
const ordinalEndings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** The due date of invoices: "on the 20th of the month after the invoice". */
export const dueWords = ({ due_day: day }: Pick<Account['terms'], 'due_day'>): string =>
  `on the ${day}${ordinalEndings[ordinals.select(day)]} of the month after the invoice`;

export const kindWords: Record<string, string> = {
  plan_fee: 'Plan fee',
  overage: 'Overage',
  adjustment: 'Adjustment',
  processing_fee: 'Processing fee',
  waiver: 'Waiver',
  credit: 'Credit',
  charge: 'Charge',
  reversal: 'Reversal',
  payment: 'Payment',
  refund: 'Refund',
  write_off: 'Write-off',
};
