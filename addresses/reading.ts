import { metresBetween } from './address.ts';
import type { AskedText } from './asked-text.ts';
import { type HouseNumber, levelWords, readNumber, unitWords } from './number.ts';
import { maxBeginnings, maxNameWords, type PlaceAt, placeFinder } from './places.ts';
import { correctionsWith, type Effort, isPlain, spellings } from './spellings.ts';
import type { Area, Locality, Road, Street, StreetIndex } from './street-index.ts';
import { isKind, joined, spellingOf, typedText, type Word, wordsOf } from './words.ts';

/* The readings of a text: which street its words name, and what is left of it. No database is asked here. */

type Position = Record<'lat' | 'lng', number>;

/** Streets of all readings of a text. */
const maxStreets = 1_000;
/** Of those, on roads whose names are not typed to their ends. */
const maxBegunStreets = 300;
/** Names of roads that a text may have. */
const maxRoads = 1_000;

/** A street that a text may mean, and how well the text agrees with it. */
export interface Reading {
  street: Street;
  house: HouseNumber | undefined;
  /** From 0 to 1, without the number. */
  score: number;
  /** True where every word is accounted for, no letter is corrected, and the place is named or the only one. */
  isSure: boolean;
  postcode: string | undefined;
}

/** The name of a road at some words of a text. */
interface RoadAt {
  from: number;
  /** Exclusive. */
  to: number;
  road: Road;
  /** Letters corrected. */
  corrected: number;
  /** The kind of street is not given, or the name is not typed to its end. */
  isPart: boolean;
  isTyped: boolean;
}

/** What the words beside the name of a road say. */
interface Rest {
  house: HouseNumber | undefined;
  isDoubtful: boolean;
  /** For each place that is named, what it may be. */
  places: PlaceAt[];
  /** Words that mean nothing, without names of people and firms in front of the number. */
  left: number;
}

/** Streets that a text may mean, best first; `isWhole` is false where it may mean others, too. */
interface Readings {
  readings: Reading[];
  isWhole: boolean;
}

/** The streets that a text may mean. @param near of streets that agree as well, those near it come first */
export function readStreets(index: StreetIndex, asked: AskedText, effort: Effort, near?: Position): Readings {
  const rests = new Map<number, Rest>();
  const readings = new Map<Street, Reading>();
  const placeAt = placeFinder(index, asked, effort);
  let [roads, seen, begun] = [0, 0, 0];
  for (const at of roadsIn(index, asked, effort)) {
    if (++roads > maxRoads || seen > maxStreets) break;
    if (at.isTyped && begun > maxBegunStreets) continue;
    const key = at.from * maxNameWords + at.to - at.from - 1;
    const rest = rests.get(key) ?? restOf(asked, at, placeAt);
    rests.set(key, rest);
    const ofRoad = roadReading(asked, at, rest);
    if (effort === 'sure' && !ofRoad.isSure) continue;
    for (const street of at.road.streets) {
      const reading = streetReading(index, asked.postcode, at, rest, ofRoad, street);
      if (effort === 'sure' && !reading.isSure) continue;
      if (at.isTyped ? ++begun > maxBegunStreets : ++seen > maxStreets) break;
      const other = readings.get(street);
      if (!other || other.score < reading.score) readings.set(street, reading);
    }
  }
  const all = [...readings.values()];
  if (near) for (const reading of all) reading.score += nearness(reading.street, near);
  all.sort((a, b) => b.score - a.score || b.street.addresses - a.street.addresses);
  return { readings: all, isWhole: asked.isWhole && roads <= maxRoads && seen <= maxStreets };
}

/** A little more for what is near: less than any difference of the text. */
const nearness = (street: Position, near: Position): number =>
  0.004 * Math.exp(-metresBetween(street, near) / 20_000);

/** Suburbs and towns that a whole text names, best first. */
export function readAreas(
  index: StreetIndex,
  { words, isTyping }: AskedText,
): { area: Area; score: number }[] {
  const found = new Map<Area, number>();
  const add = (locality: Locality, rest: readonly Word[], score: number) => {
    for (const area of index.areasOf(locality)) {
      const isIn = rest.length === 0 || (area.town && area.town.key === joined(rest));
      if (isIn) found.set(area, Math.max(found.get(area) ?? 0, score));
    }
  };
  if (words.length === 0) return [];
  for (let end = Math.min(words.length, maxNameWords); end > 0; end--) {
    for (const locality of index.localities(joined(words.slice(0, end)))) add(locality, words.slice(end), 1);
  }
  if (isTyping)
    for (const locality of index.localitiesFrom(typedText(words), maxBeginnings)) add(locality, [], 0.8);
  return [...found]
    .map(([area, score]) => ({ area, score }))
    .sort((a, b) => b.score - a.score || b.area.addresses - a.area.addresses);
}

/** Written out: copies by a spread are many, and V8 would collect them late. */
const roadAt = (
  from: number,
  to: number,
  road: Road,
  corrected: number,
  isPart: boolean,
  isTyped: boolean,
): RoadAt => ({ from, to, road, corrected, isPart, isTyped });

function* roadsIn(index: StreetIndex, asked: AskedText, effort: Effort): Generator<RoadAt> {
  const { words, isTyping } = asked;
  const correctionsOf = correctionsWith(effort, index, (word) => index.roadCorrections(word));
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + maxNameWords); to > from; to--) {
      const span = words.slice(from, to);
      const isNumeric = span.every(({ plain }) => /^\d/.test(plain));
      if (isNumeric) continue;
      const key = joined(span);
      const roads = index.roads(key);
      for (const road of roads) yield roadAt(from, to, road, 0, false, false);
      const isLast = isTyping && to === words.length;
      if (isLast && key.length > 1) {
        for (const road of index.roadsFrom(typedText(span), maxBeginnings))
          if (!roads.includes(road)) yield roadAt(from, to, road, 0, false, true);
      }
      if (isPlain(effort)) continue;
      for (const road of index.roadsOfBase(key)) yield roadAt(from, to, road, 0, true, false);
      for (const { key, corrected } of spellings(span, correctionsOf)) {
        for (const road of index.roads(key)) yield roadAt(from, to, road, corrected, false, false);
        for (const road of index.roadsOfBase(key)) yield roadAt(from, to, road, corrected, true, false);
      }
    }
  }
}

