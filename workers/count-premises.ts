import { countPremises } from '../coverage/premises/recount.ts';
import { keptScratch } from '../platform/scratch.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Counts the premises of a version again after an import of addresses. */
export const countVersion = ({ config, database }: WorkerContext): StepWork => ({
  step: 'count-premises',
  async work(id, signal) {
    await countPremises(database, keptScratch(config), Number(id), signal);
    // What waits for this may be compared now.
    return [['compare']];
  },
});
