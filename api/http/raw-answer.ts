import type { Duplex } from 'node:stream';
import { CovermapError } from '../../core/errors.ts';
import { errorBody } from '../errors.ts';
import { hasCodedErrors } from '../guards.ts';
import { everyAnswer } from './every-answer.ts';

/** How long a client may go on sending what nobody reads before its connection is cut. ms */
export const lingerMs = 1_500;

/** The body of an error, in the shape that errors of a path have. @param code if they have one in words */
export function errorBodyAt(
  path: string,
  status: number,
  sentence: string,
  code = 'request_invalid',
  hint?: string,
): object {
  if (!hasCodedErrors(path.split('?', 1)[0] as string)) return { code: status, error: sentence };
  return errorBody(new CovermapError(code, sentence, hint));
}

/** The headers of answers that no route gives. */
export const rawHeaders = {
  ...everyAnswer,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Connection: 'close',
};

/**
 * Answers on the connection itself, if there is no response to answer with, and closes it.
 * @param status as in `408 Request Timeout`
 * @param headers besides those that every answer has
 */
export function answerRaw(
  socket: Duplex,
  status: string,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  const all = { ...rawHeaders, ...headers, 'Content-Length': Buffer.byteLength(text) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  closeGently(socket, `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${text}`);
}

/**
 * Ends a connection on which the client may still be sending. Closing it at once would reset it, and the client would lose what it has
 * not read of the answer. What still comes is discarded: what was refused must not be done.
 */
export function closeGently(socket: Duplex, last?: string): void {
  // Node no longer listens on a connection that it has handed over, and an unheard reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(last);
  // Node's parser would go on making requests of what comes.
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
