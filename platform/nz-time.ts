/** The time zone of the service's days and months. Its offset is in whole hours, so UTC's hours fit into months. */
export const nzTimeZone = 'Pacific/Auckland';

/** A calendar month, `YYYY-MM`. Such texts sort as the months do. */
export type Month = string;
/** A calendar date, `YYYY-MM-DD`. */
export type Day = string;

/** Sweden writes dates and times as `YYYY-MM-DD HH:MM:SS`. */
const local = new Intl.DateTimeFormat('sv-SE', {
  timeZone: nzTimeZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});
const named = new Intl.DateTimeFormat('en-NZ', { timeZone: 'UTC', month: 'long', year: 'numeric' });

const hourMs = 3_600_000;

export const dayOf = (instant: Date): Day => local.format(instant).slice(0, 10);
export const monthOf = (instant: Date): Month => monthOfDay(dayOf(instant));
export const today = (): Day => dayOf(new Date());

/** The instant at which a date begins in New Zealand. */
export const startOfDay = (day: Day): Date => instantAt(day, '00:00:00');

/** The first instant at which New Zealand's clocks show a time on a date. @param time HH:MM:SS; between 02:00 and 03:00 it may not exist */
export function instantAt(day: Day, time: string): Date {
  const utc = Date.parse(`${day}T${time}Z`);
  // 13 hours ahead of UTC in summer, 12 in winter.
  for (const offset of [13, 12]) {
    const instant = new Date(utc - offset * hourMs);
    if (local.format(instant) === `${day} ${time}`) return instant;
  }
  throw new Error(`${day} has no ${time}`);
}

export const startOfMonth = (month: Month): Date => startOfDay(firstDay(month));

/** The month `count` months later, or earlier where it is negative. */
export function addMonths(month: Month, count: number): Month {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** The months from the first to the last, both included; none where the last is before the first. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const months: Month[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

export const firstDay = (month: Month): Day => `${month}-01`;
export const monthOfDay = (day: Day): Month => day.slice(0, 7);

/** The date `count` days later. */
export const addDays = (day: Day, count: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

export const daysBetween = (from: Day, to: Day): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

export const daysInMonth = (month: Month) => daysBetween(firstDay(month), firstDay(addMonths(month, 1)));

export const daysOfMonth = (month: Month): Day[] =>
  Array.from({ length: daysInMonth(month) }, (_, index) => addDays(firstDay(month), index));

/** As in `November 2026`. */
export const monthName = (month: Month): string => named.format(new Date(`${month}-01T00:00:00Z`));

/** As in `1 November 2026`. */
export const dayName = (day: Day): string => `${Number(day.slice(8))} ${monthName(day.slice(0, 7))}`;

/** Tells if a text is a month between 2000 and 2999. */
export const isMonth = (text: unknown): text is Month =>
  typeof text === 'string' && /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(text);

/** Tells if a text is a date that exists, between 1000 and 2999. */
export function isDate(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** Tells if a text is a date that exists, between 2000 and 2999. */
export const isDay = (text: unknown): text is Day => isDate(text) && text >= '2000';

/** Cron patterns, with seconds, of a time of day (HH:MM:SS). */
export const cronPattern = {
  daily: (time: string) => `${cronTime(time)} * * *`,
  monthly: (time: string) => `${cronTime(time)} 1 * *`,
};

const cronTime = (time: string): string => time.split(':').map(Number).reverse().join(' ');
