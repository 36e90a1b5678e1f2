import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Request } from 'express';
import { invalidRequest } from '../middleware/coded-errors.ts';
import type { Format, Send } from '../route.ts';

const types: Record<Format, string> = { json: 'application/json', csv: 'text/csv', html: 'text/html' };

/**
 * What the caller wants: what `format` names, else what `Accept` prefers, else JSON.
 * @param formats what there is; the first is what there is for who has no wish
 */
export function wantedFormat(request: Request, formats: readonly Format[] = ['json', 'csv']): Format {
  const { format } = request.query;
  if (format !== undefined) {
    if (!formats.includes(format as Format)) {
      throw invalidRequest(`"format" has to be one of ${formats.join(', ')}.`);
    }
    return format as Format;
  }
  const best = request.accepts(formats.map((known) => types[known]));
  return formats.find((known) => types[known] === best) ?? (formats[0] as Format);
}

/** A column of a table: its heading, and what is in it. */
export type Column<Row> = [heading: string, value: (row: Row) => string | number | null];

/**
 * Answers with a table as a file of RFC 4180, with a line of headings. Rows are read as fast as the caller takes them.
 * @param name of the file, without its extension
 * @param rows many come as a generator
 */
export function csv<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
): Send {
  const lines = async function* () {
    yield columns.map(([heading]) => heading);
    for await (const row of rows) yield columns.map(([, value]) => safeField(value(row)));
  };
  return async (response) => {
    response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
    response.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
    response.setHeader('Cache-Control', 'no-store');
    const options = { record_delimiter: '\r\n', quote_record_delimiter: true };
    await pipeline(lines, stringify(options), response).catch((error) => {
      // The caller went away.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  };
}

/** Texts that begin like this would be formulas to a spreadsheet. Amounts may begin with a minus. */
function safeField(value: string | number | null): string | number | null {
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value);
  return isFormula ? `'${value}` : value;
}
