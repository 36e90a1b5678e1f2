import { serviceActor } from '../core/access/actor.ts';
import { invoicePlanStarts } from '../core/billing/plan-start.ts';
import { finishRollback, unfinishedRollbacks } from '../core/coverage/datasets/rollback.ts';
import { expiredBulkJobs, removeBulkJob } from '../core/coverage/lookup/bulk/jobs.ts';
import { finishSilentUpload, silentUploads } from '../core/coverage/submissions/submit-upload.ts';
import { expiredUploads, removeUpload } from '../core/coverage/submissions/uploads.ts';
import { makeMissingOverview, missingOverviews } from '../core/coverage/tiles/overview.ts';
import { collectFiles } from '../core/storage/collect.ts';
import { allWaiting } from '../core/turns.ts';
import { type Attempts, deleteOldWork } from '../core/work.ts';
import type { WorkerContext } from './context.ts';
import type { TurnWork } from './take-turns.ts';

/** How often to look for orphaned files. */
const collectEveryMs = 3_600_000;

/**
 * Finds unfinished work where a process was killed or the queue was away: the rows are the truth, the queue only carries
 * them. Each step, and each item in a step, fails alone: failures are logged and retried by the next sweep.
 */
export class Sweep {
  readonly #context: WorkerContext;
  readonly #attempts: Attempts;
  readonly #turns: readonly TurnWork[];
  readonly #stopping: AbortSignal;
  #collectAt = 0;

  constructor(context: WorkerContext, attempts: Attempts, turns: readonly TurnWork[], stopping: AbortSignal) {
    this.#context = context;
    this.#attempts = attempts;
    this.#turns = turns;
    this.#stopping = stopping;
  }

  async run(): Promise<void> {
    const { database, queue, storage, logger } = this.#context;
    for (const { kind, waiting } of this.#turns) {
      await this.#each(
        `${kind}: send`,
        () => allWaiting(database, waiting),
        (id) => queue.send(kind, id),
      );
    }
    await this.#each(
      'uploads: expire',
      () => expiredUploads(database),
      (id) => removeUpload(database, storage, id),
    );
    await this.#each(
      'uploads: finish',
      () => silentUploads(database),
      (id) => finishSilentUpload(database, storage, id),
    );
    await this.#each(
      'bulk: expire',
      () => expiredBulkJobs(database),
      (id) => removeBulkJob(database, storage, id),
    );
    await this.#each(
      'rollbacks: finish',
      () => unfinishedRollbacks(database),
      (id) => finishRollback(database, this.#attempts, id, this.#stopping),
    );
    // A plan's fee in advance is invoiced on the day it starts.
    await this.#step('plans: invoice', () => invoicePlanStarts(database, serviceActor, new Date()));
    await this.#step('work: forget', () => deleteOldWork(database));
    if (Date.now() >= this.#collectAt) {
      this.#collectAt = Date.now() + collectEveryMs;
      await this.#step('storage: collect', async () => {
        const collected = await collectFiles(database, storage, this.#stopping);
        if (collected.length > 0) logger.info({ files: collected }, 'orphaned files were removed');
      });
    }
    await this.#each(
      'overviews: draw',
      () => missingOverviews(database),
      (id) => makeMissingOverview(database, this.#attempts, id, this.#stopping),
    );
  }

  async #each<T>(step: string, items: () => Promise<readonly T[]>, work: (item: T) => Promise<unknown>) {
    await this.#step(step, async () => {
      for (const item of await items()) {
        if (this.#stopping.aborted) return;
        await this.#step(step, () => work(item), { id: item });
      }
    });
  }

  async #step(step: string, work: () => Promise<unknown>, what: object = {}): Promise<void> {
    if (this.#stopping.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!this.#stopping.aborted)
        this.#context.logger.error({ err: error, step, ...what }, 'a step of the sweep failed');
    }
  }
}
