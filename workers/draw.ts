import { makeOverview } from '../coverage/tiles/overview.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Draws a version that has no drawing for the map. */
export const drawVersion = ({ database }: WorkerContext): StepWork => ({
  step: 'draw',
  work: (id, signal) => makeOverview(database, Number(id), { signal }),
});
