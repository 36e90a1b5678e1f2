import type { Duplex } from 'node:stream';
import { CovermapError } from '../../core/errors.ts';
import { errorBody } from '../errors.ts';

/** How long the other side may go on sending what nobody reads, before it is cut off. ms */
const lingerMs = 1_500;

/** Addresses whose errors are `{code, message, hint}`. */
const withCodes = /^\/api\/(?:operator|staff|account|session)(?:[/?]|$)/;

/** The body of an error, in the shape that errors of an address have. @param code where they have one in words */
export function errorBodyAt(
  path: string,
  status: number,
  sentence: string,
  code = 'request_invalid',
  hint?: string,
): object {
  if (!withCodes.test(path)) return { code: status, error: sentence };
  return errorBody(new CovermapError(code, sentence, hint));
}

/** What an answer has that no route gives. */
export const rawHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
};

/**
 * Answers on a connection itself, where there is no response to answer with, and closes it.
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
 * Ends a connection on which something may still be coming. Closed at once it would be reset, and what the other side has not
 * read yet of its answer be lost. What still comes is thrown away: whoever was told no must not find it done all the same.
 */
export function closeGently(socket: Duplex, last?: string): void {
  // On a connection that Node has handed over it listens no more: unheard, a reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(last);
  // Node's parser listens here, and would go on making requests of it.
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
