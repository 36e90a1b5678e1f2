import { csvFields, declaredSeparator, isWide, separators } from '../../../platform/csv-line.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { turnTaker } from '../../../platform/event-loop.ts';
import { inUtf8 } from '../../../platform/text-chunks.ts';
import { decimalText } from '../position.ts';
import { notJson, readElements } from './json-list.ts';
import { maxLineLength, readLines } from './lines.ts';

export type InputFormat = 'json' | 'ndjson' | 'csv';

/** An entry of a list: texts as the caller wrote them, which may be no coordinates. */
export interface AskedEntry {
  id: string | number | bigint | undefined;
  lat: string;
  lng: string;
  /** What it names in place of a position. */
  address?: AskedAddress;
}

/** An address by its id (or `system:id`) or by its text; a fault, where the text may be a part of what was meant. */
export type AskedAddress = { reference: string } | { text: string } | { fault: 'cut' };

/** Characters. */
const maxIdLength = 200;

/** The entry for text that cannot be read: its answer is an error, in its place. */
const unreadable: AskedEntry = { id: undefined, lat: '', lng: '' };

/** Reads a list as it arrives, and yields to the event loop meanwhile. @throws CovermapError `bulk_not_json` */
export async function* readEntries(chunks: AsyncIterable<Uint8Array>, format: InputFormat) {
  const bytes = inUtf8(chunks);
  const texts = format === 'json' ? readElements(bytes) : readLines(bytes);
  const read = format === 'json' ? readElement : lineReader(format);
  const othersTurn = turnTaker();
  for await (const { text } of texts) {
    const entry = read(text);
    if (entry) yield entry;
    const wait = othersTurn();
    if (wait) await wait;
  }
}

/** @throws CovermapError `bulk_not_json` */
function readElement(text: string): AskedEntry {
  if (text.length > maxLineLength) return unreadable;
  try {
    return entryOf(JSON.parse(text), text);
  } catch {
    throw notJson();
  }
}

/** A reader of a file's lines, in their order. It returns undefined for an empty line and for the header of CSV. @throws CovermapError `bulk_not_utf8` */
export function lineReader(format: 'ndjson' | 'csv'): (line: string) => AskedEntry | undefined {
  let first = true;
  let declared: string | undefined;
  let layout: Layout = { separator: ',', lat: 0, lng: 1, id: 2, reference: -1, text: [], width: 0 };
  return (given) => {
    const line = (first ? given.replace(/^\ufeff/, '') : given).trim();
    if (line === '') return undefined;
    const isFirst = first;
    if (isFirst && isWide(line)) throw notUtf8();
    if (isFirst && format === 'csv' && declared === undefined) {
      declared = declaredSeparator(line);
      if (declared !== undefined) return undefined;
    }
    first = false;
    if (line.length > maxLineLength) return unreadable;
    if (format === 'ndjson') return readJsonLine(line);
    const among = declared === undefined ? separators : [declared];
    const header = isFirst ? readHeader(line, among) : undefined;
    if (isFirst) layout = header ?? { ...layout, separator: among.find((one) => line.includes(one)) ?? ',' };
    if (header) return undefined;
    const fields = csvFields(line, layout.separator);
    return fields ? rowEntry(fields, layout, line) : unreadable;
  };
}

function rowEntry(
  fields: string[],
  { lat, lng, id, reference, text, width }: Layout,
  line: string,
): AskedEntry {
  const [first] = text;
  if (first === undefined && reference === -1) return entryFrom(fields[id], fields[lat], fields[lng]);
  // A list of texts alone needs no quotes.
  const isLine = first !== undefined && width === 1 && fields.length > 1;
  const written = isLine ? line : joined(text.map((at) => fields[at] ?? ''));
  const entry = entryFrom(fields[id], fields[lat], fields[lng], fields[reference], written);
  const isCut = !isLine && fields.slice(width).some((field) => field !== '');
  return isCut && entry.address ? { ...entry, address: { fault: 'cut' } } : entry;
}

/** The parts of an address on one line, without those that it has. */
function joined([whole = '', ...parts]: string[]): string {
  let text = whole;
  for (const part of parts) {
    const known = text.toLowerCase().split(',');
    if (part !== '' && !known.some((one) => one.trim() === part.toLowerCase()))
      text += text === '' ? part : `, ${part}`;
  }
  return text;
}

const notUtf8 = () =>
  new CovermapError(
    'bulk_not_utf8',
    'The list is not text in UTF-8, nor in UTF-16 with its byte order mark.',
    'Save it as UTF-8: in a spreadsheet, "CSV UTF-8".',
  );

