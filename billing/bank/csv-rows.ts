import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CovermapError } from '../../platform/errors.ts';
import { wideOf } from '../../platform/text-chunks.ts';

/* The rows of a CSV file that staff drop: a bank's or Xero's. */

const maxFileBytes = 2 * 1024 * 1024;
export const maxFileRows = 5_000;
const maxRecordLength = 20_000;
const maxFields = 100;
const pieceLength = 65_536;

export interface CsvRow {
  /** From 1. */
  line: number;
  fields: string[];
}

export const unreadable = (message: string, hint?: string) =>
  new CovermapError('bank_file_unreadable', message, hint);

/** Reads the rows of a file: in UTF-8, UTF-16 or Windows-1252; with commas, else tabs or semicolons. @throws CovermapError `bank_file_unreadable` */
export async function csvRows(bytes: Uint8Array): Promise<CsvRow[]> {
  if (bytes.length > maxFileBytes) throw unreadable('The file has more than 2 MB.');
  const text = decode(bytes);
  if (text.includes('\0'))
    throw unreadable('The file is not a CSV file.', 'Export it from internet banking as CSV.');
  const begin = text.slice(0, 4_000);
  const delimiter = [',', '\t', ';'].find((one) => begin.includes(one)) ?? ',';
  const pieces = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, i) =>
    text.slice(i * pieceLength, (i + 1) * pieceLength),
  );
  const rows: CsvRow[] = [];
  const parser = parse({
    ...{ bom: true, delimiter, info: true, relax_column_count: true, relax_quotes: true },
    ...{ skip_empty_lines: true, max_record_size: maxRecordLength },
  });
  try {
    for await (const { record, info } of Readable.from(pieces).pipe(parser)) {
      if (rows.length > maxFileRows + 20)
        throw unreadable(
          `The file has more than ${maxFileRows.toLocaleString('en-NZ')} lines.`,
          'Export a shorter period.',
        );
      if (record.length > maxFields)
        throw unreadable(`Line ${info.lines} has more than ${maxFields} columns.`);
      rows.push({ line: info.lines, fields: record });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number((error as { lines?: number }).lines) || rows.length + 1;
    throw unreadable(
      `Line ${line} cannot be read: a quotation mark may be missing.`,
      'Export the file again.',
    );
  }
  if (rows.length === 0) throw unreadable('The file is empty.', 'Export it again.');
  return rows;
}

function decode(bytes: Uint8Array): string {
  const wide = wideOf(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** An amount of New Zealand dollars as cents; undefined where it is none. */
export function centsOf(text: string): number | undefined {
  const found =
    /^(\()?([+-])?\$?([+-])?((?:\d{1,3}(?:,\d{3}){1,4}|\d{1,12})?)(?:\.(\d{1,2})0{0,4})?(\))?$/.exec(
      text.slice(0, 40).replace(/\s/g, ''),
    );
  if (!found) return undefined;
  const [, open, sign = '', second = '', whole = '', part = '', close] = found;
  if ((open === undefined) !== (close === undefined) || (whole === '' && part === '')) return undefined;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
  return open || sign === '-' || second === '-' ? -cents : cents;
}
