import type { CovermapError, ErrorReport } from '../core/errors.ts';

/** The HTTP status of each code that a request may be answered with. Codes of files that are read never come this way. */
export const statuses = {
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
  signal_missing: 404,
  profile_unavailable: 409,
  profiles_too_many: 429,
  submission_not_modelled: 409,
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
  upload_offset_other: 409,
  tus_version_unsupported: 412,
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
  internal_error: 500,
} as const;

/** The code of an error that a request may be answered with. */
export type ErrorCode = keyof typeof statuses;

/** Why manifests, forms and their files, and uploads beyond a quota are refused. */
export const manifestErrors = [
  ...(['provider_not_yours', 'manifest_invalid', 'provider_url_missing'] as const),
  ...(['technology_unknown', 'planned_date_past'] as const),
];
export const formErrors = [
  ...(['file_missing', 'manifest_not_json', 'upload_incomplete', 'file_too_large'] as const),
  ...(['manifest_too_large', 'content_type_unsupported', 'storage_unavailable', 'storage_full'] as const),
];
export const quotaErrors = ['uploads_too_many', 'submissions_too_many', 'storage_quota_exceeded'] as const;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(statuses, code);
}

/** An error as JSON in the shape of all but the two documents: `{code, message, hint, docs}`. */
export function errorBody(error: CovermapError): ErrorReport & { docs: string } {
  return { ...error.toJSON(), docs: `/docs#/errors/${error.code}` };
}
