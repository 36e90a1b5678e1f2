import { coalesced, silenceMs } from '../platform/database/coalescer.ts';
import type { Database } from '../platform/database/database.ts';
import { follow } from '../platform/database/notified-cache.ts';
import { turnTaker } from '../platform/event-loop.ts';
import {
  type Address,
  addressesByReference,
  addressText,
  type Missing,
  nearestAddress,
  unitsPerDegree,
} from './address.ts';
import type { Found, FoundAddress, Matched } from './found.ts';
import { type HouseNumber, readNumber } from './number.ts';
import { type AskedText, askedText, type Effort, type Reading, readAreas, readStreets } from './reading.ts';
import { StreetIndex, type StreetRow } from './street-index.ts';
import { wordsOf } from './words.ts';

export type AddressFinder = Awaited<ReturnType<typeof openAddressFinder>>;

type Position = Record<'lat' | 'lng', number>;

/** Max characters of a text that is searched for: an address of an invoice on five lines has fewer. */
export const maxTextLength = 300;
/** Streets of a text whose numbers are looked up. */
const maxStreets = 40;
/** Addresses of one number: those of a tower of flats. */
const maxOfNumber = 1_000;
/** Candidates of a text that is not sure. */
const maxCandidates = 5;
/** How often the version of the list is checked without a notification. */
const pollMs = 5_000;
const streetsAtOnce = 5_000;

/** A row of `address` with some number on some street. */
interface NumberRow {
  id: string;
  label: string;
  postcode: string | null;
  lng: number;
  lat: number;
}

/**
 * Finds addresses of the list by text, id and position. The names of all streets are in memory, kept fresh by NOTIFY.
 * @param database of lookups @param notifier of imports: not a replica
 */
export async function openAddressFinder(database: Database, notifier: Database = database) {
  const index = new StreetIndex();
  let version = -1;
  let isEmpty = true;
  let refreshing: Promise<void> | undefined;
  const refresh = async () => {
    const { rows } = await database.query<{ version: number; isEmpty: boolean }>(
      `select version, is_empty as "isEmpty" from address_list`,
    );
    const list = rows[0] as (typeof rows)[0];
    if (list.version !== version)
      await readStreetsAfter(database, index, list.version < version ? -1 : version);
    ({ version, isEmpty } = list);
  };
  const current = () => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const stop = await follow(
    ...([notifier, 'address_list', () => void current().catch(() => undefined)] as const),
    ...([() => void current().catch(() => undefined), pollMs] as const),
  );
  /** The first search waits until all streets are read. */
  let loaded: Promise<void> | undefined = current();
  loaded.catch(() => {
    loaded = undefined;
  });
  const ready = () => {
    loaded ??= current();
    return loaded;
  };
  const numbersAt = coalesced<readonly (readonly [street: number, number: number])[], NumberRow[][]>({
    name: 'look up addresses',
    answer: (requests) => addressesOfNumbers(database, requests),
    size: (pairs) => pairs.length,
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 20_000,
    byTurn: true,
    withinMs: silenceMs(database),
  });

  /** What the readings of a text lead to, best first. */
  const find = async (asked: AskedText, effort: Effort, near: Position | undefined) => {
    const readings = readStreets(index, asked, effort);
    if (near)
      readings.sort((a, b) => b.score + nearness(b.street, near) - a.score - nearness(a.street, near));
    const chosen = readings.slice(0, maxStreets);
    const pairs = chosen.flatMap(({ street, house }) => (house ? [[street.id, house.number] as const] : []));
    const rows = pairs.length > 0 ? await numbersAt(pairs) : [];
    let next = 0;
    const found = chosen.flatMap((reading) =>
      candidatesOf(reading, reading.house ? (rows[next++] ?? []) : []),
    );
    found.sort((a, b) => b.score - a.score || Number(b.isExact) - Number(a.isExact));
    // A street that was not looked at might have the address, too.
    return onlyOneExact(found, readings[maxStreets]?.isSure ?? false);
  };

  const byReference = coalesced<string, Address | Missing>({
    name: 'look up addresses by id',
    answer: (references) => addressesByReference(database, references),
    maxSize: 100,
    concurrency: 2,
    maxWaiting: 20_000,
    byTurn: true,
    withinMs: silenceMs(database),
  });

  return {
    /** Resolves once the streets are in memory. */
    ready,
    /** True where no list was imported, and until the streets are in memory. */
    get isEmpty(): boolean {
      return isEmpty;
    },
    /** How many streets are in memory. */
    get streets(): number {
      return index.size;
    },
    /** Addresses, streets, suburbs and towns that a text, as somebody types it, may mean: best first. @param near prefers what is near that position */
    async search(
      text: string,
      { limit, near }: { limit: number; near?: Position | undefined },
    ): Promise<Found[]> {
      await ready();
      const asked = askedText(text, true);
      let found = await find(asked, 'plain', near);
      if ((found[0]?.score ?? 0) < goodScore) found = merged(found, await find(asked, 'corrected', near));
      const areas: Found[] = readAreas(index, asked).map(({ area, score }) => ({
        ...{ kind: area.kind, id: null, text: area.text, lat: area.lat, lng: area.lng, score },
        match: score === 1 ? 'street' : 'uncertain',
      }));
      const all = [...found.map(shown), ...areas].sort((a, b) => b.score - a.score);
      return all.slice(0, limit);
    },
    /** The address that a whole text says, or candidates. */
    async match(text: string): Promise<Matched> {
      await ready();
      const asked = askedText(text, false);
      // Most are sure: of the streets with their name in hundreds of towns, few are read.
      let found = await find(asked, 'sure', undefined);
      if (!found[0]?.isExact) found = await find(asked, 'plain', undefined);
      if (!found[0]?.isExact) found = merged(found, await find(asked, 'corrected', undefined));
      const [first] = found;
      return {
        address: first?.isExact ? (shown(first) as FoundAddress) : undefined,
        candidates: found.slice(0, maxCandidates).map(shown),
      };
    },
    /** The address of an id of the list, or of `system:id`. */
    byReference,
    /** The nearest address to a position in degrees. */
    nearest: (lat: number, lng: number) => nearestAddress(database, lat, lng),
    close: stop,
  };
}

