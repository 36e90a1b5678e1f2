import {
  type Connection,
  type Database,
  lockUntilCommit,
  type Queryable,
} from '../platform/database/database.ts';
import { lastRunSql } from '../platform/database/nz-time.ts';
import { sql } from '../platform/database/sql.ts';
import { touchDroplist } from './droplist.ts';

/** Serialises changes of the register: an import would undo a simultaneous release. Readers do not wait. */
export async function lockRegister(connection: Connection): Promise<void> {
  await lockUntilCommit(connection, 'covermap register');
}

/** Tells if the last run due by an instant was missed. */
export async function releaseRunMissed(db: Queryable, at: Date, releaseTime: string): Promise<boolean> {
  const { rows } = await db.query<{ missed: boolean }>(
    `select not exists (
       select from release_run where scheduled_for = ${lastRunSql('$1::timestamptz', '$2')}
     ) as missed`,
    [at, releaseTime],
  );
  return rows[0]?.missed ?? true;
}

/**
 * Does the last run due by an instant: moves every name whose release date is before the run's scheduled date to the history, and records the run.
 * Each run happens once, and makes up for missed ones before it.
 * @param releaseTime when release-domains runs, HH:MM:SS in New Zealand @returns undefined where the run has already happened
 */
export async function releaseDomains(db: Database, at: Date, releaseTime: string) {
  return db.transaction(async (connection) => {
    await lockRegister(connection);
    const run = await connection.query<{ scheduled_for: Date }>(
      `insert into release_run (scheduled_for) values (${lastRunSql('$1::timestamptz', '$2')})
       on conflict do nothing returning scheduled_for`,
      [at, releaseTime],
    );
    const scheduledFor = run.rows[0]?.scheduled_for;
    if (!scheduledFor) return undefined;
    const { rows } = await connection.query<{ released: number }>(sql`
      with due as (
        delete from domain where cancelled is not null and release_date < ${scheduledFor}
        returning name, registered, cancelled, release_date
      ), history as (
        insert into released_domain (name, registered, cancelled, release_date, scheduled_for)
        select name, registered, cancelled, release_date, ${scheduledFor} from due
      ), noted as (
        update release_run set released = (select count(*) from due) where scheduled_for = ${scheduledFor}
      )
      select count(*)::integer as released from due`);
    const released = rows[0]?.released ?? 0;
    if (released > 0) await touchDroplist(connection);
    return { scheduledFor, released };
  });
}
