import { LRUCache } from 'lru-cache';
import { coalesced, silenceMs } from '../../platform/database/coalescer.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { lookupDuration, lookupPositions } from '../../platform/metrics/process-metrics.ts';
import { onceForEach } from '../../platform/once-for-each.ts';
import { covers } from '../boxes.ts';
import { type Catalog, type CatalogSnapshot, notOlder, readCatalog, type Tier } from './catalog.ts';
import { looksAround } from './nearby.ts';
import { nearestCoverage } from './nearest.ts';

/** Published coverage at a point: distinct tiers, in no particular order, and the catalog they belong to. */
export interface PointCoverage {
  catalog: CatalogSnapshot;
  tiers: Tier[];
}

type Point = Record<'lat' | 'lng', number>;

export type Lookup = ReturnType<typeof lookupIn>;

/** Max sets of tiers in memory. */
const maxSets = 5_000;

/** Answers which published tiers cover a point, boundaries included. Simultaneous lookups share one statement. */
export function lookupIn(database: Database, current: Catalog) {
  const answer = async (points: readonly Point[]): Promise<PointCoverage[]> => {
    const { snapshot } = current;
    // A replica may be behind earlier answers.
    const found = await measured(points.length, () =>
      notOlder(database, snapshot.version, (from) => tiersAt(from, points)),
    );
    // The rows name the version of their catalog. If the one in memory is another, both are read again in one snapshot.
    const { catalog, tierIds } =
      found.version === snapshot.version
        ? { catalog: snapshot, tierIds: found.tierIds }
        : await notOlder(database, snapshot.version, (from) => readConsistently(from, points));
    current.adopt(catalog);
    return tierIds.map((ids) => coverageOf(catalog, ids));
  };
  const ask = coalesced<Point, PointCoverage>({
    name: 'look up positions',
    answer,
    // Enough to spread the cost of a statement, few enough that no point waits long.
    maxSize: 64,
    // A server works on one statement while this process prepares the next; the embedded database has one session.
    concurrency: 2,
    maxWaiting: 20_000,
    byTurn: true,
    withinMs: silenceMs(database),
  });
  const lookAround = looksAround(database, current);
  return {
    /** @param lat latitude and @param lng longitude in degrees, WGS 84 */
    at: (lat: number, lng: number) => ask({ lat, lng }),
    /** The same, with what ends and begins within so many metres. @throws CovermapError `nearby_too_much` */
    around: (lat: number, lng: number, metres: number) => lookAround({ lat, lng, metres }),
    /** The nearest available coverage to a position without any, by {@link nearestCoverage}. */
    nearest: (lat: number, lng: number) => nearestCoverage(database, current.snapshot, lat, lng),
  };
}

/** Records a statement, however many positions share it. */
async function measured<T>(positions: number, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  lookupPositions.observe(positions);
  let outcome = 'error';
  try {
    const found = await work();
    outcome = 'ok';
    return found;
  } finally {
    lookupDuration.observe({ outcome }, (performance.now() - began) / 1000);
  }
}

function readConsistently(database: Database, points: readonly Point[]) {
  return database.transaction(
    async (connection) => ({
      catalog: await readCatalog(connection),
      ...(await tiersAt(connection, points)),
    }),
    'repeatable read, read only',
  );
}

/**
 * SQL. $1, $2: longitudes and latitudes. The tiers whose areas cover each point, boundaries included, published or not, as a text of their ids in
 * order, and the version of the catalog in the same snapshot. One row: a row for each tier would take longer to send and to read than to find.
 */
const tiersAtPoints = `
  select version, (
    select string_agg(
      array_to_string(array(
        select distinct tier_id from coverage
        where ${covers(sql`geom`, sql`lng`, sql`lat`)} order by tier_id), ','),
      ';' order by number)
    from unnest($1::float8[], $2::float8[]) with ordinality as point (lng, lat, number)
  ) as tiers
  from catalog`;

async function tiersAt(db: Queryable, points: readonly Point[]) {
  const { rows } = await db.query<{ version: number; tiers: string }>({
    name: 'tiers_at_points',
    text: tiersAtPoints,
    values: [floats(points, 'lng'), floats(points, 'lat')],
  });
  const { version, tiers } = rows[0] as (typeof rows)[number];
  return { version, tierIds: tiers.split(';') };
}

/** PostgreSQL's text of an array: node-postgres would quote each number. */
function floats(points: readonly Point[], axis: keyof Point): string {
  let text = '{';
  for (const point of points) text += text === '{' ? point[axis] : `,${point[axis]}`;
  return `${text}}`;
}

const setsOf = onceForEach((_: CatalogSnapshot) => new LRUCache<string, PointCoverage>({ max: maxSets }));

/** The coverage of a set of tiers. Points with the same set share it and its caches. @param ids separated by commas */
function coverageOf(catalog: CatalogSnapshot, ids: string): PointCoverage {
  const known = setsOf(catalog);
  let coverage = known.get(ids);
  if (!coverage) {
    // A tier outside the catalog belongs to a version being loaded, or to a superseded one.
    const tiers = ids.split(',').map((id) => catalog.tiers.get(Number(id)));
    coverage = { catalog, tiers: tiers.filter((tier) => tier !== undefined) };
    known.set(ids, coverage);
  }
  return coverage;
}
