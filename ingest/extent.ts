import type { Bounds } from '../core/config.ts';
import { onDataError } from '../core/database/data-error.ts';
import type { Queryable } from '../core/database/database.ts';
import { sql } from '../core/database/sql.ts';
import { IngestError } from './errors.ts';
import type { Box } from './geometry/polygon.ts';
import type { ReferenceSystem } from './reference-system.ts';

/**
 * Whether a raster certainly lies outside the service area: then nobody need be asked what its pixels mean.
 * @param extent in the reference system's coordinates
 */
export async function liesOutside(
  db: Queryable,
  system: ReferenceSystem,
  [xmin, ymin, xmax, ymax]: Box,
  area: Bounds,
): Promise<boolean> {
  const side = Math.max(xmax - xmin, ymax - ymin);
  if (!(side > 0 && Number.isFinite(side))) return false;
  // Degrees that are counted on past 180, or are none.
  if (!system.projected && (xmin < -180 || xmax > 180 || ymin < -90 || ymax > 90)) return false;
  // Sides are curves after the transformation: in pieces they come close enough.
  const pieces = sql`st_segmentize(st_makeenvelope(${xmin}, ${ymin}, ${xmax}, ${ymax}), ${side / 32}::float8)`;
  const statement = sql`
    select not st_intersects(st_envelope(st_transform(${pieces}, ${system.definition}::text, 4326)),
      st_makeenvelope(${area.west}, ${area.south}, ${area.east}, ${area.north}, 4326)) as outside`;
  const found = await db.query<{ outside: boolean }>(statement).catch(onDataError(undefined));
  return found?.rows[0]?.outside === true;
}

export const rasterOutside = (layer: string, { name }: ReferenceSystem) =>
  new IngestError(
    'outside_service_area',
    `According to its reference system, ${name}, the raster ${layer} lies outside the service area.`,
  );
