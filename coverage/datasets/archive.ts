import type { Database } from '../../platform/database/database.ts';
import { nzTimeSql } from '../../platform/database/nz-time.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { forgetPremises } from '../premises/counted.ts';
import { maxScopes } from './scopes.ts';

/** Rows that one statement moves or removes: few enough not to slow lookups down. */
const batchSize = 2000;

/** The tables with rows of a dataset. */
const tables = ['coverage', 'coverage_archive', 'coverage_change', 'coverage_overview'] as const;

/** SQL: the superseded versions with rows in the table that lookups read. */
export const waitingArchives = `
  select d.id::text as id, d.provider_id::text as owner, d.superseded_at as since from dataset d
  where d.state = 'superseded' and exists (select from tier t join coverage c on c.tier_id = t.id where t.dataset_id = d.id)`;

/**
 * SQL: true for a version `old` between others of the same file, each made again as exclusions have changed, that was live at the end of no day: one
 * exclusion after the other would push out all versions of earlier files.
 */
const isPassing = sql`(exists (
    select from submission made_again where made_again.id = old.submission_id and made_again.remakes is not null)
  and exists (
    select from submission next join dataset d on d.submission_id = next.id
    where next.remakes = old.submission_id and d.technology_id = old.technology_id and d.scope_key = old.scope_key
      and d.published_at is not null)
  and not exists (
    select from publication p
    where p.dataset_id = old.id and ${raw(nzTimeSql('p.published_at'))}::date <> ${raw(nzTimeSql('p.superseded_at'))}::date))`;

/**
 * Moves the rows of superseded versions of a dataset's scope out of the table that lookups read, and removes those of versions beyond the
 * newest `keep` of the scope, or beyond `keep` times {@link maxScopes} of all scopes. Lookups are not affected: in a snapshot without the
 * rows, their version is superseded. Can be interrupted anywhere and run again.
 */
export async function archiveSuperseded(
  database: Database,
  datasetId: number,
  keep: number,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await database.query<{ id: number; kept: boolean }>(sql`
    select id, kept
    from (
      select old.id, mine.scope_key = old.scope_key as is_alike, old.rows_removed_at is not null as removed,
        may_be_kept and ${keep} >= row_number() over (
          partition by old.technology_id, old.scope_key, may_be_kept
          order by old.superseded_at desc, old.id desc) and ${keep * maxScopes} >= row_number() over (
          partition by old.technology_id, may_be_kept
          order by old.superseded_at desc, old.id desc) as kept
      from dataset old
      join dataset mine on mine.provider_id = old.provider_id and mine.technology_id = old.technology_id
      cross join lateral (select old.rows_removed_at is null and not ${isPassing} as may_be_kept) as version
      where mine.id = ${datasetId} and old.state = 'superseded'
    ) as version
    where is_alike or (not kept and not removed)
    -- What waits for this waits until all of it is done.
    order by id = ${datasetId}`);
  let moved = 0;
  for (const { id, kept } of rows) {
    if (kept) {
      moved += await moveRows(database, id, archiving, signal);
      continue;
    }
    // First, so that nobody rolls back to a version that is half removed.
    const { rowCount } = await database.query(sql`
      update dataset set rows_removed_at = coalesce(rows_removed_at, clock_timestamp())
      where id = ${id} and state = 'superseded'`);
    if (rowCount === 0) continue;
    await forgetPremises(database, id);
    for (const table of tables) moved += await removeRows(database, id, table, signal);
  }
  if (moved > 0) await analyzeCoverage(database);
}

/** Updates the planner's statistics of the table that lookups read, and frees the space of removed rows. */
export async function analyzeCoverage(database: Database): Promise<void> {
  // A server has autovacuum for this; the embedded database has none.
  await database.query(database.kind === 'embedded' ? 'vacuum (analyze) coverage' : 'analyze coverage');
}

const archiving = { state: 'superseded', from: raw('coverage'), to: raw('coverage_archive') };
/** A rollback moves rows back to the table that lookups read. */
export const restoring = { state: 'restoring', from: raw('coverage_archive'), to: raw('coverage') };

/** Moves the rows of a version while it is in a state. Each batch locks its row, so that no rollback begins while rows are archived. */
export function moveRows(
  database: Database,
  datasetId: number,
  { state, from, to }: typeof archiving,
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(signal, async () => {
    const { rows } = await database.query<{ moved: number }>(sql`
      with version as materialized (
        select id from dataset where id = ${datasetId} and state = ${state} and rows_removed_at is null for share
      ), moved as (
        delete from ${from} where ctid = any (array(
          select c.ctid from version join tier t on t.dataset_id = version.id join ${from} c on c.tier_id = t.id
          limit ${batchSize}))
        returning tier_id, geom, digest
      ), kept as (
        insert into ${to} (tier_id, geom, digest) select tier_id, geom, digest from moved
      )
      select count(*) as moved from moved`);
    return rows[0]?.moved ?? 0;
  });
}

/** Removes a dataset's rows from a table. */
export function removeRows(
  database: Database,
  datasetId: number,
  table: (typeof tables)[number],
  signal?: AbortSignal,
): Promise<number> {
  const ofDataset = ['coverage', 'coverage_archive'].includes(table)
    ? sql`c join tier t on t.id = c.tier_id where t.dataset_id = ${datasetId}`
    : sql`c where c.dataset_id = ${datasetId}`;
  return inBatches(signal, async () => {
    const { rowCount } = await database.query(sql`
      delete from ${raw(table)}
      where ctid = any (array(select c.ctid from ${raw(table)} ${ofDataset} limit ${batchSize}))`);
    return rowCount;
  });
}

async function inBatches(signal: AbortSignal | undefined, step: () => Promise<number>): Promise<number> {
  for (let total = 0, count = 0; ; total += count) {
    signal?.throwIfAborted();
    count = await step();
    if (count === 0) return total;
  }
}
