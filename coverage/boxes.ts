import { type Sql, sql } from '../platform/database/sql.ts';

/* Conditions on areas by the index on their boxes: a condition on `geom` alone would read the whole table. */

/** SQL: true where an area covers a position, boundaries included (longitude and latitude in degrees, WGS 84). */
export const covers = (geom: Sql, lng: Sql, lat: Sql): Sql =>
  sql`box(${geom}) @> box(point(${lng}, ${lat})) and st_intersects(${geom}, st_setsrid(st_makepoint(${lng}, ${lat}), 4326))`;

/** SQL: true where the boxes around two areas meet, and for some that are a tenth of a metre apart. */
export const boxesMeet = (geom: Sql, other: Sql): Sql => sql`box(${geom}) && box(${other})`;

/** SQL: true where two areas have a point in common. */
export const meets = (geom: Sql, other: Sql): Sql =>
  sql`${boxesMeet(geom, other)} and st_intersects(${geom}, ${other})`;
