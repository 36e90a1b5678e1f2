import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Area } from '../../../geometry/overlay.ts';
import type { Database } from '../../database/database.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { threadFile } from '../../programs.ts';
import { boxesMeet } from '../boxes.ts';
import { type Cell, type CellOptions, cellsOf } from './cells.ts';
import type { CellChange, CellOfAreas } from './overlay-thread.ts';

/** Coverage could not be laid over other coverage: GEOS gave up, or took too long. It would again. */
export class OverlayError extends Error {}

/** For one cell. */
const timeoutMs = 60_000;

export interface Versions {
  /** What may have come: gained, where it is not in `theirs`. */
  mine: number;
  theirs: number | undefined;
  /** What still counts where something is lost. */
  beside: readonly number[];
}

/**
 * Lays a version over another, cell by cell, in a thread of its own. Cells in which nothing differs are left out. Memory holds the
 * areas of one group of cells.
 * @throws OverlayError
 */
export async function* overlaid(
  database: Database,
  versions: Versions,
  options: CellOptions,
): AsyncGenerator<CellChange[]> {
  const { mine, theirs } = versions;
  const thread = new Worker(threadFile('overlay'), { execArgv: [] });
  // It is reported to whoever waits for an answer.
  thread.on('error', () => undefined);
  const ask = async (cell: CellOfAreas): Promise<CellChange> => {
    const limits = [AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])];
    thread.postMessage(cell);
    try {
      return (await once(thread, 'message', { signal: AbortSignal.any(limits) }))[0] as CellChange;
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new OverlayError('coverage could not be laid over other coverage', { cause: error });
    }
  };
  try {
    for await (const { cells, limits } of cellsOf(database, theirs ? [mine, theirs] : [mine], options)) {
      const changes: CellChange[] = [];
      for (const cell of await differingAreas(database, cells, versions, limits))
        changes.push(await ask(cell));
      yield changes;
    }
  } finally {
    await thread.terminate();
  }
}

/**
 * Of each cell in which the versions differ, what only one of them has, and what else is near that. Areas that are in both to the byte
 * are told by their digests.
 */
async function differingAreas(
  database: Database,
  cells: readonly Cell[],
  { mine, theirs, beside }: Versions,
  limits: object,
): Promise<CellOfAreas[]> {
  const { rows } = await database.query<{
    n: number;
    side: Area['side'];
    is_available: boolean;
    wkb: Uint8Array;
  }>({
    ...limits,
    ...sql`
      with ${piecesIn(cells, [mine, ...(theirs ? [theirs] : []), ...beside])},
      alike as materialized (
        select n, is_available, digest from piece where dataset_id in (${mine}, ${theirs ?? null})
        group by n, is_available, digest having min(dataset_id) <> max(dataset_id)
      ),
      sided as materialized (
        select n, is_available, geom as area,
          case
            when dataset_id = any (${beside}) then 'beside'
            when alike.n is not null then 'stays'
            when dataset_id = ${mine} then 'came' else 'went'
          end as side
        from piece left join alike using (n, is_available, digest)
        where alike.n is null or dataset_id is distinct from ${theirs ?? null}
      ),
      moved as materialized (select n, area from sided where side in ('came', 'went'))
      select n::integer, side, is_available, st_asewkb(area, 'NDR') as wkb
      from (
        select * from sided where side in ('came', 'went')
        union all
        select * from sided
        where side in ('stays', 'beside') and exists (select from moved where moved.n = sided.n and moved.area && sided.area)
      ) as wanted
      order by n`,
  });
  const byCell = new Map<number, Area[]>();
  for (const { n, side, is_available: isAvailable, wkb } of rows) {
    const areas = byCell.get(n) ?? [];
    areas.push({ side, isAvailable, wkb });
    byCell.set(n, areas);
  }
  return [...byCell].map(([n, areas]) => {
    const { west, south, side } = cells[n - 1] as Cell;
    return { box: [west, south, west + side, south + side], areas };
  });
}

/**
 * SQL: `cell (n, box)`, and `piece (n, dataset_id, is_available, geom, digest)`, what versions have in each cell, not clipped to it. They are
 * found cell by cell through the index: joined as a whole, they were looked for in every cell.
 */
const piecesIn = (cells: readonly Cell[], datasetIds: readonly number[]): Sql => sql`
  cell as materialized (
    select n, st_makeenvelope(west, south, west + side, south + side, 4326) as box
    from unnest(${cells.map(({ west }) => west)}::float8[], ${cells.map(({ south }) => south)}::float8[],
      ${cells.map(({ side }) => side)}::float8[]) with ordinality as cell (west, south, side, n)
  ),
  piece as materialized (
    select cell.n, t.dataset_id, t.availability = 'available' as is_available, c.geom,
      md5(st_asewkb(c.geom)) as digest
    from cell
    cross join lateral (
      select tier_id, geom from coverage where ${boxesMeet(sql`coverage.geom`, sql`cell.box`)} offset 0
    ) as c
    join tier t on t.id = c.tier_id and t.dataset_id = any (${datasetIds})
  )`;
