import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work in small steps may hold the event loop. */
const maxTurnMs = 10;

/**
 * For work in small steps that may be many: called after each, gives a promise where the others' turn has come. It is to be
 * awaited before the next step.
 */
export function turnTaker(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxTurnMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
