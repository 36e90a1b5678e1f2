import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { CovermapError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { isErrorCode, statuses } from '../errors.ts';

/** The error body of both documents: the HTTP status again as `code`, and a sentence. */
export function sendError(response: Response, status: number, error: string): void {
  sendJson(response, status, { code: status, error });
}

/** Sends a small JSON object. Errors are not to be kept by anyone on the way. */
export function sendJson(response: Response, status: number, body: object): void {
  response.status(status);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (status >= 400) response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(body));
}

/** For the paths that exist: answers 405 to every method but GET and HEAD. Put it before what the path does. */
export const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.setHeader('Allow', 'GET, HEAD');
  sendError(response, 405, `${request.method} is not possible here. Use GET.`);
};

export const unknownPath: RequestHandler = (_request, response) => {
  sendError(response, 404, 'There is nothing at this address.');
};

/**
 * What a caller did wrong by a fault of the database: a text with U+0000, which PostgreSQL has none of (`22021`, in JSON
 * `22P05`). It is refused there, so no way to it is forgotten.
 */
export function isUnstorableText(error: unknown): boolean {
  return ['22021', '22P05'].includes(String((error as { code?: unknown })?.code));
}

export const unstorableText = 'A text in the request has the character U+0000, which no text may have here.';

/** The last resort: requests that Express could not read, and faults of ours outside any route's own handling. */
export function unexpectedError(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    if (response.headersSent) {
      // A streamed answer that failed: the caller sees it cut off.
      logger.error({ err: error, path: request.path }, 'request failed after its answer had begun');
      return void request.socket.destroy();
    }
    // Express marks what the caller did wrong, such as a path that does not decode.
    const status = Number(error?.status);
    if (status >= 400 && status < 500) return sendError(response, status, 'The request cannot be read.');
    if (error instanceof CovermapError && isErrorCode(error.code)) {
      return sendError(response, statuses[error.code], error.message);
    }
    if (isUnstorableText(error)) return sendError(response, 400, unstorableText);
    logger.error({ err: error, path: request.path }, 'request failed');
    sendError(response, 500, 'Internal Server Error');
  };
}
