import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  changesHeader,
  type ListedAddress,
  listHeader,
  listLine,
  type RoadName,
} from '@covermap/testing/linz.ts';
import { Random } from '@covermap/testing/random.ts';

/*
 * A made-up country in LINZ's form, as large as New Zealand, with what makes finding hard: a few names in hundreds of towns, many in one. The same call
 * makes the same rows.
 *
 *     node --import tsx bench/generate-addresses.ts [file] [--rows 2406326] [--changes]
 */

/** The rows of the list in autumn 2026, and of a week's changes to it. */
export const listRows = 2_406_326;
const weekRows = 8_500;
const rowsPerStreet = 20;
const streetsPerSuburb = 42;
const suburbsPerTown = 5;

/** By how often they are, per thousand. */
const types: [type: string, share: number][] = [
  ['Road', 270],
  ['Street', 265],
  ['Place', 118],
  ['Lane', 62],
  ['Drive', 66],
  ['Avenue', 56],
  ['Crescent', 40],
  ['Terrace', 26],
  ['Way', 26],
  ['Court', 17],
  ['Close', 13],
  ['Grove', 9],
  ['Rise', 7],
  ['Te Ara', 3],
  ['', 3],
  ['Parade', 2],
  ['View', 2],
  ['Heights', 2],
  ['Mews', 2],
  ['Esplanade', 1],
  ['Boulevard', 1],
  ['Loop', 1],
  ['Square', 1],
  ['Glade', 1],
  ['Quay', 1],
  ['Track', 1],
  ['Line', 1],
  ['Hill', 1],
  ['Point', 1],
  ['Crest', 1],
];
const directions = ['North', 'South', 'East', 'West', 'Extension'];

const english = {
  first:
    'Ash Bar Beau Black Brook Carl Chal Clif Cran Dal Dun East Elm Fair Far Glen Green Hal Ham Har Haw High Hol Ken King Lang Lin Long Mal Mar Mel Mill Mon New Nor Oak Over Pem Pen Red Ridge Rock Rose San Shel Sher Spring Stan Stone Strath Sun Thorn Tor Wal War Wel West Whit Win Wood York'.split(
      ' ',
    ),
  last: 'borne bourne bridge brook bury by combe cote croft dale den dene field ford gate ham haven hill holme hurst land leigh ley lock ly mere mont mouth port ridge shaw stead stock ston stone ton vale view ville wall water way well wick win wood worth'.split(
    ' ',
  ),
};
const maori =
  'a ā e i o u ha hā he hi ho hu ka kā ke ki ko kō ku ma mā me mi mo mu na nā ne ngā nga ngo nu pa pā pe pi po pō pu ra rā re ri ro rua ta tā te ti to tō tu tū wa wā wai whā wha whe whi'.split(
    ' ',
  );
const people =
  "Adams Allan Anderson Baker Bell Campbell Clark Cook Davis Edward Elizabeth Fraser George Grey Hamilton Henry Hobson Jackson James John Kelly King MacDonald McKenzie Mary Moore Nelson O'Brien Queen Robert Russell Scott Seddon Selwyn Smith Taylor Thomas Victoria Ward William Wilson".split(
    ' ',
  );
const things =
  'Beach Church Station School Mill Park Hill High Main River Lake Bay Valley Ridge View Kowhai Rata Rimu Totara Matai Miro Puriri Titoki Tui Kea Weka Huia Kiwi Manuka Karaka Ngaio'.split(
    ' ',
  );
const apart = ['Upper', 'Lower', 'Old', 'Mount', 'St', 'Lake', 'Point', 'Great', 'Little'];

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function madeName(random: Random): string {
  const kind = random.below(100);
  if (kind < 42) return random.pick(english.first) + random.pick(english.last);
  if (kind < 80)
    return capital(Array.from({ length: 2 + random.below(3) }, () => random.pick(maori)).join(''));
  if (kind < 88) return `${random.pick(people)} ${random.pick(things)}`;
  if (kind < 94) return `${random.pick(apart)} ${madeName(random)}`;
  return `${random.pick(english.first)}${random.pick(english.last)}-${random.pick(english.first)}${random.pick(english.last)}`;
}

