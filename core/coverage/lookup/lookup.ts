import { coalesced } from '../../database/coalescer.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { type Catalog, type CatalogSnapshot, readCatalog, type Tier } from './catalog.ts';

/** What is published at a point: distinct tiers, in no particular order, and the catalog they belong to. */
export interface PointCoverage {
  catalog: CatalogSnapshot;
  tiers: Tier[];
}

interface Point {
  lat: number;
  lng: number;
}

export type Lookup = ReturnType<typeof lookupIn>;

/** Answers which published tiers cover a point, boundaries included. Lookups that arrive while others are under way share one statement. */
export function lookupIn(database: Database, current: Catalog) {
  const answer = async (points: readonly Point[]): Promise<PointCoverage[]> => {
    const { snapshot } = current;
    const found = await tiersAt(database, points);
    // The rows name the version of their catalog. Where the one in memory is another, both are read again in one snapshot.
    const { catalog, tierIds } =
      found.version === snapshot.version
        ? { catalog: snapshot, tierIds: found.tierIds }
        : await readConsistently(database, points);
    current.adopt(catalog);
    // A tier that is not in the catalog belongs to a version being loaded, or to a superseded one.
    return tierIds.map((ids) => ({
      catalog,
      tiers: ids.map((id) => catalog.tiers.get(id)).filter((tier) => tier !== undefined),
    }));
  };
  const ask = coalesced<Point, PointCoverage>({
    answer,
    // Enough to spread the cost of a statement, few enough that no point waits long.
    maxSize: 64,
    // A server works on one statement while this process prepares the next; the embedded database has one session.
    concurrency: 2,
    maxWaiting: 20_000,
  });
  return {
    /** @param lat latitude and @param lng longitude in degrees, WGS 84 */
    at: (lat: number, lng: number) => ask({ lat, lng }),
  };
}

function readConsistently(database: Database, points: readonly Point[]) {
  return database.transaction(
    async (connection) => ({
      catalog: await readCatalog(connection),
      tierIds: (await tiersAt(connection, points)).tierIds,
    }),
    'repeatable read, read only',
  );
}

/**
 * The tiers whose areas cover each point, boundaries included, whether published or not, and the version of the catalog in the
 * same snapshot.
 */
async function tiersAt(db: Queryable, points: readonly Point[]) {
  const { rows } = await db.query<{ version: number; point: number | null; tier_id: number | null }>({
    name: 'tiers_at_points',
    // The left join returns the version also where nothing covers any of the points.
    text: `
      select catalog.version, found.point, found.tier_id
      from catalog
      left join (
        select distinct point.number::integer as point, coverage.tier_id
        from unnest($1::float8[], $2::float8[]) with ordinality as point (lng, lat, number)
        cross join lateral (
          select tier_id from coverage
          where st_intersects(geom, st_setsrid(st_makepoint(point.lng, point.lat), 4326))
        ) as coverage
      ) as found on true`,
    values: [points.map((point) => point.lng), points.map((point) => point.lat)],
  });
  const tierIds: number[][] = points.map(() => []);
  for (const { point, tier_id } of rows) {
    if (point !== null && tier_id !== null) tierIds[point - 1]?.push(tier_id);
  }
  return { version: rows[0]?.version ?? 0, tierIds };
}
