import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { threadFile } from '../../platform/programs.ts';
import type { AreasToCount } from './count-premises-thread.ts';
import { keepPremises } from './counted.ts';
import type { FoundPremises } from './premises-finder.ts';
import { premisesFile } from './premises-list.ts';

/* Counts the premises of a dataset from its rows: after an import of addresses, beside everything else. */

/** Rows that one statement reads: 2 MB at most. */
const pageSize = 1_000;

/** SQL: true where a dataset `d` has all its rows. */
const hasRows = sql`d.state in ('ready', 'published', 'superseded', 'restoring') and d.rows_removed_at is null`;

/** SQL: the datasets that are not counted with the premises that there are now: what is published first, then what may be. It is nobody's turn: all is the service's own work. */
export const waitingCounts = sql`
  select d.id::text as id, 'service' as owner,
    greatest(d.created_at, l.changed_at)
      + case d.state when 'published' then 0 when 'superseded' then 2 else 1 end * interval '1 microsecond' as since
  from address_list l join dataset d on d.premises_version is distinct from l.premises_version
  where l.premises_version > 0 and ${hasRows}`.toString();

/**
 * Counts a dataset, unless its rows or the premises change meanwhile: then it waits again. Can be stopped or killed anywhere, and run again.
 * @param folder for files that can be made again
 */
export async function countPremises(
  database: Database,
  folder: string,
  datasetId: number,
  signal?: AbortSignal,
): Promise<void> {
  const list = await premisesFile(database, folder);
  if (list === undefined) return;
  const thread = new Worker(threadFile('count-premises'), { execArgv: [], workerData: list });
  const failed = new AbortController();
  thread.on('error', (error) => failed.abort(error));
  const stop = AbortSignal.any(signal ? [signal, failed.signal] : [failed.signal]);
  const ask = async (message: AreasToCount): Promise<unknown> => {
    thread.postMessage(message);
    return (await once(thread, 'message', { signal: stop }))[0];
  };
  try {
    const { rows: tiers } = await database.query<{ id: number }>(sql`
      select id from tier where dataset_id = ${datasetId} order by id`);
    for (const { id } of tiers) await countTier(database, id, ask, stop);
    const found = (await ask('end')) as FoundPremises;
    await keepUnlessChanged(database, datasetId, found);
  } catch (error) {
    stop.throwIfAborted();
    throw error;
  } finally {
    await thread.terminate();
  }
}

async function countTier(
  database: Database,
  tier: number,
  ask: (message: AreasToCount) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    let missing = 0;
    for (const { table, places } of await placesOf(database, tier)) {
      let counted: Promise<unknown> | undefined;
      for (let at = 0; at < places.length; at += pageSize) {
        signal.throwIfAborted();
        const page = places.slice(at, at + pageSize);
        const { rows } = await database.query<{ count: number; areas: Uint8Array | null }>(sql`
          select count(*) as count, string_agg(st_asbinary(geom, 'NDR'), '') as areas
          from ${raw(table)} where ctid = any (${page}::tid[]) and tier_id = ${tier}`);
        const { count, areas } = rows[0] as (typeof rows)[0];
        missing += page.length - count;
        // The next page is read while the thread counts this one.
        await counted;
        counted = areas ? ask({ tier, areas }) : undefined;
        counted?.catch(() => undefined);
      }
      await counted;
    }
    // Rows that moved to or from the archive meanwhile have other places. What was found stays: a set takes them twice.
    if (missing === 0) return;
  }
}

/** The places of a tier's rows, in one snapshot, in the order in which they lie. */
async function placesOf(database: Database, tier: number) {
  const { rows } = await database.query<{ table: string; places: string }>(sql`
    select "table", string_agg(place::text, ' ' order by place) as places from (
      select 'coverage' as "table", ctid as place from coverage where tier_id = ${tier}
      union all select 'coverage_archive', ctid from coverage_archive where tier_id = ${tier}
    ) as piece group by "table"`);
  return rows.map(({ table, places }) => ({ table, places: places.split(' ') }));
}

async function keepUnlessChanged(
  database: Database,
  datasetId: number,
  { version, tiers }: FoundPremises,
): Promise<void> {
  await database.transaction(async (connection) => {
    // An import changes the premises, and whoever removes rows says so in the dataset, before they do.
    const { rowCount } = await connection.query(sql`
      select from dataset d cross join address_list l
      where d.id = ${datasetId} and l.premises_version = ${version} and ${hasRows}
      for no key update of d`);
    if (rowCount > 0) await keepPremises(connection, datasetId, version, new Map(tiers));
  });
}
