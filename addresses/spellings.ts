import type { StreetIndex } from './street-index.ts';
import { keyOf, type Word } from './words.ts';

/* What misspelt names may be. */

/** `sure`: only streets that the text surely says, of many with one name. `plain`: names as they are spelt. `unknown`: also without the kind of street, and with words that no name has corrected. `all`: with any word corrected. */
export type Effort = 'sure' | 'plain' | 'unknown' | 'all';

export const isPlain = (effort: Effort) => effort === 'sure' || effort === 'plain';

/** Corrected spellings of one name. */
const maxSpellings = 24;

/** Keys of names with corrected words. */
export function spellings(span: readonly Word[], correctionsOf: (word: Word) => string[]) {
  let all: { key: string; corrected: number }[] = [{ key: '', corrected: 0 }];
  for (const word of span) {
    const others = correctionsOf(word);
    all = all.flatMap(({ key, corrected }) => [
      { key: key + word.key, corrected },
      ...others.map((other) => ({ key: key + keyOf(other), corrected: corrected + 1 })),
    ]);
    if (all.length > maxSpellings) all = all.sort((a, b) => a.corrected - b.corrected).slice(0, maxSpellings);
  }
  return all.filter(({ corrected }) => corrected > 0);
}

/** The corrections of words that are to be corrected. @param correct of roads, or of places */
export const correctionsWith =
  (effort: Effort, index: StreetIndex, correct: (word: Word) => string[]) =>
  (word: Word): string[] =>
    effort === 'all' || !index.isKnown(word) ? correct(word) : [];
