import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from './database/database.ts';
import { CovermapError } from './errors.ts';

/** Kinds of work that a row of `work` is kept of. */
export type WorkKind = 'ingest' | 'compare' | 'inspect' | 'bulk' | 'rollback' | 'overview';

/** After so many processes that were killed at it, work is given up. */
export const maxDeaths = 2;
/** After so many failures for a reason that may pass, work is given up. */
export const maxFailures = 8;
const maxRetryDelayMs = 60_000;
/** How long work waits before it asks again for what it cannot do without. */
const waitMs = 5_000;
/** How often the end of an attempt is written again while the database is out of reach. */
const settleEveryMs = 1_000;
/** What was given up and could not be marked as failed is tried again after this long. */
const forgetAfterDays = 7;

/**
 * Counts how often work was begun, in the work's row and before it begins: a process that is killed by it leaves its mark
 * there. Whatever ends the work otherwise (success, an error, SIGTERM, a lost database) removes the mark. So two marks
 * of other processes mean two deaths.
 *
 * Work under a mark has to be exclusive: the caller holds its key (`Database.withExclusiveKey`).
 */
export class Attempts {
  readonly #database: Database;
  readonly #process: string;

  /** @param process the mark; of this process, unless a test plays several */
  constructor(database: Database, process: string = randomUUID()) {
    this.#database = database;
    this.#process = process;
  }

  /**
   * Marks the work as begun, runs it, and removes the mark.
   * @throws CovermapError `attempts_exhausted` where it has killed its process too often; whatever `work` throws
   */
  async run<T>(kind: WorkKind, id: string, work: () => Promise<T>): Promise<T> {
    const deaths = await this.#begin(kind, id);
    try {
      if (deaths >= maxDeaths) throw attemptsExhausted(deaths);
      return await work();
    } finally {
      await this.#end(kind, id);
    }
  }

  /** One statement: a process that is killed in it has either begun or not. A second mark of a process is the first. */
  async #begin(kind: WorkKind, id: string): Promise<number> {
    const { rows } = await this.#database.query<{ deaths: number }>(
      `insert into work (kind, id, processes) values ($1, $2, array[$3::uuid])
       on conflict (kind, id) do update set
         processes = array_append(array_remove(work.processes, $3::uuid), $3::uuid), changed_at = clock_timestamp()
       returning cardinality(processes) - 1 as deaths`,
      [kind, id, this.#process],
    );
    return (rows[0] as { deaths: number }).deaths;
  }

  /** A database that is out of reach is no death: the mark goes once it is back. */
  async #end(kind: WorkKind, id: string): Promise<void> {
    const end = () =>
      this.#database.query(
        'update work set processes = array_remove(processes, $3::uuid) where kind = $1 and id = $2',
        [kind, id, this.#process],
      );
    await end().catch(() => void this.#untilDone(end));
  }

  async #untilDone(end: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; attempt < 3_600; attempt++) {
      await sleep(settleEveryMs, undefined, { ref: false });
      try {
        await end();
        return;
      } catch {
        // Still out of reach, or closed.
      }
    }
  }
}

/** Forgets all that was counted of work that is over: done, failed for good, or not wanted any more. */
export async function endWork(db: Queryable, kind: WorkKind, id: string): Promise<void> {
  await db.query('delete from work where kind = $1 and id = $2', [kind, id]);
}

/**
 * Notes a failure for a reason that may pass.
 * @returns whether the work is to be given up, and else when it is tried again: after 1 s, 2 s, 4 s ...
 */
export async function noteFailure(
  db: Queryable,
  kind: WorkKind,
  id: string,
): Promise<{ exhausted: boolean; retryAt: Date }> {
  const { rows } = await db.query<{ failures: number; retry_at: Date }>(
    `insert into work (kind, id, failures, retry_at) values ($1, $2, 1, clock_timestamp() + interval '1 second')
     on conflict (kind, id) do update set
       failures = work.failures + 1, changed_at = clock_timestamp(),
       retry_at = clock_timestamp() + make_interval(secs => least(power(2, least(work.failures, 20)), $3::float8))
     returning failures, retry_at`,
    [kind, id, maxRetryDelayMs / 1000],
  );
  const { failures, retry_at } = rows[0] as { failures: number; retry_at: Date };
  return { exhausted: failures >= maxFailures, retryAt: retry_at };
}

/** Notes that work waits for what it cannot do without, as the storage is: as long as that takes. @returns until when */
export async function noteWaiting(db: Queryable, kind: WorkKind, id: string): Promise<Date> {
  const { rows } = await db.query<{ retry_at: Date }>(
    `insert into work (kind, id, retry_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
     on conflict (kind, id) do update set retry_at = excluded.retry_at, changed_at = clock_timestamp()
     returning retry_at`,
    [kind, id, waitMs / 1000],
  );
  return (rows[0] as { retry_at: Date }).retry_at;
}

/** Puts off what was given up and still waits, as nothing of it can be marked as failed, until it is forgotten. */
export async function putOff(db: Queryable, kind: WorkKind, id: string): Promise<void> {
  await db.query(
    `insert into work (kind, id, retry_at) values ($1, $2, clock_timestamp() + make_interval(days => $3))
     on conflict (kind, id) do update set retry_at = excluded.retry_at, changed_at = clock_timestamp()`,
    [kind, id, forgetAfterDays],
  );
}

/** Forgets what nobody has worked on for long. */
export async function forgetOldWork(db: Queryable): Promise<void> {
  await db.query('delete from work where changed_at < clock_timestamp() - make_interval(days => $1)', [
    forgetAfterDays,
  ]);
  await db.query('delete from work_turn where served_at < clock_timestamp() - make_interval(days => $1)', [
    forgetAfterDays,
  ]);
}

/** Whether work was given up because it killed its processes, and is not to be begun. */
export function isExhausted(error: unknown): boolean {
  return error instanceof CovermapError && error.code === 'attempts_exhausted';
}

function attemptsExhausted(deaths: number): CovermapError {
  return new CovermapError(
    'attempts_exhausted',
    `The service ended unexpectedly ${deaths === 2 ? 'twice' : `${deaths} times`} while it worked on this, so it does not try again.`,
    'Make the file simpler or smaller (split it, or simplify its shapes) and submit it again. If that fails too, tell the people who run this service.',
  );
}
