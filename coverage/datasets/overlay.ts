import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { threadFile } from '../../platform/programs.ts';
import { boxesMeet } from '../boxes.ts';
import { type Cell, type CellOptions, cellsOf } from './cells.ts';
import type { AlikeAreas, CellChange, CellOfAreas } from './overlay-thread.ts';

/** Coverage could not be laid over other coverage: GEOS gave up or took too long, and would again. */
export class OverlayError extends Error {}

const timeoutMs = 60_000;
/** Each thread has a memory of its own. */
const maxThreads = 2;

export interface Versions {
  /** The new version: ground is gained where `theirs` lacks it. */
  mine: number;
  theirs: number | undefined;
  /** Other versions, which still count where something is lost. */
  beside: readonly number[];
}

/** Lays a version over another, cell by cell, in threads. Skips cells without differences. Memory holds two groups of cells. @throws OverlayError */
export async function* overlaid(database: Database, versions: Versions, options: CellOptions) {
  const { mine, theirs } = versions;
  const threads: Worker[] = [];
  const ask = async (thread: Worker, cell: CellOfAreas): Promise<CellChange> => {
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
    let found: Promise<CellChange[]> | undefined;
    const compared: [number, number?] = theirs === undefined ? [mine] : [mine, theirs];
    for await (const { cells, limits } of cellsOf(database, compared, options)) {
      const differing = await differingAreas(database, cells, versions, limits);
      // The next group is read while the threads work on this one.
      if (found) yield await found;
      while (threads.length < Math.min(maxThreads, differing.length)) threads.push(startThread());
      const shares = threads.map(async (thread, i) => {
        const changes: CellChange[] = [];
        const share = differing.filter((_, n) => n % threads.length === i);
        for (const cell of share) changes.push(await ask(thread, cell));
        return changes;
      });
      found = Promise.all(shares).then((changes) => changes.flat());
      found.catch(() => undefined);
    }
    if (found) yield await found;
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

function startThread(): Worker {
  const thread = new Worker(threadFile('overlay'), { execArgv: [] });
  // The caller that waits for an answer gets the error.
  thread.on('error', () => undefined);
  return thread;
}

/** The areas that only one version has, in each cell, and the coverage near them. */
async function differingAreas(
  database: Database,
  cells: readonly Cell[],
  { mine, theirs, beside }: Versions,
  limits: object,
): Promise<CellOfAreas[]> {
  // Cell by cell through the index: one join of all cells would look for pieces in every cell. Areas are read last, in the order of their rows.
  const { rows } = await database.query<AlikeAreas & { n: number }>({
    ...limits,
    ...sql`
      with cell as materialized (
        select n, st_makeenvelope(west, south, west + side, south + side, 4326) as box
        from unnest(${cells.map(({ west }) => west)}::float8[], ${cells.map(({ south }) => south)}::float8[],
          ${cells.map(({ side }) => side)}::float8[]) with ordinality as cell (west, south, side, n)
      ),
      piece as materialized (
        select cell.n::integer, t.dataset_id, t.availability = 'available' as is_available, c.place, c.around, c.digest
        from cell
        cross join lateral (
          select tier_id, ctid as place, box(geom) as around, digest from coverage
          where ${boxesMeet(sql`coverage.geom`, sql`cell.box`)} offset 0
        ) as c
        join tier t on t.id = c.tier_id and t.dataset_id = any (${[mine, ...(theirs ? [theirs] : []), ...beside]})
      ),
      alike as materialized (
        select n, is_available, digest from piece where dataset_id in (${mine}, ${theirs ?? null})
        group by n, is_available, digest having min(dataset_id) <> max(dataset_id)
      ),
      sided as materialized (
        select n, is_available, place, around,
          case
            when dataset_id = any (${beside}) then 'beside'
            when alike.n is not null then 'stays'
            when dataset_id = ${mine} then 'came' else 'went'
          end as side
        from piece left join alike using (n, is_available, digest)
        where alike.n is null or dataset_id is distinct from ${theirs ?? null}
      ),
      moved as materialized (select n, around from sided where side in ('came', 'went')),
      wanted as (
        select * from sided where side in ('came', 'went')
        union all
        select * from sided where side in ('stays', 'beside')
          and exists (select from moved where moved.n = sided.n and moved.around && sided.around)
      )
      select n, side, is_available as "isAvailable", string_agg(st_asbinary(geom, 'NDR'), '') as polygons
      from wanted cross join lateral (select geom from coverage where ctid = place offset 0) as area
      group by 1, 2, 3
      order by n`,
  });
  const byCell = new Map<number, AlikeAreas[]>();
  for (const { n, ...alike } of rows) byCell.set(n, [...(byCell.get(n) ?? []), alike]);
  return [...byCell].map(([n, areas]) => {
    const { west, south, side } = cells[n - 1] as Cell;
    return { box: [west, south, west + side, south + side], isDrawn: theirs !== undefined, areas };
  });
}
