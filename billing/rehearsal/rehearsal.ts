import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Connection, Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, type Day, dayOf, daysBetween, instantAt } from '../../platform/nz-time.ts';
import { lockMonths } from '../months.ts';
import { copyRows, restoreRows } from './copies.ts';

/** How far one move may go: each day of it is made. */
export const maxMoveDays = 100;
/** A rehearsal ends no later than this after its beginning. */
const maxDays = 800;

/** What a rehearsal has to have done as its clock passes a day. */
export interface RehearsalWork {
  /** Whether this process is the demo still. */
  isDemo(): Promise<boolean>;
  /** Whether an e-mail is being sent: restored as such, it would be sent again. */
  isSending(connection: Connection): Promise<boolean>;
  /** Makes up the usage of the whole hours between two instants. */
  makeUsage(connection: Connection, from: Date, to: Date): Promise<void>;
  /** When billing's scheduled jobs run on a day, HH:MM:SS in New Zealand. */
  jobsTime: string;
  /** Does what billing's schedule has due at an instant. */
  runJobs(at: Date): Promise<void>;
}

export type Rehearsal = Awaited<ReturnType<typeof openRehearsal>>;

/**
 * The clock of billing in the demo. Staff move it ahead to practise months, and take all of it back. One process has the database: its memory
 * knows the clock, and the row of `rehearsal` after a restart.
 */
export async function openRehearsal(database: Database, work: RehearsalWork) {
  const { rows } = await database.query<{ ahead: number }>('select ahead_ms as ahead from rehearsal');
  /** ms; undefined where nothing is rehearsed. */
  let ahead = rows[0]?.ahead;
  let last: Promise<unknown> = Promise.resolve();
  /** Of two presses at once, the second finds what the first has done. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const turn = last.then(act, act);
    last = turn.catch(() => undefined);
    return turn;
  };
  const now = () => new Date(Date.now() + (ahead ?? 0));
  const require = async (isRehearsed: boolean) => {
    if (!(await work.isDemo())) throw new CovermapError('rehearsal_elsewhere');
    if ((ahead !== undefined) !== isRehearsed) {
      throw new CovermapError('rehearsal_state', isRehearsed ? 'Nothing is rehearsed.' : undefined);
    }
  };
  /** Sets the clock, makes the usage until then, and does what is due. */
  const pass = async (at: Date) => {
    const from = now();
    const next = at.getTime() - Date.now();
    await database.transaction(async (connection) => {
      await connection.query(sql`update rehearsal set ahead_ms = ${next}`);
      await work.makeUsage(connection, from, at);
    });
    ahead = next;
    await work.runJobs(at);
  };
  return {
    now,
    isUnderWay: () => ahead !== undefined,
    /** @throws CovermapError `rehearsal_elsewhere`, `rehearsal_state` */
    begin: (actor: Actor) =>
      inTurn(async () => {
        await require(false);
        await database.transaction(async (connection) => {
          await lockMonths(connection);
          if (await work.isSending(connection))
            throw new CovermapError('rehearsal_state', 'An e-mail is being sent.');
          await copyRows(connection);
          await connection.query('insert into rehearsal default values');
          await record(connection, actor, { action: 'rehearsal_begun' });
        });
        ahead = 0;
      }),
    /**
     * Moves the clock to nine in the morning of a later day, or to a minute after midnight, before the schedule closes the month.
     * @throws CovermapError `rehearsal_elsewhere`, `rehearsal_state`, `rehearsal_date`
     */
    move: (day: Day, early: boolean) =>
      inTurn(async () => {
        await require(true);
        const to = instantAt(day, early ? '00:01:00' : '09:00:00');
        const today = dayOf(now());
        const tooFar = daysBetween(today, day) > maxMoveDays || daysBetween(dayOf(new Date()), day) > maxDays;
        if (to <= now() || tooFar) throw new CovermapError('rehearsal_date');
        for (let passed = today; passed <= day; passed = addDays(passed, 1)) {
          const at = instantAt(passed, work.jobsTime);
          if (at > now() && at < to) await pass(at);
        }
        await pass(to);
      }),
    /** Puts everything back as it was at the beginning. @param flush stores what is counted in memory @throws CovermapError as `move` */
    takeBack: (actor: Actor, flush: () => Promise<void>) =>
      inTurn(async () => {
        await require(true);
        const before = ahead;
        // Queries that are counted from here on are of the present.
        ahead = undefined;
        try {
          await flush();
          await database.transaction(async (connection) => {
            await lockMonths(connection);
            await restoreRows(connection);
            await connection.query('delete from rehearsal');
            await record(connection, actor, { action: 'rehearsal_taken_back' });
          });
        } catch (error) {
          ahead = before;
          throw error;
        }
      }),
  };
}
