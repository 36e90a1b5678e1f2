import { turnTaker } from '../../../event-loop.ts';
import { decimalText } from '../position.ts';
import { ListSplitter, notJson } from './json-list.ts';
import { LineSplitter, longestLine } from './lines.ts';

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

/** What cannot be read is an entry without coordinates: it gets its error in its place. */
const unreadable: AskedEntry = { id: undefined, lat: '', lng: '' };

/**
 * Reads a list as it comes in, and lets others have their turn meanwhile.
 * @throws CovermapError `bulk_not_json` where it is JSON and cannot be read as such
 */
export async function* readEntries(
  chunks: AsyncIterable<Uint8Array>,
  format: InputFormat,
): AsyncGenerator<AskedEntry> {
  const splitter = format === 'json' ? new ListSplitter() : new LineSplitter();
  const read = format === 'json' ? readElement : lineReader(format);
  const othersTurn = turnTaker();
  for await (const chunk of chunks) {
    for (const { text } of splitter.push(chunk)) {
      const entry = read(text);
      if (entry) yield entry;
      const wait = othersTurn();
      if (wait) await wait;
    }
  }
  for (const { text } of splitter.finish()) {
    const entry = read(text);
    if (entry) yield entry;
  }
}

/** @throws CovermapError `bulk_not_json` */
function readElement(text: string): AskedEntry {
  if (text.length > longestLine) return unreadable;
  try {
    return entryOf(JSON.parse(text));
  } catch {
    throw notJson();
  }
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
  // Most of what is no entry can be told without the parser, whose errors are costly.
  if (!/^[[{]/.test(line) || !/[\]}]$/.test(line)) return unreadable;
  try {
    return entryOf(JSON.parse(line));
  } catch {
    return unreadable;
  }
}

/** The fields of a line of CSV (RFC 4180), blanks around them removed; undefined where quotes are not as they should be. */
function readFields(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',').map((field) => field.trim());
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    at = afterBlanks(line, at);
    if (line[at] === '"') {
      const field = readQuoted(line, at + 1);
      if (!field) return undefined;
      at = afterBlanks(line, field.end);
      if (at < line.length && line[at] !== ',') return undefined;
      fields.push(field.text);
    } else {
      const comma = line.indexOf(',', at);
      const end = comma === -1 ? line.length : comma;
      const field = line.slice(at, end).trimEnd();
      if (field.includes('"')) return undefined;
      fields.push(field);
      at = end;
    }
    if (at >= line.length) return fields;
  }
}

/** What is written within quotes, and where the line goes on after them. @param from after the first quote */
function readQuoted(line: string, from: number): { text: string; end: number } | undefined {
  let text = '';
  for (let at = from; ; at++) {
    const quote = line.indexOf('"', at);
    if (quote === -1) return undefined;
    text += line.slice(at, quote);
    if (line[quote + 1] !== '"') return { text, end: quote + 1 };
    // Two of them are one of the text.
    text += '"';
    at = quote + 1;
  }
}

function afterBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at++;
  return at;
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
  if (typeof value === 'number') return decimalText(value);
  return typeof value === 'string' ? value : '';
}

function idOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? value.slice(0, longestId) : undefined;
}
