import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the work may hold the event loop. */
const maxTurnMs = 10;

/** For work in many small steps: call it after each, and await the promise, if it gives one, before the next. */
export function turnTaker(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxTurnMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
