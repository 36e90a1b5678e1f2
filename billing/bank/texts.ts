import { plain } from '../search.ts';

/* Texts of banks: cut, in capitals, with the bank's own words around them. */

export const plainHeading = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** One line without control characters, no longer than `max`. */
export const oneLine = (text: string, max: number): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zs}\ufffd]+/gu, ' ')
    .trim()
    .slice(0, max)
    // A character that is cut apart is none.
    .replace(/[\ud800-\udbff]$/, '');

/** Words of banks, and of names that are written or not. */
const empty = new Set(
  'ltd limited the and co company inc nz new zealand mr mrs ms dr from dc bp ap payment pmt credit direct transfer tfr bill'.split(
    ' ',
  ),
);

/** The words of a name: lower case without accents and punctuation. */
export const wordsOf = (text: string): string[] =>
  plain(text)
    .replace(/\b([a-z])\/([a-z])\b/g, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** The words that tell a name from others; all of them where that leaves none. */
export function tellingWords(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => !empty.has(word));
  return telling.length > 0 ? telling : words;
}

/** A payer, to be found again: without the bank's words before it. */
export const payerKey = (payer: string): string => tellingWords(payer).join(' ');
