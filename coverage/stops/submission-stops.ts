import { wkbOf } from '@covermap/geometry/wkb.ts';
import { LRUCache } from 'lru-cache';
import { premisesOf, premisesVersion } from '../../addresses/premises.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { turnTaker } from '../../platform/event-loop.ts';
import type { Day } from '../../platform/nz-time.ts';
import { meets } from '../boxes.ts';
import { areaCovers, shapeOf } from '../drawn-area.ts';
import { readTierPremises, type TierPremises } from '../premises/counted.ts';
import {
  count,
  difference,
  emptySet,
  inPieces,
  intersection,
  type PremisesSet,
  setOf,
  union,
} from '../premises/premises-set.ts';
import { closedGroundsIn } from './closed-grounds.ts';
import type { OrderStop } from './stop.ts';
import { hasSpeeds, listStops } from './stops.ts';
import { atTower, isPresentGround } from './tower-grounds.ts';

/* The stops that a submission's coverage meets, and how many of its premises take no new connections because of them. */

interface CountedStops {
  covered: number;
  not_orderable: number;
}

interface SubmissionStops {
  stops: OrderStop[];
  /** Of available coverage, today. Null while they are being counted; absent where there are no addresses. */
  premises?: CountedStops | null;
}

const maxKept = 100;
/** More than a provider may have. */
const maxListed = 500;
/** Places in one statement. */
const placesAtOnce = 10_000;

interface Dataset {
  id: number;
  provider_id: number;
  technology: string;
  scope_key: string;
}

export function submissionStopsIn(database: Database) {
  const groundsOf = closedGroundsIn(database);
  /** Those that are asked for at once are counted once. */
  const kept = new LRUCache<string, Promise<CountedStops | null>>({ max: maxKept });
  return async (id: string, today: Day): Promise<SubmissionStops> => {
    const { rows: datasets } = await database.query<Dataset>(sql`
      select d.id, d.provider_id, t.name as technology, d.scope_key from dataset d join technology t on t.id = d.technology_id
      where d.submission_id = ${id} and d.state <> 'loading' and d.rows_removed_at is null order by d.id`);
    const providerId = datasets[0]?.provider_id;
    if (providerId === undefined) return { stops: [] };
    const all = await listStops(database, today, { providerId, limit: maxListed });
    const { ofSubmission, tiers } = await whatTheyClose(database, id, all);
    const stops = all.filter((stop) => stop.state !== 'ended' && ofSubmission.has(stop.id));
    const version = await premisesVersion(database);
    if (version === 0) return { stops };
    const closed = stops.filter(({ state }) => state === 'closed');
    const key = JSON.stringify([datasets.map((one) => one.id), version, closed]);
    const counting = kept.get(key) ?? countIn(datasets, closed, tiers);
    kept.set(key, counting);
    const premises = await counting.catch((error) => {
      kept.delete(key);
      throw error;
    });
    if (premises === null) kept.delete(key);
    return { stops, premises };
  };

  /** @returns null while some are not counted */
  async function countIn(
    datasets: readonly Dataset[],
    closed: readonly OrderStop[],
    tiers: ReadonlyMap<number, number[]>,
  ): Promise<CountedStops | null> {
    const ids = datasets.map(({ id }) => id);
    const covered = await readTierPremises(database, ids);
    if (!covered) return null;
    const grounds = await groundsOf(ids);
    const closedSets: PremisesSet[] = [];
    for (const dataset of datasets) {
      const ofDataset = available(covered).filter(({ datasetId }) => datasetId === dataset.id);
      const about = closed.filter(
        ({ technology }) => technology === null || technology === dataset.technology,
      );
      const places = await closedPlaces(database, ofDataset, about, grounds.get(dataset.id));
      const closedTiers = new Set(about.flatMap((stop) => tiers.get(stop.id) ?? []));
      closedSets.push(notOrderable(ofDataset, closedTiers, places));
    }
    return {
      covered: count(union(...available(covered).map(({ set }) => set))),
      not_orderable: count(union(...closedSets)),
    };
  }
}

