import type { Availability } from '../core/coverage/manifest.ts';

/** A technology that the service knows. */
export interface KnownTechnology {
  name: string;
  label: string;
}

/** Other words for technologies, and the codes of the American Broadband Data Collection that mean one of them alone. */
const technologyWords: Record<string, string> = {
  fiber: 'fibre',
  fttp: 'fibre',
  ftth: 'fibre',
  ufb: 'fibre',
  50: 'fibre',
  hfc: 'cable',
  coax: 'cable',
  docsis: 'cable',
  40: 'cable',
  fwa: 'wireless',
  'fixed wireless': 'wireless',
  'fixed-wireless': 'wireless',
  rbi: 'wireless',
  70: 'wireless',
  71: 'wireless',
  72: 'wireless',
};

const availabilityWords: Record<string, Availability> = {
  available: 'available',
  live: 'available',
  active: 'available',
  existing: 'available',
  'in service': 'available',
  underway: 'underway',
  'under construction': 'underway',
  'in progress': 'underway',
  building: 'underway',
  planned: 'planned',
  proposed: 'planned',
  future: 'planned',
};

/** @returns the technology's name; undefined where the word is none that is known */
export function parseTechnology(word: string, known: readonly KnownTechnology[]): string | undefined {
  const wanted = word.trim().toLowerCase();
  const named = (name: string | undefined) =>
    known.find((one) => one.name === name || one.label.toLowerCase() === name)?.name;
  return named(wanted) ?? named(technologyWords[wanted]);
}

/** @returns undefined where the word is none that is known */
export function parseAvailability(word: string): Availability | undefined {
  const wanted = word.trim().toLowerCase();
  return Object.hasOwn(availabilityWords, wanted) ? availabilityWords[wanted] : undefined;
}

/**
 * Reads a date: 2027-03-31 (also with a time after it), 2027/3/31, 20270331, or 31/3/2027, the day first as the country
 * writes it.
 * @returns as YYYY-MM-DD; undefined where it is no date that exists
 */
export function parseDate(text: string): string | undefined {
  const match =
    /^(?<year>[12]\d{3})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ].*)?$/.exec(text) ??
    /^(?<year>[12]\d{3})\/(?<month>\d{1,2})\/(?<day>\d{1,2})(?: .*)?$/.exec(text) ??
    /^(?<year>[12]\d{3})(?<month>\d{2})(?<day>\d{2})$/.exec(text) ??
    /^(?<day>\d{1,2})[/.](?<month>\d{1,2})[/.](?<year>[12]\d{3})$/.exec(text);
  const { year = '', month = '', day = '' } = match?.groups ?? {};
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // Date takes the 31st of a short month for the 1st of the next.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}