/** Different names, those first that are in hundreds of towns. */
function madeNames(random: Random, count: number): string[] {
  const names = new Set([...people, ...things]);
  while (names.size < count) names.add(madeName(random));
  return [...names];
}

/** Picks items by weights: the index of one. */
function byWeight(weights: number[]): (random: Random) => number {
  let total = 0;
  const sums = weights.map((weight) => {
    total += weight;
    return total;
  });
  return (random) => {
    const wanted = random.next() * total;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

const pickType = byWeight(types.map(([, share]) => share));

/** Rows of a whole list. @param rows exactly as many */
export function* madeAddresses(rows = listRows): Generator<ListedAddress> {
  const random = new Random(20260301);
  const streets = Math.max(1, Math.round(rows / rowsPerStreet));
  const roadNames = madeNames(random, Math.max(200, Math.round(streets / 4)));
  // A few hundred names make half of all streets.
  const pickName = byWeight(roadNames.map((_, i) => 1 / (i + 12) ** 0.9));
  const suburbs = Math.max(1, Math.round(streets / streetsPerSuburb));
  const places = madeNames(random, suburbs);
  const towns = Math.max(1, Math.round(suburbs / suburbsPerTown));
  const pickTown = byWeight(Array.from({ length: towns }, (_, i) => 1 / (i + 2)));
  const sites = Array.from({ length: towns }, (_, i) => {
    // Along the two islands.
    const lat = -35.5 - 11 * random.next();
    return {
      name: places[i * suburbsPerTown] as string,
      lat,
      lng: 174.8 + 0.55 * (lat + 38) + 2 * random.next() - 1,
    };
  });

  let id = 1_000;
  let roadId = 1_800_000;
  let left = rows;
  for (let suburb = 0, street = 0; suburb < suburbs; suburb++) {
    // Each town has at least the suburb of its name.
    const site = sites[suburb < towns ? suburb : pickTown(random)] as (typeof sites)[number];
    const isRural = random.chance(0.25);
    const name =
      suburb < towns ? site.name : random.chance(0.1) ? random.pick(places) : (places[suburb] as string);
    const place = {
      suburb: isRural && random.chance(0.05) ? '' : name,
      town: isRural && random.chance(0.1) ? '' : site.name,
      authority: `${site.name} District`,
    };
    const reach = isRural ? 0.2 : 0.02;
    const near = (centre: number, by: number) => centre + by * (2 * random.next() - 1);
    const [lat, lng] = [near(site.lat, 4 * reach), near(site.lng, 4 * reach)];
    const used = new Set<string>();
    const lastStreet = Math.round(((suburb + 1) * streets) / suburbs);
    for (; street < lastStreet; street++) {
      const isHighway = street % 3_000 === 400;
      const road = isHighway ? highway(random) : madeRoad(random, roadNames, pickName, isRural);
      const key = `${road.name} ${road.type} ${road.suffix}`;
      // The next street has its addresses.
      if (used.has(key)) continue;
      used.add(key);
      const mean = left / (streets - street);
      const isLast = street === streets - 1;
      const drawn = isHighway
        ? 400 + random.below(1_600)
        : Math.round(-0.96 * mean * Math.log(1 - random.next()));
      const count = isLast ? left : Math.min(left, Math.max(1, drawn));
      left -= count;
      // A highway has one id in the whole country.
      const ids = { roadId: isHighway ? 3_000_000 + Number(road.name) : ++roadId };
      const start = { lat: near(lat, reach), lng: near(lng, reach) };
      const step = { lat: near(0, reach / 200), lng: near(0, reach / 200) };
      const numberStep = isRural || isHighway ? 3 + random.below(15) : 1;
      for (const one of numbersOf(random, count, numberStep)) {
        // One in ten came later.
        id += 1 + random.below(3);
        const newer = random.chance(0.1) ? 9_000_000 : 0;
        const way = one.place % 400;
        yield {
          ...{
            id: id + newer,
            ...ids,
            unit: one.unit,
            number: one.number,
            suffix: one.suffix,
            high: one.high,
            road,
            ...place,
          },
          lng: Number((start.lng + step.lng * way).toFixed(9)),
          lat: Number((start.lat + step.lat * way).toFixed(9)),
        };
      }
    }
  }
}

function madeRoad(
  random: Random,
  names: string[],
  pickName: (random: Random) => number,
  isRural: boolean,
): RoadName {
  const name = names[pickName(random)] as string;
  const type = (isRural && random.chance(0.7) ? 'Road' : types[pickType(random)]?.[0]) as string;
  return {
    name: type ? name : `The ${name}`,
    type,
    suffix: random.chance(0.01) ? random.pick(directions) : '',
  };
}

const highway = (random: Random): RoadName => ({
  name: String(1 + random.below(98)),
  type: 'State Highway',
  suffix: '',
});

/** Numbers of a street, units at the points of their houses among them. */
function* numbersOf(random: Random, count: number, step: number) {
  let [number, place, left] = [0, 0, count];
  while (left > 0) {
    number += 1 + random.below(step);
    place++;
    const plain = { number, place, unit: '', suffix: '', high: '' as number | '' };
    const kind = random.below(1_000);
    const units = kind < 1 ? 30 + random.below(170) : kind < 50 ? 2 + random.below(7) : 0;
    if (units > 0 && units <= left) {
      for (let unit = 1; unit <= units; unit++) yield { ...plain, unit: String(unit) };
      left -= units;
    } else if (kind < 120 && left > 3) {
      for (const suffix of ['', 'A', 'B']) yield { ...plain, suffix };
      left -= 3;
    } else {
      if (kind > 995) number += 4;
      yield kind > 995 ? { ...plain, high: number } : plain;
      left--;
    }
  }
}

/** A week's changes to {@link madeAddresses}: new ones, moved ones and those that are gone, all over the list. */
export function* madeChanges(
  rows = listRows,
  changes = weekRows,
): Generator<[change: string, ListedAddress]> {
  const every = Math.floor(rows / changes);
  let row = 0;
  for (const address of madeAddresses(rows)) {
    const kind = Math.floor(row / every) % 10;
    if (row++ % every || row > every * changes) continue;
    if (kind < 5)
      yield ['INSERT', { ...address, id: address.id + 20_000_000, unit: '', number: address.number + 3_000 }];
    else if (kind < 9) yield ['UPDATE', { ...address, lat: Number((address.lat + 0.0002).toFixed(9)) }];
    else yield ['DELETE', address];
  }
}

function* textOf(rows: number, isChanges: boolean): Generator<string> {
  let text = isChanges ? changesHeader : listHeader;
  const lines = function* () {
    if (!isChanges) for (const address of madeAddresses(rows)) yield listLine(address);
    else for (const [change, address] of madeChanges(rows)) yield `${change},${listLine(address)}`;
  };
  for (const line of lines()) {
    text += line;
    if (text.length < 200_000) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Writes a whole list as LINZ's CSV. */
export const generateAddresses = (file: string, rows = listRows) =>
  pipeline(Readable.from(textOf(rows, false)), createWriteStream(file));

/** Writes a week's changes to that list of as many rows. */
export const generateAddressChanges = (file: string, rows = listRows) =>
  pipeline(Readable.from(textOf(rows, true)), createWriteStream(file));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: {
      rows: { type: 'string', default: String(listRows) },
      changes: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [file] = positionals;
  const out = file ? createWriteStream(file) : process.stdout;
  await pipeline(Readable.from(textOf(Number(values.rows), values.changes)), out);
}
