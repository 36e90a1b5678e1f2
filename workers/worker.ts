import { openReplica } from '../core/database/open.ts';
import { Attempts } from '../core/work.ts';
import { bulkLookup } from './bulk-lookup.ts';
import { openCancelledWork } from './cancelled-work.ts';
import { startCloseMonth } from './close-month.ts';
import { compareCoverage } from './compare-coverage.ts';
import type { WorkerContext, Workers } from './context.ts';
import { ingestCoverage } from './ingest-coverage.ts';
import { inspectUpload } from './inspect-upload.ts';
import { predictCoverage } from './predict-coverage.ts';
import { startReleaseDomains } from './release-domains.ts';
import { sweepOf } from './sweep.ts';
import { takeTurns } from './take-turns.ts';

/** Starts every worker of the process. */
export async function startWorkers(context: WorkerContext): Promise<Workers> {
  const { config, database, queue, logger } = context;
  const stopping = new AbortController();
  const attempts = new Attempts(database);
  const cancelled = await openCancelledWork(database);
  // Watched all the time: it takes a while until one is known to be near enough.
  const replica = await openReplica(config, logger);
  const turns = [
    ingestCoverage(context),
    compareCoverage(context),
    inspectUpload(context),
    bulkLookup(context, replica),
    predictCoverage(context),
  ];
  const workers = turns.map((work) => {
    const turnContext = { database, queue, logger, attempts, cancelled, stopping: stopping.signal };
    // One load keeps both the reader and the database busy; the second slot is for quick ones.
    const slots = work.quickMs === undefined ? 1 : 2;
    const worker = queue.startWorker(work.kind, takeTurns(turnContext, work), slots);
    worker.on('failed', (job, error) => {
      logger.error({ err: error, kind: work.kind, id: job?.data.id }, 'a job failed, it will be retried');
    });
    worker.on('error', (error) => logger.warn({ err: error }, 'the job queue is out of reach'));
    return worker;
  });
  for (const worker of workers) await worker.waitUntilReady();
  logger.info({ process: attempts.process }, 'this process takes jobs');
  const sweep = sweepOf(context, attempts, turns, stopping.signal);
  let sweeping: Promise<void> | undefined;
  // Not awaited: the first one may take long after an upgrade.
  const startSweep = () => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
  };
  startSweep();
  const timer = setInterval(startSweep, config.sweepSeconds * 1000);
  const scheduled = [await startReleaseDomains(context), await startCloseMonth(context)];
  return {
    async close() {
      clearInterval(timer);
      stopping.abort(new Error('the worker is stopping'));
      await Promise.all(scheduled.map((work) => work.close()));
      await Promise.all([...workers.map((worker) => worker.close()), sweeping]);
      await cancelled.close();
      await replica?.close();
    },
  };
}
