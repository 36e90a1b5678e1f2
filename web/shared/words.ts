/* Texts for numbers, times and names. */

import type { Availability } from './schemas.ts';

const locale = 'en-NZ';
const wholeNumber = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const threeDigits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });

export function number(value: number): string {
  return wholeNumber.format(value);
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  if (value < 1000) return count(value, 'byte');
  if (value < 1e6) return `${number(value / 1000)} kB`;
  return value < 1e9 ? `${oneDecimal.format(value / 1e6)} MB` : `${oneDecimal.format(value / 1e9)} GB`;
}

/** One decimal up to 1,000 km², so that the parts of a sum add up: 48 km² and 53.5 km² to 101.5 km². */
export function area(km2: number): string {
  if (km2 > 0 && km2 < 0.01) return 'less than 0.01 km²';
  const format = km2 >= 1000 ? wholeNumber : km2 >= 10 ? oneDecimal : threeDigits;
  return `${format.format(km2)} km²`;
}

export function speed(mbps: number): string {
  return mbps >= 1000 ? `${oneDecimal.format(mbps / 1000)} Gbps` : `${oneDecimal.format(mbps)} Mbps`;
}

/** "50 to 100 Mbps", "100 Mbps to 1 Gbps": a unit that both have is said once. */
export function speedRange(min: number, max: number): string {
  const [from, to] = [speed(min), speed(max)];
  const unit = to.slice(to.lastIndexOf(' '));
  return from === to ? to : `${from.endsWith(unit) ? from.slice(0, -unit.length) : from} to ${to}`;
}

const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
const dayOfAnyYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const dayWithoutYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat(locale, {
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** A moment, in the reader's own zone, which is named: "today, 9:41 pm NZDT", "3 May, 9:41 pm NZST"; of another year "3 May 2025, 9:41 pm NZST". */
export function when(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (days === 0) return `today, ${clock.format(date)}`;
  if (days === 1) return `yesterday, ${clock.format(date)}`;
  if (days === -1) return `tomorrow, ${clock.format(date)}`;
  const ofYear = date.getFullYear() === now.getFullYear() ? dayWithoutYear : dayOfAnyYear;
  return `${ofYear.format(date)}, ${clock.format(date)}`;
}

/** The day of a moment: "3 May", with the year if it is not this one. */
export function dayOf(iso: string, now = new Date()): string {
  const date = new Date(iso);
  return (date.getFullYear() === now.getFullYear() ? dayWithoutYear : day).format(date);
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Formats calendar dates, YYYY-MM-DD, which have no time zone: by their midnight here, so that no offset moves them to another day. */
export function calendarFormat(format: Intl.DateTimeFormat) {
  return (date: string) => format.format(new Date(`${date}T00:00:00`));
}

/** "24 November 2026". */
export const calendarDay = calendarFormat(day);

const momentFormat = new Intl.DateTimeFormat(locale, {
  ...({ day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const),
  ...({ timeZone: 'Pacific/Auckland', timeZoneName: 'short' } as const),
});

/** A moment in New Zealand, with its zone: "24 Nov 2026, 6:05 pm NZDT". Billing’s times are all shown so: its days are New Zealand’s, wherever the reader is. */
export function moment(at: Date | string): string {
  return momentFormat.format(new Date(at));
}

/** "350 m", "3.4 km", "120 km". */
export function distance(metres: number): string {
  if (metres < 1000) return `${wholeNumber.format(Math.max(10, Math.round(metres / 10) * 10))} m`;
  return `${metres < 10_000 ? oneDecimal.format(metres / 1000) : wholeNumber.format(metres / 1000)} km`;
}

export const availabilityWords: Record<Availability, string> = {
  available: 'Available now',
  underway: 'Under construction',
  planned: 'Planned',
};

/** A technology and a scope: "Fibre, North". */
export function coverageLabel(technologyLabel: string, scope: string): string {
  return scope === '' ? technologyLabel : `${technologyLabel}, ${scope}`;
}

/** A share of a whole, 1 by default, in percent. */
export function percent(part: number, whole = 1): string {
  const share = whole > 0 ? (100 * part) / whole : 0;
  if (share > 0 && share < 0.1) return '< 0.1%';
  return `${share < 10 ? oneDecimal.format(share) : wholeNumber.format(share)}%`;
}

/** A name for comparing: without case, macrons and accents, which people leave out. */
export function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
