import { isSqlState } from '../data-error.ts';
import type { Limits } from '../database.ts';

/** SQLSTATEs of a connection that is lost or that the server ends. */
const connectionEnded = /^(08|57P0[125])/;
const systemErrors = new Set(['ECONNRESET', 'EPIPE']);
/** Messages of node-postgres, which have no code. A connection that takes too long to be made is another matter. */
const ends = /^(?:Connection terminated(?: unexpectedly)?$|Client has encountered a connection error)/;
/** SQLSTATE of a statement that writes in a read-only transaction. */
const notARead = '25006';

/** Runs work on a connection, and once more, in the rest of its time, if that ends. @param again must do nothing twice, as `mayRepeat` says */
export async function onceMore<T>(
  work: () => Promise<T>,
  { again, mayRepeat = () => true, onEnd }: Repetition<T>,
  { timeoutMs, signal }: Limits = {},
): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    if (!isEnd(error)) throw error;
    onEnd();
    const leftMs = timeoutMs && Math.ceil(timeoutMs - (performance.now() - began));
    if (!mayRepeat() || signal?.aborted || (leftMs !== undefined && leftMs <= 0)) throw error;
    return await again({ ...(leftMs && { timeoutMs: leftMs }) }).catch((second) => {
      throw (second as { code?: unknown }).code === notARead ? error : second;
    });
  }
}

interface Repetition<T> {
  /** The server refuses writes in this read-only transaction; then the first error counts. */
  again: (limits: Limits) => Promise<T>;
  mayRepeat?: () => boolean;
  onEnd: () => void;
}

/** Tells if an error is of an ended connection, and not of a statement that took too long. */
function isEnd(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (isSqlState(code)) return connectionEnded.test(code);
  return systemErrors.has(String(code)) || ends.test(String(message));
}
