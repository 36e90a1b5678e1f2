import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { nzTimeSql } from '../../platform/database/nz-time.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { ErrorReport } from '../../platform/error-report.ts';
import { named, time } from '../../platform/schemas.ts';
import { steps } from '../attempts.ts';
import { waitingFor } from './waiting.ts';

/** `delayed`: it will be retried, after a failure or when the storage is back. `failed`: permanently. A killed process leaves its work `running`. */
export const workStates = ['waiting', 'running', 'delayed', 'failed'] as const;

const WorkKind = named(
  'WorkKind',
  z
    .enum(steps)
    .describe(
      '`inspect`: read what a draft’s file holds. `read-towers`: read a submission’s towers. `predict`: model coverage from them. `load`: load a submission’s coverage. `compare`: compare it with what is live. `publish`: publish it automatically. `archive`: move a version that is no longer live out of the way. `discard`: remove what was loaded of a withdrawn submission. `draw`: draw a version for the map. `rollback`: restore a version. `bulk-lookup`: look up a file of positions. `import-addresses`: import a file of addresses. `count-premises`: count the premises of a version, after such an import. `export-coverage`: write published coverage as a file.',
    ),
);

export const workCount = {
  kind: WorkKind,
  waiting: z.int(),
  running: z.int(),
  delayed: z.int().describe('Failed for now, or waiting for the storage; it is tried again.'),
  failed: z.int().describe('For good, within a week.'),
  waiting_since: time().nullable().describe('Since when the oldest that waits does.'),
};
type WorkCount = z.output<z.ZodObject<typeof workCount>>;

export const PieceOfWork = named('PieceOfWork', {
  kind: WorkKind,
  id: z.string(),
  state: z.enum(workStates),
  owner: z.string().nullable().describe('The provider, or the customer of a file of positions.'),
  submission: z.uuid().nullable(),
  file: z.string().nullable(),
  tries: z.int().describe('How often it was begun.'),
  since: time().describe('Since when it waits; when it failed.'),
  retry_at: time().nullable(),
  process: z
    .string()
    .nullable()
    .describe('The process that is at it, as the log of that worker names it at its start.'),
  error: ErrorReport.nullable(),
});
type PieceOfWork = z.output<typeof PieceOfWork>;

/** The max listed pieces of work, and the days for which failed work is listed. */
const maxListed = 200;
const failedDays = 7;
/** Failed work without a failed state is postponed for longer than this, and no retry is. */
export const putOff = raw(`interval '1 hour'`);

/** SQL: all work by the rows, without the queue: waiting (as the figures of /metrics count it), and failed. */
const work = sql`
  waiting as (
    ${raw(
      Object.entries(waitingFor)
        .map(([step, query]) => `select '${step}' as kind, id, since from (${query}) as w`)
        .join(' union all '),
    )}
  ),
  unfinished as (
    select n.kind, n.id, n.since,
      coalesce(w.failures, 0) + coalesce(cardinality(w.processes), 0) as tries,
      case when w.retry_at > clock_timestamp() then w.retry_at end as retry_at,
      case when w.retry_at > clock_timestamp() then null else w.processes[cardinality(w.processes)] end as process,
      case
        when w.retry_at > clock_timestamp() + ${putOff} then 'failed'
        when w.retry_at > clock_timestamp() then 'delayed'
        when cardinality(w.processes) > 0 then 'running'
        else 'waiting' end as state,
      null::jsonb as error
    from waiting n left join work w on w.kind = n.kind and w.id = n.id
  ),
  failed as (
    select * from (
      select case when kind = 'towers' and towers_read_at is null then 'read-towers' else 'load' end as kind, id::text,
        finished_at as since, error from submission where state = 'failed'
      union all select 'inspect', id::text, created_at, error from upload
        where error is not null and submission_id is null
      union all select 'bulk-lookup', id::text, finished_at, error from bulk_job where state = 'failed'
      union all select 'import-addresses', id::text, finished_at, error from address_import where state = 'failed'
      union all select 'export-coverage', id::text, finished_at, error from coverage_export where state = 'failed'
    ) as of_all_times
    where since > clock_timestamp() - make_interval(days => ${failedDays})
  ),
  -- The row of work that has failed goes a moment later.
  work_now as (
    select * from unfinished where (kind, id) not in (select kind, id from failed)
    union all
    select kind, id, since, 0, null, null, 'failed', error from failed
  )`;

export async function countWork(db: Queryable): Promise<WorkCount[]> {
  const { rows } = await db.query<WorkCount>(sql`
    with ${work}
    select kinds.kind,
      count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'delayed') as delayed, count(*) filter (where state = 'failed') as failed,
      min(since) filter (where state = 'waiting') as waiting_since
    from unnest(${[...steps]}::text[]) with ordinality as kinds (kind, number)
    left join work_now on work_now.kind = kinds.kind
    group by kinds.kind, kinds.number
    order by kinds.number`);
  return rows;
}

/** How much failed for good within a week, and the day in New Zealand since which the oldest waits. */
export async function failedWork(db: Queryable) {
  const { rows } = await db.query<{ count: number; oldest: string | null }>(sql`
    with ${work}
    select count(*)::integer as count, min(${raw(nzTimeSql('since'))})::date as oldest from work_now where state = 'failed'`);
  return rows[0] as (typeof rows)[0];
}

/** Unfinished work in the order of its turn, then work that failed within a week, newest first. At most 200. */
export async function listWork(db: Queryable): Promise<PieceOfWork[]> {
  const { rows } = await db.query<PieceOfWork>(sql`
    with ${work}
    select w.kind, w.id, w.state, coalesce(p.name, c.name) as owner, coalesce(s.id, d.submission_id) as submission,
      coalesce(s.file_name, u.file_name, i.file_name) as file, w.tries, w.since, w.retry_at, w.process, w.error
    from work_now w
    left join upload u on u.id = case when w.kind = 'inspect' then w.id::uuid end
    left join access_token t on t.id = u.token_id
    left join dataset d on d.id = case when w.kind in ('archive', 'draw', 'rollback', 'count-premises') then w.id::integer end
    left join submission s on s.id = case
      when w.kind in ('read-towers', 'predict', 'load', 'compare', 'publish', 'discard') then w.id::uuid else d.submission_id end
    left join coverage_export e on e.id = case when w.kind = 'export-coverage' then w.id::uuid end
    left join provider p on p.id = coalesce(s.provider_id, t.provider_id, e.provider_id)
    left join bulk_job b on b.id = case when w.kind = 'bulk-lookup' then w.id::uuid end
    left join address_import i on i.id = case when w.kind = 'import-addresses' then w.id::uuid end
    left join api_key k on k.id = b.api_key_id
    left join customer c on c.id = k.customer_id
    order by array_position(array['running', 'waiting', 'delayed', 'failed'], w.state),
      case when w.state = 'failed' then - extract(epoch from w.since) else extract(epoch from w.since) end, w.id
    limit ${maxListed}`);
  return rows;
}
