import { setImmediate as turn } from 'node:timers/promises';
import { isSqlState } from '../data-error.ts';
import type { Limits } from '../database.ts';

/** SQLSTATEs of a connection that is lost, or that the server ends: it stops, has crashed, or was told to. */
const connectionEnded = /^(08|57P0[125])/;
const systemErrors = new Set(['ECONNRESET', 'EPIPE']);
/** What node-postgres says has no code. A connection that takes too long to be made is another matter. */
const ends = /^(?:Connection terminated(?: unexpectedly)?$|Client has encountered a connection error)/;
/** SQLSTATE of what would not only read, in a transaction that does. */
const notARead = '25006';

/**
 * Runs what reads, and once more if its connection ends meanwhile: a server that stops, a failover, a proxy that moves on. The
 * second time has what is left of the time.
 * @param again undefined: the same. What is no read is left at the first error
 */
export async function onceMore<T>(
  read: () => Promise<T>,
  again: (limits: Limits) => Promise<T> = read,
  { timeoutMs, signal }: Limits = {},
): Promise<T> {
  const began = performance.now();
  try {
    return await read();
  } catch (error) {
    const leftMs = timeoutMs && Math.ceil(timeoutMs - (performance.now() - began));
    if (!isEnd(error) || signal?.aborted || (leftMs !== undefined && leftMs <= 0)) throw error;
    // The pool notices by then which idle connections have ended, too.
    await turn();
    return await again({ ...(leftMs && { timeoutMs: leftMs }) }).catch((second) => {
      throw (second as { code?: unknown }).code === notARead ? error : second;
    });
  }
}

/** Whether an error says that the connection has ended, and not that a statement took too long. */
function isEnd(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (isSqlState(code)) return connectionEnded.test(code);
  return systemErrors.has(String(code)) || ends.test(String(message));
}
