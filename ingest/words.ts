import type { Availability } from '../core/coverage/submissions/manifest.ts';

/** A technology that the service knows. */
export interface KnownTechnology {
  name: string;
  label: string;
}

/** Other words for technologies. The copper of a word that does not say which is taken for the slower. */
const technologyWords: Record<string, string> = {
  fiber: 'fibre',
  'fibre optic': 'fibre',
  'fiber optic': 'fibre',
  'optical fibre': 'fibre',
  'optical fiber': 'fibre',
  fttp: 'fibre',
  ftth: 'fibre',
  fttb: 'fibre',
  gpon: 'fibre',
  pon: 'fibre',
  xgspon: 'fibre',
  'xgs pon': 'fibre',
  ufb: 'fibre',
  hfc: 'cable',
  coax: 'cable',
  docsis: 'cable',
  fttn: 'vdsl',
  fttc: 'vdsl',
  dsl: 'adsl',
  copper: 'adsl',
  fwa: 'wireless',
  'fixed wireless': 'wireless',
  'fixed wireless access': 'wireless',
  rbi: 'wireless',
  wisp: 'wireless',
  wimax: 'wireless',
  lte: 'wireless',
  '4g': 'wireless',
  '5g': 'wireless',
};

/**
 * Codes of the American Broadband Data Collection (FCC, "BDC Data Specifications", 2022, table of technologies): copper,
 * cable, fibre, and the kinds of fixed wireless. Those of satellites mean nothing that is known here.
 */
const technologyCodes: Record<string, string> = {
  10: 'adsl',
  40: 'cable',
  50: 'fibre',
  70: 'wireless',
  71: 'wireless',
  72: 'wireless',
};

/** What an area that is not served says of itself. */
export const notServed = 'none';

const availabilityWords: Record<string, Availability | typeof notServed> = {
  ...wordsFor(
    'available',
    'available',
    'available now',
    'now available',
    'in service',
    'in operation',
    'in use',
  ),
  ...wordsFor(
    'available',
    'live',
    'active',
    'existing',
    'current',
    'operational',
    'operating',
    'online',
    'on air',
  ),
  ...wordsFor(
    'available',
    'built',
    'complete',
    'completed',
    'commissioned',
    'deployed',
    'launched',
    'connected',
  ),
  ...wordsFor('available', 'ready for service', 'rfs', 'served', 'covered', 'yes', 'y', 'true', 't', '1'),
  ...wordsFor('underway', 'underway', 'under way', 'under construction', 'in construction', 'construction'),
  ...wordsFor('underway', 'in progress', 'in build', 'being built', 'building', 'started'),
  ...wordsFor('planned', 'planned', 'planning', 'proposed', 'future', 'coming soon', 'upcoming', 'design'),
  ...wordsFor(notServed, 'not available', 'unavailable', 'not in service', 'out of service', 'not served'),
  ...wordsFor(notServed, 'unserved', 'not covered', 'no coverage', 'inactive', 'not active', 'not built'),
  ...wordsFor(
    notServed,
    'incomplete',
    'not complete',
    'not completed',
    'not operational',
    'not live',
    'offline',
  ),
  ...wordsFor(notServed, 'decommissioned', 'retired', 'cancelled', 'canceled', 'abandoned'),
  ...wordsFor(notServed, 'none', 'no', 'n', 'false', 'f', '0'),
};

function wordsFor<T>(meaning: T, ...words: string[]): Record<string, T> {
  return Object.fromEntries(words.map((word) => [word, meaning]));
}

/**
 * In lower case, without the marks that stand for blanks in identifiers, and without what stands around it. A whole number that
 * was stored as a decimal ("50.000000") is that number.
 */
function plain(word: string): string {
  return word
    .toLowerCase()
    .replace(/^\s*(\d+)\.0*\s*$/, '$1')
    .replaceAll(/[\s_-]/g, ' ')
    .split(' ')
    .filter(Boolean)
    .join(' ');
}

/**
 * @param codes whether a number can be the code of a technology: where what it is from is about technologies
 * @returns the technology's name; undefined where the word is none that is known
 */
export function parseTechnology(
  word: string,
  known: readonly KnownTechnology[],
  { codes }: { codes: boolean },
): string | undefined {
  const named = (name: string | undefined) =>
    known.find((one) => one.name === name || one.label.toLowerCase() === name)?.name;
  const wanted = plain(word.slice(0, longestWord));
  // "VDSL2", "ADSL2+", "DOCSIS 3.1", "LTE Advanced" is not one of these: a version is a number.
  const unversioned = /^(?<word>[a-z]+) ?\d(?:\.\d)?\+?$/.exec(wanted)?.groups?.word;
  const own = named(wanted) ?? named(lookUp(technologyWords, wanted));
  if (own !== undefined) return own;
  if (codes && lookUp(technologyCodes, wanted)) return named(lookUp(technologyCodes, wanted));
  if (unversioned === undefined) return undefined;
  return named(unversioned) ?? named(lookUp(technologyWords, unversioned));
}

/**
 * The technologies that a text names as a whole or within it: "4G LTE", "Fixed Wireless (LTE)", "FTTP/GPON". Words of one or
 * several, at most three together.
 * @returns their names, none twice
 */
export function technologiesNamed(
  text: string,
  known: readonly KnownTechnology[],
  from: { codes: boolean },
): string[] {
  const whole = parseTechnology(text, known, from);
  if (whole !== undefined) return [whole];
  const words = plain(text.slice(0, longestWord)).split(/[^a-z0-9+.]+/);
  const named = new Set<string>();
  for (let at = 0; at < words.length; ) {
    let taken = 0;
    for (let length = Math.min(3, words.length - at); length > 0 && taken === 0; length--) {
      const technology = parseTechnology(words.slice(at, at + length).join(' '), known, { codes: false });
      if (technology === undefined) continue;
      named.add(technology);
      taken = length;
    }
    at += Math.max(1, taken);
  }
  return [...named];
}

/** @returns undefined where the word is none that is known */
export function parseAvailability(word: string): Availability | typeof notServed | undefined {
  return lookUp(availabilityWords, plain(word.slice(0, longestWord)));
}

/** Whether a word says yes or no, to whatever was asked. */
export function isBareAnswer(word: string): boolean {
  return /^(?:yes|y|true|t|1|no|n|false|f|0|none)$/i.test(word.trim());
}

/** A longer text is no word of these. In characters */
const longestWord = 60;

function lookUp<T>(words: Record<string, T>, word: string): T | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

// biome-ignore format: a row a quarter
const months = [
  'january', 'february', 'march',
  'april', 'may', 'june',
  'july', 'august', 'september',
  'october', 'november', 'december',
];
const longestDate = 64;

/**
 * Reads a date: 2027-03-31 (also with a time after it), 2027/3/31, 20270331, 31 Mar 2027, or 31/3/2027, 31-3-2027, 31.3.27:
 * the day first, as the country writes it, and a year of two digits in this century.
 * @returns as YYYY-MM-DD; undefined where it is no date that exists
 */
export function parseDate(text: string): string | undefined {
  const given = text.trim();
  if (given.length > longestDate) return undefined;
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
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

/** By its English name, or the beginning of it; '' where it is none. */
function monthOf(name: string): string {
  const month = months.findIndex((one) => one.startsWith(name.toLowerCase()));
  return month < 0 ? '' : String(month + 1);
}
