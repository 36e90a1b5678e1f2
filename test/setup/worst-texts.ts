/*
 * Texts that a backtracking expression may take long for. Such a text leads to a part of the expression that repeats, repeats many
 * times a character that this part accepts, alone or with its neighbours, and ends in one that makes the match fail.
 */

/** A part of an expression, as far as texts are made of it. */
type Part =
  | { kind: 'set'; source: string }
  | { kind: 'sequence' | 'choice'; parts: Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number }
  /** Takes nothing: an anchor, a look around, a reference. */
  | { kind: 'nothing'; parts: Part[] };

/** A text is `before`, then `again` so often, then `after`. */
export interface WorstText {
  before: string;
  again: string;
  after: string;
}

/** Letters to try whether a set takes them. */
const letters = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  ...['\t', '\n', '\r', '\0', '\u00a0', 'ā', '−', '’', '\ufeff'],
];
/** Repeated so often or more, a part is worth a text. */
const manyTimes = 10;

/**
 * True if an expression repeats a group without bound, not just one letter of a set. Each round takes memory, and many of them
 * overflow the stack, even in linear time.
 */
export function repeatsGroups({ source, flags }: RegExp): boolean {
  const unicode = /[uv]/.test(flags);
  // A letter of the whole of Unicode is one or two of a text.
  const isGroup = (part: Part) => unicode || part.kind !== 'set';
  const repeats = (part: Part): boolean => {
    if (part.kind === 'set') return false;
    if (part.kind === 'repeat')
      return (part.max === Number.POSITIVE_INFINITY && isGroup(part.part)) || repeats(part.part);
    return part.parts.some(repeats);
  };
  return repeats(parse(source, unicode));
}

export function worstTexts({ source, flags }: RegExp): WorstText[] {
  const unicode = flags.includes('u') || flags.includes('v');
  const tree = parse(source, unicode);
  const takes = (set: string) => {
    const one = new RegExp(`^(?:${set})$`, flags.replace(/[gy]/g, ''));
    return letters.filter((letter) => one.test(letter));
  };
  const alphabet = new Map(setsOf(tree).map((set) => [set, takes(set)]));
  const sample = (set: string) => alphabet.get(set)?.[0] ?? '';
  // A letter of each set, and of each two that overlap: such sets compete for it.
  const sets = [...alphabet.values()];
  const sharedBy = (one: string[], other: string[]) => one.find((letter) => other.includes(letter)) ?? [];
  const shared = new Set(sets.flatMap((one, i) => sets.slice(i).flatMap((other) => sharedBy(one, other))));
  const befores = new Set(['']);
  const agains = new Set(shared);
  for (const { before, part } of repeatsOf(tree, '', sample)) {
    befores.add(before);
    for (const text of textsOf(part, sample)) {
      if (text === '') continue;
      agains.add(text);
      // An expression that begins anywhere begins again at each.
      agains.add(before + text);
    }
  }
  const strange = letters.filter((letter) => sets.every((set) => !set.includes(letter))).slice(0, 1);
  const afters = ['', '\n', '\0', ...strange, ...[...shared].slice(0, 3)];
  return [...befores].flatMap((before) =>
    [...agains].flatMap((again) => afters.map((after) => ({ before, again, after }))),
  );
}

function setsOf(part: Part): string[] {
  if (part.kind === 'set') return [part.source];
  return part.kind === 'repeat' ? setsOf(part.part) : part.parts.flatMap(setsOf);
}

type Sample = (set: string) => string;

/** Some texts that a part takes: one for each of its choices. @param least rounds of a part that repeats */
function textsOf(part: Part, sample: Sample, least = 1): string[] {
  if (part.kind === 'set') return [sample(part.source)];
  if (part.kind === 'nothing') return [''];
  if (part.kind === 'choice') return part.parts.flatMap((one) => textsOf(one, sample, least)).slice(0, 12);
  if (part.kind === 'repeat') {
    const times = Math.max(least, Math.min(part.min, 40));
    return textsOf(part.part, sample, least).map((text) => text.repeat(times));
  }
  // The first of each part, and all choices of one part after the other.
  const all = part.parts.map((one) => textsOf(one, sample, least));
  const firsts = all.map(([text]) => text ?? '');
  const others = all.flatMap((texts, i) => texts.slice(1).map((text) => firsts.with(i, text).join('')));
  return [firsts.join(''), ...others].slice(0, 12);
}

/** The shortest text that a part takes, with the first of its choices. */
const shortestOf = (part: Part, sample: Sample) => textsOf(part, sample, 0)[0] ?? '';

/** Each part that repeats often, with a text that leads to it. */
function* repeatsOf(part: Part, before: string, sample: Sample): Generator<{ before: string; part: Part }> {
  if (part.kind === 'repeat') {
    if (part.max >= manyTimes) yield { before, part: part.part };
    yield* repeatsOf(part.part, before, sample);
  } else if (part.kind === 'choice' || part.kind === 'nothing') {
    for (const one of part.parts) yield* repeatsOf(one, before, sample);
  } else if (part.kind === 'sequence') {
    let so = before;
    for (const one of part.parts) {
      yield* repeatsOf(one, so, sample);
      so += shortestOf(one, sample);
    }
  }
}

/** Reads the grammar of ECMA-262, section 22.2.1, of an expression that is known to be good. */
function parse(source: string, unicode: boolean): Part {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  };
  const choice = (): Part => {
    const parts = [sequence()];
    while (take(/\|/y)) parts.push(sequence());
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'choice', parts };
  };
  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeat());
    return { kind: 'sequence', parts };
  };
  const repeat = (): Part => {
    const part = atom();
    const quantifier = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (quantifier === undefined) return part;
    const endless = Number.POSITIVE_INFINITY;
    const counts = quantifier.match(/\d+|,(?=\})/g) ?? [];
    const [min = 0, max = min] = quantifier.startsWith('{')
      ? counts.map((text) => (text === ',' ? endless : Number(text)))
      : [quantifier.startsWith('+') ? 1 : 0, quantifier.startsWith('?') ? 1 : endless];
    return { kind: 'repeat', part, min, max };
  };
  const atom = (): Part => {
    if (take(/\^|\$|\\[bB]|\\[1-9]\d*|\\k<[^>]*>/y) !== undefined) return { kind: 'nothing', parts: [] };
    const group = take(/\((?:\?(?::|<?[=!]|<[^>]*>))?/y);
    if (group !== undefined) {
      const inner = choice();
      at++;
      return /^\(\?<?[=!]/.test(group) ? { kind: 'nothing', parts: [inner] } : inner;
    }
    const set =
      take(/\[(?:[^\]\\]|\\[\s\S])*\]/y) ??
      take(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])/y) ??
      take(unicode ? /[\s\S]/uy : /[\s\S]/y);
    return { kind: 'set', source: set as string };
  };
  return choice();
}
