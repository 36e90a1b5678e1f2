import { csvFields, declaredSeparator, isWide, separators } from '../platform/csv-line.ts';
import { CovermapError } from '../platform/errors.ts';
import { inUtf8, wholeLines } from '../platform/text-chunks.ts';
import { isFault, type NameFault, readName, type Zones } from './names.ts';

/** An export of the provisioning system: a file's name, size in bytes and content. */
export interface RegisterSource {
  name: string;
  size: number;
  chunks: AsyncIterable<Uint8Array>;
}

/** A line of a register. Times are in microseconds since 1970, UTC. */
export interface RegisterRow {
  /** Counted from 1, the header of a CSV file included. */
  line: number;
  name: string;
  registered: number;
  cancelled: number | null;
}

export interface LineFault {
  line: number;
  message: string;
}

/** Three fields take a fraction of it. Bounds memory for a file without lines. */
const maxLineBytes = 65_536;

/** Earlier times are mistakes: the first names under nz were registered in 1987. */
const earliest = Date.UTC(1980, 0, 1) * 1000;

const columns = ['domain', 'registered', 'cancelled'] as const;
type Fields = Record<(typeof columns)[number], string | undefined>;

/**
 * Reads the lines of a register: CSV with a header (RFC 4180) that names the columns `domain`, `registered` and `cancelled`, or a JSON object with
 * these fields a line. The first character tells which. Every line is checked by itself.
 * @param latest later times are in the future, and wrong. Microseconds since 1970
 * @throws CovermapError `register_unreadable` where the file is no register
 */
export async function* readRegisterFile(source: RegisterSource, zones: Zones, latest: number) {
  let readFields: ((line: string) => Fields) | undefined;
  /** The separator that a spreadsheet declares in a first line of its own. */
  let separator: string | undefined;
  let line = 0;
  let bytesRead = 0;
  const counted = async function* () {
    for await (const chunk of source.chunks) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  for await (const text of wholeLines(inUtf8(counted()), maxLineBytes, tooLong)) {
    const rows: RegisterRow[] = [];
    const faults: LineFault[] = [];
    for (const ended of text) {
      line++;
      const content = line === 1 ? ended.replace(/^\ufeff/, '') : ended;
      if (content.trim() === '') continue;
      if (!readFields) {
        if (isWide(content))
          throw unreadable('It is not text in UTF-8. In a spreadsheet, save it as "CSV UTF-8".');
        if (separator === undefined) {
          separator = declaredSeparator(content);
          if (separator !== undefined) continue;
        }
        readFields = content.startsWith('{') ? readJson : readHeader(content, line, separator);
        if (readFields !== readJson) continue;
      }
      try {
        rows.push(readRow(readFields(content), line, zones, latest));
      } catch (error) {
        if (!(error instanceof LineError)) throw error;
        faults.push({ line, message: error.message });
      }
    }
    yield { rows, faults, bytesRead, lastLine: line };
  }
  if (!readFields) throw unreadable('It is empty.');
}

class LineError extends Error {}

const tooLong = () => unreadable(`It has a line of more than ${maxLineBytes} bytes.`);

/** @param declared the separator that the file says; else the one with which the line names the columns */
function readHeader(text: string, line: number, declared: string | undefined): (line: string) => Fields {
  const namesBy = (separator: string) =>
    csvFields(text, separator)?.map((column) => column.trim().toLowerCase());
  const namesAll = (separator: string) => columns.every((column) => namesBy(separator)?.includes(column));
  const separator = declared ?? separators.find(namesAll) ?? ',';
  const header = namesBy(separator);
  if (!header) throw unreadable(`Line ${line}: ${misquoted}.`);
  const places = columns.map((column) => header.indexOf(column));
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0) throw unreadable(`Its first line does not name the column ${missing.join(', ')}.`);
  const [domain, registered, cancelled] = places as [number, number, number];
  return (text) => {
    const values = csvFields(text, separator);
    if (!values) throw new LineError(misquoted);
    if (values.length !== header.length) {
      throw new LineError(`it has ${values.length} fields, the header has ${header.length}`);
    }
    return { domain: values[domain], registered: values[registered], cancelled: values[cancelled] };
  };
}

/** Also of a field that continues on the next line: no column needs one. */
const misquoted = 'a quotation mark is out of place';

function readJson(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new LineError('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LineError('it is not a JSON object');
  const text = (field: string) => {
    const given = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
    if (given === undefined || given === null) return undefined;
    if (typeof given !== 'string') throw new LineError(`${field} is not a text`);
    return given;
  };
  return { domain: text('domain'), registered: text('registered'), cancelled: text('cancelled') };
}

const faultTexts: Record<NameFault, string> = {
  characters: 'has characters that no name has',
  form: 'is not of the form of a name',
  no_zone: 'is not right under a managed zone',
  zone_itself: 'is a zone, not a name in one',
};

function readRow(fields: Fields, line: number, zones: Zones, latest: number): RegisterRow {
  const domain = fields.domain?.trim();
  if (!domain) throw new LineError('domain is missing');
  const name = readName(domain, zones);
  if (isFault(name)) throw new LineError(`${shown(domain)} ${faultTexts[name]}`);
  const registered = readTime('registered', fields.registered, latest);
  if (registered === null) throw new LineError('registered is missing');
  const cancelled = readTime('cancelled', fields.cancelled, latest);
  if (cancelled !== null && cancelled < registered) throw new LineError('cancelled is before registered');
  return { line, name: name.domain, registered, cancelled };
}

const time =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))? ?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)$/;

/** A time of ISO 8601 with its offset, as in `2026-01-31T23:59:59+13:00` or `2026-01-31 10:59:59Z`. @returns microseconds since 1970; null for none */
function readTime(field: string, text: string | undefined, latest: number): number | null {
  const given = text?.trim();
  if (!given) return null;
  const match = time.exec(given);
  if (!match) throw new LineError(`${field} is not a time with an offset, as 2026-01-31 23:59:59+13:00`);
  const written = `${given.slice(0, 10)}T${given.slice(11, 19)}`;
  const local = Date.parse(`${written}Z`);
  // Date carries a 31 June on to 1 July.
  const exists = !Number.isNaN(local) && new Date(local).toISOString().slice(0, 19) === written;
  const [hours, minutes] = [Number(match[10] ?? 0), Number(match[11] ?? 0)];
  if (!exists || hours > 15 || minutes > 59) throw new LineError(`${field} is a time that does not exist`);
  const offset = (match[9] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  const instant = (local - offset) * 1000 + Number((match[7] ?? '').slice(0, 6).padEnd(6, '0'));
  if (instant < earliest) throw new LineError(`${field} is before 1980`);
  if (instant > latest) throw new LineError(`${field} is in the future`);
  return instant;
}

/** A text of the file that is safe to print: short, and without control characters. */
function shown(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}...` : text;
  return JSON.stringify(short.replace(/\p{C}/gu, '\ufffd'));
}

function unreadable(why: string): CovermapError {
  return new CovermapError(
    'register_unreadable',
    `The file is not a register. ${why}`,
    'Give CSV with the header domain,registered,cancelled, or a JSON object with these fields on each line.',
  );
}
