import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';

/** The steps of the work, in the order in which coverage goes through them. Each has a file in `workers/` and a queue. */
export const steps = [
  'inspect',
  'read-towers',
  'predict',
  'load',
  'compare',
  'publish',
  'archive',
  'discard',
  'draw',
  'rollback',
  'bulk-lookup',
  'import-addresses',
  'count-premises',
  'export-coverage',
] as const;
export type Step = (typeof steps)[number];

/** The possible first steps of a submission. */
export const firstSteps = ['read-towers', 'load'] as const satisfies Step[];

/** Work that has killed this many processes has failed. */
const maxDeaths = 2;
/** Work that failed this often for temporary reasons has failed. */
export const maxFailures = 8;
const maxRetryDelayMs = 60_000;
/** The pause before a retry while the storage is away. */
const waitMs = 5_000;
/** The interval of retries to record the end of an attempt while the database is away. */
const retryEndMs = 1_000;
/** Failed work without a failed state is retried after this long. */
const keptDays = 7;

/**
 * Counts attempts in the work's row. A process writes its mark there before it begins and removes it afterwards, unless the work kills the process:
 * two marks of other processes mean two deaths. The caller holds the exclusive key of the work.
 */
export class Attempts {
  readonly #database: Database;
  /** The mark, which shows staff the work of each process. */
  readonly process: string;

  /** @param process the mark; tests give several */
  constructor(database: Database, process: string = randomUUID()) {
    this.#database = database;
    this.process = process;
  }

  /** Marks the work, runs it, and removes the mark. @throws CovermapError `attempts_exhausted` where it killed its process too often */
  async run<T>(kind: Step, id: string, work: () => Promise<T>): Promise<T> {
    const deaths = await this.#begin(kind, id);
    try {
      if (deaths >= maxDeaths) throw new CovermapError('attempts_exhausted');
      return await work();
    } finally {
      await this.#end(kind, id);
    }
  }

  /** One statement, so that a kill leaves it done or not. A process has at most one mark. */
  async #begin(kind: Step, id: string): Promise<number> {
    const { rows } = await this.#database.query<{ deaths: number }>(sql`
      insert into work (kind, id, processes) values (${kind}, ${id}, array[${this.process}::uuid])
      on conflict (kind, id) do update set
        processes = array_append(array_remove(work.processes, ${this.process}::uuid), ${this.process}::uuid),
        changed_at = clock_timestamp()
      returning cardinality(processes) - 1 as deaths`);
    return (rows[0] as { deaths: number }).deaths;
  }

  /** Losing the database is no death: the mark is removed once it is back. */
  async #end(kind: Step, id: string): Promise<void> {
    const end = () =>
      this.#database.query(sql`
        update work set processes = array_remove(processes, ${this.process}::uuid)
        where kind = ${kind} and id = ${id}`);
    await end().catch(() => void this.#untilDone(end));
  }

  async #untilDone(end: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; attempt < 3_600; attempt++) {
      await sleep(retryEndMs, undefined, { ref: false });
      try {
        await end();
        return;
      } catch {
        // Still out of reach, or closed.
      }
    }
  }
}

/** Forgets deaths once work has got further than before, as it did not cause them. Only the mark of its current process, the last, stays. */
export async function forgetDeaths(db: Queryable, kind: Step, id: string): Promise<void> {
  await db.query(sql`
    update work set processes = processes[cardinality(processes):]
    where kind = ${kind} and id = ${id} and cardinality(processes) > 1`);
}

export async function endWork(db: Queryable, kind: Step, id: string): Promise<void> {
  await db.query(sql`delete from work where kind = ${kind} and id = ${id}`);
}

/** Records a temporary failure. @returns if the work has now failed, and when to retry: after 1 s, 2 s, 4 s ... */
export async function recordFailure(db: Queryable, kind: Step, id: string) {
  const { rows } = await db.query<{ failures: number; retry_at: Date }>(sql`
    insert into work (kind, id, failures, retry_at) values (${kind}, ${id}, 1, clock_timestamp() + interval '1 second')
    on conflict (kind, id) do update set
      failures = work.failures + 1, changed_at = clock_timestamp(),
      retry_at = clock_timestamp() + make_interval(secs => least(power(2, least(work.failures, 20)),
        ${maxRetryDelayMs / 1000}::float8))
    returning failures, retry_at`);
  const { failures, retry_at } = rows[0] as { failures: number; retry_at: Date };
  return { exhausted: failures >= maxFailures, retryAt: retry_at };
}

/** Records that work was stopped for taking longer than it may beside other slow work. */
export async function recordSlow(db: Queryable, kind: Step, id: string): Promise<void> {
  await db.query(sql`
    insert into work (kind, id, slow) values (${kind}, ${id}, true)
    on conflict (kind, id) do update set slow = true, changed_at = clock_timestamp()`);
}

/** Records that work waits for the storage. @returns the time of the retry */
export const recordWaiting = (db: Queryable, kind: Step, id: string) => retryAfter(db, kind, id, waitMs);

/** Postpones failed work that has no failed state until its row is deleted. */
export const postpone = (db: Queryable, kind: Step, id: string) =>
  retryAfter(db, kind, id, keptDays * 86_400_000);

async function retryAfter(db: Queryable, kind: Step, id: string, delayMs: number): Promise<Date> {
  const { rows } = await db.query<{ retry_at: Date }>(sql`
    insert into work (kind, id, retry_at) values (${kind}, ${id},
      clock_timestamp() + make_interval(secs => ${delayMs / 1000}))
    on conflict (kind, id) do update set retry_at = excluded.retry_at, changed_at = clock_timestamp()
    returning retry_at`);
  return (rows[0] as { retry_at: Date }).retry_at;
}

export async function deleteOldWork(db: Queryable): Promise<void> {
  await db.query(
    sql`delete from work where changed_at < clock_timestamp() - make_interval(days => ${keptDays})`,
  );
}

export const isExhausted = (error: unknown): boolean =>
  error instanceof CovermapError && error.code === 'attempts_exhausted';
