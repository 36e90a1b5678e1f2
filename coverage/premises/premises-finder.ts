import { eachCovered, type PointGrid, pointGrid } from '@covermap/geometry/point-grid.ts';
import type { Box, Polygon } from '@covermap/geometry/polygon.ts';
import { unitsPerDegree } from '../../addresses/address.ts';
import { bandHeight, type PremisesList } from './premises-list.ts';
import {
  addTo,
  count,
  type PackedPremises,
  type PremisesSet,
  packedPremises,
  setFor,
  union,
} from './premises-set.ts';

/* The premises that areas cover, tier by tier, as SQL's `covers` (coverage/boxes.ts) has them. */

/** Premises of a page, a bit each: tiers of a few places take little memory, however many they are. */
const pageBits = 32_768;
const pageWords = pageBits / 32;

/** Found premises, by place in the list. */
type Pages = (Uint32Array | undefined)[];

export class PremisesFinder {
  readonly #list: PremisesList;
  readonly #grid: PointGrid;
  /** By tier. */
  readonly #found = new Map<number, Pages>();

  constructor(list: PremisesList) {
    this.#list = list;
    this.#grid = pointGrid(list.lngs, list.lats, unitsPerDegree, bandHeight);
  }

  get version(): number {
    return this.#list.version;
  }

  /** Adds what an area covers. @param polygon in degrees, valid */
  add(tier: number, polygon: Polygon, box: Box): void {
    const pages = this.#found.get(tier) ?? [];
    this.#found.set(tier, pages);
    eachCovered(this.#grid, polygon, box, (from, to) => fill(pages, from, to));
  }

  /** By tier; without those that cover none. */
  *sets(): Generator<[tier: number, set: PremisesSet]> {
    for (const [tier, pages] of this.#found) if (pages.length > 0) yield [tier, this.#setOf(pages)];
  }

  #setOf(pages: Pages): PremisesSet {
    const { numbers, length } = this.#list;
    const set = setFor(length);
    for (const [i, page] of pages.entries()) {
      for (let word = 0; page && word < pageWords; word++) {
        for (let bits = page[word] as number; bits !== 0; bits &= bits - 1)
          addTo(set, numbers[i * pageBits + 32 * word + 31 - Math.clz32(bits & -bits)] as number);
      }
    }
    return set;
  }
}

/** Sets the bits from `from` to `to` (not included). */
function fill(pages: Pages, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / pageBits);
    const page = pages[number] ?? new Uint32Array(pageWords);
    pages[number] = page;
    const word = (at % pageBits) >>> 5;
    const bit = at & 31;
    const bits = Math.min(32 - bit, to - at);
    page[word] = (page[word] as number) | (bits === 32 ? -1 : ((1 << bits) - 1) << bit);
    at += bits;
  }
}

/** What a file's tiers cover, by the reader's index, and all of them together. */
export interface FoundPremises {
  version: number;
  covered: number;
  tiers: [tier: number, found: PackedPremises][];
}

export function foundPremises(finder: PremisesFinder): FoundPremises {
  let all: PremisesSet = setFor(0);
  const tiers: FoundPremises['tiers'] = [];
  for (const [tier, set] of finder.sets()) {
    all = union(all, set);
    tiers.push([tier, packedPremises(set)]);
  }
  return { version: finder.version, covered: count(all), tiers };
}
