import { DelayedError, WaitingError } from 'bullmq';
import type { Database } from '../core/database/database.ts';
import { CovermapError } from '../core/errors.ts';
import { isDiskFull } from '../core/full-disk.ts';
import type { Logger } from '../core/logger.ts';
import { type JobOutcome, recordJob } from '../core/metrics/process.ts';
import {
  type JobKind,
  type JobProcessor,
  type JobQueue,
  queueNames,
  type RowJob,
  spanOptions,
} from '../core/queue.ts';
import { type CarriedParent, parseTraceparent, type Span } from '../core/tracing/span.ts';
import { inJobSpan, isTracing } from '../core/tracing/tracing.ts';
import { inTurn, recordTurn, type Waiting } from '../core/turns.ts';
import { type Attempts, endWork, postpone, recordFailure, recordSlow, recordWaiting } from '../core/work.ts';
import type { CancelledWork } from './cancelled-work.ts';
import { type Slot, Slots } from './slots.ts';

/** A kind of work that the queue wakes workers for. */
export interface TurnWork {
  kind: JobKind;
  /** A query of waiting work: `id` (text), `owner` (text), `since`. */
  waiting: string;
  /** What work may take in a second slot that is for quick work; undefined where there is one slot. */
  quickMs?: number;
  /** The key to hold meanwhile; by default the work's own. */
  key?(next: Waiting): string;
  /**
   * Does the work, or resumes it, and returns soon after the signal is aborted.
   * @throws TurnOver where its turn is over before the work is
   */
  work(id: string, signal: AbortSignal): Promise<void>;
  /** Marks the work as failed. */
  fail(id: string, error: unknown): Promise<void>;
  /** Whether it was not cancelled. */
  isWanted(id: string): Promise<boolean>;
  /** Removes what cancelled work has left, unless that goes with its row. */
  clear?(id: string): Promise<void>;
}

export interface TurnContext {
  database: Database;
  queue: Pick<JobQueue, 'traceOf'>;
  logger: Logger;
  attempts: Attempts;
  cancelled: CancelledWork;
  /** Aborted when the process is to stop: running work goes back to the queue. */
  stopping: AbortSignal;
}

/** How long a job waits where other processes hold all the work. */
const retryHeldMs = 5_000;

/** Names of kinds in keys of earlier versions, whose workers may still run during an upgrade. */
const keyNames: Partial<Record<JobKind, string>> = { ingest: 'submission' };

class Cancelled extends Error {}

/** Thrown by work that continues after others have had their turn. */
export class TurnOver extends Error {}

/**
 * Does a job, which only says that there is work: the rows say which is next. One process at a time does each, holding its
 * key by a connection to the database. A process that counted as dead may only be slow, so what it holds is retried later.
 */
export function takeTurns(context: TurnContext, turns: TurnWork): JobProcessor {
  const { database, stopping } = context;
  const { kind, waiting } = turns;
  const slots = new Slots(turns.quickMs);
  return async (job, token) => {
    const { id } = job.data;
    const delay = async (until: Date) => {
      await job.moveToDelayed(until.getTime(), token);
      throw new DelayedError();
    };
    const slot = slots.enter();
    try {
      for (;;) {
        if (stopping.aborted) {
          await job.moveToWait(token);
          throw new WaitingError();
        }
        // What begins in the first slot is not begun here.
        if (slot.isQuick && slot.other === undefined) {
          await slot.wait(stopping);
          continue;
        }
        let held = false;
        for (const next of await inTurn(database, kind, waiting, { quick: slot.isQuick })) {
          if (slot.isQuick && next.owner === slot.other) continue;
          const key = turns.key?.(next) ?? `${keyNames[kind] ?? kind} ${next.id}`;
          const outcome = await database.withExclusiveKey(key, async (lost) =>
            serve(context, turns, next, slot, lost, await traceOf(context.queue, kind, next.id, job.data)),
          );
          if (stopping.aborted) break;
          if (outcome === 'gone') continue;
          if (outcome === 'done') {
            // Another owner's turn came first: the job continues until its own row has had a turn.
            if (next.id !== id && (await inTurn(database, kind, waiting, { id })).length > 0)
              await delay(new Date());
            return;
          }
          if (outcome !== undefined) await delay(outcome);
          held = true;
        }
        if (stopping.aborted) continue;
        if (!slot.isQuick) {
          if (held) await delay(new Date(Date.now() + retryHeldMs));
          return;
        }
        if ((await inTurn(database, kind, waiting, { id })).length === 0) return;
        // Kept here: whoever comes in the meantime is served by this job, and not behind all that wait for the first slot.
        await slot.wait(stopping);
      }
    } finally {
      slot.leave();
    }
  };
}

