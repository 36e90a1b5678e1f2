import { z } from 'zod';
import { day } from '../../platform/schemas.ts';

/* The values of requests. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const controls = /[\u0000-\u001f\u007f]/;

/** True for a text without control characters and lone surrogates. */
export const isPrintable = (text: string) => !controls.test(text) && text.isWellFormed();

/** One line of text, trimmed. */
export function line(max = 200) {
  const error = `has to be a text of at most ${max} characters, on one line.`;
  return z
    .string({ error: ({ input }) => (input === undefined ? undefined : error) })
    .max(max, { error })
    .refine(isPrintable, { error })
    .trim();
}

const blankIsAbsent = (given: unknown) => (typeof given === 'string' ? given.trim() || undefined : given);

/** An optional day; blank is none. */
export const dayIfGiven = () => z.preprocess(blankIsAbsent, day().optional()).optional();

/** An optional line of text, trimmed; blank is none. */
export const lineIfGiven = () => z.preprocess(blankIsAbsent, line().optional()).optional();

/** What somebody looks for in a list of billing: a name, a number or an amount. */
export const soughtIfGiven = () =>
  z.preprocess(blankIsAbsent, line(100).optional()).optional().describe('Filter by name, number or amount');

export const filledLine = (max = 200) => line(max).min(1, { error: 'is missing.' });

/** The number of a row, with an example: code samples of its route need it. */
export const rowId = (description: string, example = 1) =>
  rowNumber(description).meta({ description, example });

export function rowNumber(description: string) {
  const error = 'has to be a number.';
  return z
    .preprocess(
      (text) => (/^[1-9]\d{0,8}$/.test(String(text)) ? Number(text) : text),
      z.int({ error }).positive({ error }),
    )
    .meta({ description });
}

export const nextPage = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'has to be a number.' })
    .optional()
    .describe('The `next` of the previous page');

/** A whole number in a query string. */
export function wholeNumber(min: number, max: number) {
  const isNumber = /^(0|[1-9]\d{0,15})$/;
  const error = `has to be a number from ${min} to ${max}.`;
  return z.preprocess(
    (text) => (isNumber.test(String(text)) ? Number(text) : text),
    z.int({ error }).min(min, { error }).max(max, { error }),
  );
}

/** Degrees in a query, within plus and minus the limit. */
export function degrees(max: number) {
  const isNumber = /^-?\d{1,3}(\.\d{1,15})?$/;
  const error = `has to be a number from -${max} to ${max}.`;
  return z.preprocess(
    (text) => (isNumber.test(String(text)) ? Number(text) : text),
    z.number({ error }).min(-max, { error }).max(max, { error }),
  );
}
