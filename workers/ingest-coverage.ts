import { DelayedError, type Job, WaitingError } from 'bullmq';
import {
  archiveSuperseded,
  beginSubmission,
  discardDatasets,
  publishSubmission,
  readySubmission,
} from '../core/coverage/datasets.ts';
import {
  advanceSubmission,
  failSubmission,
  findSubmission,
  type Progress,
  type Submission,
} from '../core/coverage/submissions.ts';
import type { Database } from '../core/database/database.ts';
import { CovermapError, errorReport } from '../core/errors.ts';
import type { IngestJob, IngestProcessor } from '../core/queue.ts';
import { loadFile } from '../ingest/load.ts';
import type { WorkerContext } from './worker.ts';

export interface IngestContext extends Omit<WorkerContext, 'queue'> {
  /** Aborted when the process is asked to stop: the running job goes back to the queue. */
  stopping: AbortSignal;
}

/** How long a job waits whose submission another process is working on. */
const retryHeldMs = 5_000;
/** Progress is written this often at most. */
const progressEveryMs = 250;

/**
 * The job that makes published coverage of a submission. It can be stopped or killed anywhere and run again, also by
 * another process while this one is only thought dead: each step looks at the rows for what is left to do.
 */
export function ingestCoverage(context: IngestContext): IngestProcessor {
  const { database, logger, stopping } = context;
  return async (job, token) => {
    const id = job.data.submissionId;
    try {
      // One process at a time works on a submission. The key is held by a connection, and goes with it.
      const done = await database.withExclusiveKey(`submission ${id}`, async (lost) => {
        await work(context, id, lost);
        return true;
      });
      if (!done) {
        // That process may have been taken for dead while it was only slow. Either it ends the work, or this does.
        await job.moveToDelayed(Date.now() + retryHeldMs, token);
        throw new DelayedError();
      }
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      if (stopping.aborted) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      if (error instanceof CovermapError) {
        // No retry helps: this is the submission's end, and the job has done its work.
        logger.warn({ submission: id, code: error.code }, error.message);
        await end(database, id, error);
        return;
      }
      // What PostgreSQL says of the values themselves (classes 22 and 23) it would say again.
      const refused = /^2[23]/.test((error as { code?: string }).code ?? '');
      if (refused || isLastAttempt(job)) await end(database, id, error);
      if (refused) {
        logger.error({ err: error, submission: id }, 'the database refused the values of a submission');
        return;
      }
      throw error;
    }
  };
}

async function work(context: IngestContext, id: string, lost: AbortSignal): Promise<void> {
  const { config, database, logger } = context;
  const submission = await findSubmission(database, id);
  if (!submission) return;
  if (!(await isLoaded(database, id))) {
    if (submission.state === 'failed' || submission.state === 'withdrawn') return;
    await load(context, submission, lost);
  }
  lost.throwIfAborted();
  if (submission.manifest.publish === 'auto') {
    logger.info({ submission: id }, await publishSubmission(database, id));
    await archiveSuperseded(database, id, config.keptVersions);
  }
}

/** Whether an earlier run of the job has finished loading: the datasets of a submission get ready together. */
async function isLoaded(database: Database, submissionId: string): Promise<boolean> {
  const { rows } = await database.query(
    `select from dataset where submission_id = $1 and state <> 'loading' limit 1`,
    [submissionId],
  );
  return rows.length > 0;
}

async function load(context: IngestContext, submission: Submission, lost: AbortSignal): Promise<void> {
  const { config, database, storage, stopping, logger } = context;
  const { id, manifest } = submission;
  const report = progressWriter(database, id);
  logger.info({ submission: id, file: submission.file_name }, 'ingest begins');
  report.soon({
    step: 'reading',
    bytes_read: 0,
    bytes_total: submission.size_bytes,
    features_read: 0,
    rows_loaded: 0,
  });
  await report.settled();
  await beginSubmission(database, id);
  const loaded = await loadFile(database, {
    submissionId: id,
    file: storage.localPath(submission.storage_key),
    name: submission.file_name,
    manifest,
    serviceArea: config.serviceArea,
    limits: { memoryMb: config.readerMemoryMb, deadlineMs: config.readerDeadlineMinutes * 60_000 },
    onProgress: (progress) => {
      logger.debug({ submission: id, ...progress }, 'ingest goes on');
      report.soon(progress);
    },
    signal: AbortSignal.any([stopping, lost]),
  });
  await report.settled();
  lost.throwIfAborted();
  await readySubmission(database, id, loaded.areas, loaded.report);
}

async function end(database: Database, id: string, error: unknown): Promise<void> {
  // In this order, so that a process killed in between leaves an unfinished submission and not unowned rows.
  await discardDatasets(database, id);
  await failSubmission(database, id, errorReport(error));
}

function isLastAttempt(job: Job<IngestJob>): boolean {
  return job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
}

/** Writes progress to the submission's row, now and then, in order, without holding up the work. */
function progressWriter(database: Database, id: string) {
  let writing: Promise<void> | undefined;
  let latest: Progress | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const write = async () => {
    while (latest) {
      const progress = latest;
      latest = undefined;
      last = performance.now();
      // Progress that cannot be written is not worth failing for: whatever is wrong shows in the work itself.
      await advanceSubmission(database, id, progress).catch(() => undefined);
    }
    writing = undefined;
  };
  return {
    soon(progress: Progress): void {
      if (progress.step === 'loading' && performance.now() - last < progressEveryMs) return;
      latest = progress;
      writing ??= write();
    },
    async settled(): Promise<void> {
      await writing;
    },
  };
}
