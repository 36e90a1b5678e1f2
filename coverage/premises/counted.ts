import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { turnTaker } from '../../platform/event-loop.ts';
import {
  count,
  type PackedPremises,
  type PremisesSet,
  packedPremises,
  union,
  unpacked,
} from './premises-set.ts';

/* The counted premises of datasets, as they are stored. */

/** SQL: true where the premises of a dataset `d` are counted, with the premises that there are now. */
export const isCounted = sql`(d.premises_version is not distinct from (select premises_version from address_list))`;

/** What the tiers of datasets cover: by dataset, then by tier. */
export interface PremisesOfDatasets {
  /** Of the premises. */
  version: number;
  datasets: Map<number, Map<number, PackedPremises>>;
}

/** Stores what a dataset's tiers cover, in place of what was counted before. One transaction of the caller: half of it is never shown. @param version of the premises @param sets by tier; a tier without one covers none */
export async function keepPremises(
  connection: Queryable,
  datasetId: number,
  version: number,
  sets: ReadonlyMap<number, PremisesSet | PackedPremises>,
): Promise<void> {
  const tiers = [...sets.keys()];
  const stored = [...sets.values()].map((set) => ('covered' in set ? set : packedPremises(set)));
  await connection.query(sql`
    delete from tier_premises where tier_id in (select id from tier where dataset_id = ${datasetId})`);
  await connection.query(sql`
    insert into tier_premises (tier_id, covered, premises)
    select * from unnest(${tiers}::integer[], ${stored.map(({ covered }) => covered)}::integer[],
      ${stored.map(({ premises }) => premises)}::bytea[])`);
  const { rows } = await connection.query<{ id: number }>(sql`
    select id from tier where dataset_id = ${datasetId} and availability = 'available'`);
  const inService = rows.flatMap(({ id }) => {
    const set = sets.get(id);
    return set ? [setFrom(set)] : [];
  });
  await connection.query(sql`
    update dataset set premises_version = ${version}, premises_covered = ${count(union(...inService))}
    where id = ${datasetId}`);
}

const setFrom = (set: PremisesSet | PackedPremises) => ('covered' in set ? unpacked(set.premises) : set);

/** Removes what a dataset's tiers cover, and what its publication has changed, as its rows are removed. */
export async function forgetPremises(db: Queryable, datasetId: number): Promise<void> {
  await db.query(sql`
    with gone as (
      update dataset set premises_version = null, premises_covered = null, premises_change = null where id = ${datasetId} returning id
    ),
    changes as (delete from premises_change where dataset_id in (select id from gone))
    delete from tier_premises where tier_id in (select t.id from tier t join gone on gone.id = t.dataset_id)`);
}

/** A tier's premises as they are stored. */
export interface StoredTier {
  tierId: number;
  datasetId: number;
  availability: 'available' | 'underway' | 'planned';
  /** YYYY-MM-DD */
  plannedDate: string | null;
  /** Mbps down. */
  bandwidthMax: number;
  /** A packed set. */
  premises: Uint8Array;
}

/** A tier's premises, with what decides how good it is. */
export type TierPremises = Omit<StoredTier, 'premises'> & { set: PremisesSet };

/** The premises of the tiers of datasets; undefined where some are not counted with the premises that there are now. */
export async function readTierPremises(
  db: Queryable,
  datasetIds: readonly number[],
): Promise<TierPremises[] | undefined> {
  const stored = await readStoredTiers(db, datasetIds);
  if (!stored) return undefined;
  const tiers: TierPremises[] = [];
  const othersTurn = turnTaker();
  for (const { premises, ...tier } of stored) {
    tiers.push({ ...tier, set: unpacked(premises) });
    await othersTurn();
  }
  return tiers;
}

/** {@link readTierPremises}, as they are stored. */
export async function readStoredTiers(
  db: Queryable,
  datasetIds: readonly number[],
): Promise<StoredTier[] | undefined> {
  // One statement: a recount between two would mix what it replaces with what replaces it.
  const { rows } = await db.query<Partial<StoredTier> & { counted: boolean }>(sql`
    select counted, t.id as "tierId", t.dataset_id as "datasetId", t.availability, t.planned_date::text as "plannedDate",
      t.bandwidth_max_mbps::float8 as "bandwidthMax", p.premises
    from (
      select coalesce(bool_and(${isCounted}), true) as counted from dataset d where d.id = any (${datasetIds})
    ) as asked
    left join (tier t join tier_premises p on p.tier_id = t.id) on counted and t.dataset_id = any (${datasetIds})
    order by t.id`);
  if (!rows[0]?.counted) return undefined;
  const isTier = (row: object): row is StoredTier => (row as StoredTier).tierId !== null;
  return rows.map(({ counted, ...tier }) => tier).filter(isTier);
}
