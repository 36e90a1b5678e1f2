import { type Polygon, vertexCount } from '@covermap/geometry/polygon.ts';
import { maxRings, maxVertices } from '../../coverage/area-limits.ts';
import { covers } from '../../coverage/boxes.ts';
import type { AreaOfFile } from '../../coverage/exclusions/proposed.ts';
import type { Example } from '../../coverage/submissions/report.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Position } from '../systems/reference-system.ts';

/* Areas that the file marks as no coverage, over others that are coverage. Coverage is the union of areas, so they take nothing away. */

/** An area of no coverage, with places inside it. */
export interface UncoveredArea
  extends Pick<Example, 'layer' | 'feature' | 'name'>,
    Pick<AreaOfFile, 'polygons'> {
  /** Undefined: of no technology. */
  technology: string | undefined;
  places: { lng: number; lat: number }[];
}

const maxAreas = 10_000;
/** Of the areas of a file that are kept as they are drawn. */
const maxCornersKept = 100_000;
/** Of the height or width of an area. */
const fractions = [0.27, 0.51, 0.73];

/** Keeps areas with places inside them; an even selection where they are too many. */
export class Spread<T> {
  #kept: T[] = [];
  #step = 1;
  #count = 0;

  add(make: () => T): void {
    if (this.#count++ % this.#step !== 0) return;
    this.#kept.push(make());
    if (this.#kept.length < maxAreas) return;
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
    this.#step *= 2;
  }

  get kept(): readonly T[] {
    return this.#kept;
  }
}

/** Copies of the areas of a file that exclusions may be made of, in their coordinates; an empty list for others, and once there are too many. */
export function drawnAreas() {
  let left = maxCornersKept;
  return (polygons: readonly Polygon[]): Position[][][] => {
    const corners = vertexCount(polygons);
    const isUsable = polygons.every((one) => one.length <= maxRings && vertexCount([one]) <= maxVertices);
    if (!isUsable || corners > left) return [];
    left -= corners;
    return polygons.map((rings) => rings.map(positionsOf));
  };
}

function positionsOf(ring: Float64Array): Position[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [
    ring[2 * i] as number,
    ring[2 * i + 1] as number,
  ]);
}

/** Up to nine places well inside the polygons, in their coordinates: along the widest part at three heights of the largest. */
export function placesInside(polygons: readonly Polygon[]): Position[] {
  const heights = polygons.map((rings) => ({ rings, ...heightOf(rings) }));
  const [largest] = heights.sort((a, b) => b.top - b.bottom - (a.top - a.bottom));
  if (!largest) return [];
  const { rings, bottom, top } = largest;
  return fractions.flatMap((up) => {
    const y = bottom + up * (top - bottom);
    const [from, to] = widest(rings, y);
    return to > from ? fractions.map((along): Position => [from + along * (to - from), y]) : [];
  });
}

function heightOf([outer = new Float64Array()]: Polygon): { bottom: number; top: number } {
  let [bottom, top] = [Infinity, -Infinity];
  for (let i = 1; i < outer.length; i += 2) {
    bottom = Math.min(bottom, outer[i] as number);
    top = Math.max(top, outer[i] as number);
  }
  return { bottom, top };
}

/** The widest part of a polygon at a height. */
function widest(rings: Polygon, y: number): [from: number, to: number] {
  const crossings: number[] = [];
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [y1, y2] = [ring[i + 1] as number, ring[i + 3] as number];
      if (y1 > y === y2 > y) continue;
      const [x1, x2] = [ring[i] as number, ring[i + 2] as number];
      crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  }
  crossings.sort((a, b) => a - b);
  let [from, to] = [0, 0];
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [left, right] = [crossings[i] as number, crossings[i + 1] as number];
    if (right - left > to - from) [from, to] = [left, right];
  }
  return [from, to];
}

/** The areas with a place that one of the datasets covers; for areas that name a technology, a dataset of that technology. */
export async function coveredAreas(
  db: Queryable,
  areas: readonly UncoveredArea[],
  datasets: readonly number[],
): Promise<UncoveredArea[]> {
  const places = areas.flatMap(({ technology = null, places }, area) =>
    places.map((place) => ({ area, technology, ...place })),
  );
  if (places.length === 0) return [];
  const { rows } = await db.query<{ area: number }>(sql`
    select distinct place.area
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as place (area int, technology text, lng float8, lat float8)
    where exists (
      select from coverage c
      join tier t on t.id = c.tier_id
      join dataset d on d.id = t.dataset_id
      join technology on technology.id = d.technology_id
      where t.dataset_id = any (${datasets}) and ${covers(sql`c.geom`, sql`place.lng`, sql`place.lat`)}
        and technology.name = coalesce(place.technology, technology.name)
    )
    order by place.area`);
  return rows.flatMap(({ area }) => areas[area] ?? []);
}
