/** Where billing's days and months begin and end. Its offset is a whole number of hours, so UTC's hours fit into months. */
export const billingTimeZone = 'Pacific/Auckland';

/** A calendar month, `YYYY-MM`. Texts of this form sort as the months do. */
export type Month = string;
/** A calendar date, `YYYY-MM-DD`. */
export type Day = string;

const local = new Intl.DateTimeFormat('en-CA', {
  timeZone: billingTimeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});

const hourMs = 3_600_000;

/** The date that it is in New Zealand at an instant. */
export function dayOf(instant: Date): Day {
  return partsOf(instant).day;
}

/** The month that it is in New Zealand at an instant. */
export function monthOf(instant: Date): Month {
  return dayOf(instant).slice(0, 7);
}

/** The instant at which a date begins in New Zealand. */
export function startOfDay(day: Day): Date {
  // Midnight there is 11:00 or 12:00 UTC of the day before: daylight saving begins and ends at night, after midnight.
  const midnightUtc = Date.parse(`${day}T00:00:00Z`);
  for (const offset of [12, 13]) {
    const instant = new Date(midnightUtc - offset * hourMs);
    const { day: there, hour } = partsOf(instant);
    if (there === day && hour === 0) return instant;
  }
  throw new Error(`${day} has no midnight`);
}

/** The instant at which a month begins in New Zealand. */
export function startOfMonth(month: Month): Date {
  return startOfDay(firstDay(month));
}

/** The month so many months later, or earlier where the number is negative. */
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

export function firstDay(month: Month): Day {
  return `${month}-01`;
}

export function monthOfDay(day: Day): Month {
  return day.slice(0, 7);
}

/** The date so many days later. */
export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** Days from one date to another. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

export function daysInMonth(month: Month): number {
  return daysBetween(firstDay(month), firstDay(addMonths(month, 1)));
}

/** The dates of a month. */
export function daysOfMonth(month: Month): Day[] {
  return Array.from({ length: daysInMonth(month) }, (_, index) => addDays(firstDay(month), index));
}

/** As in `November 2026`. */
export function monthName(month: Month): string {
  const names = [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ];
  return `${names[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** Whether a text is a month between 2000 and 2999. */
export function isMonth(text: unknown): text is Month {
  return typeof text === 'string' && /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(text);
}

/** Whether a text is a date that exists, between 2000 and 2999. */
export function isDay(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^2\d{3}-\d\d-\d\d$/.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

function partsOf(instant: Date): { day: Day; hour: number } {
  const part: Record<string, string> = {};
  for (const { type, value } of local.formatToParts(instant)) part[type] = value;
  return { day: `${part.year}-${part.month}-${part.day}`, hour: Number(part.hour) };
}
