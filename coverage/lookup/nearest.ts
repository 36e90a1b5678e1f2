import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { CatalogSnapshot, Technology } from './catalog.ts';

/** The nearest coverage to a position without any. */
export interface Nearest {
  technology: Technology;
  /** The distance to its edge, on the ellipsoid. */
  distanceMetres: number;
}

/** Areas looked at, nearest boxes first. Beyond that, everything near is planned or being loaded. */
const maxAreas = 2_000;
/** Available areas whose distance is calculated: boxes are compared in degrees, and an area may fill little of its box. */
const maxMeasured = 100;

/** The nearest published, available coverage to a position in degrees, WGS 84; undefined where the areas around have none. */
export async function nearestCoverage(
  database: Database,
  { tiers }: CatalogSnapshot,
  lat: number,
  lng: number,
): Promise<Nearest | undefined> {
  const available = [...tiers.values()].filter(({ availability }) => availability === 'available');
  const { rows } = await database.query<{ tierId: number; distance: number }>(sql`
    select tier_id as "tierId", st_distance(geom::geography, st_point(${lng}, ${lat}, 4326)::geography) as distance
    from (
      select * from (
        select tier_id, geom, box(geom) <-> point(${lng}, ${lat}) as away from coverage order by away limit ${maxAreas}
      ) as around
      where tier_id = any (${available.map(({ id }) => id)}::integer[]) order by away limit ${maxMeasured}
    ) as measured
    order by distance, tier_id limit 1`);
  const technology = rows[0] && tiers.get(rows[0].tierId)?.technology;
  return technology && { technology, distanceMetres: rows[0]?.distance as number };
}
