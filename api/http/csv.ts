import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { stringify as stringifyAll } from 'csv-stringify/sync';
import type { Request } from 'express';
import { harmlessInSpreadsheet } from '../../platform/csv-line.ts';
import { type Format, mediaTypes, type Send } from '../define-route.ts';
import { invalidRequest } from '../errors.ts';
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

/** A column of a table: its heading, and its value in a row. */
export type Column<Row> = [heading: string, value: (row: Row) => Value];

export const fields = <Name extends string>(...names: Name[]): Column<Record<Name, Value>>[] =>
  names.map((name) => [name, (row) => row[name]]);

export const csvType = 'text/csv; charset=utf-8; header=present';
/** `Content-Disposition` of a file. @param name without its extension */
export const asFile = (name: string) => `attachment; filename="${name}.csv"`;
const options = { record_delimiter: '\r\n', quote_record_delimiter: true };

/** Answers with a table as an RFC 4180 file, streamed as fast as the caller reads. @param name of the file, without its extension */
export function csv<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
): Send {
  const lines = async function* () {
    yield headingsOf(columns);
    for await (const row of rows) yield lineOf(columns, row);
  };
  return async (response) => {
    response.setHeader('Content-Type', csvType);
    response.setHeader('Content-Disposition', asFile(name));
    response.setHeader('Cache-Control', 'no-store');
    await sendStream(response, Readable.from(lines()), stringify(options));
  };
}

/** A short table as text. */
export function csvText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return stringifyAll([headingsOf(columns), ...rows.map((row) => lineOf(columns, row))], options);
}

function headingsOf<Row>(columns: readonly Column<Row>[]): string[] {
  return columns.map(([heading]) => heading);
}

function lineOf<Row>(columns: readonly Column<Row>[], row: Row): Value[] {
  return columns.map(([, value]) => safeField(value(row)));
}

function safeField(value: Value): Value {
  return typeof value === 'string' ? harmlessInSpreadsheet(value) : value;
}
