import { DelayedError, WaitingError } from 'bullmq';
import type { Database } from '../core/database/database.ts';
import { CovermapError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { JobKind, JobProcessor } from '../core/queue.ts';
import { inTurn, noteTurn, type Waiting } from '../core/turns.ts';
import { type Attempts, endWork, noteFailure, noteWaiting, putOff } from '../core/work.ts';
import type { CancelledWork } from './cancelled-work.ts';

/** A kind of work that a queue wakes workers for. */
export interface TurnWork {
  kind: JobKind;
  /** A query of what waits: `id` (text), `owner` (text), `since`. */
  waiting: string;
  /** The key to hold while it is worked on; of the work itself unless given. */
  key?(next: Waiting): string;
  /**
   * Does the work, from wherever an earlier attempt left it, and returns soon after the signal is aborted.
   * @throws TurnOver where it has had its turn and there is more of it to do
   */
  work(id: string, signal: AbortSignal): Promise<void>;
  /** Records that the work has failed for good. */
  fail(id: string, error: unknown): Promise<void>;
  /** Whether somebody still wants it. */
  isWanted(id: string): Promise<boolean>;
  /** Clears away what was done of work that was cancelled. */
  clear(id: string): Promise<void>;
}

export interface TurnContext {
  database: Database;
  logger: Logger;
  attempts: Attempts;
  cancelled: CancelledWork;
  /** Aborted when the process is asked to stop: the running work is handed back. */
  stopping: AbortSignal;
}

/** How long a job waits where another process holds all that there is to do. */
const retryHeldMs = 5_000;

/** What workers of earlier versions know a kind by: they may still be at work while they are replaced. */
const keyNames: Partial<Record<JobKind, string>> = { ingest: 'submission' };

class Cancelled extends Error {}

/** Thrown by work that goes on when others have had their turn. */
export class TurnOver extends Error {}

/**
 * Does a job: it only says that there is work, and the rows say which is next. Each is done by one process at a time,
 * which holds its key by a connection to the database. One that was taken for dead may only be slow: what it holds is
 * looked at again later.
 */
export function takeTurns(context: TurnContext, turns: TurnWork): JobProcessor {
  const { database, stopping } = context;
  const { kind, waiting } = turns;
  return async (job, token) => {
    const delay = async (until: Date) => {
      await job.moveToDelayed(until.getTime(), token);
      throw new DelayedError();
    };
    let held = false;
    for (const next of await inTurn(database, kind, waiting)) {
      const key = turns.key?.(next) ?? `${keyNames[kind] ?? kind} ${next.id}`;
      const outcome = await database.withExclusiveKey(key, (lost) => serve(context, turns, next, lost));
      if (stopping.aborted) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      if (outcome === 'gone') continue;
      if (outcome === 'done') {
        // Another's turn came first: the job goes on until what it was sent for has had its own.
        const { id } = job.data;
        if (next.id !== id && (await inTurn(database, kind, waiting, id)).length > 0) await delay(new Date());
        return;
      }
      if (outcome !== undefined) await delay(outcome);
      held = true;
    }
    if (held) await delay(new Date(Date.now() + retryHeldMs));
  };
}

/** @returns `gone` where it does not wait any more, or when it is to be looked at again */
async function serve(
  { database, logger, attempts, cancelled, stopping }: TurnContext,
  { kind, waiting, work, fail, isWanted, clear }: TurnWork,
  { id, owner }: Waiting,
  lost: AbortSignal,
): Promise<'done' | 'gone' | Date> {
  const watched = cancelled.watch(
    kind,
    id,
    () => new Cancelled('nobody wants this any more'),
    () => isWanted(id),
  );
  try {
    if ((await inTurn(database, kind, waiting, id)).length === 0) return 'gone';
    await noteTurn(database, kind, owner);
    try {
      const signal = AbortSignal.any([stopping, lost, watched.signal]);
      await attempts.run(kind, id, () => work(id, signal));
    } catch (error) {
      if (stopping.aborted) return 'done';
      if (error instanceof TurnOver) {
        // It got on: what went wrong before was not its doing.
        await endWork(database, kind, id);
        return new Date();
      }
      if (lost.aborted) return new Date(Date.now() + retryHeldMs);
      if (watched.signal.aborted) {
        await clear(id);
      } else if (isUnavailable(error)) {
        // The file is where it was, only out of reach: however long that takes, the work waits for it.
        logger.warn({ err: error, kind, id }, 'work waits for the storage');
        return await noteWaiting(database, kind, id);
      } else {
        const final = isFinal(error);
        const { exhausted, retryAt } = final ? { exhausted: true } : await noteFailure(database, kind, id);
        if (!exhausted) {
          logger.error({ err: error, kind, id }, 'work failed, it will be tried again');
          return retryAt as Date;
        }
        if (error instanceof CovermapError) logger.warn({ kind, id, code: error.code }, error.message);
        else logger.error({ err: error, kind, id }, 'work failed for good');
        await fail(id, error);
        if ((await inTurn(database, kind, waiting, id)).length > 0) {
          await putOff(database, kind, id);
          return 'done';
        }
      }
    }
    await endWork(database, kind, id);
    return 'done';
  } finally {
    watched.end();
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CovermapError && ['storage_unavailable', 'storage_full'].includes(error.code);
}

/** Whether trying again would change nothing: our own errors, and what PostgreSQL says of values (classes 22 and 23). */
function isFinal(error: unknown): boolean {
  return error instanceof CovermapError || /^2[23]/.test((error as { code?: string }).code ?? '');
}
