import { tellingWords, wordsOf } from './texts.ts';

/* How well a payer's words are the name of an account. Banks cut names to 12 or 20 characters, in capitals. */

/** Less is no cut name: it would be the begin of too many. */
const minCut = 7;

export interface Name {
  text: string;
  words: readonly string[];
  telling: readonly string[];
  /** Without spaces. */
  compact: string;
}

export const nameOf = (text: string): Name => {
  const words = wordsOf(text);
  return { text, words, telling: tellingWords(text), compact: words.join('') };
};

export type NameMatch = 'whole' | 'cut' | 'contained' | 'similar';

/** @param fields what may be a name or begins with one, each by itself */
export function matchName(name: Name, fields: readonly Name[]): NameMatch | undefined {
  let best: NameMatch | undefined;
  for (const field of fields) {
    const match = matchOne(name, field);
    if (match && (best === undefined || rank[match] > rank[best])) best = match;
  }
  return best;
}

const rank: Record<NameMatch, number> = { whole: 3, cut: 2, contained: 1, similar: 0 };

function matchOne(name: Name, field: Name): NameMatch | undefined {
  if (field.compact === '' || name.telling.length === 0) return undefined;
  const telling = field.telling.join('');
  const own = name.telling.join('');
  if (telling === own || field.compact === name.compact) return 'whole';
  if (field.compact.length >= minCut && name.compact.startsWith(field.compact)) return 'cut';
  if (telling.length >= minCut && own.startsWith(telling)) return 'cut';
  const inField = (word: string) => field.words.some((one) => one === word || isTypo(one, word));
  const matched = name.telling.filter(inField);
  if (matched.length === name.telling.length && (own.length >= 4 || field.words.length === 1))
    return 'contained';
  // The last word may be cut: "northern wireless in".
  const last = field.telling.at(-1) ?? '';
  const cut = name.telling.find(
    (word) => last.length >= 2 && !matched.includes(word) && word.startsWith(last),
  );
  const letters = matched.join('').length + (cut ? last.length : 0);
  return letters >= 5 && letters * 2 >= own.length ? 'similar' : undefined;
}

/** One letter is wrong, missing, or too many, in a long word. */
function isTypo(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1 || a === b) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  const rest = (text: string, from: number) => text.slice(from);
  return (
    rest(a, i + 1) === rest(b, i + 1) ||
    rest(a, i + 1) === rest(b, i) ||
    rest(a, i) === rest(b, i + 1) ||
    // Two letters were swapped.
    (a[i] === b[i + 1] && a[i + 1] === b[i] && rest(a, i + 2) === rest(b, i + 2))
  );
}
