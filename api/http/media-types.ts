import type { OutputFormat } from '../../core/coverage/lookup/bulk/answers.ts';

/** Content-Type of a list of answers. */
export const listMediaTypes: Record<OutputFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};
