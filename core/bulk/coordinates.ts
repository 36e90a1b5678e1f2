import { parse } from 'csv-parse/sync';
import { CovermapError } from '../errors.ts';

/** In which form coordinates are handed in. */
export type InputFormat = 'json' | 'ndjson' | 'csv';

/** What was asked for in one place of a list. The coordinates are as they were written: whether they are any shows later. */
export interface AskedEntry {
  /** The caller's own name for it. */
  id: string | number | undefined;
  lat: string;
  lng: string;
}

/** Characters of an `id` at most. */
const longestId = 200;
/** Longer than any coordinate with its id, as JSON. Characters. */
export const longestLine = 2_000;
/** Of a coordinate, more is not repeated in an answer. */
const longestCoordinate = 40;

/** What cannot be read is an entry without coordinates: it gets its error in its place. */
const unreadable: AskedEntry = { id: undefined, lat: '', lng: '' };

/**
 * Reads a whole list.
 * @throws CovermapError `bulk_not_json` where it is JSON and cannot be read as such
 */
export function readEntries(text: string, format: InputFormat): AskedEntry[] {
  if (format === 'json') return readJson(text);
  const readLine = lineReader(format);
  const entries: AskedEntry[] = [];
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (entry) entries.push(entry);
  }
  return entries;
}

function readJson(text: string): AskedEntry[] {
  let list: unknown;
  try {
    list = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new CovermapError('bulk_not_json', 'The body is not JSON.');
  }
  if (!Array.isArray(list)) {
    throw new CovermapError(
      'bulk_not_json',
      'The body must be a list, as [[-36.9, 174.8], {"lat": -41.3, "lng": 174.8}].',
    );
  }
  return list.map(entryOf);
}

/**
 * A reader of lines, one after the other. It gives undefined for a line that is no entry: an empty one, or the heading of
 * a CSV file.
 */
export function lineReader(format: 'ndjson' | 'csv'): (line: string) => AskedEntry | undefined {
  let first = true;
  let columns = { lat: 0, lng: 1, id: 2 };
  return (given) => {
    const line = (first ? given.replace(/^\ufeff/, '') : given).trim();
    if (line === '') return undefined;
    const isFirst = first;
    first = false;
    if (line.length > longestLine) return unreadable;
    if (format === 'ndjson') return readJsonLine(line);
    const fields = readFields(line);
    if (!fields) return unreadable;
    const heading = isFirst ? readHeading(fields) : undefined;
    if (heading) {
      columns = heading;
      return undefined;
    }
    return {
      id: idOf(fields[columns.id]),
      lat: textOf(fields[columns.lat]),
      lng: textOf(fields[columns.lng]),
    };
  };
}

function readJsonLine(line: string): AskedEntry {
  try {
    return entryOf(JSON.parse(line));
  } catch {
    return unreadable;
  }
}

function readFields(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',').map((field) => field.trim());
  try {
    return (parse(line, { trim: true, relax_column_count: true }) as string[][])[0];
  } catch {
    return undefined;
  }
}

const latNames = ['lat', 'latitude', 'y'];
const lngNames = ['lng', 'lon', 'long', 'longitude', 'x'];

/** The columns where the first line names them. */
function readHeading(fields: readonly string[]): { lat: number; lng: number; id: number } | undefined {
  const names = fields.map((field) => field.toLowerCase());
  const lat = names.findIndex((name) => latNames.includes(name));
  const lng = names.findIndex((name) => lngNames.includes(name));
  return lat === -1 || lng === -1 ? undefined : { lat, lng, id: names.indexOf('id') };
}

/** `[lat, lng]`, or an object that names them. */
function entryOf(value: unknown): AskedEntry {
  if (Array.isArray(value)) {
    return value.length === 2 ? { id: undefined, lat: textOf(value[0]), lng: textOf(value[1]) } : unreadable;
  }
  if (typeof value !== 'object' || value === null) return unreadable;
  const { id, lat, lng } = value as Record<string, unknown>;
  return { id: idOf(id), lat: textOf(lat), lng: textOf(lng) };
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return plainDecimal(value);
  return typeof value === 'string' ? value.slice(0, longestCoordinate) : '';
}

/** JavaScript writes small numbers with an exponent, which is none of the caller's. */
function plainDecimal(value: number): string {
  const text = String(value);
  return /e-/.test(text) ? value.toFixed(20).replace(/0+$/, '') : text;
}

function idOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? value.slice(0, longestId) : undefined;
}
