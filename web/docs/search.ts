import type { Page } from '../build/markdown.ts';

/* Search over all chapters. It uses the chapters' HTML, which the page has already, so nothing more is sent. */

/** A chapter, with its name in addresses. */
type Searched = Pick<Page, 'html' | 'title'> & { name: string };

/** A heading and the text below it, up to the next. */
type Section = ReturnType<typeof sectionsOf>[number];

export const maxFound = 20;
const maxWords = 8;
export const maxQuery = 100;
/** Characters of an excerpt, and of its part before the hit. */
const excerptLength = { all: 180, before: 50 };

export function sectionsOf(chapters: readonly Searched[]) {
  return chapters.flatMap(({ name, title: chapter, html }) =>
    html.split(/(?=<h[1-3] id=")/).flatMap((part) => {
      const [head = '', id, heading] = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/s.exec(part) ?? [];
      if (id === undefined) return [];
      const title = textOf(heading ?? '');
      const text = textOf(part.slice(head.length));
      const isFirst = part.startsWith('<h1');
      const href = isFirst ? `#/${name}` : `#/${name}/${id}`;
      // The folded texts are as long, and are compared with the query.
      return [{ href, chapter, title, text, foldedTitle: folded(title), foldedText: folded(text) }];
    }),
  );
}

/** The sections with all words of a query, the best first, at most {@link maxFound}; and their number. */
export function search(sections: readonly Section[], query: string) {
  const words = wordsOf(query);
  const hits = (words.length > 0 ? sections : [])
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const found = hits.slice(0, maxFound).map(({ section }) => {
    const { href, chapter, title } = section;
    return { href, chapter, title, excerpt: excerptOf(section, words) };
  });
  return { found, total: hits.length };
}

function wordsOf(query: string): string[] {
  const words = folded(query.slice(0, maxQuery).normalize('NFC')).split(/\s+/).filter(Boolean);
  const used = words
    .map((word) => word.replace(/^\p{Ps}{1,3}|[?!.,;]{1,3}$/gu, ''))
    .filter((word) => !fillers.has(word));
  return [...new Set(used.length > 0 && used.length < words.length ? used : words)].slice(0, maxWords);
}

/** Words of questions that say nothing about their subject. */
const fillers = new Set([
  '',
  ...'how do does did i we you my our your a an the is are be can could should to of for what where which'.split(
    ' ',
  ),
]);

/** 0 where a word is missing. A word counts most in the heading, and more where it begins one. */
function scoreOf({ chapter, foldedTitle, foldedText }: Section, words: readonly string[]): number {
  const foldedChapter = folded(chapter);
  let score = 0;
  for (const word of words) {
    const ofWord = hitIn(foldedTitle, word) * 8 + hitIn(foldedChapter, word) * 3 + hitIn(foldedText, word);
    if (ofWord === 0) return 0;
    score += ofWord;
  }
  return score;
}

/** 2 where a word begins with it, 1 where it stands anywhere, else 0. */
function hitIn(text: string, word: string): number {
  let hit = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1))) return 2;
    hit = 1;
  }
  return hit;
}

/** The text around the first hit; hits are marked. */
function excerptOf({ text, foldedText }: Section, words: readonly string[]) {
  // The longest word tells most about the query.
  const [first = 0] = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => foldedText.indexOf(word))
    .filter((at) => at >= 0);
  let from = Math.max(0, first - excerptLength.before);
  if (from > 0) from = text.indexOf(' ', from) + 1;
  const end = from + excerptLength.all;
  const to = end >= text.length ? text.length : Math.max(text.lastIndexOf(' ', end), from);
  const parts: { text: string; hit: boolean }[] = [];
  const add = (piece: string, hit: boolean) => piece !== '' && parts.push({ text: piece, hit });
  add(from > 0 ? '… ' : '', false);
  for (let at = from; at < to; ) {
    const next = words
      .map((word) => ({ word, at: foldedText.indexOf(word, at) }))
      .filter((hit) => hit.at >= 0 && hit.at + hit.word.length <= to)
      .sort((a, b) => a.at - b.at || b.word.length - a.word.length)[0];
    add(text.slice(at, next?.at ?? to), false);
    if (!next) break;
    at = next.at + next.word.length;
    add(text.slice(next.at, at), true);
  }
  add(to < text.length ? ' …' : '', false);
  return parts;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function textOf(html: string): string {
  return html
    .replace(/<\/?(?:p|li|ul|ol|t[dhr]|pre|div|br|blockquote)\b[^<>]*>/g, ' ')
    .replace(/<[^<>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string)
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC');
}

/** In lower case, without macrons and accents. The length stays, so that positions in both are the same. */
function folded(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (letter) => letter.normalize('NFD').charAt(0)).toLowerCase();
}
