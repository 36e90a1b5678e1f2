import { discardDatasets } from '../core/coverage/datasets/load.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, submissionKey } from './step.ts';

/** Removes what was loaded of a submission that was withdrawn. */
export function discardCoverage({ database }: WorkerContext): StepWork {
  return {
    step: 'discard',
    key: ({ id }) => submissionKey(id),
    async work(id, signal) {
      await discardDatasets(database, id, signal);
      return [];
    },
  };
}
