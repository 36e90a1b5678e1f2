import type { Bounds } from '../core/config.ts';
import { isDataError } from '../core/database/data-error.ts';
import type { Queryable } from '../core/database/database.ts';
import { IngestError } from './errors.ts';
import type { Box } from './geometry/polygon.ts';
import type { ReferenceSystem } from './reference-system.ts';

/** Whether a raster of this extent certainly lies outside: then nobody need be asked what its pixels mean. */
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
  try {
    const { rows } = await db.query<{ outside: boolean }>(
      // Sides are curves after the transformation: in pieces they come close enough.
      `select not st_intersects(
         st_envelope(st_transform(st_segmentize(st_makeenvelope($1, $2, $3, $4), $5::float8), $6::text, 4326)),
         st_makeenvelope($7, $8, $9, $10, 4326)) as outside`,
      [
        ...[xmin, ymin, xmax, ymax, side / 32],
        system.definition,
        ...[area.west, area.south, area.east, area.north],
      ],
    );
    return rows[0]?.outside === true;
  } catch (error) {
    if (!isDataError(error)) throw error;
    return false;
  }
}

export const rasterOutside = (layer: string, { name }: ReferenceSystem) =>
  new IngestError(
    'outside_service_area',
    `According to its reference system, ${name}, the raster ${layer} lies outside the service area.`,
  );
