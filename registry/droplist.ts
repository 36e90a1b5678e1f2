import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { lastRunSql, nextRunSql, timeTextSql } from '../platform/database/nz-time.ts';
import { named } from '../platform/schemas.ts';
import { droplistHours, windowEndSql, windowsEndedSql } from './schedule.ts';

/** New Zealand time, as in 2026-11-22 18:06:11+13:00: each with the offset of its own date. */
const localTime = z.string().regex(/^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d$/);

export const DroplistEntry = named('DroplistEntry', {
  domain: z.string().describe('The name as the register stores it.'),
  registered: localTime.describe('When the name was registered.'),
  cancel_date: localTime.describe('When the name was cancelled.'),
  release_date: localTime.describe('When the name can be released: 90 days after `cancel_date`.'),
  drop_date: localTime.describe(
    'When the name is expected to be released: the end of the first daily run after `release_date`.',
  ),
});
export type DroplistEntry = z.output<typeof DroplistEntry>;

export interface Droplist {
  /** By drop date, then by name. */
  entries: DroplistEntry[];
  /** The last change of the entries, rounded up to a whole second, and so perhaps in the future. */
  modified: Date;
}

/**
 * SQL for the names of the droplist: those near or past their release date, and, with their run, those that a run released whose window has not
 * ended and that were not registered again. @param seenAt SQL: a timestamptz by which names have come near
 */
function entriesSql(at: string, seenAt = at): string {
  return `
    select name, registered, cancelled, release_date, null::timestamptz as run
    from domain where cancelled is not null and release_date <= ${seenAt} + interval '${droplistHours} hours'
    union all
    select name, registered, cancelled, release_date, scheduled_for
    from released_domain r
    where scheduled_for > ${windowsEndedSql(at)} and not exists (select from domain d where d.name = r.name)`;
}

/**
 * The names of the droplist. A name's drop date is the end of the window of the first run after its release date that can still be in time: it
 * never lies in the past. A late run may release names before the shown date.
 *
 * The list changes when names are imported or released, and also by itself: when a name comes near, when a window ends, and when it ends without
 * a run. All of these times are rounded up: an HTTP date has whole seconds, and a list that was answered earlier in the same second must not pass
 * for this one. @param releaseTime when release-domains runs, HH:MM:SS in New Zealand
 */
export async function readDroplist(db: Queryable, at: Date, releaseTime: string): Promise<Droplist> {
  const { rows } = await db.query<DroplistEntry & { modified: Date }>({
    name: 'droplist',
    text: `
      with past as (
        select ${windowsEndedSql('$1::timestamptz')} as windows_ended,
          ${lastRunSql(windowsEndedSql('$1::timestamptz'), '$2')} as last_to_be,
          (select max(scheduled_for) from release_run) as last_that_was,
          (select max(scheduled_for) from release_run
           where released > 0 and scheduled_for <= ${windowsEndedSql('$1::timestamptz')}) as last_that_released
      ), entry as (
        select e.*,
          ${windowEndSql(`coalesce(run, ${nextRunSql('greatest(release_date, last_that_was, windows_ended)', '$2')})`)} as drop_date
        from (${entriesSql('$1::timestamptz')}) e, past
      )
      select greatest(
          droplist_state.modified_at,
          date_trunc('second', max(release_date) filter (where run is null) over ()
            - interval '${droplistHours} hours' + interval '999999 microseconds'),
          ${windowEndSql('last_that_released')},
          -- Whose run was missed has the next one's date since.
          case when min(release_date) filter (where run is null) over () < last_to_be
              and coalesce(last_that_was < last_to_be, true)
            then ${windowEndSql('last_to_be')} end
        ) as modified,
        name as domain,
        ${timeTextSql('registered')} as registered,
        ${timeTextSql('cancelled')} as cancel_date,
        ${timeTextSql('release_date')} as release_date,
        ${timeTextSql('drop_date')} as drop_date
      from droplist_state cross join past left join entry on true
      order by entry.drop_date, entry.name`,
    values: [at, releaseTime],
  });
  // The row of an empty list has its time alone.
  const entries = rows.filter(({ domain }) => domain !== null).map(({ modified: _, ...entry }) => entry);
  return { entries, modified: rows[0]?.modified as Date };
}

/** A text that changes with the names of the droplist of an instant. @param seenAt by which names have come near */
export async function droplistFingerprint(db: Queryable, at: Date, seenAt: Date): Promise<string> {
  const { rows } = await db.query<{ fingerprint: string }>(
    `select md5(coalesce(string_agg(
       name || ' ' || extract(epoch from registered) || ' ' || extract(epoch from cancelled), ',' order by name, run), '')) as fingerprint
     from (${entriesSql('$1::timestamptz', '$2::timestamptz')}) e`,
    [at, seenAt],
  );
  return rows[0]?.fingerprint as string;
}

/** Records a change of the droplist. No two changes get the same second, even if they happen in one. */
export async function touchDroplist(db: Queryable): Promise<void> {
  await db.query(
    `update droplist_state set modified_at = greatest(
       date_trunc('second', clock_timestamp() + interval '999999 microseconds'), modified_at + interval '1 second')`,
  );
}
