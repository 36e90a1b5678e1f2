import { LRUCache } from 'lru-cache';
import { isKind, joined, knownForms, typedText, type Word, wordsOf } from './words.ts';

/* The streets of the list in memory: some 120,000 make 2.4 million addresses. Words find the streets, an index of the database their numbers. */

/** A row of `street`. The position is in degrees of WGS 84. */
export interface StreetRow {
  id: number;
  road: string;
  suburb: string;
  town: string;
  authority: string;
  /** How many addresses it has; 0: it is gone. */
  addresses: number;
  lat: number;
  lng: number;
  postcodes: readonly string[];
}

/** The name of a suburb, a town or an authority, with the streets there. */
export interface Locality {
  name: string;
  /** Of all its words, joined. */
  key: string;
  /** How often streets name it. */
  uses: number;
}

/** A name of roads: "Rata Street", of all towns. */
export interface Road {
  name: string;
  /** Of all its words, joined. */
  key: string;
  streets: Street[];
}

/** A road in a suburb of a town. */
export interface Street extends Omit<StreetRow, 'road' | 'suburb' | 'town' | 'authority'> {
  road: Road;
  suburb: Locality | undefined;
  town: Locality | undefined;
  authority: Locality | undefined;
}

/** A suburb in a town, or a town: the middle and the number of its addresses. */
export interface Area {
  kind: 'suburb' | 'town';
  text: string;
  locality: Locality;
  town: Locality | undefined;
  lat: number;
  lng: number;
  addresses: number;
}

/** Texts in order, to find those that begin in some way. Names that differ by marks alone have one text. */
class Beginnings<T> {
  readonly #values = new Map<string, T[]>();
  #sorted: string[] | undefined;

