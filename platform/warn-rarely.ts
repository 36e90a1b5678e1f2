import type { Logger } from 'pino';

/** A warning that is logged once in a while, however often it is given: some come many times a second. */
export function warnRarely(logger: Logger | undefined, message: string, everyMs = 60_000) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (fields: object): void => {
    if (performance.now() - loggedAt < everyMs) return;
    loggedAt = performance.now();
    logger?.warn(fields, message);
  };
}
