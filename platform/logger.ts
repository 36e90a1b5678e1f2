import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './described-error.ts';
import { traceFields } from './tracing/tracing.ts';

export type { Logger };

/** Writes one JSON object a line to standard error: errors, as `err`, without possible secrets, and ids of traces. @param destination for tests */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      ...{ level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
      ...{ serializers: { err: describeError }, mixin: traceFields },
    },
    destination,
  );
}
