import { setTimeout as sleep } from 'node:timers/promises';
import { ComparisonStale } from '../coverage/datasets/compare.ts';
import { compareReadyAnew, giveUpComparison } from '../coverage/datasets/comparisons.ts';
import { areFilesWaiting } from '../coverage/submissions/submissions.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, TurnOver } from './step.ts';

/* Compares loaded submissions with the published version. New files go first: it slows down while they are loaded. */

/** While new files wait or are loaded, a comparison rests this many times as long as its last statement took. */
const restFactor = 4;
const maxRestMs = 10_000;
const pollMs = 250;

/** Rests after a statement while there are files. */
export async function pauseForFiles(
  tookMs: number,
  areThereFiles: () => Promise<boolean>,
  signal: AbortSignal,
) {
  const until = performance.now() + Math.min(maxRestMs, restFactor * tookMs);
  while (performance.now() < until && (await areThereFiles())) {
    await sleep(Math.min(pollMs, Math.max(1, until - performance.now())), undefined, { signal });
  }
}

export function compareCoverage({ database }: WorkerContext): StepWork {
  return {
    step: 'compare',
    // Publication waits for this: a small file need not wait for a large one.
    slots: 2,
    async work(id, signal) {
      const pause = (tookMs: number) => pauseForFiles(tookMs, () => areFilesWaiting(database), signal);
      try {
        await compareReadyAnew(database, id, { signal, pause });
      } catch (error) {
        // Another version was published meanwhile. The comparison with that one waits until others have had a turn.
        if (error instanceof ComparisonStale) throw new TurnOver();
        throw error;
      }
      // Automatic publication has waited for this.
      return [['publish', id]];
    },
    fail: (id) => giveUpComparison(database, id),
  };
}
