import type { Queryable } from '../database/database.ts';
import { droplistHours, nextRunSql, releaseWindowSeconds, timeTextSql } from './schedule.ts';

/** Times as `YYYY-MM-DD HH:MM:SS+HH:MM`, each with the offset of its own date. */
export interface DroplistEntry {
  domain: string;
  registered: string;
  cancel_date: string;
  release_date: string;
  drop_date: string;
}

export interface Droplist {
  /** By drop date, then by name. */
  entries: DroplistEntry[];
  /** When the entries last changed, up to the next whole second. It may be in the future by that. */
  modified: Date;
}

/** Which rows of `domain` are on the droplist at an instant. @param at SQL: a timestamptz */
function onDroplistSql(at: string): string {
  return `cancelled is not null and release_date <= ${at} + interval '${droplistHours} hours'`;
}

/**
 * The names that are about to be released, or past that and not yet released.
 *
 * The list changes when names are imported or released, and also by itself, when the time of a name comes near.
 * Both times are rounded up: an HTTP date has whole seconds, and a list that was answered earlier in the same second
 * must not pass for this one.
 * @param releaseTime when release-domains runs, HH:MM:SS in New Zealand
 */
export async function readDroplist(db: Queryable, at: Date, releaseTime: string): Promise<Droplist> {
  const { rows } = await db.query<DroplistRow>({
    name: 'droplist',
    text: `
      with entry as (
        select name, registered, cancelled, release_date,
          ${nextRunSql('release_date', '$2')} + interval '${releaseWindowSeconds} seconds' as drop_date
        from domain where ${onDroplistSql('$1::timestamptz')}
      )
      select greatest(
          droplist_state.modified_at,
          date_trunc('second', max(release_date) over () - interval '${droplistHours} hours' + interval '999999 microseconds')
        ) as modified,
        name as domain,
        ${timeTextSql('registered')} as registered,
        ${timeTextSql('cancelled')} as cancel_date,
        ${timeTextSql('release_date')} as release_date,
        ${timeTextSql('drop_date')} as drop_date
      from droplist_state left join entry on true
      order by entry.drop_date, entry.name`,
    values: [at, releaseTime],
  });
  const entries: DroplistEntry[] = [];
  for (const { modified: _, domain, ...times } of rows) {
    if (domain !== null) entries.push({ domain, ...times });
  }
  return { entries, modified: rows[0]?.modified as Date };
}

type DroplistRow = Omit<DroplistEntry, 'domain'> & { modified: Date; domain: string | null };

/** A text that changes with what the droplist of that instant is made of. */
export async function droplistFingerprint(db: Queryable, at: Date): Promise<string> {
  const { rows } = await db.query<{ fingerprint: string }>(
    `select md5(coalesce(string_agg(name || ' ' || extract(epoch from registered) || ' ' || extract(epoch from cancelled), ',' order by name), '')) as fingerprint
     from domain where ${onDroplistSql('$1::timestamptz')}`,
    [at],
  );
  return rows[0]?.fingerprint as string;
}

/** Notes that the droplist has changed. No two changes get the same second, even where they happen in one. */
export async function touchDroplist(db: Queryable): Promise<void> {
  await db.query(
    `update droplist_state set modified_at = greatest(
       date_trunc('second', clock_timestamp() + interval '999999 microseconds'), modified_at + interval '1 second')`,
  );
}
