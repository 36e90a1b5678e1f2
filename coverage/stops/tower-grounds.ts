import { type Sql, sql } from '../../platform/database/sql.ts';

/* Where the towers at each place serve, as it was worked out with coverage that the service modelled. */

/** Degrees, about a decimetre: the same tower in another list. */
const samePlace = 1e-6;

/** SQL: true where a `tower_ground g` belongs to the modelling that its submission's coverage is of. */
export const isPresentGround = sql`exists (
  select from modelling m where m.submission_id = g.submission_id and m.run = g.run and m.state = 'done')`;

/** SQL: true where a `tower_ground g` is that of the towers at a place. */
export const atTower = (lng: Sql, lat: Sql): Sql =>
  sql`abs(g.lng - ${lng}) <= ${samePlace}::float8 and abs(g.lat - ${lat}) <= ${samePlace}::float8`;