/** The trace that has sent the work whose turn it is: that of its own job, and not of the one that woke this worker. */
async function traceOf(queue: TurnContext['queue'], kind: JobKind, id: string, woken: RowJob) {
  if (!isTracing()) return undefined;
  if (woken.id === id) return parseTraceparent(woken.traceparent);
  return queue.traceOf(kind, id).catch(() => undefined);
}

/** @returns `gone` where it no longer waits, or when to look again */
async function serve(
  context: TurnContext,
  turns: TurnWork,
  next: Waiting,
  slot: Slot,
  lost: AbortSignal,
  sentBy: CarriedParent | undefined,
): Promise<'done' | 'gone' | Date> {
  const { kind, waiting, isWanted } = turns;
  const { id } = next;
  const watched = context.cancelled.watch(
    kind,
    id,
    () => new Cancelled('nobody wants this any more'),
    () => isWanted(id),
  );
  try {
    if ((await inTurn(context.database, kind, waiting, { id, quick: slot.isQuick })).length === 0)
      return 'gone';
    const name = queueNames[kind];
    return await inJobSpan(`process ${name}`, spanOptions('consumer', name, id), sentBy, (span) =>
      turn(context, turns, next, slot, lost, watched.signal, span),
    );
  } finally {
    watched.end();
  }
}

/** @returns when to look again */
async function turn(
  { database, logger, attempts, stopping }: TurnContext,
  { kind, waiting, work, fail, clear }: TurnWork,
  { id, owner }: Waiting,
  slot: Slot,
  lost: AbortSignal,
  unwanted: AbortSignal,
  span: Span | undefined,
): Promise<'done' | Date> {
  let outcome: JobOutcome = 'done';
  await recordTurn(database, kind, owner);
  const began = performance.now();
  const limit = slot.begin(owner);
  try {
    try {
      const signal = AbortSignal.any([stopping, lost, unwanted, limit.signal]);
      await attempts.run(kind, id, () => work(id, signal));
    } catch (error) {
      outcome = 'interrupted';
      if (stopping.aborted) return 'done';
      if (error instanceof TurnOver) {
        outcome = 'continues';
        // It made progress: earlier failures do not count.
        await endWork(database, kind, id);
        return new Date();
      }
      if (lost.aborted) return new Date(Date.now() + retryHeldMs);
      if (unwanted.aborted) {
        outcome = 'cancelled';
        await clear?.(id);
      } else if (limit.signal.aborted) {
        outcome = 'continues';
        await recordSlow(database, kind, id);
        return new Date();
      } else {
        span?.fail(error);
        span?.recordError(error);
        if (isUnavailable(error)) {
          outcome = 'storage';
          // The file still exists: the work waits however long the storage is away.
          logger.warn({ err: error, kind, id }, 'work waits for the storage');
          // It may be what fills a disk: after a while it is tried once a minute.
          if (isFull(error)) return (await recordFailure(database, kind, id)).retryAt;
          return await recordWaiting(database, kind, id);
        }
        outcome = 'failed';
        const final = isFinal(error);
        const { exhausted, retryAt } = final ? { exhausted: true } : await recordFailure(database, kind, id);
        if (!exhausted) {
          outcome = 'retry';
          logger.error({ err: error, kind, id }, 'work failed, it will be retried');
          return retryAt as Date;
        }
        if (error instanceof CovermapError) logger.warn({ kind, id, code: error.code }, error.message);
        else logger.error({ err: error, kind, id }, 'work failed for good');
        await fail(id, error);
        if ((await inTurn(database, kind, waiting, { id })).length > 0) {
          await postpone(database, kind, id);
          return 'done';
        }
      }
    }
    await endWork(database, kind, id);
    return 'done';
  } finally {
    limit.end();
    recordJob(kind, outcome, (performance.now() - began) / 1000);
    span?.set({ 'covermap.job.outcome': outcome });
  }
}

function isUnavailable(error: unknown): boolean {
  return isFull(error) || (error instanceof CovermapError && error.code === 'storage_unavailable');
}

/** Whether the storage, the disk of this machine, or that of the database is full. */
function isFull(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof CovermapError && error.code === 'storage_full');
}

/** Whether a retry would change nothing: our own errors, and PostgreSQL's about values (classes 22 and 23). */
function isFinal(error: unknown): boolean {
  return error instanceof CovermapError || /^2[23]/.test((error as { code?: string }).code ?? '');
}
