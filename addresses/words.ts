/* The words of addresses, as people and lists write them: "14 Rata Street" and "14 RATA ST." have the same. */

export interface Word {
  /** In lower case, without accents and apostrophes. */
  plain: string;
  /** The form in which words are compared: of an abbreviation and its word the same. */
  key: string;
  /** True where a vowel is marked as long. */
  isMarked: boolean;
  /** What stands before it, besides blanks: the end of a part, a fraction, a range. */
  before: '' | ',' | '/' | '-';
}

/** Words that are written in several ways, the form that stands for all first. "St" is a street, or a saint. */
const forms = `
  st street str saint; rd road; ave avenue av; dr drive drv; pl place plc; cres crescent cr crs cresc; ct court crt;
  ln lane la; tce terrace ter terr; hwy highway; way wy; cl close; gr grove gve grv; pde parade; blvd boulevard bvd boul blv; esp esplanade espl;
  qy quay; sq square; hts heights; hl hill; vw view; vly valley; trk track; lp loop; gld glade; gln glen; gdns gardens; grn green;
  pt point; bch beach; mwy motorway; mt mount; mtn mountain; cnr corner; jn junction jct; pk park; ft fort; ext extension extn;
  is island isl; rge ridge rdg; pass passage; arc arcade; acc access; aly alley; byp bypass; cmn common; cct circuit; cir circle;
  crse course; dwns downs; est estate; fld field; gte gate; hbr harbour; lnd landing; lkt lookout; mnr manor; prom promenade; str strand; vls villas; vlg village;
  nth north n; sth south s; east e; west w; upr upper; lwr lower; gt great; no number num;
  first 1st; second 2nd; third 3rd; fourth 4th; fifth 5th; sixth 6th; seventh 7th; eighth 8th; ninth 9th; tenth 10th; eleventh 11th; twelfth 12th;
  thirteenth 13th; fourteenth 14th; fifteenth 15th; sixteenth 16th; seventeenth 17th; eighteenth 18th; nineteenth 19th; twentieth 20th;
  twentyfirst 21st; twentysecond 22nd; twentythird 23rd`;

const keys = new Map<string, string>();
for (const line of forms.split(';')) {
  const [key = '', ...others] = line.trim().split(/\s+/);
  for (const word of [key, ...others]) if (!keys.has(word)) keys.set(word, key);
}

/** The words of {@link forms} with their keys: also what a misspelt word may be. */
export const knownForms: ReadonlyMap<string, string> = keys;

/** The kinds of streets, with which most names of roads end. */
const kinds =
  'st rd ave dr pl cres ct ln tce hwy way cl gr pde blvd esp qy sq hts hl rise vw vly trk lp gld gln gdns grn pt bch mwy mews row walk pass arc acc aly byp cmn cct cir crse dwns est fld gte hbr lnd lkt mnr prom vls vlg rge jn pk bay cove key line oaks path pines shore steps strand trees vale wharf yard ara pae ridge run wood woods end close bend crest dell haven retreat fairway glen chase edge flat heath hollow lea link nook outlook parkway plaza quadrant ramp reach rigi slope terminus top turn nth sth east west upr lwr ext central';
const kindKeys = new Set(kinds.split(' '));

/** True for a word that says which kind of street it is, or which part of one. */
export const isKind = (key: string): boolean => kindKeys.has(key);

/** A word that Māori could have: syllables that end in a vowel. In others, two equal vowels are no long one. */
const maori = /^(?:(?:ng|wh|[hkmnprtw])?[aeiou]{1,4}){1,12}$/;
const doubled = /([aeiou])\1+/g;

/** @param plain as in {@link Word} */
export function keyOf(plain: string): string {
  return keys.get(plain) ?? (maori.test(plain) ? plain.replace(doubled, '$1') : plain);
}

