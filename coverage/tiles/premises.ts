import { positionIn, type Tile, tileBox } from '@covermap/geometry/tile.ts';
import { bandHeight, unitsPerDegree } from '../../addresses/address.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { readChangedPremises } from '../datasets/changed-premises.ts';
import type { ChangeKind } from '../premises/change.ts';
import { unpacked } from '../premises/premises-set.ts';
import { type DrawnPoint, encodePoints } from './encode.ts';

/** Below this zoom a map shows how many there are by suburb: a tile would have too many points. */
const firstZoomOfPremises = 12;
/** From this zoom on all points are drawn; before, one in each of so many squares on a side. */
const zoomOfAll = 16;
const squaresPerSide = 128;

/** The changed premises of a submission as a vector tile with the layer `premises`; undefined where there are none. */
export async function changedPremisesTile(db: Queryable, submissionId: string, tile: Tile) {
  if (tile.z < firstZoomOfPremises) return undefined;
  const place = positionIn(tile);
  const points = new Map<number, DrawnPoint>();
  // The worst change of premises is the one that is drawn.
  for (const { change, premises } of await readChangedPremises(db, submissionId)) {
    for (const { number, lng, lat } of await premisesIn(db, unpacked(premises), tile)) {
      if (points.has(number)) continue;
      const at = place(lng / unitsPerDegree, lat / unitsPerDegree);
      points.set(number, { at, properties: { number, change: change satisfies ChangeKind } });
    }
  }
  return encodePoints('premises', [...points.values()]);
}

/** The band of the index `premises_place`, as SQL divides. */
const bandOf = (lat: number) => Math.trunc(lat / bandHeight);

/** The premises of a set in a tile, thinned out for low zooms. In 1e-7 degrees. */
async function premisesIn(db: Queryable, set: Uint32Array<ArrayBuffer>, tile: Tile) {
  const { west, south, east, north } = tileBox(tile);
  const units = (degrees: number) => Math.round(degrees * unitsPerDegree);
  const [left, bottom, right, top] = [units(west), units(south), units(east), units(north)];
  const squares = tile.z >= zoomOfAll ? 4096 : squaresPerSide;
  const { rows } = await db.query<{ number: number; lng: number; lat: number }>(sql`
    with changed as (select ${Buffer.from(set.buffer)}::bytea as bits)
    select distinct on (1, 2) width_bucket(p.lng, ${left}::integer, ${right}::integer, ${squares}::integer) as column_number,
      width_bucket(p.lat, ${bottom}::integer, ${top}::integer, ${squares}::integer) as row_number, p.number, p.lng, p.lat
    from changed, generate_series(${bandOf(bottom)}::integer, ${bandOf(top)}::integer) as band (number)
    cross join lateral (
      select * from premises
      where lat / ${raw(String(bandHeight))} = band.number and lng between ${left}::integer and ${right}::integer
    ) as p
    where p.lat between ${bottom}::integer and ${top}::integer
      and p.number < 8 * octet_length(changed.bits) and get_bit(changed.bits, p.number) = 1
    order by 1, 2, p.number`);
  return rows;
}
