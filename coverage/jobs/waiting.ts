import { waitingImports } from '../../addresses/imports.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { type Step, steps } from '../attempts.ts';
import { waitingArchives } from '../datasets/archive.ts';
import { waitingComparisons } from '../datasets/comparisons.ts';
import { waitingDiscards } from '../datasets/load.ts';
import { waitingRollbacks } from '../datasets/rollback.ts';
import { waitingExports } from '../exports/exports.ts';
import { waitingBulkJobs } from '../lookup/bulk/jobs.ts';
import { waitingCounts } from '../premises/recount.ts';
import { waitingModelling } from '../submissions/modelling.ts';
import { waitingLoads, waitingPublications, waitingTowers } from '../submissions/submissions.ts';
import { waitingTrials } from '../submissions/trials.ts';
import { waitingInspections } from '../submissions/uploads.ts';
import { waitingDrawings } from '../tiles/overview.ts';

/** SQL: the rows in or before each step (the states of docs/architecture.md): `id` (text), `owner` (text), which take turns, and `since`. */
export const waitingFor: Record<Step, string> = {
  inspect: waitingInspections,
  'read-towers': waitingTowers,
  predict: `${waitingModelling} union all ${waitingTrials}`,
  load: waitingLoads,
  compare: waitingComparisons,
  publish: waitingPublications,
  archive: waitingArchives,
  discard: waitingDiscards,
  draw: waitingDrawings,
  rollback: waitingRollbacks,
  'bulk-lookup': waitingBulkJobs,
  'import-addresses': waitingImports,
  'count-premises': waitingCounts,
  'export-coverage': waitingExports,
};

export interface WaitingRow {
  id: string;
  owner: string;
  /** True where it took too long beside other slow work, or killed a process: it then runs beside no other work of that kind. */
  alone: boolean;
  /** True where its process was killed a short while ago: others go first. */
  killed: boolean;
  /** Lower goes first: the number of the owner's rows before it, so that owners take turns. Slow work follows all others. */
  priority: number;
}

/** Priorities of one owner's rows; slow ones have higher ones. BullMQ allows two million. */
export const maxPlaces = 1_000_000;

/** Work that killed its process lets others go first for this long. */
const killedMs = 120_000;

/** The rows that wait for a step in the order of their priorities, except those to be retried later. @param id only this one */
export async function waitingRows(db: Queryable, step: Step, id: string | null = null) {
  const { rows } = await db.query<WaitingRow>(sql`
    with w as materialized (
      select waiting.id, owner, since, retry_at, coalesce(slow, false) as slow,
        coalesce(slow or cardinality(processes) > 0, false) as alone,
        coalesce(cardinality(processes) > 0 and changed_at > clock_timestamp() - make_interval(secs => ${killedMs / 1000}), false) as killed
      from (${raw(waitingFor[step])}) as waiting left join work on work.kind = ${step} and work.id = waiting.id
    ),
    placed as (
      select *, least(${maxPlaces}, row_number() over (partition by owner order by slow, since, id))::integer as place from w
    )
    select id, owner, alone, killed, place + case when slow then ${maxPlaces} else 0 end as priority
    from placed
    where (${id}::text is null or id = ${id}) and (retry_at is null or retry_at <= clock_timestamp())
    order by priority, since, id`);
  return rows;
}

/** Tells if a row waits for a step or is in it, also if it is to be retried later. */
export async function isWaiting(db: Queryable, step: Step, id: string): Promise<boolean> {
  const { rows } = await db.query(sql`
    select from (${raw(waitingFor[step])}) as waiting where id = ${id}`);
  return rows.length > 0;
}

/** Clears the attempts of finished work: a process that dies after its work leaves its mark, and the work did not kill it. */
export async function forgetDone(db: Queryable): Promise<void> {
  for (const step of steps) {
    await db.query(sql`
      delete from work where kind = ${step}
      and not exists (select from (${raw(waitingFor[step])}) as waiting where waiting.id = work.id)`);
  }
}