/** Words that say which part of a house is meant, or that another place is. */
const besides = new Set(
  `near opposite opp behind next beside cnr lot box between across from above below under adjacent adj formerly ex not off by past
  rear front upstairs downstairs basement penthouse tower block building bldg garage sleepout stable wing granny cabin
  one two three four five six seven eight nine ten eleven twelve i ii iii iv v vi vii viii ix x`.split(/\s+/),
);

/** Tells if a word before the number may be of the name of a person or a firm: a comma ends that, and nothing in it may be a part of the house. */
function mayBeAddressee(words: readonly Word[], at: number, firstUsed: number): boolean {
  const { plain, key } = words[at] as Word;
  if (/\d/.test(plain) || besides.has(key) || unitWords.has(plain) || levelWords.has(plain) || isKind(key))
    return false;
  const isEnded = (i: number) => i <= firstUsed && words[i]?.before === ',';
  // "J Smith," is a name, "Kauri B," a part of a house.
  if (plain.length === 1)
    return !isEnded(at + 1) && at + 1 < firstUsed && mayBeAddressee(words, at + 1, firstUsed);
  for (let i = at + 1; i <= firstUsed; i++) if (isEnded(i)) return true;
  return false;
}

function restOf({ words }: AskedText, { from, to }: RoadAt, placeAt: ReturnType<typeof placeFinder>): Rest {
  const isRoad = (at: number) => at >= from && at < to;
  const { house, used, isDoubtful } = readNumber(words, (at) => !isRoad(at), from, to);
  const isFree = (at: number) => at < words.length && !isRoad(at) && !used.has(at);
  const rest: Rest = { house, isDoubtful, places: [], left: 0 };
  const firstUsed = Math.min(from, ...used);
  for (let at = 0; at < words.length; at++) {
    if (!isFree(at)) continue;
    const place = placeAt(at, isFree);
    if (place) {
      rest.places.push(place);
      at = place.end - 1;
      continue;
    }
    const { plain } = words[at] as Word;
    const isAddressee = at < firstUsed && mayBeAddressee(words, at, firstUsed);
    const isOfPlace = rest.places.length > 0 && /^(?:city|district|region|council)$/.test(plain);
    if (!isAddressee && !isOfPlace) rest.left++;
  }
  return rest;
}

/* What a difference between text and street costs of the score. */
const costs = {
  corrected: 0.06,
  kindMissing: 0.06,
  kindOther: 0.15,
  spelling: { same: 0, 'other length': 0.005, other: 0.02 },
  otherPlace: 0.2,
  left: 0.07,
  leftMax: 0.35,
  doubtful: 0.03,
  unnamed: 0.02,
  typed: 0.01,
};

/** What all streets of a road have in common, as the text agrees with it. */
function roadReading(asked: AskedText, at: RoadAt, rest: Rest) {
  const { words } = asked;
  const isOtherKind = at.isPart && isKind(words[at.to]?.key ?? '');
  const spelling =
    at.corrected > 0 || at.isPart || at.isTyped
      ? 'same'
      : spellingOf(words.slice(at.from, at.to), wordsOf(at.road.name));
  return {
    score:
      1 -
      costs.corrected * at.corrected -
      (at.isPart ? (isOtherKind ? costs.kindOther : costs.kindMissing) : 0) -
      costs.spelling[spelling] -
      Math.min(costs.leftMax, costs.left * rest.left) -
      (rest.isDoubtful ? costs.doubtful : 0) -
      (at.isTyped ? costs.typed : 0),
    isSure:
      at.corrected === 0 &&
      !at.isPart &&
      !at.isTyped &&
      spelling !== 'other' &&
      rest.left === 0 &&
      !rest.isDoubtful,
  };
}

/** A reading of a street of the road. @param of of {@link roadReading} */
function streetReading(
  index: StreetIndex,
  postcode: string | undefined,
  { road }: RoadAt,
  rest: Rest,
  of: ReturnType<typeof roadReading>,
  street: Street,
): Reading {
  const isKnownPostcode = postcode !== undefined && street.postcodes.length > 0;
  let isPlaced = isKnownPostcode && street.postcodes.includes(postcode);
  let cost = isKnownPostcode && !isPlaced ? costs.otherPlace : 0;
  let { isSure } = of;
  if (cost > 0) isSure = false;
  for (const { localities, corrected, isTyped } of rest.places) {
    const { suburb, town, authority } = street;
    const isNamed = localities.some((one) => one === suburb || one === town);
    const isThere = isNamed || localities.some((one) => one === authority);
    // "Whangarei" is the town, or the district around it with the same road.
    if (isThere && !isNamed && localities.some((one) => index.isArea(one))) isSure = false;
    cost += isThere ? costs.corrected * corrected : costs.otherPlace;
    if (isThere && !isTyped) isPlaced = true;
    if (!isThere || isTyped || corrected > 0) isSure = false;
  }
  if (!isPlaced) {
    cost += costs.unnamed;
    isSure &&= road.streets.length === 1 && index.roads(road.key).length === 1;
  }
  const score = Math.max(0.05, of.score - cost);
  return { street, house: rest.house, score, isSure, postcode: isKnownPostcode ? postcode : undefined };
}
