import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Request } from 'express';
import { harmlessInSpreadsheet } from '../../core/csv-line.ts';
import { invalidRequest } from '../middleware/errors.ts';
import { type Format, mediaTypes, type Send } from '../route.ts';
import { sendStream } from './send-stream.ts';

/** The format that the caller wants: by `format`, else by `Accept`, else the first. */
export function wantedFormat(request: Request, formats: readonly Format[]): Format {
  const { format } = request.query;
  if (format !== undefined) {
    if (!formats.includes(format as Format)) {
      throw invalidRequest(`"format" has to be one of ${formats.join(', ')}.`);
    }
    return format as Format;
  }
  const best = request.accepts(formats.map((known) => mediaTypes[known]));
  return formats.find((known) => mediaTypes[known] === best) ?? (formats[0] as Format);
}

type Value = string | number | null;

/** A column of a table: its heading, and what is in it. */
export type Column<Row> = [heading: string, value: (row: Row) => Value];

/** Columns of the fields with these names. */
export const fields = <Name extends string>(...names: Name[]): Column<Record<Name, Value>>[] =>
  names.map((name) => [name, (row) => row[name]]);

/** Answers with a table as an RFC 4180 file, streamed as fast as the caller reads. @param name of the file, without its extension */
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
    await sendStream(response, Readable.from(lines()), stringify(options));
  };
}

function safeField(value: Value): Value {
  return typeof value === 'string' ? harmlessInSpreadsheet(value) : value;
}