/** Above it, no letters are corrected to find more. */
const goodScore = 0.9;

/** Reads the streets that a later version changed into the index, and yields to the event loop meanwhile. */
async function readStreetsAfter(database: Database, index: StreetIndex, version: number): Promise<void> {
  const othersTurn = turnTaker();
  for (let after = 0; ; ) {
    const { rows } = await database.query<StreetRow>(
      `select id, road, suburb, town, authority, addresses, lng / 1e7::float8 as lng, lat / 1e7::float8 as lat, postcodes
       from street where version > $1 and id > $2 order by id limit $3`,
      [version, after, streetsAtOnce],
    );
    for (const row of rows) {
      index.set(row);
      const wait = othersTurn();
      if (wait) await wait;
    }
    const last = rows.at(-1);
    if (!last || rows.length < streetsAtOnce) return;
    after = last.id;
  }
}

/** The addresses of numbers on streets, for each request and each of its pairs. */
async function addressesOfNumbers(
  database: Database,
  requests: readonly (readonly (readonly [street: number, number: number])[])[],
): Promise<NumberRow[][][]> {
  const pairs = requests.flat();
  const { rows } = await database.query<NumberRow & { at: number }>({
    name: 'addresses_of_numbers',
    text: `
      select p.at::integer - 1 as at, a.id, a.label, a.postcode, a.lng, a.lat
      from unnest($1::integer[], $2::integer[]) with ordinality as p (street, number, at)
      cross join lateral (
        select * from address where street_id = p.street and number = p.number limit ${maxOfNumber}
      ) as a`,
    values: [`{${pairs.map(([street]) => street).join()}}`, `{${pairs.map(([, number]) => number).join()}}`],
  });
  const found = pairs.map((): NumberRow[] => []);
  for (const { at, ...row } of rows) found[at]?.push(row);
  let from = 0;
  return requests.map((of) => {
    from += of.length;
    return found.slice(from - of.length, from);
  });
}

interface Candidate extends Found {
  isExact: boolean;
  /** Of its street. */
  marks: string;
}

/** The number that a label says. */
export function houseOf(label: string): HouseNumber | undefined {
  const words = wordsOf(label);
  return readNumber(words, () => true, words.length, words.length).house;
}

