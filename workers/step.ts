import {
  type Attempts,
  endWork,
  postpone,
  recordFailure,
  recordSlow,
  recordWaiting,
  type Step,
} from '../coverage/attempts.ts';
import type { JobQueue } from '../coverage/jobs/queue.ts';
import { isWaiting, maxPlaces, waitingRows } from '../coverage/jobs/waiting.ts';
import type { Database } from '../platform/database/database.ts';
import { CovermapError } from '../platform/errors.ts';
import { isDiskFull } from '../platform/full-disk.ts';
import type { Logger } from '../platform/logger.ts';
import { type JobOutcome, recordJob } from '../platform/metrics/process-metrics.ts';
import { type JobEnd, type JobProcessor, type RowJob, spanOptions } from '../platform/queue.ts';
import type { Span } from '../platform/tracing/span.ts';
import { inJobSpan } from '../platform/tracing/tracing.ts';
import type { CancelledWork } from './cancelled-work.ts';

/** A step to send to the queue: for one row, or for all rows that wait for it. */
export type Next = readonly [step: Step, id?: string];

export interface StepWork {
  step: Step;
  /** Jobs at once in a process; by default one. */
  slots?: number;
  /** A job that takes longer is slow, and only one slot may hold a slow one. */
  quickMs?: number;
  /** The key of the lock; by default the step's own. */
  key?(id: string): string;
  /**
   * Does or resumes the work on a row, and returns soon after the signal is aborted.
   * @returns steps to send next; each runs only for rows that wait for it
   * @throws TurnOver where others should have a turn before it continues
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most send nothing
  work(id: string, signal: AbortSignal): Promise<readonly Next[] | void>;
  /** Marks the work as failed. Without it, a failed job is retried later. */
  fail?(id: string, error: unknown): Promise<void>;
  /** Closes what it has opened for all its jobs, once none is at work. */
  close?(): Promise<void>;
}

export interface StepContext {
  database: Database;
  queue: Pick<JobQueue, 'send'>;
  logger: Logger;
  attempts: Attempts;
  cancelled: CancelledWork;
  /** Aborted when the process is to stop: running jobs go back to the queue. */
  stopping: AbortSignal;
}

/** The default of `quickMs`: a small file waits no longer than this for the large ones of others. */
const usualQuickMs = 30_000;
/** The delay before a retry where another process holds the row, or another slow job the slow slot. */
const retryHeldMs = 5_000;

/** The key of all work on a submission's own rows: one step at a time. */
export const submissionKey = (id: string) => `submission ${id}`;

/** Thrown by work that continues after others have had their turn. */
export class TurnOver extends Error {}

interface Outcome extends JobEnd {
  next?: readonly Next[];
}

const later = (ms: number): Outcome => ({ again: new Date(Date.now() + ms) });

/** Does the jobs of a step, each in one process at a time. Of several slots, one may be taken by slow work; the next slow job waits for it behind others. */
export function jobsOf(context: StepContext, work: StepWork): JobProcessor {
  const slow = slowSlot();
  return async (job) => {
    const end = context.stopping.aborted ? {} : await doJob(context, work, slow, job);
    return context.stopping.aborted ? { again: 'at once' } : end;
  };
}

type SlowSlot = ReturnType<typeof slowSlot>;

function slowSlot() {
  let taken: string | undefined;
  return {
    take(id: string): boolean {
      taken ??= id;
      return taken === id;
    },
    release(id: string): void {
      if (taken === id) taken = undefined;
    },
  };
}

async function doJob(
  context: StepContext,
  work: StepWork,
  slow: SlowSlot,
  { id, traceparent }: RowJob,
): Promise<Outcome> {
  const { database, queue, logger } = context;
  const { step } = work;
  const [row] = await waitingRows(database, step, id);
  if (!row) return {};
  if (row.killed && (await waitingRows(database, step)).some(({ alone }) => !alone))
    return later(retryHeldMs);
  if (row.alone && !slow.take(id)) return later(retryHeldMs);
  try {
    return await inJobSpan(
      `process ${step}`,
      spanOptions('consumer', step, id),
      traceparent,
      async (span) => {
        const key = work.key?.(id) ?? `${step} ${id}`;
        const outcome = await database.withExclusiveKey(key, (lost) =>
          attempt(context, work, slow, id, lost, span),
        );
        for (const [next, of] of outcome?.next ?? []) {
          await queue
            .send(next, of)
            .catch((error) => logger.warn({ err: error, step: next, id: of }, 'the job will be sent later'));
        }
        return outcome ?? later(retryHeldMs);
      },
    );
  } finally {
    slow.release(id);
  }
}

