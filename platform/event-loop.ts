import { setImmediate as nextTurn } from 'node:timers/promises';

const maxTurnMs = 10;

/** For work in many small steps: call it after each step, and await its promise, if any, before the next. */
export function turnTaker(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxTurnMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
