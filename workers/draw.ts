import { makeOverview } from '../core/coverage/tiles/overview.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Draws a version that has no drawing for the map. */
export function drawVersion({ database }: WorkerContext): StepWork {
  return {
    step: 'draw',
    async work(id, signal) {
      await makeOverview(database, Number(id), { signal });
      return [];
    },
  };
}
