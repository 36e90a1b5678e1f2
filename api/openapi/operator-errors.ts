import { codedErrors } from './parts.ts';
import type { Answer } from './types.ts';

/** The errors that all of the operators' interface has, and more of an operation's own, by status. */
export function operatorErrors(more: Record<number, string[]> = {}): Record<string, Answer> {
  return errorsFor('operators_only', more);
}

/** Those of the interface of staff. */
export function staffErrors(more: Record<number, string[]> = {}): Record<string, Answer> {
  return errorsFor('staff_only', more);
}

/** Those of a customer's account. */
export function accountErrors(more: Record<number, string[]> = {}): Record<string, Answer> {
  return errorsFor('customers_only', more);
}

function errorsFor(wrongRole: string, more: Record<number, string[]>): Record<string, Answer> {
  const codes: Record<number, string[]> = {
    401: ['not_signed_in'],
    403: [wrongRole],
    429: ['too_many_attempts'],
    500: ['internal_error'],
  };
  for (const [status, names] of Object.entries(more)) {
    codes[Number(status)] = [...(codes[Number(status)] ?? []), ...names];
  }
  return codedErrors(codes);
}

/** Of what changes something: a request with a session's cookie has to come from a page of the service. */
export const changing: Record<number, string[]> = { 403: ['not_same_origin'] };

/** What may be wrong with a file that is handed in, and with what is said of it. */
export const handingIn: Record<number, string[]> = {
  400: ['request_invalid', 'file_missing', 'manifest_missing', 'manifest_not_json', 'upload_incomplete'],
  403: ['not_same_origin', 'provider_not_yours'],
  413: ['file_too_large', 'manifest_too_large'],
  415: ['content_type_unsupported'],
  422: ['manifest_invalid', 'provider_url_missing', 'technology_unknown', 'planned_date_past'],
  503: ['storage_unavailable'],
  507: ['storage_full'],
};
