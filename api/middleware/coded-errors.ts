import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { TooManyAttempts } from '../../core/access/failed-attempts.ts';
import { CovermapError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { errorBody, isErrorCode, statuses } from '../errors.ts';
import { isUnstorableText, sendJson, unstorableText } from './errors.ts';

/** The status and the error to answer with; a fault of ours says no more than that it is one. */
export function errorAnswer(error: unknown): { status: number; body: CovermapError } {
  if (error instanceof CovermapError && isErrorCode(error.code)) {
    return { status: statuses[error.code], body: error };
  }
  const status = Number((error as { status?: unknown })?.status);
  // Express and its parsers mark what the caller did wrong.
  if (status >= 400 && status < 500) {
    const hint = 'Check that the body is what this address takes, whole and of its size.';
    return { status, body: new CovermapError('request_invalid', 'The request cannot be read.', hint) };
  }
  if (isUnstorableText(error)) {
    return { status: 400, body: new CovermapError('request_invalid', unstorableText) };
  }
  return { status: 500, body: new CovermapError('internal_error') };
}

/** Answers with an error in the shape of all but the two documents: `{code, message, hint, docs}`. */
export function sendCodedError(response: Response, error: unknown): void {
  const { status, body } = errorAnswer(error);
  if (status === 429) response.setHeader('Retry-After', '60');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof TooManyAttempts) {
    response.setHeader('Retry-After', Math.ceil(error.retryMs / 1000));
  }
  sendJson(response, status, errorBody(body));
}

/** What the operators' routes throw. */
export function codedErrors(logger: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    if (errorAnswer(error).status === 500) logger.error({ err: error, path: request.path }, 'request failed');
    sendCodedError(response, error);
  };
}

/** For an address of which the methods have routes of their own before this. */
export function otherMethods(...allowed: string[]): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    throw new CovermapError(
      'method_not_allowed',
      `${request.method} is not possible here.`,
      `Use ${allowed.join(' or ')}.`,
    );
  };
}

export const unknownAddress: RequestHandler = () => {
  throw new CovermapError('address_unknown', 'There is nothing at this address.');
};

export function invalidRequest(message: string, hint?: string): CovermapError {
  return new CovermapError('request_invalid', message, hint);
}
