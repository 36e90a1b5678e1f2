import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/* Versions are compared cell by cell: squares with about as many areas each, so that no statement takes long, and few are needed. */

/** A square in degrees. */
export interface Cell {
  west: number;
  south: number;
  side: number;
  /** Areas with their middle in it. */
  areas: number;
}

/** Sides in degrees: powers of two, so that corners are exact; each is half of the one before. Areas in a cell are exact to a millionth. */
const sides = [0.25, 0.125, 0.0625, 0.03125] as const;
const finest = sides[sides.length - 1] as number;
const maxAreas = 500;
const statementAreas = { server: 5000, embedded: 500 };

/** Areas with their middle in one of the finest cells, counted from longitude and latitude 0, and the box around those that differ. */
type Counted = Record<'x' | 'y' | 'areas', number> & Record<'xmin' | 'ymin' | 'xmax' | 'ymax', number | null>;

export interface CellOptions {
  signal?: AbortSignal | undefined;
  /** Called between statements with the duration of the last one, so that more urgent work goes first. */
  pause?: (tookMs: number) => Promise<void>;
}

const timeoutMs = 60_000;

/**
 * The cells that the differences of two versions reach into, in groups of one statement each, with the limits of that statement. Areas that
 * both versions have to the byte are recognised by their digests.
 */
export async function* cellsOf(
  database: Database,
  datasetIds: readonly [mine: number, theirs?: number],
  { signal, pause }: CellOptions,
): AsyncGenerator<{ cells: Cell[]; limits: { timeoutMs: number; signal?: AbortSignal } }> {
  const limits = { timeoutMs, ...(signal && { signal }) };
  const { rows } = await database.query<Counted>({
    ...limits,
    ...sql`
      with piece as materialized (
        select t.dataset_id, t.availability = 'available' as is_available, c.digest,
          st_xmin(c.geom) as xmin, st_ymin(c.geom) as ymin, st_xmax(c.geom) as xmax, st_ymax(c.geom) as ymax
        from tier t join coverage c on c.tier_id = t.id
        where t.dataset_id = any (${datasetIds})
      ),
      distinct_area as (
        select count(*) as areas, min(dataset_id) = max(dataset_id) as differs,
          min(xmin) as xmin, min(ymin) as ymin, min(xmax) as xmax, min(ymax) as ymax
        from piece group by is_available, digest
      )
      select floor((xmin + xmax) / 2 / ${finest}::float8)::integer as x,
        floor((ymin + ymax) / 2 / ${finest}::float8)::integer as y,
        sum(areas)::integer as areas,
        min(xmin) filter (where differs) as xmin, min(ymin) filter (where differs) as ymin,
        max(xmax) filter (where differs) as xmax, max(ymax) filter (where differs) as ymax
      from distinct_area
      group by 1, 2`,
  });
  for (const cells of grouped(divide(rows), statementAreas[database.kind])) {
    const began = performance.now();
    yield { cells, limits };
    await pause?.(performance.now() - began);
    signal?.throwIfAborted();
  }
}

/** Divides the ground that differs into the largest cells with at most `max` areas. */
export function divide(counted: readonly Counted[], max = maxAreas): Cell[] {
  // By side: areas by cell, and the cells that a difference reaches into.
  const levels = sides.map((side) => {
    const areas = new Map<string, number>();
    const factor = finest / side;
    for (const { x, y, areas: more } of counted) {
      const key = keyOf(Math.floor(x * factor), Math.floor(y * factor));
      areas.set(key, (areas.get(key) ?? 0) + more);
    }
    return { side, areas };
  });
  const cells: Cell[] = [];
  const add = (level: number, x: number, y: number): void => {
    const { side, areas } = levels[level] as (typeof levels)[number];
    const count = areas.get(keyOf(x, y)) ?? 0;
    if (count <= max || level === levels.length - 1) {
      cells.push({ west: x * side, south: y * side, side, areas: count });
      return;
    }
    for (const dy of [0, 1]) for (const dx of [0, 1]) add(level + 1, 2 * x + dx, 2 * y + dy);
  };
  const [largest] = sides;
  const reached = new Set<string>();
  for (const { xmin, ymin, xmax, ymax } of counted) {
    if (xmin === null || ymin === null || xmax === null || ymax === null) continue;
    for (let x = Math.floor(xmin / largest); x <= Math.floor(xmax / largest); x++) {
      for (let y = Math.floor(ymin / largest); y <= Math.floor(ymax / largest); y++) reached.add(keyOf(x, y));
    }
  }
  for (const key of [...reached].sort()) add(0, ...(key.split(' ').map(Number) as [number, number]));
  return cells;
}

const keyOf = (x: number, y: number) => `${x} ${y}`;

/** Groups cells by the areas that one statement may work on; each cell counts as one area at least. */
function grouped(cells: readonly Cell[], max: number): Cell[][] {
  const groups: Cell[][] = [];
  let areas = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    const more = Math.max(1, cell.areas);
    if (areas + more > max) {
      groups.push([]);
      areas = 0;
    }
    groups.at(-1)?.push(cell);
    areas += more;
  }
  return groups;
}
