import type { Database } from '../../platform/database/database.ts';
import { openNotifiedCache } from '../../platform/database/notified-cache.ts';
import { sql } from '../../platform/database/sql.ts';
import { addDays, type Day } from '../../platform/nz-time.ts';
import { type Area, areaCovers, type DrawnArea, shapeOf } from '../drawn-area.ts';
import type { Tier } from '../lookup/catalog.ts';
import type { PointCoverage } from '../lookup/lookup.ts';
import type { SpeedField } from '../speeds.ts';
import { type ClosedGrounds, closedGroundsIn } from './closed-grounds.ts';
import type { OrderStop } from './stop.ts';

/* The stops in this process's memory, kept fresh by NOTIFY. Only answers that are asked whether one can order use them. */

/** What `?orderable=1` adds to a provider's entry. */
export interface Orderable {
  orderable: boolean;
  /** The day after the last one of its stops; null where that is not known, or where it can be ordered now. */
  orderable_from: Day | null;
}

interface Days {
  from: Day;
  until: Day | null;
}

type Row = Days & {
  id: number;
  provider_id: number;
  kind: OrderStop['kind'];
  technology_id: number | null;
} & {
  scope_key: string | null;
  area: DrawnArea | null;
} & Record<SpeedField, number | null>;

/** A stop, with the shape of its area. */
type Stop = Row & { shape: Pick<Area, 'polygon' | 'box'> | undefined };

interface Stops {
  /** Of the catalog in the same snapshot: what is published later has datasets that these stops do not know. */
  version: number;
  ofProvider: ReadonlyMap<number, readonly Stop[]>;
  /** Of published datasets of these providers. */
  scopeOf: ReadonlyMap<number, string>;
  grounds: ClosedGrounds;
}

/** @param database of lookups, not a replica, which may be behind @param notifier that of whoever makes stops */
export async function openOrderStops(database: Database, notifier: Database, today: () => Day) {
  const groundsOf = closedGroundsIn(database);
  const cache = await openNotifiedCache(notifier, 'order_stop', () =>
    readStops(database, today(), groundsOf),
  );
  return {
    /** Tells of each tier at a position whether it can be ordered there. @param lng and `lat`: degrees */
    async at({ catalog }: PointCoverage, lng: number, lat: number): Promise<(tier: Tier) => Orderable> {
      let stops = await cache.get();
      if (stops.version < catalog.version) {
        cache.drop(stops);
        stops = await cache.get();
      }
      const day = today();
      return (tier) => {
        if (tier.availability !== 'available') return { orderable: false, orderable_from: null };
        const all = stops.ofProvider.get(tier.provider.id) ?? [];
        const here = all.filter((stop) => closes(stop, tier, stops.scopeOf.get(tier.datasetId), lng, lat));
        const towers = stops.grounds.get(tier.datasetId)?.(lng, lat) ?? [];
        return whenOrderable(
          here,
          day,
          towers.map((ids) => all.filter(({ id }) => ids.includes(id))),
        );
      };
    },
    close: () => cache.close(),
  };
}

/**
 * Whether an offer that stops close on their days can be ordered on a day, and else from when on.
 * @param towers the stops of each of the towers that serve the place, where all of them have some: they close it only together
 */
function whenOrderable(
  stops: readonly Days[],
  today: Day,
  towers: readonly (readonly Days[])[] = [],
): Orderable {
  const isClosed = (day: Day) =>
    stops.some(holdsOn(day)) || (towers.length > 0 && towers.every((ofTower) => ofTower.some(holdsOn(day))));
  if (!isClosed(today)) return { orderable: true, orderable_from: null };
  // It opens on the day after one of the last days, if on any.
  const days = [...stops, ...towers.flat()].flatMap(({ until }) =>
    until !== null && until >= today ? [addDays(until, 1)] : [],
  );
  return { orderable: false, orderable_from: days.sort().find((day) => !isClosed(day)) ?? null };
}

const holdsOn =
  (day: Day) =>
  ({ from, until }: Days): boolean =>
    from <= day && (until === null || until >= day);

function closes(stop: Stop, tier: Tier, scope: string | undefined, lng: number, lat: number): boolean {
  if (stop.technology_id !== null && stop.technology_id !== tier.technology.id) return false;
  if (stop.kind === 'area') return stop.shape !== undefined && areaCovers(stop.shape, lng, lat);
  return stop.kind === 'tier' && stop.scope_key === scope && hasSpeedsOf(stop, tier);
}

const hasSpeedsOf = (stop: Stop, tier: Tier): boolean =>
  stop.bandwidth_min_mbps === tier.bandwidthMin &&
  stop.bandwidth_max_mbps === tier.bandwidthMax &&
  stop.bandwidth_up_min_mbps === tier.bandwidthUpMin &&
  stop.bandwidth_up_max_mbps === tier.bandwidthUpMax;

/** The stops that have not ended. */
async function readStops(
  database: Database,
  today: Day,
  groundsOf: ReturnType<typeof closedGroundsIn>,
): Promise<Stops> {
  const { rows } = await database.query<{
    version: number;
    stops: Row[];
    scopes: [id: number, scope: string][];
    modelled: number[];
  }>(sql`
    with stop as (select * from order_stop where coalesce(until_day >= ${today}::date, true))
    select version,
      (select coalesce(json_agg(json_build_object('id', id, 'provider_id', provider_id, 'kind', kind, 'technology_id', technology_id,
        'scope_key', scope_key, 'area', area, 'from', from_day, 'until', until_day,
        'bandwidth_min_mbps', bandwidth_min_mbps, 'bandwidth_max_mbps', bandwidth_max_mbps,
        'bandwidth_up_min_mbps', bandwidth_up_min_mbps, 'bandwidth_up_max_mbps', bandwidth_up_max_mbps)), '[]') from stop) as stops,
      (select coalesce(json_agg(json_build_array(id, scope_key)), '[]') from dataset
        where state = 'published' and provider_id in (select provider_id from stop)) as scopes,
      (select coalesce(json_agg(d.id), '[]') from dataset d
        where state = 'published' and exists (select from stop s where s.kind = 'tower' and s.provider_id = d.provider_id
          and s.technology_id = d.technology_id and s.scope_key = d.scope_key)) as modelled
    from catalog`);
  const [read] = rows;
  if (!read) throw new Error('the catalog table has lost its row');
  const ofProvider = new Map<number, Stop[]>();
  for (const row of read.stops) {
    const shape = row.area ? shapeOf(row.area) : undefined;
    const others = ofProvider.get(row.provider_id) ?? [];
    ofProvider.set(row.provider_id, [...others, { ...row, shape }]);
  }
  const scopeOf = new Map(read.scopes);
  const grounds = await groundsOf(read.modelled);
  return { version: Number(read.version), ofProvider, scopeOf, grounds };
}
