import type { Config } from '../core/config.ts';
import { unfinishedSubmissions } from '../core/coverage/submissions.ts';
import type { Database } from '../core/database/database.ts';
import type { Logger } from '../core/logger.ts';
import type { JobQueue } from '../core/queue.ts';
import type { Storage } from '../core/storage.ts';
import { ingestCoverage } from './ingest-coverage.ts';
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
/** How often submissions are looked for whose job the queue has lost, or could not be given. */
const sweepMs = 30_000;

/** Starts every worker of the process. */
export async function startWorkers(context: WorkerContext): Promise<Workers> {
  const { database, queue, logger } = context;
  const stopping = new AbortController();
  const process = ingestCoverage({ ...context, stopping: stopping.signal });
  const worker = queue.startIngestWorker(process, concurrency);
  worker.on('failed', (job, error) => {
    logger.error({ err: error, submission: job?.data.submissionId }, 'ingest failed, it will be tried again');
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'the job queue is out of reach'));
  await worker.waitUntilReady();

  // The row is the truth, the queue only carries it.
  const sweep = async () => {
    for (const id of await unfinishedSubmissions(database)) await queue.sendIngest(id);
  };
  await sweep();
  const timer = setInterval(() => {
    sweep().catch((error) => logger.warn({ err: error }, 'unfinished submissions could not be sent'));
  }, sweepMs);
  const releases = await startReleaseDomains(context);
  return {
    async close() {
      clearInterval(timer);
      await releases.close();
      stopping.abort(new Error('the worker is stopping'));
      await worker.close();
    },
  };
}