async function attempt(
  { database, logger, attempts, cancelled, stopping }: StepContext,
  { step, slots = 1, quickMs = usualQuickMs, work, fail }: StepWork,
  slow: SlowSlot,
  id: string,
  lost: AbortSignal,
  span: Span | undefined,
): Promise<Outcome> {
  const began = performance.now();
  let outcome: JobOutcome = 'interrupted';
  const tooSlow = new AbortController();
  const unwanted = cancelled.watch(step, id);
  const timer = setTimeout(() => {
    if (slots > 1 && !slow.take(id)) tooSlow.abort(new Error('another slow job is at work'));
  }, quickMs);
  try {
    // Another process may have done it until now.
    if (!(await isWaiting(database, step, id))) return {};
    const signal = AbortSignal.any([stopping, lost, unwanted.signal, tooSlow.signal]);
    const next = await attempts.run(step, id, async () => {
      // It may have been stopped before it began.
      signal.throwIfAborted();
      return work(id, signal);
    });
    outcome = 'done';
    await endWork(database, step, id);
    return next ? { next } : {};
  } catch (error) {
    if (stopping.aborted) return {};
    if (error instanceof TurnOver) {
      outcome = 'continues';
      // It made progress: earlier failures do not count.
      await endWork(database, step, id);
      return { ...later(0), behind: 1 };
    }
    if (lost.aborted) return later(retryHeldMs);
    if (unwanted.signal.aborted) {
      outcome = 'cancelled';
      await endWork(database, step, id);
      // The row has changed meanwhile: it is begun anew.
      return (await isWaiting(database, step, id)) ? later(0) : { next: [['discard', id]] };
    }
    if (tooSlow.signal.aborted) {
      outcome = 'continues';
      await recordSlow(database, step, id);
      return { ...later(retryHeldMs), behind: maxPlaces };
    }
    span?.fail(error);
    span?.recordError(error);
    if (isUnavailable(error)) {
      outcome = 'storage';
      // The file still exists: the work waits.
      const forWhat = isRunning(error) ? 'other work' : 'the storage';
      logger.warn({ err: error, step, id }, `work waits for ${forWhat}`);
      // The job itself may fill the disk: after a while it is retried once a minute.
      return {
        again: isFull(error)
          ? (await recordFailure(database, step, id)).retryAt
          : await recordWaiting(database, step, id),
      };
    }
    outcome = 'failed';
    const { exhausted, retryAt } = isFinal(error)
      ? { exhausted: true }
      : await recordFailure(database, step, id);
    if (!exhausted && retryAt) {
      outcome = 'retry';
      logger.error({ err: error, step, id }, 'work failed, it will be retried');
      return { again: retryAt };
    }
    if (error instanceof CovermapError) logger.warn({ step, id, code: error.code }, error.message);
    else logger.error({ err: error, step, id }, 'work failed for good');
    await fail?.(id, error);
    if (await isWaiting(database, step, id)) await postpone(database, step, id);
    else await endWork(database, step, id);
    return {};
  } finally {
    clearTimeout(timer);
    unwanted.end();
    recordJob(step, outcome, (performance.now() - began) / 1000);
    span?.set({ 'covermap.job.outcome': outcome });
  }
}

/** Tells if the work has to wait for what passes by itself. */
const isUnavailable = (error: unknown) =>
  isFull(error) ||
  isRunning(error) ||
  (error instanceof CovermapError && error.code === 'storage_unavailable');

/** Tells if a command imports addresses, or a worker counts premises. */
const isRunning = (error: unknown) =>
  error instanceof CovermapError && ['address_import_running', 'premises_being_counted'].includes(error.code);

/** Tells if the storage, this machine's disk or the database's disk is full. */
const isFull = (error: unknown) =>
  isDiskFull(error) || (error instanceof CovermapError && error.code === 'storage_full');

/** Tells if a retry would change nothing: our own errors, and PostgreSQL's about values (classes 22 and 23). */
const isFinal = (error: unknown) =>
  error instanceof CovermapError || /^2[23]/.test((error as { code?: string }).code ?? '');
