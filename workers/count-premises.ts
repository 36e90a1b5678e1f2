import { countPremises } from '../coverage/premises/recount.ts';
import { keptScratch } from '../platform/scratch.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Counts the premises of a version again after an import of addresses. */
export const countVersion = ({ config, database }: WorkerContext): StepWork => ({
  step: 'count-premises',
  work: (id, signal) => countPremises(database, keptScratch(config), Number(id), signal),
});