const marks = /\p{M}+/gu;
const apostrophes = /['’‘`´ʻʼ]/g;
/** 1'0 is no 10: apostrophes of words stand between letters. */
const oddApostrophes = /(?<![\p{L}\p{M}])['’‘`´ʻʼ]|['’‘`´ʻʼ](?!\p{L})/gu;
const pieces = /[\p{L}\p{M}\p{N}'’‘`´ʻʼ]+|[,;\n\r()/\\–—-]/gu;

/** A text in lower case, without accents and apostrophes. */
const plainOf = (text: string): string =>
  text.normalize('NFKD').replace(marks, '').replace(apostrophes, '').toLowerCase();

/** The words of a text in order. "State Highway 1" is one word, however it is written. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let before: Word['before'] = '';
  for (const [piece] of text.normalize('NFC').replace(oddApostrophes, ' ').matchAll(pieces)) {
    const plain = plainOf(piece);
    if (/^[,;\n\r()]$/.test(piece)) before = ',';
    else if (/^[/\\]$/.test(piece)) before = before || '/';
    else if (/^[–—-]$/.test(piece)) before = before || '-';
    else if (plain !== '') {
      words.push({ plain, key: keyOf(plain), isMarked: /\p{M}/u.test(piece.normalize('NFD')), before });
      before = '';
    }
  }
  return joinHighways(words);
}

/** The number of a highway: "1", "1B". */
const highwayNumber = /^\d{1,3}[a-z]?$/;

/** Makes one word of the name of a state highway: SH1, S.H. 1, Highway 1. */
function joinHighways(words: Word[]): Word[] {
  const joined: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    const length = highwayAt(words, i);
    const [first, last] = [words[i] as Word, words[i + length - 1] as Word];
    const name = length > 1 ? `sh${last.plain}` : first.plain;
    joined.push(length > 1 ? { ...first, plain: name, key: name } : first);
    i += length - 1;
  }
  return joined;
}

function highwayAt(words: readonly Word[], at: number): number {
  const plain = (offset: number) => words[at + offset]?.plain ?? '';
  const isHighway = (offset: number) => keyOf(plain(offset)) === 'hwy';
  let length = 0;
  if (plain(0) === 'state' && isHighway(1)) length = 2;
  else if (isHighway(0) || plain(0) === 'sh') length = 1;
  else if (plain(0) === 's' && plain(1) === 'h') length = 2;
  if (length === 0) return 1;
  // "State Highway No. 16".
  if (keyOf(plain(length)) === 'no') length++;
  const number = words[at + length];
  return number && number.before !== ',' && highwayNumber.test(number.plain) ? length + 1 : 1;
}

/** Words as one text: names are the same however their parts are spaced, as Mc Donald and McDonald. */
export const joined = (words: readonly Pick<Word, 'key'>[]): string => {
  let text = '';
  for (const { key } of words) text += key;
  return text;
};

/** Words as somebody types them, without abbreviation: what names begin with. */
export const typedText = (words: readonly Word[]): string =>
  words.map(({ plain }) => plain.replace(/([aeiou])\1+/g, '$1')).join('');

/** How two spellings of words with the same keys agree: `other` may be another word, as of "oo" and "ee" English words are made. */
type Spelling = 'same' | 'other length' | 'other';

/** Compares an asked name with one of the list. Long vowels are marked, doubled or neither. */
export function spellingOf(asked: readonly Word[], listed: readonly Word[]): Spelling {
  const spelt = (words: readonly Word[]) => words.map(({ plain }) => knownForms.get(plain) ?? plain).join('');
  const [a, b] = [spelt(asked), spelt(listed)];
  const isMarked = (words: readonly Word[]) => words.some((word) => word.isMarked);
  if (a === b) return !isMarked(asked) || isMarked(listed) ? 'same' : 'other length';
  if (isMarked(listed)) return 'same';
  const single = (text: string) => text.replace(/([aiu])\1+/g, '$1');
  return isMarked(asked) || single(a) === single(b) ? 'other length' : 'other';
}
