import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { TooManyAttempts } from '../../core/access/failed-attempts.ts';
import { CovermapError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { isUnstorableText, sendJson, unstorableText } from './errors.ts';

/** The HTTP status of each code; the codes of ingest are about a file that was read, and never come this way. */
const statuses: Record<string, number> = {
  request_invalid: 400,
  file_missing: 400,
  manifest_missing: 400,
  manifest_not_json: 400,
  upload_incomplete: 400,
  not_signed_in: 401,
  token_unknown: 401,
  not_same_origin: 403,
  staff_only: 403,
  operators_only: 403,
  customers_only: 403,
  provider_not_yours: 403,
  address_unknown: 404,
  submission_unknown: 404,
  dataset_unknown: 404,
  file_unknown: 404,
  customer_unknown: 404,
  customer_token_unknown: 404,
  provider_unknown: 404,
  provider_exists: 409,
  provider_changed: 412,
  provider_url_missing: 422,
  profile_invalid: 422,
  provider_name_fixed: 403,
  if_match_missing: 428,
  key_unknown: 404,
  fee_unknown: 404,
  invoice_unknown: 404,
  method_not_allowed: 405,
  submission_not_ready: 409,
  submission_superseded: 409,
  submission_failed: 409,
  submission_withdrawn: 409,
  submission_published: 409,
  submission_not_waiting: 409,
  published_meanwhile: 409,
  comparison_outdated: 409,
  losses_unconfirmed: 409,
  scopes_too_many: 409,
  version_not_published: 409,
  version_not_kept: 409,
  version_not_superseded: 409,
  file_not_complete: 409,
  file_complete: 409,
  file_not_usable: 422,
  file_already_submitted: 409,
  customer_exists: 409,
  customer_cancelled: 409,
  customer_not_cancelled: 409,
  no_plan: 409,
  key_not_active: 409,
  too_many_keys: 409,
  fee_state: 409,
  month_not_over: 409,
  preview_outdated: 409,
  entry_exists: 409,
  entry_unknown: 404,
  entry_not_reversible: 409,
  amount_too_large: 409,
  amount_unconfirmed: 409,
  month_not_next: 409,
  upload_busy: 423,
  too_many_streams: 429,
  file_too_large: 413,
  manifest_too_large: 413,
  content_type_unsupported: 415,
  manifest_invalid: 422,
  technology_unknown: 422,
  planned_date_past: 422,
  plan_unknown: 422,
  plan_date_invalid: 422,
  uploads_too_many: 429,
  submissions_too_many: 429,
  attempts_exhausted: 500,
  too_many_attempts: 429,
  storage_unavailable: 503,
  storage_full: 507,
  storage_quota_exceeded: 507,
};

/** The status and the error to answer with; a fault of ours says no more than that it is one. */
export function errorAnswer(error: unknown): { status: number; body: CovermapError } {
  if (error instanceof CovermapError && statuses[error.code] !== undefined) {
    return { status: statuses[error.code] as number, body: error };
  }
  const status = Number((error as { status?: unknown })?.status);
  // Express and its parsers mark what the caller did wrong.
  if (status >= 400 && status < 500) {
    return { status, body: new CovermapError('request_invalid', 'The request cannot be read.') };
  }
  if (isUnstorableText(error)) {
    return { status: 400, body: new CovermapError('request_invalid', unstorableText) };
  }
  return {
    status: 500,
    body: new CovermapError(
      'internal_error',
      'The service failed while working on this.',
      'Nothing that was accepted is lost. Try again; if it fails again, tell the people who run this service.',
    ),
  };
}

/** Answers with an error in the shape of the operators' interface: `{code, message, hint}`. */
export function sendOperatorError(response: Response, error: unknown): void {
  const { status, body } = errorAnswer(error);
  if (status === 429) response.setHeader('Retry-After', '60');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof TooManyAttempts) {
    response.setHeader('Retry-After', Math.ceil(error.retryMs / 1000));
  }
  sendJson(response, status, body.toJSON());
}

/** What the operators' routes throw. */
export function operatorErrors(logger: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    if (errorAnswer(error).status === 500) logger.error({ err: error, path: request.path }, 'request failed');
    sendOperatorError(response, error);
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

export function unknown(what: 'submission' | 'dataset' | 'file'): CovermapError {
  return new CovermapError(`${what}_unknown`, `There is no such ${what}.`);
}

export function invalidRequest(message: string, hint?: string): CovermapError {
  return new CovermapError('request_invalid', message, hint);
}
