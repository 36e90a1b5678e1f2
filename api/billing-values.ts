import type { Request } from 'express';
import { invalidRequest } from './middleware/operator-errors.ts';
import { bodyObject } from './request-values.ts';

/** A text of the body, without spaces around it; undefined where it is absent or empty. */
export function bodyText(request: Request, name: string, longest = 200): string | undefined {
  const value = bodyObject(request)[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > longest || hasControls(value)) {
    throw invalidRequest(`"${name}" has to be a text of at most ${longest} characters.`);
  }
  return value.trim() || undefined;
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed();
}
