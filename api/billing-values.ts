import type { Request } from 'express';
import type { Contact } from '../core/billing/contacts.ts';
import type { AccountId } from '../core/billing/ledger.ts';
import { CovermapError } from '../core/errors.ts';
import { isDay, isMonth, type Month, monthOf } from '../core/nz-time.ts';
import { invalidRequest } from './middleware/operator-errors.ts';
import { bodyObject, queryText, rowNumber } from './request-values.ts';

/** A month of the query string; undefined where it is absent. */
export function queryMonth(request: Request, name = 'month'): Month | undefined {
  const value = queryText(request, name);
  if (value !== undefined && !isMonth(value)) {
    throw invalidRequest(`"${name}" has to be a month as 2026-11.`);
  }
  return value;
}

/** A month of which there can be usage: the present one where none is named, none to come. */
export function usageMonth(request: Request, at: Date): Month {
  const month = queryMonth(request) ?? monthOf(at);
  if (month > monthOf(at)) throw invalidRequest(`${month} is yet to come.`);
  return month;
}

/** A number of a row in the query string. */
export function queryNumber(request: Request, name: string): number | undefined {
  const text = queryText(request, name);
  const number = rowNumber(text);
  if (text !== undefined && number === undefined) throw invalidRequest(`"${name}" has to be a number.`);
  return number;
}

/** Whose account the query string names, if any: `customer` or `provider`. */
export function queryAccount(request: Request): AccountId | undefined {
  const customer = queryNumber(request, 'customer');
  const provider = queryNumber(request, 'provider');
  if (customer !== undefined && provider !== undefined) {
    throw invalidRequest('Name a "customer" or a "provider", not both.');
  }
  if (customer !== undefined) return { kind: 'customer', id: customer };
  return provider === undefined ? undefined : { kind: 'operator', id: provider };
}

/** A text of the body, without spaces around it; undefined where it is absent or empty. */
export function bodyText(request: Request, name: string, longest = 200): string | undefined {
  const value = bodyObject(request)[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > longest || hasControls(value)) {
    throw invalidRequest(`"${name}" has to be a text of at most ${longest} characters.`);
  }
  return value.trim() || undefined;
}

/** How a recipient of invoices can be reached, from the body: an address of several lines, and a line of anything else. */
export function bodyContact(request: Request): Contact {
  const { address } = bodyObject(request);
  if (address !== undefined && (typeof address !== 'string' || address.length > 500)) {
    throw invalidRequest('"address" has to be a text of at most 500 characters.');
  }
  const lines = (address ?? '').split(/\r?\n/).map((line) => line.trim());
  if (lines.some(hasControls)) throw invalidRequest('"address" has characters that cannot be printed.');
  return { address: lines.join('\n').trim(), contact: bodyText(request, 'contact', 200) ?? '' };
}

/** A date of the body; undefined where it is absent. */
export function bodyDay(request: Request, name: string): string | undefined {
  const value = bodyText(request, name);
  if (value !== undefined && !isDay(value)) throw invalidRequest(`"${name}" has to be a date as 2026-12-01.`);
  return value;
}

/** A whole number of the body; undefined where it is absent. */
export function bodyNumber(request: Request, name: string, least: number, most: number): number | undefined {
  const value = bodyObject(request)[name];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    throw invalidRequest(`"${name}" has to be a whole number from ${least} to ${most}.`);
  }
  return value as number;
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed();
}

/** The customer's id that the path names. @throws CovermapError `customer_unknown` where it can be none */
export function customerOf(request: Request): number {
  const id = rowNumber(request.params.id);
  if (id === undefined) throw new CovermapError('customer_unknown', 'There is no such customer.');
  return id;
}
