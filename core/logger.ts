import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './described-error.ts';
import { isTracing, traceFields } from './tracing/tracing.ts';

export type { Logger };

/**
 * One JSON object a line on standard error: errors, as `err`, without what may hold secrets, and the ids of what is traced.
 * @param destination where to, in tests
 */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      ...{ level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
      serializers: { err: describeError },
      ...(isTracing() && { mixin: traceFields }),
    },
    destination,
  );
}
