import { coalesced, silenceMs } from '../platform/database/coalescer.ts';
import type { Database } from '../platform/database/database.ts';
import { follow } from '../platform/database/notified-cache.ts';
import { turnTaker } from '../platform/event-loop.ts';
import { type Address, addressesByReference, type Missing, nearestAddress } from './address.ts';
import { type AskedText, askedText } from './asked-text.ts';
import {
  type Candidate,
  candidatesOf,
  isExact,
  merged,
  type NumberRow,
  onlyOneExact,
  shown,
} from './candidates.ts';
import type { Found, FoundAddress, Matched } from './found.ts';
import { readAreas, readStreets } from './reading.ts';
import type { Effort } from './spellings.ts';
import { StreetIndex, type StreetRow } from './street-index.ts';

export type AddressFinder = Awaited<ReturnType<typeof openAddressFinder>>;

type Position = Record<'lat' | 'lng', number>;

/** Max characters of a text that is searched for: an address of an invoice on five lines has fewer. */
export const maxTextLength = 300;
/** Streets of a text whose numbers are looked up. */
const maxStreets = 24;
/** Addresses of one number: those of a tower of flats. */
const maxOfNumber = 1_000;
/** Candidates of a text that is not sure. */
const maxCandidates = 5;
/** How often the version of the list is checked without a notification. */
const pollMs = 5_000;
const streetsAtOnce = 1_000;

/**
 * Finds addresses of the list by text, id and position. The names of all streets are in memory, kept fresh by NOTIFY.
 * @param database of lookups @param notifier of imports: not a replica
 */
export async function openAddressFinder(database: Database, notifier: Database = database) {
  let index = new StreetIndex();
  let version = -1;
  let isEmpty = true;
  let changedAt = 0;
  let refreshing: Promise<void> | undefined;
  const refresh = async () => {
    const { rows } = await database.query<{ version: number; isEmpty: boolean; changedAt: number }>(
      `select version, is_empty as "isEmpty", extract(epoch from changed_at)::float8 as "changedAt" from address_list`,
    );
    const list = rows[0] as (typeof rows)[0];
    if (list.version < version || (list.version === version && list.changedAt !== changedAt)) {
      // A backup was restored: its streets may have other ids.
      const restored = new StreetIndex();
      await readStreetsAfter(database, restored, -1);
      index = restored;
    } else if (list.version > version) await readStreetsAfter(database, index, version);
    ({ version, isEmpty, changedAt } = list);
  };
  const current = () => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const refreshSoon = () => void current().catch(() => undefined);
  const stop = await follow(notifier, 'address_list', refreshSoon, refreshSoon, pollMs);
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

  /** Few of a thousand readings: the others are not to be kept while the database is asked. */
  const likeliest = (asked: AskedText, effort: Effort, near?: Position) => {
    const { readings, isWhole } = readStreets(index, asked, effort, near);
    // A street that is not looked at might have the address, too.
    const mayBeOthers = !isWhole || (readings[maxStreets]?.isSure ?? false);
    return { chosen: readings.slice(0, maxStreets), mayBeOthers };
  };

  /** What the readings of a text lead to, best first. */
  const find = async (asked: AskedText, effort: Effort, near?: Position) => {
    const { chosen, mayBeOthers } = likeliest(asked, effort, near);
    const pairs = chosen.flatMap(({ street, house }) => (house ? [[street.id, house.number] as const] : []));
    const rows = pairs.length > 0 ? await numbersAt(pairs) : [];
    let next = 0;
    const found = chosen.flatMap((reading) =>
      candidatesOf(reading, reading.house ? (rows[next++] ?? []) : []),
    );
    return onlyOneExact(found, mayBeOthers);
  };

  /** With as much effort as it takes. */
  const findWell = async (asked: AskedText, near?: Position) => {
    let found: Candidate[] = [];
    const efforts = asked.words.length > maxCorrectedWords ? allEfforts.slice(0, 1) : allEfforts;
    for (const { effort, goodScore } of efforts) {
      found = merged(found, await find(asked, effort, near));
      if ((found[0]?.score ?? 0) >= goodScore) break;
    }
    return found;
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
    /** Addresses, streets, suburbs and towns that a text, as somebody types it, may mean: best first. @param near prefers what is near that position */
    async search(
      text: string,
      { limit, near }: { limit: number; near?: Position | undefined },
    ): Promise<Found[]> {
      await ready();
      const asked = askedText(text, true);
      const found = await findWell(asked, near);
      const areas: Found[] = readAreas(index, asked).map(({ area, score }) => ({
        ...{ kind: area.kind, id: null, text: area.text, lat: area.lat, lng: area.lng, score },
        match: score === 1 ? 'street' : 'uncertain',
      }));
      const all = [...found.slice(0, limit).map(shown), ...areas.slice(0, limit)];
      return all.sort((a, b) => b.score - a.score).slice(0, limit);
    },
    /** The address that a whole text says, or candidates. */
    async match(text: string): Promise<Matched> {
      await ready();
      const asked = askedText(text, false);
      // Most are sure: of the streets with their name in hundreds of towns, few are looked at.
      let found = await find(asked, 'sure');
      if (!found[0] || !isExact(found[0])) found = await findWell(asked);
      const [first] = found;
      return {
        address: first && isExact(first) ? (shown(first) as FoundAddress) : undefined,
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

/** A longer text is searched for as it is spelt: the work grows with the square of its words. */
const maxCorrectedWords = 20;
/** Each effort, and the score from which on it is enough: below the first, a word is left over. */
const allEfforts = [
  { effort: 'plain', goodScore: 0.93 },
  { effort: 'unknown', goodScore: 0.8 },
  { effort: 'all', goodScore: 0 },
] as const;

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
        select * from address where street_id = p.street and number = p.number limit $3
      ) as a`,
    values: [
      `{${pairs.map(([street]) => street).join()}}`,
      `{${pairs.map(([, number]) => number).join()}}`,
      maxOfNumber,
    ],
  });
  const found = pairs.map((): NumberRow[] => []);
  for (const { at, ...row } of rows) found[at]?.push(row);
  let from = 0;
  return requests.map((of) => {
    from += of.length;
    return found.slice(from - of.length, from);
  });
}