function readJsonLine(line: string): AskedEntry {
  // Rejects most invalid lines without the parser, as its errors are costly.
  if (!/^[[{]/.test(line) || !/[\]}]$/.test(line)) return unreadable;
  try {
    return entryOf(JSON.parse(line), line);
  } catch {
    return unreadable;
  }
}

const latNames = ['lat', 'latitude', 'y'];
const lngNames = ['lng', 'lon', 'long', 'longitude', 'x'];

/* Columns that name an address, without blanks and low lines: `Address ID`, `address_line_1`. */
const referenceNames = ['addressid', 'linzid', 'aimsaddressid'];
const textNames = ['fulladdress', 'address', 'address1', 'addressline1'];
/** Columns that go on where the text is not the full address, in this order. */
const furtherNames = [['address2', 'addressline2'], ['suburb'], ['city', 'town'], ['postcode']];

/** The separator and the columns of a table; -1 for those that it has not. */
interface Layout {
  separator: string;
  lat: number;
  lng: number;
  id: number;
  /** Of an address's id. */
  reference: number;
  /** Of the parts of an address's text, in order. */
  text: number[];
  /** The number of columns. */
  width: number;
}

/** The layout that a header names; undefined for any other line. */
function readHeader(line: string, among: readonly string[]): Layout | undefined {
  for (const separator of among) {
    const names = (csvFields(line, separator) ?? []).map((field) => field.toLowerCase());
    // Names are tried in order, whichever column comes first: a table may have its own x and y beside lat and lng.
    const columnOf = (wanted: string[]) =>
      wanted.map((name) => names.indexOf(name)).find((at) => at !== -1) ?? -1;
    const [lat, lng] = [columnOf(latNames), columnOf(lngNames)];
    const { reference, text } = addressColumns(names.map((name) => name.replace(/[ _]/g, '')));
    const namesAddresses = reference !== -1 || text.length > 0;
    if (lat === -1 || lng === -1 ? !namesAddresses : false) continue;
    return { separator, lat, lng, id: names.indexOf('id'), reference, text, width: names.length };
  }
  return undefined;
}

function addressColumns(names: readonly string[]): Pick<Layout, 'reference' | 'text'> {
  const columnOf = (wanted: readonly string[]) =>
    wanted.map((name) => names.indexOf(name)).find((at) => at !== -1);
  const text = columnOf(textNames);
  const further = text === undefined || names[text] === 'fulladdress' ? [] : furtherNames.map(columnOf);
  return {
    reference: columnOf(referenceNames) ?? -1,
    text: [text, ...further].filter((at) => at !== undefined),
  };
}

/** @param text of which it was parsed */
function entryOf(value: unknown, text: string): AskedEntry {
  if (Array.isArray(value)) {
    return value.length === 2 ? entryFrom(undefined, value[0], value[1]) : unreadable;
  }
  if (typeof value !== 'object' || value === null) return unreadable;
  const { id, lat, lng, address_id, address } = value as Record<string, unknown>;
  return entryFrom(exactId(id, text), lat, lng, address_id, address);
}

/** A number that a double does not hold, as it was written: rounded, it would name another row of the caller's, or none. */
function exactId(id: unknown, text: string): unknown {
  if (typeof id !== 'number' || Math.abs(id) <= Number.MAX_SAFE_INTEGER) return id;
  const written = [...text.matchAll(/"id"\s*:\s*(-?\d[\d.eE+-]*)/g)].map(([, digits]) => digits as string);
  const digits = written.findLast((one) => Number(one) === id);
  if (digits !== undefined && /^-?\d+$/.test(digits)) return BigInt(digits);
  return Number.isFinite(id) ? id : digits;
}

/** A position that is given answers, right or wrong, and an id before a text: one that fails is not replaced by another place. */
function entryFrom(id: unknown, lat: unknown, lng: unknown, reference?: unknown, text?: unknown): AskedEntry {
  const entry: AskedEntry = { id: idOf(id), lat: textOf(lat), lng: textOf(lng) };
  if (entry.lat !== '' || entry.lng !== '') return entry;
  const [named, written] = [textOf(reference).trim(), typeof text === 'string' ? text.trim() : ''];
  if (named !== '') entry.address = { reference: named };
  else if (written !== '') entry.address = { text: written };
  return entry;
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return decimalText(value);
  return typeof value === 'string' ? value : '';
}

function idOf(value: unknown): AskedEntry['id'] {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'string' && value !== '' ? value.slice(0, maxIdLength) : undefined;
}
