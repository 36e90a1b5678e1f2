import { Coalescer } from '../../database/coalescer.ts';
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

/**
 * Answers which published tiers cover a point, its boundary included. Lookups that arrive while others are under way
 * share one statement; a lookup that arrives alone is sent at once.
 */
export class Lookup {
  readonly #database: Database;
  readonly #catalog: Catalog;
  readonly #coalescer = new Coalescer<Point, PointCoverage>({
    answer: (points) => this.#answer(points),
    // Enough points to spread the cost of a statement, few enough that none waits long.
    maxSize: 64,
    // One statement keeps a server's core busy while this process prepares the next; the embedded database has one session.
    concurrency: 2,
    maxWaiting: 20_000,
  });

  constructor(database: Database, catalog: Catalog) {
    this.#database = database;
    this.#catalog = catalog;
  }

  /** @param lat latitude and @param lng longitude in degrees, WGS 84 */
  at(lat: number, lng: number): Promise<PointCoverage> {
    return this.#coalescer.ask({ lat, lng });
  }

  async #answer(points: readonly Point[]): Promise<PointCoverage[]> {
    const snapshot = this.#catalog.snapshot;
    const found = await tiersAt(this.#database, points);
    // The rows say which catalog they belong to. Where that is not the one in memory, both are read again as one.
    const { catalog, tierIds } =
      found.version === snapshot.version
        ? { catalog: snapshot, tierIds: found.tierIds }
        : await this.#consistently(points);
    return tierIds.map((ids) => {
      const tiers: Tier[] = [];
      for (const id of ids) {
        // A tier that is not in the catalog belongs to a version being loaded, or to a superseded one.
        const tier = catalog.tiers.get(id);
        if (tier) tiers.push(tier);
      }
      return { catalog, tiers };
    });
  }

  #consistently(points: readonly Point[]): Promise<{ catalog: CatalogSnapshot; tierIds: number[][] }> {
    return this.#database.transaction(async (connection) => {
      const catalog = await readCatalog(connection);
      const { tierIds } = await tiersAt(connection, points);
      this.#catalog.adopt(catalog);
      return { catalog, tierIds };
    }, 'repeatable read, read only');
  }
}

interface FoundTiers {
  /** The catalog version of the snapshot that the rows were read from. */
  version: number;
  /** By point, in the order of the points. */
  tierIds: number[][];
}

/** The tiers whose areas cover each point, boundaries included, whether published or not. */
async function tiersAt(db: Queryable, points: readonly Point[]): Promise<FoundTiers> {
  const { rows } = await db.query<{ version: number; point: number | null; tier_id: number | null }>({
    name: 'tiers_at_points',
    // The left join brings the version back also where nothing covers any of the points.
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
