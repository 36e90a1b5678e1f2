import { Attempts } from '../coverage/attempts.ts';
import { openReplica } from '../platform/database/open.ts';
import { warnRarely } from '../platform/warn-rarely.ts';
import { archiveVersion } from './archive.ts';
import { bulkLookup } from './bulk-lookup.ts';
import { openCancelledWork } from './cancelled-work.ts';
import { startCloseMonth } from './close-month.ts';
import { compareCoverage } from './compare.ts';
import type { WorkerContext } from './context.ts';
import { countVersion } from './count-premises.ts';
import { discardCoverage } from './discard.ts';
import { drawVersion } from './draw.ts';
import { exportCoverage } from './export-coverage.ts';
import { importAddresses } from './import-addresses.ts';
import { inspectUpload } from './inspect.ts';
import { loadCoverage } from './load.ts';
import { startMail } from './mail.ts';
import { predictCoverage } from './predict.ts';
import { publishCoverage } from './publish.ts';
import { readTowerFile } from './read-towers.ts';
import { startReleaseDomains } from './release-domains.ts';
import { finishRollback } from './rollback.ts';
import { jobsOf, type StepWork } from './step.ts';
import { sweepOf } from './sweep.ts';

/** Starts every worker of the process. @param quickMs see {@link StepWork}, for tests */
export async function startWorkers(context: WorkerContext, { quickMs }: Pick<StepWork, 'quickMs'> = {}) {
  const { config, database, queue, logger } = context;
  const stopping = new AbortController();
  const attempts = new Attempts(database);
  const cancelled = await openCancelledWork(database);
  // Kept open: it takes a while until a replica is known to be close enough.
  const replica = await openReplica(config, logger);
  const stepContext = { database, queue, logger, attempts, cancelled, stopping: stopping.signal };
  // Each worker tries once a second.
  const outOfReach = warnRarely(logger, 'the job queue is out of reach');
  const steps: StepWork[] = [
    inspectUpload(context),
    readTowerFile(context),
    predictCoverage(context),
    loadCoverage(context),
    compareCoverage(context),
    publishCoverage(context),
    archiveVersion(context),
    discardCoverage(context),
    drawVersion(context),
    finishRollback(context),
    bulkLookup(context, replica),
    importAddresses(context),
    countVersion(context),
    exportCoverage(context),
  ];
  const workers = steps.map((work) => {
    const { step, slots = 1 } = work;
    const jobs = jobsOf(stepContext, quickMs === undefined ? work : { ...work, quickMs });
    const worker = queue.startWorker(step, jobs, slots);
    worker.on('failed', (job, error) => {
      logger.error({ err: error, step, id: job?.data.id }, 'a job failed, it will be retried');
    });
    worker.on('error', (err) => outOfReach({ err }));
    return worker;
  });
  logger.info({ process: attempts.process }, 'this process takes jobs');
  const sweep = sweepOf(context, stopping.signal);
  let sweeping: Promise<void> | undefined;
  // Not awaited: the first one may take long after an upgrade.
  const startSweep = () => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
  };
  startSweep();
  const timer = setInterval(startSweep, config.sweepSeconds * 1000);
  const scheduled = await Promise.all([
    startReleaseDomains(context),
    startCloseMonth(context, context.now),
    startMail(context),
  ]);
  return {
    async close() {
      clearInterval(timer);
      stopping.abort(new Error('the worker is stopping'));
      await Promise.all([...[...scheduled, ...workers].map((one) => one.close()), sweeping]);
      for (const { close } of steps) await close?.();
      await cancelled.close();
      await replica?.close();
    },
  };
}
