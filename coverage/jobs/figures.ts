import type { Queryable } from '../../platform/database/database.ts';
import { byLabel, type WriteGauge } from '../../platform/metrics/service.ts';
import { submissionStates } from '../submission-states.ts';
import { putOff } from './unfinished-work.ts';
import { waitingFor } from './waiting.ts';

/** Figures of coverage from rows. Rows are the truth about work; the queue only carries it. */
interface CoverageFigures {
  submissions: Record<string, number>;
  /** By step; `oldestSeconds` is 0 where none waits. */
  work: Record<string, { waiting: number; oldestSeconds: number; retrying: number }>;
  catalogVersion: number;
  /** The time of the last publication or rollback; null where there was none. s since 1970 */
  publishedAt: number | null;
}

/**
 * One statement. Postponed work does not count as waiting. Failures of unwanted work, whose rows stay for a week, do not count. Each part uses an
 * index, or a table of some thousands of rows at most.
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
    (select extract(epoch from max(published_at))::float8 from publication) as "publishedAt"`;

export async function readFigures(db: Queryable): Promise<CoverageFigures> {
  const { rows } = await db.query<CoverageFigures>(statement);
  const figures = rows[0] as CoverageFigures;
  // A state without submissions has a figure, too.
  const none = Object.fromEntries(submissionStates.map((state) => [state, 0]));
  return { ...figures, submissions: { ...none, ...figures.submissions } };
}

/** Submissions, unfinished work and the catalog, for `GET /metrics`. */
export async function coverageGauges(db: Queryable): Promise<(gauge: WriteGauge) => void> {
  const { submissions, work, catalogVersion, publishedAt } = await readFigures(db);
  const of = (figure: keyof CoverageFigures['work'][string]) =>
    byLabel('kind', work, (figures) => figures[figure]);
  return (gauge) => {
    gauge('submissions', 'Submissions, by state.', byLabel('state', submissions, Number));
    gauge('work_waiting', 'Work that waits or is under way, by the rows.', of('waiting'));
    gauge('work_oldest_waiting_seconds', 'Age of the oldest of it.', of('oldestSeconds'));
    gauge('work_retrying', 'Work that has failed and will be tried again.', of('retrying'));
    gauge('catalog_published_version', 'The version of what is published, by the database.', [
      [catalogVersion],
    ]);
    gauge('last_publication_timestamp_seconds', 'When coverage was published last.', [[publishedAt]]);
  };
}