function candidatesOf(reading: Reading, rows: readonly NumberRow[]): Candidate[] {
  const { street, house } = reading;
  const marks = `${street.road} ${street.suburb?.name} ${street.town?.name}`;
  const names = {
    ...{ road: street.road, suburb: street.suburb?.name ?? '', town: street.town?.name ?? '' },
  };
  const addresses = rows.flatMap((row): Candidate[] => {
    const listed = houseOf(row.label);
    if (!house || !listed) return [];
    // A list without levels has the building alone.
    const isBuilding = listed.level === '' && rows.length === 1;
    const cost = differenceOf(isBuilding ? { ...house, level: '' } : house, listed);
    const isOtherPostcode =
      reading.postcode !== undefined && row.postcode !== null && row.postcode !== reading.postcode;
    const isExact = reading.isSure && cost === 0 && !isOtherPostcode;
    const score = reading.score - cost - (isOtherPostcode ? otherPostcode : 0);
    return [
      {
        ...{ kind: 'address', id: row.id, text: addressText(row.label, names), isExact, marks },
        ...{ lat: row.lat / unitsPerDegree, lng: row.lng / unitsPerDegree },
        match: isExact ? 'exact' : 'uncertain',
        score: Math.max(0.01, isExact ? score : Math.min(score, mostUncertain)),
      },
    ];
  });
  if (addresses.some(({ isExact }) => isExact)) return addresses;
  const score = house ? reading.score - noSuchNumber : reading.score;
  return [
    ...addresses,
    {
      ...{ kind: 'street', id: null, text: addressText('', names), isExact: false, marks },
      ...{ lat: street.lat, lng: street.lng },
      match: reading.isSure ? 'street' : 'uncertain',
      score: Math.max(0.01, Math.min(score, mostUncertain)),
    },
  ];
}

/** The score of what is not exact. */
const mostUncertain = 0.95;
const noSuchNumber = 0.3;
const otherPostcode = 0.1;
const differences = {
  unitMissing: 0.1,
  unitOther: 0.25,
  letterMissing: 0.15,
  letterOther: 0.2,
  range: 0.05,
  level: 0.05,
};

/** The cost of the differences between an asked number and one of the list; 0: none. */
function differenceOf(asked: HouseNumber, listed: HouseNumber): number {
  const differ = (a: string, b: string, missing: number, other: number) =>
    a === b ? 0 : a === '' || b === '' ? missing : other;
  return (
    differ(asked.unit, listed.unit, differences.unitMissing, differences.unitOther) +
    differ(asked.suffix, listed.suffix, differences.letterMissing, differences.letterOther) +
    differ(asked.high, listed.high, differences.range, differences.range) +
    differ(asked.level, listed.level, differences.level, differences.level)
  );
}

/** Metres within which two addresses with one text are one place. */
const samePlaceMetres = 100;
const metresPerDegree = 111_320;

function metresBetween(a: Position, b: Position): number {
  const east = (a.lng - b.lng) * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) * metresPerDegree;
}

/** A little more for what is near; less than any difference of the text. */
const nearness = (street: Position, near: Position): number =>
  0.02 * Math.exp(-metresBetween(street, near) / 20_000);

/** Leaves a candidate exact only where no other place is said by the text as well. */
function onlyOneExact(found: Candidate[], mayBeOthers: boolean): Candidate[] {
  const [first, ...others] = found.filter(({ isExact }) => isExact);
  if (!first) return found;
  const isOne =
    !mayBeOthers &&
    others.every((other) => other.text === first.text && metresBetween(other, first) < samePlaceMetres);
  if (isOne) return found;
  return found.map((one) => ({
    ...one,
    ...(one.isExact && {
      isExact: false,
      match: 'uncertain' as const,
      score: Math.min(one.score, mostUncertain),
    }),
  }));
}

/** Both, each place once with its better score. */
function merged(some: readonly Candidate[], others: readonly Candidate[]): Candidate[] {
  const all = new Map<string, Candidate>();
  for (const one of [...some, ...others]) {
    const key = one.id ?? `${one.kind} ${one.text}`;
    const known = all.get(key);
    if (!known || known.score < one.score) all.set(key, one);
  }
  return [...all.values()].sort((a, b) => b.score - a.score);
}

const shown = ({ kind, id, text, lat, lng, match, score }: Candidate): Found => ({
  ...{ kind, id, text, lat, lng, match },
  score: Math.round(score * 100) / 100,
});
