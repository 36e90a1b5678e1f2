import { sweepBulkJobs } from '../core/bulk/jobs.ts';
import type { Config } from '../core/config.ts';
import { finishRollback, unfinishedRollbacks } from '../core/coverage/rollback.ts';
import { unfinishedSubmissions } from '../core/coverage/submissions.ts';
import { makeMissingOverviews } from '../core/coverage/tiles/overview.ts';
import { sweepUploads } from '../core/coverage/uploads.ts';
import type { Database } from '../core/database/database.ts';
import type { Logger } from '../core/logger.ts';
import type { JobKind, JobProcessor, JobQueue } from '../core/queue.ts';
import type { Storage } from '../core/storage.ts';
import { bulkLookup } from './bulk-lookup.ts';
import { startCloseMonth } from './close-month.ts';
import { ingestCoverage } from './ingest-coverage.ts';
import { inspectUpload } from './inspect-upload.ts';
import { startReleaseDomains } from './release-domains.ts';

export interface Workers {
  /** Takes no more jobs and hands the running one back to the queue. */
  close(): Promise<void>;
}

export interface WorkerContext {
  config: Config;
  database: Database;
  queue: JobQueue;
  storage: Storage;
  logger: Logger;
}

/** Jobs at once: one load keeps both the reader thread and the database busy. */
const concurrency = 1;

/** Starts every worker of the process. */
export async function startWorkers(context: WorkerContext): Promise<Workers> {
  const { config, queue, logger } = context;
  const stopping = new AbortController();
  const start = (kind: JobKind, process: JobProcessor) => {
    const worker = queue.startWorker(kind, process, concurrency);
    worker.on('failed', (job, error) => {
      logger.error({ err: error, kind, id: job?.data.id }, 'a job failed, it will be tried again');
    });
    worker.on('error', (error) => logger.warn({ err: error }, 'the job queue is out of reach'));
    return worker;
  };
  const workers = [
    start('ingest', ingestCoverage({ ...context, stopping: stopping.signal })),
    start('inspect', inspectUpload(context)),
    start('bulk', bulkLookup({ ...context, stopping: stopping.signal })),
  ];
  for (const worker of workers) await worker.waitUntilReady();
  await sweep(context, stopping.signal);
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= sweep(context, stopping.signal)
      .catch((error) => logger.warn({ err: error }, 'what is left to do could not be looked for'))
      .finally(() => {
        sweeping = undefined;
      });
  }, config.sweepSeconds * 1000);
  const scheduled = [await startReleaseDomains(context), await startCloseMonth(context)];
  return {
    async close() {
      clearInterval(timer);
      await Promise.all(scheduled.map((work) => work.close()));
      stopping.abort(new Error('the worker is stopping'));
      await Promise.all([...workers.map((worker) => worker.close()), sweeping]);
    },
  };
}

/**
 * Finds what is left to do where a process was killed or the queue was out of reach: the rows are the truth, the queue
 * only carries them.
 */
async function sweep(
  { database, queue, storage, logger }: WorkerContext,
  stopping: AbortSignal,
): Promise<void> {
  const uploads = await sweepUploads(database, storage);
  for (const id of await unfinishedSubmissions(database)) await queue.send('ingest', id);
  for (const id of uploads) await queue.send('inspect', id);
  for (const id of await sweepBulkJobs(database, storage)) await queue.send('bulk', id);
  for (const id of await unfinishedRollbacks(database)) await finishRollback(database, id);
  await storage.tidy();
  await makeMissingOverviews(database, stopping).catch((error) => {
    if (!stopping.aborted) logger.warn({ err: error }, 'coverage could not be drawn for the map');
  });
}
