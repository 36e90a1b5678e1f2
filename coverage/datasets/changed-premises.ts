import { type Address, aliasesOfAll, aliasesOfMany } from '../../addresses/address.ts';
import { addressesOfPremises, premisesOf } from '../../addresses/premises.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Lookup, PointCoverage } from '../lookup/lookup.ts';
import type { ChangeKind } from '../premises/change.ts';
import { count, has, inPieces, type PremisesSet, unpacked } from '../premises/premises-set.ts';
import type { SuburbPremises } from '../premises/suburbs.ts';
import type { PremisesChange } from './premises-change.ts';
import { joinPublished, type PremisesState, premisesState } from './scopes.ts';

/* The premises that publishing a submission would change, as lists. Of a published one: that its publication has changed. */

/** A dataset of a submission. */
export interface ComparedDataset {
  dataset_id: number;
  technology: string;
  scope: string;
  state: PremisesState;
  change: PremisesChange | null;
  /** Null unless they are counted. */
  suburbs: Record<ChangeKind, SuburbPremises[]> | null;
}

/** The datasets of a submission with the suburbs in which premises would change; none where there are no premises. */
export async function comparedDatasets(db: Queryable, submissionId: string): Promise<ComparedDataset[]> {
  const { rows } = await db.query<ComparedDataset>(sql`
    select * from (
      select d.id as dataset_id, t.name as technology, d.scope, ${premisesState} as state, d.premises_change as change, (
        select json_object_agg(c.change, c.suburbs) from premises_change c where c.dataset_id = d.id
      ) as suburbs
      from dataset d join technology t on t.id = d.technology_id ${joinPublished}
      where d.submission_id = ${submissionId} and d.state <> 'loading'
      order by t.nominal_rank, d.id
    ) as compared where state <> 'none'`);
  return rows.map((row) => (row.state === 'counted' ? row : { ...row, change: null, suburbs: null }));
}

/** The premises of a dataset that change in one way. */
export interface ChangedPremises {
  datasetId: number;
  providerId: number;
  technologyId: number;
  technology: string;
  scope: string;
  change: ChangeKind;
  /** Packed. */
  premises: Uint8Array;
  /** Packed, as {@link PremisesDifference} has them. */
  speeds: Uint8Array;
}

/** The changed premises of a submission that are counted, the worst change first. */
export async function readChangedPremises(db: Queryable, submissionId: string): Promise<ChangedPremises[]> {
  const { rows } = await db.query<ChangedPremises>(sql`
    select d.id as "datasetId", d.provider_id as "providerId", d.technology_id as "technologyId", t.name as technology,
      d.scope, c.change, c.premises, c.speeds
    from dataset d join technology t on t.id = d.technology_id ${joinPublished}
    join premises_change c on c.dataset_id = d.id
    where d.submission_id = ${submissionId} and ${premisesState} = 'counted'
    order by array_position(array['lost', 'slower', 'faster', 'gained'], c.change), t.nominal_rank, d.id`);
  return rows;
}

/** Mbps down of the best available tier; null: none. */
interface Speeds {
  before_mbps: number | null;
  after_mbps: number | null;
}

const speedsAt = (speeds: Uint32Array, place: number): Speeds => {
  const mbps = (kbps: number | undefined) => (kbps ? kbps / 1000 : null);
  return { before_mbps: mbps(speeds[2 * place]), after_mbps: mbps(speeds[2 * place + 1]) };
};

/** Premises looked at together: they share statements, and other lookups hardly wait for them. */
const premisesAtOnce = 128;

/** An address of changed premises. */
export interface ListedPremises extends Speeds {
  change: ChangeKind;
  technology: string;
  scope: string;
  address: Address;
  /** `tlc:123` of each other system. */
  aliases: string[];
  /** What other providers and technologies offer there now: `Moa Fibre (fibre): 300 Mbps`. */
  others: string[];
}

/** The addresses of changed premises, in the order of the sets. Memory holds one set. */
export async function* listChangedPremises(
  db: Queryable,
  lookup: Lookup,
  changed: readonly ChangedPremises[],
): AsyncGenerator<ListedPremises> {
  for (const { premises, speeds, change, technology, scope, ...whose } of changed) {
    const speedsOfAll = unpacked(speeds);
    let place = 0;
    for (const numbers of inPieces(unpacked(premises), premisesAtOnce)) {
      const found = await addressesOfPremises(db, numbers);
      const aliases = await aliasesOfMany(
        db,
        found.map(({ id }) => id),
      );
      const places = new Map(found.map(({ number, lat, lng }) => [number, { lat, lng }]));
      const others = new Map<number, string[]>();
      await Promise.all(
        [...places].map(async ([number, { lat, lng }]) =>
          others.set(number, othersAt(await lookup.at(lat, lng), whose)),
        ),
      );
      const first = place;
      const placeOf = new Map(numbers.map((number, i) => [number, first + i]));
      place += numbers.length;
      for (const { number, ...address } of found) {
        yield {
          ...{ change, technology, scope, address },
          ...speedsAt(speedsOfAll, placeOf.get(number) as number),
          aliases: aliases.get(address.id) ?? [],
          others: others.get(number) ?? [],
        };
      }
    }
  }
}

/** What others offer at a position, the fastest first: one a provider and technology. */
function othersAt(
  { tiers }: PointCoverage,
  { providerId, technologyId }: Pick<ChangedPremises, 'providerId' | 'technologyId'>,
): string[] {
  const best = new Map<string, number>();
  for (const { provider, technology, availability, bandwidthMax } of tiers) {
    const isOwn = provider.id === providerId && technology.id === technologyId;
    if (isOwn || availability !== 'available') continue;
    const name = `${provider.name} (${technology.name})`;
    best.set(name, Math.max(bandwidthMax, best.get(name) ?? 0));
  }
  return [...best].sort((a, b) => b[1] - a[1]).map(([name, mbps]) => `${name}: ${mbps} Mbps`);
}

/** The max addresses of premises that are shown: a tower block may have hundreds. */
const maxAddresses = 100;

/** Changed premises of a submission, with their addresses. @throws CovermapError `premises_unknown` where they do not change */
export async function requireChangedPremises(db: Queryable, submissionId: string, number: number) {
  const changes = (await readChangedPremises(db, submissionId)).flatMap(
    ({ datasetId, technology, scope, change, premises, speeds }) => {
      const set = unpacked(premises);
      if (!has(set, number)) return [];
      return [
        {
          dataset_id: datasetId,
          technology,
          scope,
          change,
          ...speedsAt(unpacked(speeds), placeIn(set, number)),
        },
      ];
    },
  );
  const [place] = changes.length > 0 ? await premisesOf(db, [number]) : [];
  if (!place) throw new CovermapError('premises_unknown');
  const all = await addressesOfPremises(db, [number]);
  const shown = all.slice(0, maxAddresses);
  const aliases = await aliasesOfAll(
    db,
    shown.map(({ id }) => id),
  );
  return {
    ...place,
    address_count: all.length,
    addresses: shown.map(({ id, text }) => ({ id, text, aliases: aliases.get(id) ?? {} })),
    changes,
  };
}

/** How many numbers of a set are below this one. */
function placeIn(set: PremisesSet, number: number): number {
  const before = set.slice(0, (number >>> 5) + 1);
  const last = before.length - 1;
  before[last] = (before[last] as number) & ((1 << (number & 31)) - 1);
  return count(before);
}
