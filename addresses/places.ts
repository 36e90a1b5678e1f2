import type { AskedText } from './asked-text.ts';
import { correctionsWith, type Effort, isPlain, spellings } from './spellings.ts';
import type { Locality, StreetIndex } from './street-index.ts';
import { joined, typedText } from './words.ts';

/* The places that words of a text name. */

/** Words of the longest names of roads and towns. */
export const maxNameWords = 6;
/** Names that begin as the text ends. */
export const maxBeginnings = 60;

/** What some words may be: suburbs, towns or authorities with one name. */
export interface PlaceAt {
  localities: readonly Locality[];
  /** Letters corrected. */
  corrected: number;
  /** The name is not typed to its end. */
  isTyped: boolean;
  /** The position after its words. */
  end: number;
}

/** Finds the longest name of a place that begins at a word. Each span of words is looked up once, however often it is asked for. */
export function placeFinder(index: StreetIndex, { words, isTyping }: AskedText, effort: Effort) {
  const correctionsOf = correctionsWith(effort, index, (word) => index.localityCorrections(word));
  const named = (at: number, end: number): PlaceAt | undefined => {
    const span = words.slice(at, end);
    const localities = index.localities(joined(span));
    if (localities.length > 0) return { localities, corrected: 0, isTyped: false, end };
    const begun =
      isTyping && end === words.length ? index.localitiesFrom(typedText(span), maxBeginnings) : [];
    return begun.length > 0 ? { localities: begun, corrected: 0, isTyped: true, end } : undefined;
  };
  const misspelt = (at: number, end: number): PlaceAt | undefined => {
    for (const { key, corrected } of spellings(words.slice(at, end), correctionsOf)) {
      const localities = index.localities(key);
      if (localities.length > 0) return { localities, corrected, isTyped: false, end };
    }
    return undefined;
  };
  const ways = (isPlain(effort) ? [named] : [named, misspelt]).map(onceForEachSpan);
  return (at: number, isFree: (at: number) => boolean): PlaceAt | undefined => {
    let end = at;
    while (
      end < words.length &&
      end - at < maxNameWords &&
      isFree(end) &&
      (end === at || words[end]?.before !== ',')
    )
      end++;
    for (const way of ways) {
      for (let to = end; to > at; to--) {
        const place = way(at, to);
        if (place) return place;
      }
    }
    return undefined;
  };
}

function onceForEachSpan<T>(find: (at: number, end: number) => T): (at: number, end: number) => T {
  const found = new Map<number, T>();
  return (at, end) => {
    const key = at * maxNameWords + end - at - 1;
    if (!found.has(key)) found.set(key, find(at, end));
    return found.get(key) as T;
  };
}
