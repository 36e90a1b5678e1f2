import { abandonRollback, restore } from '../coverage/datasets/rollback.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Finishes a rollback whose process has ended. */
export const finishRollback = ({ database }: WorkerContext): StepWork => ({
  step: 'rollback',
  async work(id, signal) {
    await restore(database, Number(id), signal);
    return [['archive']];
  },
  fail: (id) => abandonRollback(database, Number(id)),
});