const available = (tiers: readonly TierPremises[]) =>
  tiers.filter(({ availability }) => availability === 'available');

/** The stops that close something of a submission, whether it is published or not, and the tiers that those of tiers close. */
async function whatTheyClose(db: Queryable, id: string, stops: readonly OrderStop[]) {
  const areas = stops.flatMap(({ id, area }) => (area ? [{ id, wkb: wkbOf([shapeOf(area).polygon]) }] : []));
  const { rows } = await db.query<{ stop: number; tier: number | null }>(sql`
    with d as (select * from dataset where submission_id = ${id} and state <> 'loading'),
    area as (
      select stop, st_setsrid(st_geomfromwkb(wkb), 4326) as shape
      from unnest(${areas.map(({ id }) => id)}::integer[], ${areas.map(({ wkb }) => wkb)}::bytea[]) as given (stop, wkb)
    )
    select s.id as stop, t.id as tier
    from order_stop s join d on d.provider_id = s.provider_id and d.technology_id = s.technology_id and d.scope_key = s.scope_key
      join tier t on t.dataset_id = d.id
    where s.kind = 'tier' and ${hasSpeeds}
    union all
    select s.id, null
    from order_stop s join d on d.provider_id = s.provider_id and d.technology_id = s.technology_id and d.scope_key = s.scope_key
      join tower_ground g on g.submission_id = d.submission_id
    where s.kind = 'tower' and ${isPresentGround} and ${atTower(sql`s.tower_lng`, sql`s.tower_lat`)}
    union all
    select s.id, null
    from order_stop s join area on area.stop = s.id
    where exists (
      select from d join tier on tier.dataset_id = d.id join coverage c on c.tier_id = tier.id
      where d.technology_id = coalesce(s.technology_id, d.technology_id) and ${meets(sql`c.geom`, sql`area.shape`)})`);
  const tiers = new Map<number, number[]>();
  for (const { stop, tier } of rows) if (tier !== null) tiers.set(stop, [...(tiers.get(stop) ?? []), tier]);
  return { ofSubmission: new Set(rows.map(({ stop }) => stop)), tiers };
}

/** The premises that areas and towers close. */
async function closedPlaces(
  db: Queryable,
  tiers: readonly TierPremises[],
  stops: readonly OrderStop[],
  towersAt: ((lng: number, lat: number) => number[][]) | undefined,
): Promise<PremisesSet> {
  const shapes = stops.flatMap(({ area }) => (area ? [shapeOf(area)] : []));
  const towers = new Set(stops.flatMap(({ id, tower }) => (tower ? [id] : [])));
  if (shapes.length + towers.size === 0) return emptySet();
  const isClosed = (lng: number, lat: number) => {
    if (shapes.some((shape) => areaCovers(shape, lng, lat))) return true;
    const here = (towers.size > 0 && towersAt?.(lng, lat)) || [];
    return here.length > 0 && here.every((ofTower) => ofTower.some((id) => towers.has(id)));
  };
  const found: number[] = [];
  const othersTurn = turnTaker();
  for (const numbers of inPieces(union(...tiers.map(({ set }) => set)), placesAtOnce)) {
    for (const { number, lng, lat } of await premisesOf(db, numbers)) {
      if (isClosed(lng, lat)) found.push(number);
      await othersTurn();
    }
  }
  return setOf(found);
}

/** The premises whose fastest offer is closed, as lookups name that one alone. */
function notOrderable(
  tiers: readonly TierPremises[],
  closedTiers: ReadonlySet<number>,
  places: PremisesSet,
): PremisesSet {
  let faster = emptySet();
  let closed = emptySet();
  for (const { tierId, set } of tiers.toSorted((a, b) => b.bandwidthMax - a.bandwidthMax)) {
    const own = difference(set, faster);
    closed = union(closed, closedTiers.has(tierId) ? own : intersection(own, places));
    faster = union(faster, set);
  }
  return closed;
}
