import { submissionStates } from '../coverage/submission-states.ts';
import type { Queryable } from '../database/database.ts';
import { waitingFor } from '../waiting.ts';
import { putOff } from './unfinished-work.ts';

/** Figures of the service from rows. Rows are the truth about work; the queue only carries it. */
export interface DatabaseFigures {
  submissions: Record<string, number>;
  /** By step; `oldestSeconds` is 0 where none waits. */
  work: Record<string, { waiting: number; oldestSeconds: number; retrying: number }>;
  catalogVersion: number;
  /** The time of the last publication or rollback, and of the last release of names; absent where there was none. s since 1970 */
  publishedAt: number | null;
  releasedAt: number | null;
  /** Files of counts that could not be read. */
  damagedUsage: number;
}

/**
 * One statement. Work postponed after a failure does not wait, and failures of work that nobody wants any more, whose row stays for a week, are not
 * counted. Each part uses an index, or a table of some thousands of rows at most.
 */
const statement = `
  select
    (select coalesce(json_object_agg(state, count), '{}') from (
      select state, count(*) from submission group by state) as s) as submissions,
    json_build_object(${Object.entries(waitingFor)
      .map(
        ([step, query]) => `'${step}', (
      select json_build_object(
        'waiting', count(*) filter (where not is_put_off),
        'oldestSeconds', coalesce(greatest(extract(epoch from clock_timestamp()
          - min(since) filter (where not is_put_off)), 0), 0),
        'retrying', count(*) filter (where failures > 0))
      from (
        select w.since, failures, coalesce(retry_at > clock_timestamp() + ${putOff}, false) as is_put_off
        from (${query}) as w left join work on work.kind = '${step}' and work.id = w.id) as unfinished)`,
      )
      .join(', ')}) as work,
    (select version from catalog) as "catalogVersion",
    (select extract(epoch from max(published_at))::float8 from publication) as "publishedAt",
    (select extract(epoch from max(ran_at))::float8 from release_run) as "releasedAt",
    (select count(*) from usage_damage) as "damagedUsage"`;

export async function readFigures(db: Queryable): Promise<DatabaseFigures> {
  const { rows } = await db.query<DatabaseFigures>(statement);
  const figures = rows[0] as DatabaseFigures;
  // A state without submissions has a figure, too.
  const none = Object.fromEntries(submissionStates.map((state) => [state, 0]));
  return { ...figures, submissions: { ...none, ...figures.submissions } };
}
