import { type Logger, pino } from 'pino';

export type { Logger };

/** One JSON object a line on standard error, so that standard output stays for people. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
}
