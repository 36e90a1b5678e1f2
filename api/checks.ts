import type { Request } from 'express';
import { z } from 'zod';
import type { ErrorCode } from '../platform/error-catalogue.ts';
import { CovermapError } from '../platform/errors.ts';
import { invalidRequest } from './errors.ts';
import { unknownThing } from './guards.ts';

/* Checks of requests by the schemas of their routes. */

/** @throws CovermapError `unknown` */
export function checkParams(
  shape: Record<string, z.ZodType>,
  given: Request['params'],
  unknown: ErrorCode = 'address_unknown',
): unknown {
  const found = z.object(shape).safeParse(given);
  if (found.success) return found.data;
  if (unknown === 'address_unknown') throw new CovermapError(unknown);
  throw unknownThing(unknown.replace(/_unknown$/, ''));
}

/** @throws CovermapError `request_invalid` */
export function checkQuery(schema: z.ZodType, given: Request['query']): unknown {
  return check(schema, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')));
}

/** @throws CovermapError `request_invalid` */
export function checkBody(schema: z.ZodType, given: unknown): unknown {
  if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given))) {
    throw invalidRequest('The body has to be a JSON object.');
  }
  return check(schema, Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null)));
}

function check(schema: z.ZodType, given: object): unknown {
  const found = schema.safeParse(given, { error: sentenceOf });
  if (found.success) return found.data;
  throw invalidRequest(firstFault(found.error));
}

/** The first fault as a sentence. It begins with the name of the field unless the schema's own begins otherwise. */
function firstFault({ issues: [issue] }: z.ZodError): string {
  const { path = [], message = 'is not valid.' } = issue ?? {};
  if (path.length === 0 || /^["A-Z]/.test(message)) return message;
  return `"${path.join('.')}" ${message}`;
}

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function sentenceOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing.';
  switch (issue.code) {
    case 'invalid_type':
      return `has to be ${kinds[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `has to be one of ${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      return `has to be at most ${issue.maximum}${lengthUnit(issue.origin)}.`;
    case 'too_small':
      return `has to be at least ${issue.minimum}${lengthUnit(issue.origin)}.`;
    case 'unrecognized_keys':
      return `Unknown: ${issue.keys.map((key) => `"${key}"`).join(', ')}.`;
    default:
      return 'is not valid.';
  }
}

function lengthUnit(origin: string): string {
  return origin === 'string' ? ' characters long' : origin === 'array' ? ' entries' : '';
}
