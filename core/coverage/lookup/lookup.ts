import type { Database, Queryable } from '../../database/database.ts';
import { type Catalog, type CatalogSnapshot, readCatalog, type Tier } from './catalog.ts';

/** What is published at a point: distinct tiers, in no particular order, and the catalog they belong to. */
export interface PointCoverage {
  catalog: CatalogSnapshot;
  tiers: Tier[];
}

/** Points answered by one statement at most: enough to spread its cost, few enough that none waits long. */
const batchSize = 64;

/**
 * Statements under way at once. One keeps a server's core busy while this process prepares the next; the embedded
 * database has one session anyway.
 */
const concurrency = 2;

/** More lookups than this are not kept waiting for a database that does not answer. */
const mostWaiting = 20_000;

/**
 * Answers which published tiers cover a point, its boundary included. Lookups that arrive while others are under way
 * share one statement; a lookup that arrives alone is sent at once.
 */
export class Lookup {
  readonly #database: Database;
  readonly #catalog: Catalog;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(database: Database, catalog: Catalog) {
    this.#database = database;
    this.#catalog = catalog;
  }

  /** @param lat latitude and @param lng longitude in degrees, WGS 84 */
  at(lat: number, lng: number): Promise<PointCoverage> {
    if (this.#waiting.length >= mostWaiting) {
      return Promise.reject(new Error(`${mostWaiting} lookups are waiting for the database`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lat, lng, resolve, reject });
      this.#send();
    });
  }

  #send() {
    while (this.#underWay < concurrency && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchSize);
      this.#underWay++;
      this.#answer(batch)
        .catch((error) => {
          for (const { reject } of batch) reject(error);
        })
        .finally(() => {
          this.#underWay--;
          this.#send();
        });
    }
  }

  async #answer(batch: Waiting[]): Promise<void> {
    const catalog = this.#catalog.snapshot;
    const found = await tiersAt(this.#database, batch);
    // The rows say which catalog they belong to. Where that is not the one in memory, both are read again as one.
    const consistent =
      found.version === catalog.version ? { catalog, found } : await this.#consistently(batch);
    for (const [index, { resolve }] of batch.entries()) {
      const tiers: Tier[] = [];
      for (const id of consistent.found.tierIds[index] ?? []) {
        // A tier that is not in the catalog belongs to a version being loaded, or to one that was superseded.
        const tier = consistent.catalog.tiers.get(id);
        if (tier) tiers.push(tier);
      }
      resolve({ catalog: consistent.catalog, tiers });
    }
  }

  async #consistently(batch: Waiting[]): Promise<{ catalog: CatalogSnapshot; found: FoundTiers }> {
    return this.#database.transaction(async (connection) => {
      const catalog = await readCatalog(connection);
      const found = await tiersAt(connection, batch);
      this.#catalog.adopt(catalog);
      return { catalog, found };
    }, 'repeatable read, read only');
  }
}

interface Waiting {
  lat: number;
  lng: number;
  resolve: (coverage: PointCoverage) => void;
  reject: (error: unknown) => void;
}

interface FoundTiers {
  /** The catalog version of the snapshot that the rows were read from. */
  version: number;
  /** By point, in the order of the points. */
  tierIds: number[][];
}

/** The tiers whose areas cover each point, boundaries included, whether published or not. */
async function tiersAt(db: Queryable, points: readonly { lat: number; lng: number }[]): Promise<FoundTiers> {
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
