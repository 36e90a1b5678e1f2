import { archiveSuperseded } from '../coverage/datasets/archive.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Moves the rows of a superseded version out of the table that lookups read. */
export const archiveVersion = ({ config, database }: WorkerContext): StepWork => ({
  step: 'archive',
  work: (id, signal) => archiveSuperseded(database, Number(id), config.keptVersions, signal),
});
