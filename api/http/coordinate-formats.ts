import type { Request } from 'express';
import type { OutputFormat } from '../../core/coverage/lookup/bulk/answers.ts';
import type { InputFormat } from '../../core/coverage/lookup/bulk/entries.ts';
import { Refusal } from '../errors.ts';
import { mediaTypes } from '../schemas/bulk.ts';
import { mediaType } from './body.ts';

/* The formats of lists of coordinates and of their answers. The first media type is the default. */

const formats: Record<string, InputFormat & OutputFormat> = {
  [mediaTypes.ndjson]: 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  [mediaTypes.json]: 'json',
  [mediaTypes.csv]: 'csv',
};

/** @throws Refusal */
export function inputFormat(request: Request): InputFormat {
  const format = formats[mediaType(request) ?? ''];
  if (format) return format;
  throw new Refusal(415, 'Content-Type must be application/json, application/x-ndjson or text/csv.');
}

/** @throws Refusal */
export function outputFormat(request: Request): OutputFormat {
  const type = request.accepts(Object.keys(formats));
  if (type) return formats[type] as OutputFormat;
  throw new Refusal(406, 'Accept must allow application/x-ndjson, application/json or text/csv.');
}

/** The value of `Content-Type` for answers. */
export const contentType = (format: OutputFormat) => `${mediaTypes[format]}; charset=utf-8`;
