import { discardDatasets } from '../coverage/datasets/load.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, submissionKey } from './step.ts';

/** Deletes the coverage of a submission that will never be published. */
export const discardCoverage = ({ database }: WorkerContext): StepWork => ({
  step: 'discard',
  key: submissionKey,
  work: (id, signal) => discardDatasets(database, id, signal),
});
