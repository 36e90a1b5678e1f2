import { serviceActor } from '../access/actor.ts';
import { tidyImports } from '../addresses/imports.ts';
import { invoicePlanStarts } from '../billing/plan-start.ts';
import { deleteOldWork, steps } from '../coverage/attempts.ts';
import { providersToRemake, remakeOverdue } from '../coverage/exclusions/remakes.ts';
import { expiredExports, removeExport } from '../coverage/exports/exports.ts';
import { forgetDone } from '../coverage/jobs/waiting.ts';
import { expiredBulkJobs, removeBulkJob } from '../coverage/lookup/bulk/jobs.ts';
import { forgetGrounds } from '../coverage/stops/tower-grounds.ts';
import { forgetSites } from '../coverage/submissions/predicted-sites.ts';
import { finishSilentUpload, silentUploads } from '../coverage/submissions/submit-upload.ts';
import { expiredUploads, removeUpload } from '../coverage/submissions/uploads.ts';
import type { Database } from '../platform/database/database.ts';
import { collectFiles } from '../platform/storage/collect.ts';
import type { WorkerContext } from './context.ts';
import { queueMailDue } from './mail.ts';

const collectEveryMs = 3_600_000;
const tellEveryMs = 600_000;

/** Sends unfinished work to the queue: the rows are the truth, the queue only carries them. Each step, and each row, fails and is retried alone. */
export function sweepOf(context: WorkerContext, stopping: AbortSignal) {
  const { config, database, queue, storage, logger, now = () => new Date() } = context;
  let collectAt = 0;
  let tellAt = 0;
  const run = async (name: string, work: () => Promise<unknown>, what: object = {}) => {
    if (stopping.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!stopping.aborted) logger.error({ err: error, step: name, ...what }, 'a step of the sweep failed');
    }
  };
  const each = <T>(
    name: string,
    items: (db: Database) => Promise<readonly T[]>,
    work: (item: T) => Promise<unknown>,
  ) =>
    run(name, async () => {
      for (const item of await items(database)) await run(name, () => work(item), { id: item });
    });
  const collect = async () => {
    const collected = await collectFiles(database, storage, stopping);
    if (collected.length > 0) logger.info({ files: collected }, 'orphaned files were removed');
  };

  return async () => {
    await each('exclusions: apply', providersToRemake, (id) => remakeOverdue(database, id));
    for (const step of steps) await run(`${step}: send`, () => queue.send(step));
    await each('uploads: expire', expiredUploads, (id) => removeUpload(database, storage, id));
    await each('uploads: finish', silentUploads, (id) => finishSilentUpload(database, storage, id));
    await each('bulk: expire', expiredBulkJobs, (id) => removeBulkJob(database, storage, id));
    await each('exports: expire', expiredExports, (id) => removeExport(database, storage, id));
    // A plan's fee in advance is invoiced on the day it starts.
    await run('plans: invoice', () => invoicePlanStarts(database, serviceActor, now()));
    if (performance.now() >= tellAt) {
      tellAt = performance.now() + tellEveryMs;
      await queueMailDue(database, now(), run);
    }
    await run('address imports: tidy', () => tidyImports(database));
    await run('work: forget', () => deleteOldWork(database));
    await run('work: forget what is done', () => forgetDone(database));
    await run('grounds: forget', () => forgetGrounds(database));
    await run('sites: forget', () => forgetSites(database, config.modelling.keptDays));
    if (performance.now() >= collectAt) {
      collectAt = performance.now() + collectEveryMs;
      await run('storage: collect', collect);
    }
  };
}
