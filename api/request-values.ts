import type { Request } from 'express';
import { invalidRequest } from './middleware/operator-errors.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && uuid.test(text);
}

/** A row's number in a path or a query; undefined where it is none that a row could have. */
export function rowNumber(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** A word of the query string; undefined where it is absent or empty. */
export function queryText(request: Request, name: string): string | undefined {
  const value = request.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > 300) throw invalidRequest(`"${name}" has to be one text.`);
  return value;
}

/** `limit` of the query string. */
export function queryLimit(request: Request, fallback: number, most: number): number {
  const value = queryText(request, 'limit');
  if (value === undefined) return fallback;
  const number = rowNumber(value);
  if (number === undefined || number > most)
    throw invalidRequest(`"limit" has to be a number from 1 to ${most}.`);
  return number;
}

/** A JSON object that was sent, or an empty one where nothing was. */
export function bodyObject(request: Request): Record<string, unknown> {
  const { body } = request;
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalidRequest('The body has to be a JSON object.');
  return body;
}