  add(text: string, value: T): void {
    if (!this.#values.has(text)) this.#sorted = undefined;
    within(this.#values, text, value);
  }

  delete(text: string, value: T): void {
    without(this.#values, text, value);
    if (!this.#values.has(text)) this.#sorted = undefined;
  }

  /** Values whose text begins so, in the order of their texts. */
  from(beginning: string, max: number): T[] {
    this.#sorted ??= [...this.#values.keys()].sort();
    const sorted = this.#sorted;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as string) < beginning) low = middle + 1;
      else high = middle;
    }
    const found: T[] = [];
    for (let i = low; i < sorted.length && found.length < max; i++) {
      const text = sorted[i] as string;
      if (!text.startsWith(beginning)) break;
      found.push(...(this.#values.get(text) ?? []));
    }
    return found;
  }
}

const maxCorrections = 6;
/** Words whose corrections are kept: those of lists are said again and again. */
const maxKept = 20_000;
const none: readonly string[] = [];

export class StreetIndex {
  /** By the keys of all their words. */
  readonly #roads = new Map<string, Road[]>();
  /** By the keys without the kind of street: "rata" for Rata Street and Rata Road. */
  readonly #bases = new Map<string, Road[]>();
  readonly #roadsByName = new Map<string, Road>();
  readonly #localities = new Map<string, Locality[]>();
  readonly #localitiesByName = new Map<string, Locality>();
  readonly #streets = new Map<number, Street>();
  /** How many names have a word: of roads, and of localities. */
  readonly #roadWords = new Map<string, number>();
  readonly #localityWords = new Map<string, number>();
  readonly #roadCorrections = new LRUCache<string, string[]>({ max: maxKept });
  readonly #localityCorrections = new LRUCache<string, string[]>({ max: maxKept });
  readonly #roadTexts = new Beginnings<Road>();
  readonly #localityTexts = new Beginnings<Locality>();
  readonly #areas = new Map<Locality, Map<string, Area>>();

  get size(): number {
    return this.#streets.size;
  }

  /** Adds a street or changes it; removes one without addresses. */
  set({ id, road, suburb, town, authority, addresses, lat, lng, postcodes }: StreetRow): void {
    const known = this.#streets.get(id);
    if (known) this.#remove(known);
    if (addresses === 0) return;
    // Written out: with a spread, V8 gives each a shape of its own, which takes more memory than all else.
    const street: Street = {
      id,
      road: this.#roadOf(road),
      suburb: this.#localityOf(suburb),
      town: this.#localityOf(town),
      authority: this.#localityOf(authority),
      addresses,
      lat,
      lng,
      postcodes: postcodes.length > 0 ? postcodes : none,
    };
    this.#streets.set(id, street);
    // Most roads have one: an array that grows keeps room for seventeen.
    if (street.road.streets.length === 0) street.road.streets = [street];
    else street.road.streets.push(street);
    this.#addToAreas(street, 1);
  }

  #remove(street: Street): void {
    this.#streets.delete(street.id);
    this.#addToAreas(street, -1);
    for (const one of [street.suburb, street.town, street.authority]) if (one) this.#release(one);
    const { road } = street;
    road.streets = road.streets.filter((one) => one !== street);
    if (road.streets.length > 0) return;
    this.#roadsByName.delete(road.name);
    const words = wordsOf(road.name);
    this.#roadTexts.delete(typedText(words), road);
    count(this.#roadWords, words, -1);
    without(this.#roads, road.key, road);
    for (const base of basesOf(words)) without(this.#bases, base, road);
  }

  #release(locality: Locality): void {
    if (--locality.uses > 0) return;
    const words = wordsOf(locality.name);
    this.#localitiesByName.delete(locality.name);
    this.#localityTexts.delete(typedText(words), locality);
    this.#areas.delete(locality);
    for (const one of namesOf(words)) {
      without(this.#localities, joined(one), locality);
      count(this.#localityWords, one, -1);
    }
  }

  #roadOf(name: string): Road {
    const known = this.#roadsByName.get(name);
    if (known) return known;
    const words = wordsOf(name);
    const road: Road = { name, key: joined(words), streets: [] };
    this.#roadsByName.set(name, road);
    this.#roadTexts.add(typedText(words), road);
    within(this.#roads, road.key, road);
    for (const base of basesOf(words)) within(this.#bases, base, road);
    count(this.#roadWords, words);
    if (this.#roadCorrections.size > 0) this.#roadCorrections.clear();
    return road;
  }

  #localityOf(name: string): Locality | undefined {
    if (name === '') return undefined;
    const known = this.#localitiesByName.get(name);
    if (known) {
      known.uses++;
      return known;
    }
    const words = wordsOf(name);
    const locality: Locality = { name, key: joined(words), uses: 1 };
    this.#localitiesByName.set(name, locality);
    for (const one of namesOf(words)) {
      within(this.#localities, joined(one), locality);
      count(this.#localityWords, one);
    }
    if (this.#localityCorrections.size > 0) this.#localityCorrections.clear();
    this.#localityTexts.add(typedText(words), locality);
    return locality;
  }

  /** Counts a street in the areas of its suburb and its town, or no longer. */
  #addToAreas(street: Street, sign: 1 | -1): void {
    const { suburb, town } = street;
    if (suburb && suburb !== town) this.#addToArea('suburb', suburb, town, street, sign);
    if (town) this.#addToArea('town', town, undefined, street, sign);
  }

  #addToArea(
    kind: Area['kind'],
    locality: Locality,
    town: Locality | undefined,
    street: Street,
    sign: 1 | -1,
  ): void {
    let areas = this.#areas.get(locality);
    if (!areas) {
      areas = new Map();
      this.#areas.set(locality, areas);
    }
    const key = `${kind} ${town?.name ?? ''}`;
    const area = areas.get(key) ?? {
      ...{ kind, locality, town, lat: 0, lng: 0, addresses: 0 },
      text: town ? `${locality.name}, ${town.name}` : locality.name,
    };
    const addresses = area.addresses + sign * street.addresses;
    if (addresses <= 0) areas.delete(key);
    else {
      area.lat += (sign * (street.lat - area.lat) * street.addresses) / addresses;
      area.lng += (sign * (street.lng - area.lng) * street.addresses) / addresses;
      area.addresses = addresses;
      areas.set(key, area);
    }
  }

  /** Roads of which all words are given. @param key of {@link joined} words */
  roads(key: string): readonly Road[] {
    return this.#roads.get(key) ?? [];
  }

  /** Roads of whose name only the kind of street is missing. */
  roadsOfBase(key: string): readonly Road[] {
    return this.#bases.get(key) ?? [];
  }

  /** Roads whose name begins so. @param text of {@link typedText} */
  roadsFrom(text: string, max: number): Road[] {
    return this.#roadTexts.from(text, max);
  }

  localities(key: string): readonly Locality[] {
    return this.#localities.get(key) ?? [];
  }

  localitiesFrom(text: string, max: number): Locality[] {
    return this.#localityTexts.from(text, max);
  }

  /** True for a suburb or a town: an authority alone is none. */
  isArea(locality: Locality): boolean {
    return (this.#areas.get(locality)?.size ?? 0) > 0;
  }

  areasOf(locality: Locality): Iterable<Area> {
    return this.#areas.get(locality)?.values() ?? [];
  }

  /** True for a word of some road, town or abbreviation. */
  isKnown({ plain }: Word): boolean {
    return this.#roadWords.has(plain) || this.#localityWords.has(plain) || knownForms.has(plain);
  }

  /** Words of roads that a misspelt word may be, the most frequent first. */
  roadCorrections({ plain }: Word): string[] {
    return corrected(this.#roadCorrections, plain, this.#roadWords, true);
  }

  localityCorrections({ plain }: Word): string[] {
    return corrected(this.#localityCorrections, plain, this.#localityWords, false);
  }
}

function corrected(
  kept: LRUCache<string, string[]>,
  word: string,
  known: ReadonlyMap<string, number>,
  withForms: boolean,
): string[] {
  let found = kept.get(word);
  if (!found) {
    found = corrections(word, known, withForms);
    kept.set(word, found);
  }
  return found;
}

/** The names without the kind of street at their end, if any: "great south", "great south rd" and "great south east" of Great South Road East. */
function basesOf(words: readonly Word[]): string[] {
  const bases: string[] = [];
  for (let end = words.length - 1; end > 0 && isKind((words[end] as Word).key) && bases.length < 2; end--)
    bases.push(joined(words.slice(0, end)));
  // "Rata Extension" of Rata Road Extension.
  if (bases.length === 2) bases.push(joined([...words.slice(0, -2), ...words.slice(-1)]));
  return bases;
}

/** The kinds of authorities, which people leave out. */
const authorityKinds = new Set(['district', 'city', 'council', 'region', 'territory']);

/** The names of a place: "Great Barrier Island (Aotea Island)" has three, "Kaipara District" two. */
function namesOf(words: Word[]): Word[][] {
  const bracket = words.findIndex(({ before }, i) => i > 0 && before === ',');
  const names = [words];
  if (bracket > 0) names.push(words.slice(0, bracket), words.slice(bracket));
  for (const name of [...names])
    if (name.length > 1 && authorityKinds.has((name.at(-1) as Word).plain)) names.push(name.slice(0, -1));
  return names;
}

function within<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

function without<T>(map: Map<string, T[]>, key: string, value: T): void {
  const rest = map.get(key)?.filter((one) => one !== value) ?? [];
  if (rest.length > 0) map.set(key, rest);
  else map.delete(key);
}

function count(counts: Map<string, number>, words: readonly Word[], sign: 1 | -1 = 1): void {
  for (const { plain } of words) {
    const number = (counts.get(plain) ?? 0) + sign;
    if (number > 0) counts.set(plain, number);
    else counts.delete(plain);
  }
}

/** Words that differ from a given one by one letter: left out, added, changed, or exchanged with the next. */
function corrections(word: string, known: ReadonlyMap<string, number>, withForms: boolean): string[] {
  if (word.length < 3 || word.length > 30 || /\d/.test(word)) return [];
  const found = new Map<string, number>();
  for (const other of oneEdit(word)) {
    const frequency = known.get(other) ?? (withForms && knownForms.has(other) && other.length > 2 ? 1 : 0);
    if (frequency > 0) found.set(other, frequency);
  }
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxCorrections)
    .map(([other]) => other);
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

function* oneEdit(word: string): Generator<string> {
  for (let i = 0; i <= word.length; i++) {
    const [start, end] = [word.slice(0, i), word.slice(i)];
    if (end) yield start + end.slice(1);
    if (end.length > 1) yield start + end[1] + end[0] + end.slice(2);
    for (const letter of letters) {
      yield start + letter + end;
      if (end) yield start + letter + end.slice(1);
    }
  }
}
