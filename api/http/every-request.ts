import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Config } from '../../platform/config.ts';
import { areas } from '../areas.ts';
import { sendError } from '../errors.ts';
import { answerRaw, closeGently, errorBodyAt, everyAnswer } from './raw-answer.ts';

/* What every request passes before its route, in this order: `everyRequest`. `readOnly` is for routes that have no other methods. */

/** The handlers of every request. They read headers only. */
export const everyRequest = (config: Config): RequestHandler[] => [
  securityHeaders(config),
  requireHost,
  limitHeaders,
  limitBodyTime(config),
];

/** Paths that take a token or a session, and customers' own. */
const privatePaths = [
  ...areas.map(({ path }) => path),
  '/api/session',
  '/api/2.0/usage',
  '/api/2.0/availability/jobs',
];
const isPrivate = (path: string) => privatePaths.some((one) => `${path}/`.startsWith(`${one}/`));
const headers = Object.entries(everyAnswer);

/** Headers of every answer. Private answers are not cached unless a route allows it. */
const securityHeaders =
  ({ publicUrl }: Pick<Config, 'publicUrl'>): RequestHandler =>
  (request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    // For a year, returning browsers use https only.
    if (isHttps(request, publicUrl)) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    if (isPrivate(request.path)) response.setHeader('Cache-Control', 'no-store');
    next();
  };

/** Tells if the caller used https: by the connection, by a trusted proxy's header, or by PUBLIC_URL. */
export function isHttps(request: Request, publicUrl: string | undefined): boolean {
  return request.secure || publicUrl?.startsWith('https:') === true;
}

/** The max length of all header fields together, and of the target. Characters */
const maxUsual = 8 * 1024;
/** A name in a query string: `&domains%5B%5D=`, 63 letters, `.parliament.nz`. Bytes */
const bytesOfName = 15 + 63 + 14;
const namesInQuery = 1_000;

/** The limit of the request line and header fields together, for the registry's longest query. Bytes */
export const maxHeaderSize = namesInQuery * bytesOfName + maxUsual;

/** Refuses requests without a Host (RFC 9112, section 3.2). */
export const requireHost: RequestHandler = (request, response, next) => {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
  sendError(response, 400, 'The request has no Host.');
};

/** Refuses overlong headers, with a 431 or a 414, before parsers read them. Only the registry's list of names and an upload's metadata may be long. */
export const limitHeaders: RequestHandler = (request, response, next) => {
  const { url, rawHeaders, path } = request;
  if (url.length > maxUsual && !/^\/1\.0\/availability\/?$/.test(path)) {
    return sendError(response, 414, 'The address is longer than any that there is here.');
  }
  let length = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i] as string, rawHeaders[i + 1] as string];
    if (value.length <= 256 || name.toLowerCase() !== 'upload-metadata') length += name.length + value.length;
  }
  if (length > maxUsual) return sendError(response, 431, 'Request Header Fields Too Large.');
  next();
};

/** The routes of file uploads, which may take long. */
const uploads = [
  /^\/api\/operator\/uploads(?:\/|$)/,
  /^\/api\/operator\/submissions\/?$/,
  /^\/api\/staff\/tower-work\/[^/]+\/prediction\/?$/,
  /^\/api\/2\.0\/availability\/jobs\/?$/,
];
const hint = 'Send it again over a better connection; uploads under /api/operator/uploads can be resumed.';

/**
 * Ends requests whose body comes too slowly, with a 408: a file needs a minimum rate, other bodies have a time limit. A body that continues after
 * the answer has that limit, too. The time while this side does not read does not count.
 */
export function limitBodyTime({ bodyTimeoutSeconds, uploadMinBytesPerSecond }: Config): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) return next();
    const { socket, path } = request;
    const isUpload = uploads.some((address) => address.test(path));
    let received = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete || socket.destroyed || socket.writableEnded) return clearInterval(timer);
      if (request.readableLength >= request.readableHighWaterMark) return;
      const came = socket.bytesRead - received;
      received = socket.bytesRead;
      if (response.headersSent) closeGently(socket);
      else if (!isUpload || came < uploadMinBytesPerSecond * bodyTimeoutSeconds) {
        const sentence = isUpload
          ? `The file comes in at less than ${uploadMinBytesPerSecond} bytes a second.`
          : `The request did not come whole within ${bodyTimeoutSeconds} s.`;
        answerRaw(socket, '408 Request Timeout', errorBodyAt(path, 408, sentence, 'body_too_slow', hint));
      }
    }, bodyTimeoutSeconds * 1000);
    const stop = () => clearInterval(timer);
    request.once('end', stop).once('close', stop);
    next();
  };
}

/** Tells if a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/** Answers 405 to every method but GET and HEAD. */
export const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.setHeader('Allow', 'GET, HEAD');
  sendError(response, 405, `${request.method} is not possible here. Use GET.`);
};
