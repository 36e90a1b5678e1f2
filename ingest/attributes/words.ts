import type { Availability } from '../../coverage/offer.ts';
import { dayOf } from '../../platform/nz-time.ts';
import { onceForEach } from '../../platform/once-for-each.ts';

/** A row of `technology`, with the words that files have for it. */
export interface KnownTechnology {
  name: string;
  label: string;
  /** More is likely to be in another unit. */
  plausibleMbps: number;
  /** Other words for it, in lower case with single blanks. */
  words: string[];
  /** Numbers that mean it in an attribute of technologies. */
  codes: string[];
}

/** The names of technologies by all words for them, and by their codes. */
const vocabularyOf = onceForEach((known: readonly KnownTechnology[]) => {
  const names = known.flatMap(({ name, label }) => [name, label].map((word) => [plain(word), name] as const));
  const named = (texts: 'words' | 'codes') =>
    known.flatMap((one) => one[texts].map((word) => [word, one.name] as const));
  // Of two that are written alike, the first in rank counts.
  return {
    words: new Map([...named('words').reverse(), ...names.reverse()]),
    codes: new Map(named('codes')),
  };
});

/** The value of areas that are not served. */
export const notServed = 'none';

const availabilityWords = meanings<Availability | typeof notServed>({
  available: `available, available now, now available, in service, in operation, in use, live, active, existing, current,
    operational, operating, online, on air, built, complete, completed, commissioned, deployed, launched, connected,
    ready for service, rfs, served, covered, yes, y, true, t, 1, ja, ae, āe`,
  underway: `underway, under way, under construction, in construction, construction, in progress, in build, being built,
    building, started`,
  planned: `planned, planning, proposed, future, coming soon, upcoming, design`,
  [notServed]: `not available, unavailable, not in service, out of service, not served, unserved, not covered, no coverage,
    inactive, not active, not built, incomplete, not complete, not completed, not operational, not live, offline,
    subtraction, subtractions, subtract, exclusion, exclusions, excluded, exclude, dead zone, dead zones, black spot,
    black spots, blackspot, blackspots, no service, no signal, decommissioned, retired, cancelled, canceled, abandoned, none, no, n, false, f, 0, nein, kao, kāo`,
});

function meanings<T extends string>(lists: Record<T, string>): Map<string, T> {
  return new Map(
    (Object.entries(lists) as [T, string][]).flatMap(([meaning, words]) =>
      words.split(/,\s+/).map((word): [string, T] => [word, meaning]),
    ),
  );
}

/** In lower case, with single blanks, also for underscores and hyphens. "50.000000" is 50. */
function plain(word: string): string {
  return word
    .toLowerCase()
    .replace(/^\s*(\d+)\.0*\s*$/, '$1')
    .replaceAll(/[\s_-]/g, ' ')
    .split(' ')
    .filter(Boolean)
    .join(' ');
}

/** @param codes whether a number can be the code of a technology @returns the technology's name; undefined for unknown words */
export function parseTechnology(
  word: string,
  known: readonly KnownTechnology[],
  { codes }: { codes: boolean },
): string | undefined {
  const vocabulary = vocabularyOf(known);
  const wanted = plain(word.slice(0, maxWordLength));
  // "VDSL2", "ADSL2+", "DOCSIS 3.1", "LTE Advanced" is not one of these: a version is a number.
  const unversioned = /^(?<word>[a-z]+) ?\d(?:\.\d)?\+?$/.exec(wanted)?.groups?.word;
  return (
    vocabulary.words.get(wanted) ??
    (codes ? vocabulary.codes.get(wanted) : undefined) ??
    (unversioned === undefined ? undefined : vocabulary.words.get(unversioned))
  );
}

/** The technologies that a text names, each once: "4G LTE", "Fixed Wireless (LTE)", "FTTP/GPON". */
export function technologiesNamed(
  text: string,
  known: readonly KnownTechnology[],
  from: { codes: boolean },
): string[] {
  const whole = parseTechnology(text, known, from);
  return whole === undefined
    ? namedIn(text, (words) => parseTechnology(words, known, { codes: false }))
    : [whole];
}

