import { DelayedError, type Job, WaitingError } from 'bullmq';
import type { Database } from '../core/database/database.ts';

/** How long a job waits that another process is working on. */
const retryHeldMs = 5_000;

/**
 * Does the work of a job in one process at a time: the key is held by a connection of the database, and goes with it. Where
 * another process has it, that one may have been taken for dead while it was only slow: the job waits, and is looked at
 * again. A job whose process is stopping goes back to the queue.
 * @param key what is worked on
 * @param work gets a signal that is aborted when the key is lost; what it throws is thrown on, unless the process is stopping
 * @throws DelayedError, WaitingError, which tell BullMQ that the job is neither done nor failed
 */
export async function workExclusively(
  { database, stopping }: { database: Database; stopping: AbortSignal },
  { job, token, key }: { job: Job; token: string | undefined; key: string },
  work: (lost: AbortSignal) => Promise<void>,
): Promise<void> {
  let done: true | undefined;
  try {
    done = await database.withExclusiveKey(key, async (lost) => {
      await work(lost);
      return true as const;
    });
  } catch (error) {
    if (!stopping.aborted) throw error;
    await job.moveToWait(token);
    throw new WaitingError();
  }
  if (done) return;
  await job.moveToDelayed(Date.now() + retryHeldMs, token);
  throw new DelayedError();
}

/** Whether an error only says what became of the job. */
export function isHandedBack(error: unknown): boolean {
  return error instanceof DelayedError || error instanceof WaitingError;
}
