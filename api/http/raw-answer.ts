import type { Duplex } from 'node:stream';
import { CovermapError } from '../../platform/errors.ts';
import { hasCodedErrors } from '../areas.ts';
import { errorBody } from '../errors.ts';

/** Headers of every answer, as helmet's or stricter: it may load, run and embed nothing. Pages, and answers for embedding, replace some. */
export const everyAnswer: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
};

/** A client may go on sending unread data this long before its connection is cut. ms */
const lingerMs = 1_500;

/** The body of an error, in the shape of a path's errors. @param code for paths with coded errors */
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

/** The headers of answers without a route. */
export const rawHeaders = {
  ...everyAnswer,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Connection: 'close',
};

/** Answers on the connection itself, without a response, and closes it. @param status as in `408 Request Timeout` @param headers additional ones */
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
 * Ends a connection on which the client may still be sending. Closing at once would reset it, and the client would lose the unread part of the
 * answer. Further data is discarded: a refused request must not run.
 */
export function closeGently(socket: Duplex, last?: string): void {
  // Node no longer listens on a connection that it has handed over, and an unheard reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(last);
  // Node's parser would make requests of further data.
  socket.removeAllListeners('readable').removeAllListeners('data');
  socket.on('data', () => undefined).resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
