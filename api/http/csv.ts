import type { Request, Response } from 'express';
import { invalidRequest } from '../middleware/operator-errors.ts';

/** What an answer can be written as. */
export type Format = 'json' | 'csv' | 'html';

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
 * Answers with a table as a file: RFC 4180, with a line of headings.
 * @param name of the file, without its ending
 */
export function sendCsv<Row>(
  response: Response,
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): void {
  const lines = [
    columns.map(([heading]) => field(heading)),
    ...rows.map((row) => columns.map(([, value]) => field(value(row)))),
  ];
  response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
  response.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  response.setHeader('Cache-Control', 'no-store');
  response.end(`${lines.map((line) => line.join(',')).join('\r\n')}\r\n`);
}

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // A name that begins so would be a formula to a spreadsheet. Amounts may begin with a minus.
  const text = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
