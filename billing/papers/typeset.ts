import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import makeBidi from 'bidi-js';
import { create, type Font } from 'fontkit';
import { unpackWoff } from './woff.ts';

/* Text of any script as glyphs: the font of each character, lines that fit a width, and runs in the order in which they stand on paper. */

export type Weight = 'regular' | 'bold';

/** The fonts by preference, each with the characters of one script; the last has nearly all, without weights. */
const families: [family: string, subsets: string[], weights: Record<Weight, number>][] = [
  [
    'inter',
    ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'],
    { regular: 400, bold: 600 },
  ],
  ['noto-sans-arabic', ['arabic'], { regular: 400, bold: 600 }],
  ['noto-sans-hebrew', ['hebrew'], { regular: 400, bold: 600 }],
  ['noto-sans-devanagari', ['devanagari'], { regular: 400, bold: 600 }],
  ['noto-sans-thai', ['thai'], { regular: 400, bold: 600 }],
  ['unifontex', ['latin'], { regular: 400, bold: 400 }],
];

/** A font of a document. */
export interface Face {
  name: string;
  font: Font;
  /** Its glyphs stand in the order of the characters, one for each. */
  isPlain: boolean;
  features: Record<string, boolean>;
}

/** Vowels stand before their consonants, or above them. */
const isShaped = new Set(['noto-sans-devanagari', 'noto-sans-thai']);
const resolve = createRequire(import.meta.url).resolve;
const opened = new Map<string, Face>();

function open(family: string, subset: string, weight: number): Face {
  const name = `${family}-${subset}-${weight}`;
  const known = opened.get(name);
  if (known) return known;
  const file = resolve(`@fontsource/${family}/files/${name}-normal.woff`);
  const font = create(unpackWoff(readFileSync(file)));
  const face = {
    ...{ name, font, isPlain: !isShaped.has(family) },
    // Figures of one width, and no alternates by context, which take most of the time. Given any features, pdfkit shapes a run as a whole.
    features: (family === 'inter' ? { tnum: true, calt: false } : {}) as Record<string, boolean>,
  };
  opened.set(name, face);
  return face;
}

/** All fonts of a weight, each opened when it is reached. */
function* facesOf(weight: Weight): Generator<Face> {
  for (const [family, subsets, weights] of families) {
    for (const subset of subsets) yield open(family, subset, weights[weight]);
  }
}

const found: Record<Weight, Map<number, Face>> = { regular: new Map(), bold: new Map() };

/** The font with a character; where none has it, the first, which draws a box. */
function faceOf(codePoint: number, weight: Weight): Face {
  const known = found[weight].get(codePoint);
  if (known) return known;
  const faces = facesOf(weight);
  let face = faces.next().value as Face;
  const first = face;
  for (; face && !face.font.hasGlyphForCodePoint(codePoint); face = faces.next().value as Face);
  found[weight].set(codePoint, face ?? first);
  return face ?? first;
}

/** Characters that go with the one before them, as a vowel sign does. */
const goesAlong = /[\p{Mark}\p{Join_Control}\p{Variation_Selector}]/u;
/** Characters that are turned around from right to left, each by itself. */
const neutral = /[\s\p{Punctuation}]/u;
/** The types of the package are those of a module that it does not have. */
const bidi = (makeBidi as unknown as () => Bidi)();
interface Bidi {
  getEmbeddingLevels(text: string): { levels: Uint8Array };
  getMirroredCharacter(character: string): string | null;
}

/** Characters of one font and direction. */
export interface Run {
  text: string;
  /** What is copied of it, where that is not how it is drawn. */
  actual?: string;
  face: Face;
  /** Odd from right to left. */
  level: number;
}

/** A line in the order in which its runs stand, from left to right. */
export function runsOf(line: string, weight: Weight): Run[] {
  const { levels } = bidi.getEmbeddingLevels(line);
  const runs: Run[] = [];
  let at = 0;
  for (const character of line) {
    const level = levels[at] as number;
    const last = runs.at(-1);
    const codePoint = character.codePointAt(0) as number;
    const isMirrored = level % 2 === 1 && neutral.test(character);
    const staysWith = last && (goesAlong.test(character) || isMirrored);
    const face =
      staysWith && last.face.font.hasGlyphForCodePoint(codePoint) ? last.face : faceOf(codePoint, weight);
    if (last && last.face === face && last.level === level && !isMirrored && !isAlone(last))
      last.text += character;
    else {
      const mirrored = isMirrored && bidi.getMirroredCharacter(character);
      runs.push({ text: mirrored || character, ...(mirrored ? { actual: character } : {}), face, level });
    }
    at += character.length;
  }
  return inVisualOrder(runs);
}

const isAlone = ({ text, level }: Run) => level % 2 === 1 && neutral.test(text.slice(-1));

/** Rule L2 of UAX 9, by runs: whatever is of a level or above is reversed, from the highest on. */
function inVisualOrder(runs: Run[]): Run[] {
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  let order = runs;
  for (let level = highest; level > 0; level--) {
    const next: Run[] = [];
    for (let from = 0; from < order.length; ) {
      let to = from;
      while (to < order.length && (order[to] as Run).level >= level) to++;
      if (to === from) next.push(order[from++] as Run);
      else {
        next.push(...order.slice(from, to).reverse());
        from = to;
      }
    }
    order = next;
  }
  return order;
}

const widths = new WeakMap<Face, Map<string, number>>();
/** The width of a run in ems. */
function widthOfRun({ text, face }: Run): number {
  const known = widths.get(face) ?? new Map<string, number>();
  widths.set(face, known);
  const before = known.get(text);
  if (before !== undefined) return before;
  const { font } = face;
  const width = font.layout(text, face.features).advanceWidth / font.unitsPerEm;
  if (known.size < 5_000) known.set(text, width);
  return width;
}

/** The width of a line, in units of its size. */
export const widthOf = (line: string, size: number, weight: Weight): number =>
  size * runsOf(line, weight).reduce((sum, run) => sum + widthOfRun(run), 0);

/** Where a line may end: after spaces, hyphens and slashes, and beside each character of scripts without spaces. */
const parts = /\p{Ideographic}|[^\s\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}/-]+[/-]?|\S|\s/gu;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks a text into lines of at most a width; a word that is too long anywhere. */
export function linesOf(text: string, width: number, size: number, weight: Weight): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    const add = (part: string): boolean => {
      if (widthOf((line + part).trimEnd(), size, weight) > width) return false;
      line += part;
      return true;
    };
    const end = () => {
      lines.push(line.trimEnd());
      line = '';
    };
    for (const [part] of paragraph.matchAll(parts)) {
      if (add(part)) continue;
      if (line.trim() !== '') end();
      if (part.trim() === '' || add(part)) continue;
      for (const { segment } of graphemes.segment(part)) {
        if (add(segment)) continue;
        if (line !== '') end();
        line = segment;
      }
    }
    end();
  }
  return lines;
}