/** The availabilities that a text names, each once: "Planned 2027", "Stage 2 (under construction)". */
export const availabilitiesNamed = (text: string) =>
  namedIn(text, (words) =>
    // "In-building coverage", "Network design".
    isBareAnswer(words) || /^(?:building|design)$/.test(words) ? undefined : availabilityWords.get(words),
  );

/** The meanings of a text's words, up to three together, each once. */
function namedIn<T>(text: string, meaningOf: (words: string) => T | undefined): T[] {
  const words = plain(text.slice(0, maxTextLength)).split(/[^a-z0-9+.]+/);
  const named = new Set<T>();
  for (let at = 0; at < words.length; ) {
    let taken = 0;
    for (let length = Math.min(3, words.length - at); length > 0 && taken === 0; length--) {
      const meaning = meaningOf(words.slice(at, at + length).join(' '));
      if (meaning === undefined) continue;
      named.add(meaning);
      taken = length;
    }
    at += Math.max(1, taken);
  }
  return [...named];
}

/** @returns undefined for unknown words */
export function parseAvailability(word: string): Availability | typeof notServed | undefined {
  return availabilityWords.get(plain(word.slice(0, maxWordLength)));
}

/** Tells if a word means yes or no; undefined where it means neither. */
export function saysYes(word: string): boolean | undefined {
  const wanted = plain(word.slice(0, maxWordLength));
  if (/^(?:yes|y|true|t|1|ja|ae|āe)$/.test(wanted)) return true;
  return /^(?:no|n|false|f|0|nein|kao|kāo)$/.test(wanted) ? false : undefined;
}

/** Tells if a word only answers a question, like yes or none. */
export const isBareAnswer = (word: string) => saysYes(word) !== undefined || /^none$/i.test(word.trim());

/** The max length of a word, and the part of a longer text that is searched for words. In characters */
const maxWordLength = 60;
const maxTextLength = 200;

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const maxDateLength = 64;
const moment =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(?:Z|(?<hours>[+-]\d\d):?(?<minutes>\d\d)?)$/i;

/**
 * Parses a date: 2027-03-31 (a time may follow), 2027/3/31, 20270331, 31 Mar 2027, or 31/3/2027, 31-3-2027, 31.3.27: the day first, as in New
 * Zealand, and a year of two digits in this century. A time with its zone is a moment: ArcGIS keeps 31 March here as 2027-03-30T11:00:00Z, which it
 * writes to GeoJSON as 1806404400000, in milliseconds since 1970.
 * @returns as YYYY-MM-DD; undefined for dates that do not exist
 */
export function parseDate(text: string): string | undefined {
  const given = text.trim();
  if (given.length > maxDateLength) return undefined;
  if (/^[12]\d{12}$/.test(given)) return dayOf(new Date(Number(given)));
  const match =
    /^(?<year>[12]\d{3})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ].*)?$/.exec(given) ??
    /^(?<year>[12]\d{3})\/(?<month>\d{1,2})\/(?<day>\d{1,2})(?: .*)?$/.exec(given) ??
    /^(?<year>[12]\d{3})(?<month>\d{2})(?<day>\d{2})$/.exec(given) ??
    /^(?<day>\d{1,2})(?<mark>[/.-])(?<month>\d{1,2})\k<mark>(?<year>[12]\d{3}|\d{2})(?: .*)?$/.exec(given) ??
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?[ -]?(?<name>[a-z]{3,9})\.?,?[ -]?(?<year>[12]\d{3}|\d{2})(?: .*)?$/i.exec(
      given,
    );
  const { year = '', month = '', day = '', name } = match?.groups ?? {};
  const number = name === undefined ? month : monthOf(name);
  const iso = `${year.padStart(4, '20')}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // Date takes the 31st of a short month for the 1st of the next.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
    ? (dayOfMoment(given) ?? iso)
    : undefined;
}

/** The day of a moment in New Zealand; undefined for a date without a time and its zone. */
function dayOfMoment(text: string): string | undefined {
  const { day, time, hours, minutes = '00' } = moment.exec(text)?.groups ?? {};
  const instant = new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(instant.getTime()) ? undefined : dayOf(instant);
}

/** By its English name, or the beginning of it; '' where it is none. */
function monthOf(name: string): string {
  const month = months.findIndex((one) => one.startsWith(name.toLowerCase()));
  return month < 0 ? '' : String(month + 1);
}
