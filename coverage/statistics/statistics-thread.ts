import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { boxOf } from '@covermap/geometry/polygon.ts';
import { eachPolygon, RingMemory } from '@covermap/geometry/wkb.ts';
import { PremisesFinder } from '../premises/premises-finder.ts';
import { type PremisesList, readPremisesFile } from '../premises/premises-list.ts';
import { eachNumber, unpacked } from '../premises/premises-set.ts';
import { type CountedRegions, type CountedTier, countRegions, DayOfPremises } from './count.ts';

/* A thread that counts premises by region: some seconds for millions of them, behind all that answers requests. */

export interface StatisticsTask {
  /** The file of all premises. */
  list: string;
  /** How many there are. */
  technologies: number;
  /** Of planned coverage, as they are told apart. */
  dates: readonly string[];
  /** Two where a day is compared with an earlier one, which is the second. */
  days: number;
}

/** One after the other; each is answered once it is worked in. */
export type StatisticsPart =
  /** Longitude, latitude and street of addresses, as big-endian integers. */
  | { addresses: Uint8Array }
  /** Regions by the streets of their addresses: the ids of the streets of each, as big-endian integers. */
  | { by: string; streets: Uint8Array[] }
  /** Areas of a region of a layer, as well-known binary. All of a layer's parts follow each other, its regions in order. */
  | { by: string; region: number; areas: Uint8Array }
  /** Tiers of a day, with packed sets. */
  | { day: number; tiers: (Omit<CountedTier, 'set'> & { premises: Uint8Array })[] }
  | 'end';

export type FoundStatistics = Map<string, CountedRegions & { shared: number }>;

/** The operating system's niceness of this thread alone: 10 of 19. */
const politePriority = 10;

setPriority(politePriority);
const { list: file, technologies, dates, days: dayCount } = workerData as StatisticsTask;
const list = readPremisesFile(file);
const places = placeIndex(list);
/** By number of the premises: the first street of their addresses, by its id. */
const streetOf = new Int32Array(list.length);
const days = Array.from({ length: dayCount }, () => new DayOfPremises(list.length, technologies, dates));
const found: FoundStatistics = new Map();
const memory = new RingMemory();
let layer: { by: string; finder: PremisesFinder; regions: number } | undefined;

parentPort?.on('message', (part: StatisticsPart) => {
  parentPort?.postMessage(part === 'end' ? result() : take(part));
});

/** Regions are counted once the days are complete. */
const regions = new Map<string, { regionOf: Int32Array; regions: number; shared: number }>();

function take(part: Exclude<StatisticsPart, 'end'>): string {
  if ('addresses' in part) addAddresses(wholeNumbers(part.addresses));
  else if ('streets' in part) regions.set(part.by, regionsOfStreets(part.streets));
  else if ('areas' in part) addAreas(part);
  else
    for (const { premises, ...tier } of part.tiers)
      (days[part.day] as DayOfPremises).add({ ...tier, set: unpacked(premises) });
  return 'taken';
}

function result(): FoundStatistics {
  endLayer();
  for (const day of days) day.end();
  for (const [by, { shared, ...of }] of regions)
    found.set(by, {
      ...countRegions(list.numbers, of, days[0] as DayOfPremises, dates.length, days[1]),
      shared,
    });
  return found;
}

function addAddresses(numbers: Int32Array): void {
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    const premises = places(numbers[i] as number, numbers[i + 1] as number);
    if (premises === undefined) continue;
    const street = numbers[i + 2] as number;
    const before = streetOf[premises] as number;
    if (before === 0 || street < before) streetOf[premises] = street;
  }
}

function regionsOfStreets(streets: readonly Uint8Array[]) {
  const ids = streets.map(wholeNumbers);
  const highest = ids.reduce((most, one) => one.reduce((a, b) => Math.max(a, b), most), 0);
  const regionOfStreet = new Int32Array(highest + 1);
  for (const [i, of] of ids.entries()) for (const id of of) regionOfStreet[id] = i + 1;
  const regionOf = streetOf.map((street) => regionOfStreet[street] ?? 0);
  return { regionOf, regions: ids.length, shared: 0 };
}

function addAreas({ by, region, areas }: { by: string; region: number; areas: Uint8Array }): void {
  if (layer?.by !== by) endLayer();
  layer ??= { by, finder: new PremisesFinder(list), regions: 0 };
  layer.regions = Math.max(layer.regions, region);
  const { finder } = layer;
  eachPolygon(areas, (polygon) => finder.add(region, polygon, boxOf([polygon])), memory);
}

function endLayer(): void {
  if (!layer) return;
  const regionOf = new Int32Array(list.length);
  const isShared = new Uint8Array(list.length);
  let shared = 0;
  const sets = [...layer.finder.sets()].sort(([a], [b]) => a - b);
  for (const [region, set] of sets)
    eachNumber(set, (number) => {
      if (regionOf[number] === 0) regionOf[number] = region;
      else if (isShared[number] === 0) {
        isShared[number] = 1;
        shared++;
      }
    });
  regions.set(layer.by, { regionOf, regions: layer.regions, shared });
  layer = undefined;
}

/** Of big-endian bytes. */
function wholeNumbers(bytes: Uint8Array): Int32Array {
  const copy = Buffer.from(bytes).swap32();
  return new Int32Array(copy.buffer, copy.byteOffset, copy.length / 4);
}

/** @returns a function that tells the number of the premises at a place */
function placeIndex({ lngs, lats, numbers }: PremisesList) {
  let bits = 1;
  while (2 ** bits < 2 * numbers.length) bits++;
  // Places in the list, from 1, at the first free slot from that of their hash.
  const slots = new Int32Array(2 ** bits);
  const slotOf = (lng: number, lat: number) =>
    Math.imul(Math.imul(lng, 0x9e3779b1) ^ lat, 0x85ebca6b) >>> (32 - bits);
  const next = (slot: number) => (slot + 1) & (slots.length - 1);
  for (let i = 0; i < numbers.length; i++) {
    let slot = slotOf(lngs[i] as number, lats[i] as number);
    while (slots[slot] !== 0) slot = next(slot);
    slots[slot] = i + 1;
  }
  return (lng: number, lat: number): number | undefined => {
    for (let slot = slotOf(lng, lat); slots[slot] !== 0; slot = next(slot)) {
      const at = (slots[slot] as number) - 1;
      if (lngs[at] === lng && lats[at] === lat) return numbers[at] as number;
    }
    return undefined;
  };
}
