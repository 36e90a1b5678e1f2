import type { Database } from '../../database/database.ts';
import { raw, type Sql, sql } from '../../database/sql.ts';

/* SQL of polygons laid over one another. What is null has no ground. */

/**
 * Coordinates are rounded to this where two geometries are overlaid, in degrees (a tenth of a millimetre), so that nearly coincident
 * edges do not make GEOS fail and try again, which the embedded build cannot.
 */
const grid = raw('1e-9');

/** The polygons of a geometry; null where it has none. */
export const areal = (geometry: Sql): Sql =>
  sql`(select polygons from st_collectionextract(${geometry}, 3) as polygons where not st_isempty(polygons))`;
/** What two geometries share. */
export const shared = (a: Sql, b: Sql): Sql => areal(sql`st_intersection(${a}, ${b}, ${grid})`);
/** A geometry minus another. */
export const without = (a: Sql, b: Sql): Sql =>
  sql`case when ${b} is null then ${a} else ${areal(sql`st_difference(${a}, ${b}, ${grid})`)} end`;
/** The union of two geometries. */
export const together = (a: Sql, b: Sql): Sql => sql`coalesce(st_union(${a}, ${b}, ${grid}), ${a}, ${b})`;

/** An aggregate: the union of areas within `box`. GEOS of a server tries again by itself where it fails, and takes a third of the time without the grid. */
export function unionWithin(kind: Database['kind'], area: Sql, condition = sql`true`): Sql {
  const rounding = kind === 'embedded' ? sql`, ${grid}` : sql``;
  const clipped = sql`case when ${area} @ box then ${area} else ${areal(sql`st_intersection(${area}, box${rounding})`)} end`;
  return sql`st_union(${clipped}${rounding}) filter (where ${condition})`;
}

/** Square metres; 0 of nothing. */
export const squareMetres = (geometry: Sql): Sql => sql`coalesce(coverage_area_m2(${geometry}), 0)`;
