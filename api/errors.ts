import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { TooManyAttempts } from '../access/failed-attempts.ts';
import { CapReached } from '../billing/query-holds.ts';
import { statusOf } from '../platform/error-catalogue.ts';
import { CovermapError, type ErrorReport } from '../platform/errors.ts';
import { isDiskFull } from '../platform/full-disk.ts';
import type { Logger } from '../platform/logger.ts';
import { recordFault } from '../platform/tracing/tracing.ts';
import { logged, requestIdOf } from './http/request-id.ts';

/* Errors as answers: `{code, error}` as in the two documents, `{code, message, hint, docs}` for everything with a token or session. */

/** The errors of manifests, of forms and their files, and of uploads beyond a quota. */
export const manifestErrors = [
  ...(['provider_not_yours', 'manifest_invalid', 'provider_url_missing'] as const),
  ...(['technology_unknown', 'planned_date_past'] as const),
];
export const formErrors = [
  ...(['file_missing', 'manifest_not_json', 'upload_incomplete', 'file_too_large'] as const),
  ...(['manifest_too_large', 'content_type_unsupported', 'storage_unavailable', 'storage_full'] as const),
];
export const quotaErrors = ['uploads_too_many', 'submissions_too_many', 'storage_quota_exceeded'] as const;

/** An error of routes in the shape of the two documents: `{code, error}`. A cause is an internal fault, which is logged. */
export class Refusal extends Error {
  readonly status: number;
  readonly retrySeconds: number | undefined;

  constructor(status: number, sentence: string, more: { cause?: unknown; retrySeconds?: number } = {}) {
    super(sentence, more.cause ? { cause: more.cause } : undefined);
    this.status = status;
    this.retrySeconds = more.retrySeconds;
  }
}

/** The coded errors, with message and hint, that those routes answer in their own shape. */
const refusedWith: Record<string, number> = {
  address_unknown: 400,
  bulk_jobs_too_many: 429,
  bulk_not_json: 400,
  bulk_not_utf8: 400,
  bulk_quota_exceeded: 507,
  day_unknown: 410,
  idempotency_key_reused: 422,
  nearby_too_much: 422,
  storage_full: 507,
  storage_unavailable: 503,
};

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const status = error instanceof CovermapError ? refusedWith[error.code] : undefined;
  if (!(error instanceof CovermapError) || status === undefined) return undefined;
  const more = status === 429 || status === 503 ? { retrySeconds: 60 } : {};
  return new Refusal(status, inWords(error), more);
}

/** A coded error as the sentences of a {@link Refusal}. */
export const inWords = ({ message, hint }: CovermapError) => [message, hint].filter(Boolean).join(' ');

/** An error as JSON for all routes but those of the two documents: `{code, message, hint, docs}`. */
export function errorBody(error: CovermapError): ErrorReport & { docs: string } {
  return { ...error.toJSON(), docs: `/docs#/errors/${error.code}` };
}

/** Answers with an error in the shape of both documents: the HTTP status as `code`, and a sentence. */
export function sendError(response: Response, status: number, error: string): void {
  sendJson(response, status, { code: status, error });
}

/** Sends a small JSON object. Errors are not cached. */
export function sendJson(response: Response, status: number, body: object): void {
  response.statusCode = status;
  if (status >= 500) response.setHeader('X-Request-Id', requestIdOf(response.req));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (status >= 400) response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(body));
}

export function sendCodedError(response: Response, error: unknown): void {
  const { status, body } = errorAnswer(error);
  if (status === 429) response.setHeader('Retry-After', '60');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof TooManyAttempts) {
    response.setHeader('Retry-After', Math.ceil(error.retryMs / 1000));
  }
  sendJson(response, status, errorBody(body));
}

/** The status and the error of the answer; an internal fault gives no details. */
export function errorAnswer(error: unknown): { status: number; body: CovermapError } {
  const known = isDiskFull(error) ? new CovermapError('storage_full') : error;
  if (known instanceof CovermapError) {
    const status = statusOf(known.code);
    if (status !== undefined) return { status, body: known };
  }
  const { status: marked, code } = error as { status?: unknown; code?: unknown };
  const status = Number(marked);
  // Express and its parsers mark errors of the caller, such as a path that does not decode.
  if (status >= 400 && status < 500) {
    const hint = 'Check that the body is what this address takes, whole and of its size.';
    return { status, body: invalidRequest('The request cannot be read.', hint) };
  }
  // PostgreSQL refuses U+0000 in texts (22021) and in JSON (22P05), from any source.
  if (code === '22021' || code === '22P05') {
    const sentence = 'A text in the request contains the character U+0000, which is not allowed.';
    return { status: 400, body: invalidRequest(sentence) };
  }
  return { status: 500, body: new CovermapError('internal_error') };
}

export function invalidRequest(message: string, hint?: string): CovermapError {
  return new CovermapError('request_invalid', message, hint);
}

export const unknownPath: RequestHandler = (_request, response) => {
  sendError(response, 404, 'There is nothing at this address.');
};

export const unknownAddress: RequestHandler = () => {
  throw new CovermapError('address_unknown');
};

/** Answers errors of routes that take a token or a session. */
export function codedErrors(logger: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    // Reads the rest of the body: many callers send all of it before they look at the answer.
    if (!request.complete) request.resume();
    if (errorAnswer(error).status === 500) noteFault(logger, request, error);
    sendCodedError(response, error);
  };
}

/** Answers all other errors: refusals, requests that Express could not read, and faults that no route has handled. */
export function unexpectedError(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    if (response.headersSent) {
      // A streamed answer failed: the caller sees it truncated.
      noteFault(logger, request, error, 'request failed after its answer had begun');
      return void request.socket.destroy();
    }
    if (!request.complete) request.resume();
    const refusal = refusalOf(error);
    if (refusal) {
      if (refusal.cause) noteFault(logger, request, refusal.cause);
      if (refusal.retrySeconds) response.setHeader('Retry-After', refusal.retrySeconds);
      return sendError(response, refusal.status, refusal.message);
    }
    if (error instanceof CovermapError && error.code === 'free_queries_used_up') {
      return sendJson(response, 403, { message: error.message });
    }
    if (error instanceof CapReached) {
      response.setHeader('Retry-After', error.retrySeconds);
      return sendJson(response, 429, { message: error.message });
    }
    const { status, body } = errorAnswer(error);
    if (body !== error && status === 500) {
      noteFault(logger, request, error);
      sendError(response, 500, 'Internal Server Error');
    } else sendError(response, status, body.message);
  };
}

function noteFault(logger: Logger, request: Request, error: unknown, message = 'request failed'): void {
  recordFault(error);
  logger.error({ err: error, ...logged(request) }, message);
}
