import { type Word, wordsOf } from './words.ts';

/* A text that somebody asks for, without what no list of addresses has: countries, post boxes, rural deliveries. */

/** Max words of a text: an address on five lines of an invoice has fewer. */
const maxWords = 40;
/** Characters of a text that are read. */
const maxLength = 300;

/** A text in words, without what no list has. */
export interface AskedText {
  words: Word[];
  /** Four digits at the end, which a list may have. */
  postcode: string | undefined;
  /** True where somebody still types the last word. */
  isTyping: boolean;
  /** False where the text has more words than are read: then nothing of it is sure. */
  isWhole: boolean;
}

const countries = [['new', 'zealand'], ['nz'], ['nzl'], ['aotearoa', 'new', 'zealand'], ['aotearoa']];

/** The words of a text, without the country, rural delivery numbers, and the postcode. */
export function askedText(text: string, isTyping: boolean): AskedText {
  const all = wordsOf(text.slice(0, maxLength));
  const words = all.slice(0, maxWords);
  const isWhole = all.length <= maxWords && text.length <= maxLength;
  for (const country of countries) {
    const start = words.length - country.length;
    if (start > 0 && country.every((word, i) => words[start + i]?.plain === word)) words.length = start;
  }
  const hasNumberBefore = (at: number) => words.slice(0, at).some(({ plain }) => /^\d/.test(plain));
  removePostBoxes(words);
  let postcode: string | undefined;
  const last = words.at(-1);
  if (last && /^\d{4}$/.test(last.plain) && hasNumberBefore(words.length - 1)) {
    postcode = last.plain;
    words.pop();
  }
  for (let at = words.length - 1; at > 0; at--) {
    const length = ruralDeliveryAt(words, at);
    // "Rata Rd 14" has its number behind the road.
    if (length > 0 && (hasNumberBefore(at) || words[at]?.before === ',')) words.splice(at, length);
  }
  const isUnended = isTyping && /[\p{L}\p{N}]$/u.test(text) && postcode === undefined;
  return { words, postcode, isTyping: isUnended, isWhole };
}

/** What stands in an address and is no part of a place: words as patterns, the digits of a number last. */
const postBoxes = ['po box #', 'p o box #', 'pobox #', 'private bag #', 'private bag'];
const ruralDeliveries = ['rd #', 'r d #', 'rural delivery #'];

/** The length of the longest pattern that stands at a word; 0 for none. */
function patternAt(words: readonly Word[], at: number, patterns: readonly string[]): number {
  const isThere = (pattern: string) =>
    pattern.split(' ').every((part, i) => {
      const word = words[at + i];
      return part === '#' ? /^\d+$/.test(word?.plain ?? '') && word?.before !== '/' : part === word?.plain;
    });
  return Math.max(0, ...patterns.filter(isThere).map((pattern) => pattern.split(' ').length));
}

/** "PO Box 45" goes where another number is left: a postal address is no place. */
function removePostBoxes(words: Word[]): void {
  for (let at = 0; at < words.length; at++) {
    const length = patternAt(words, at, postBoxes);
    const isElsewhere = ({ plain }: Word, i: number) => (i < at || i >= at + length) && /^\d/.test(plain);
    if (length > 0 && words.some(isElsewhere)) words.splice(at, length);
  }
}

/** RD 2, R D 2, RD2: how many words. */
function ruralDeliveryAt(words: readonly Word[], at: number): number {
  if (/^rd\d{1,2}$/.test(words[at]?.plain ?? '')) return 1;
  const length = patternAt(words, at, ruralDeliveries);
  // "Rata Rd 2/14" and "Rata Rd 214" go on with a house.
  const isHouse = words[at + length]?.before === '/' || (words[at + length - 1]?.plain.length ?? 0) > 2;
  return isHouse ? 0 : length;
}
