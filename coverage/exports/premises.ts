import { type Address, aliasesOfMany } from '../../addresses/address.ts';
import { addressesOfPremises, premisesVersion } from '../../addresses/premises.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { isCounted } from '../premises/counted.ts';
import { eachNumber, type PremisesSet, unpacked } from '../premises/premises-set.ts';
import type { ExportedTier } from './versions.ts';

/* The premises of exported tiers, with their addresses. */

/** An address with the best tier at its premises of one technology. */
export interface ExportedAddress {
  /** The index of its tier. */
  tier: number;
  address: Address;
  /** `system:alias` each. */
  aliases: string[];
}

/** Premises whose addresses one statement finds. */
const premisesAtOnce = 2_000;

/**
 * The version of the premises with which all of these versions are counted; undefined where there are no addresses.
 * @throws CovermapError `premises_being_counted`
 */
export async function countedWith(
  database: Database,
  datasetIds: readonly number[],
): Promise<number | undefined> {
  const version = await premisesVersion(database);
  if (version === 0) return undefined;
  const { rows } = await database.query(sql`
    select from dataset d where d.id = any (${datasetIds}) and not coalesce(${isCounted}, false)`);
  if (rows.length > 0) throw new CovermapError('premises_being_counted');
  return version;
}

/**
 * Reads the addresses at the premises of tiers: by technology, each with its best tier, as lookups answer.
 * @param tiers by technology, the best first @param onAddresses gets some thousand at a time, and the share of premises that are read
 * @returns how many premises have any coverage
 */
export async function readPremises(
  database: Database,
  tiers: readonly ExportedTier[],
  onAddresses: (addresses: ExportedAddress[], share: number) => Promise<void>,
): Promise<number> {
  const best = new Map<string, Best>();
  for (const [index, { id, technology }] of tiers.entries()) {
    const { rows } = await database.query<{ premises: Uint8Array }>(sql`
      select premises from tier_premises where tier_id = ${id}`);
    if (!rows[0]) continue;
    const ofTechnology = best.get(technology) ?? new Best();
    best.set(technology, ofTechnology);
    ofTechnology.add(unpacked(rows[0].premises), index);
  }
  const total = [...best.values()].reduce((sum, { count }) => sum + count, 0);
  let read = 0;
  const covered = new Best();
  for (const ofTechnology of best.values()) {
    for (const numbers of ofTechnology.numbers(premisesAtOnce)) {
      const addresses = await addressesOfPremises(database, numbers);
      const aliases = await aliasesOfMany(
        database,
        addresses.map(({ id }) => id),
      );
      read += numbers.length;
      for (const { number } of addresses) covered.note(number);
      await onAddresses(
        addresses.map(({ number, ...address }) => ({
          tier: ofTechnology.tierOf(number),
          address,
          aliases: aliases.get(address.id) ?? [],
        })),
        read / total,
      );
    }
  }
  return covered.count;
}

/** The first tier at each premises: 4 bytes each, however many tiers there are. */
class Best {
  /** By number: 1 + the index of the tier; 0 for none. */
  #tiers = new Uint32Array();
  count = 0;

  add(set: PremisesSet, tier: number): void {
    eachNumber(set, (number) => this.note(number, tier));
  }

  note(number: number, tier = 0): void {
    if (number >= this.#tiers.length) {
      const larger = new Uint32Array(Math.max(1024, 2 * number));
      larger.set(this.#tiers);
      this.#tiers = larger;
    }
    if (this.#tiers[number] !== 0) return;
    this.#tiers[number] = tier + 1;
    this.count++;
  }

  tierOf = (number: number): number => (this.#tiers[number] as number) - 1;

  /** The numbers with a tier, ascending. */
  *numbers(atOnce: number): Generator<number[]> {
    let some: number[] = [];
    // Of millions, most of which may have none: an iterator would take a tenth of a second.
    for (let number = 0; number < this.#tiers.length; number++) {
      if (this.#tiers[number] === 0) continue;
      some.push(number);
      if (some.length < atOnce) continue;
      yield some;
      some = [];
    }
    if (some.length > 0) yield some;
  }
}
