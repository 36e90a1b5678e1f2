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

/** A JSON object that was sent, or an empty one where nothing was. */
export function bodyObject(request: Request): Record<string, unknown> {
  const { body } = request;
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalidRequest('The body has to be a JSON object.');
  return body;
}
