import type { Request } from 'express';
import type { OutputFormat } from '../../coverage/lookup/bulk/answers.ts';
import type { InputFormat } from '../../coverage/lookup/bulk/entries.ts';
import { Refusal } from '../errors.ts';
import { mediaTypes } from '../schemas/bulk.ts';
import { plainError } from '../schemas/document-errors.ts';
import { mediaType } from './body.ts';

/* The formats of lists of coordinates and of their answers. The first media type is the default. */

const formats: Record<string, InputFormat & OutputFormat> = {
  [mediaTypes.ndjson]: 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  [mediaTypes.json]: 'json',
  [mediaTypes.csv]: 'csv',
};

export const noCoordinates = 'There are no coordinates in the body.';
const unsupported = 'Content-Type must be application/json, application/x-ndjson or text/csv.';
const notAllowed = 'Accept must allow application/x-ndjson, application/json or text/csv.';
export const unsupportedFormat = plainError(415, 'The format of the body is not supported.', unsupported);
export const notAcceptable = plainError(406, '`Accept` allows none of the forms.', notAllowed);

/** @param refusal the sentence for what is none @throws Refusal */
export function inputFormat(request: Request, refusal = unsupported): InputFormat {
  const format = formats[mediaType(request) ?? ''];
  if (format) return format;
  throw new Refusal(415, refusal);
}

/** @throws Refusal */
export function outputFormat(request: Request): OutputFormat {
  const type = request.accepts(Object.keys(formats));
  if (type) return formats[type] as OutputFormat;
  throw new Refusal(406, notAllowed);
}

/** The value of `Content-Type` for answers. */
export const contentType = (format: OutputFormat) => `${mediaTypes[format]}; charset=utf-8`;
