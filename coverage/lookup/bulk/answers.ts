import type { Bounds } from '@covermap/geometry/bounds.ts';
import { csvField } from '../../../platform/csv-line.ts';
import { onceForEach } from '../../../platform/once-for-each.ts';
import { speedFields } from '../../speeds.ts';
import { answerPoint } from '../answer.ts';
import type { Lookup, PointCoverage } from '../lookup.ts';
import { type AskedPosition, isPosition, readPosition } from '../position.ts';
import { offer2, results2 } from '../results.ts';
import type { AskedEntry } from './entries.ts';

export type OutputFormat = 'json' | 'ndjson' | 'csv';

const offerColumns = ['name', 'wholesale_network', 'url', ...speedFields, 'planned_date'];
const resultColumns = ['technology', 'availability', 'provider', ...offerColumns.slice(1)];
const columns = ['id', 'lat', 'lng', ...resultColumns, 'error'];

/** The text around the answers of a list; `end` only after the last of several. */
export const listForms: Record<OutputFormat, { begin: string; between: string; end: string }> = {
  ndjson: { begin: '', between: '\n', end: '\n' },
  json: { begin: '[\n', between: ',\n', end: '\n]\n' },
  csv: { begin: `${columns.join()}\r\n`, between: '\r\n', end: '\r\n' },
};

/** Answers to some coordinates, in their order. */
export interface Answers {
  text: string;
  /** The number of coordinates with an answer: each is a query. */
  good: number;
}

/** Characters of an invalid coordinate that its answer repeats. */
const maxRepeated = 40;
/* The errors of entries, worded as in version 2.0. */
const invalid = { code: 400, error: 'The given coordinates are not valid.' };
const failed = { code: 500, error: 'Internal Server Error' };

/** Writes an answer, and an error in its place. */
interface Writer {
  write(entry: AskedEntry, position: AskedPosition, coverage: PointCoverage): string;
  refuse(entry: AskedEntry, error: typeof invalid): string;
}

function csvWriter(): Writer {
  const rows = onceForEach(csvRows);
  return {
    write(entry, { latText, lngText }, coverage) {
      const start = `${csvField(entry.id)},${latText},${lngText},`;
      return rows(coverage)
        .map((row) => start + row)
        .join('\r\n');
    },
    refuse: ({ id, lat, lng }, { error }) =>
      `${[id, short(lat), short(lng)].map(csvField).join()}${','.repeat(resultColumns.length + 1)}${csvField(error)}`,
  };
}

function jsonWriter(): Writer {
  const results = onceForEach((coverage: PointCoverage) => results2(coverage));
  return {
    write: ({ id }, { latText, lngText }, coverage) =>
      `${start(id)}"location":{"lat":"${latText}","lng":"${lngText}"},"results":${results(coverage)}}`,
    // Empty coordinates are not repeated: the answer to a file of nonsense would be many times as large.
    refuse: ({ id, lat, lng }, error) =>
      `${start(id)}${lat + lng === '' ? '' : `"location":${JSON.stringify({ lat: short(lat), lng: short(lng) })},`}"error":${JSON.stringify(error)}}`,
  };
}

/** Answers lists of coordinates as version 2.0 answers each of them. */
export function listAnswerer(lookup: Lookup, area: Bounds, format: OutputFormat) {
  const { write, refuse } = format === 'csv' ? csvWriter() : jsonWriter();
  /** @param entries few, so that other lookups hardly wait for them */
  return async (entries: readonly AskedEntry[], onFault: (error: unknown) => void): Promise<Answers> => {
    let good = 0;
    const answerTo = async (entry: AskedEntry) => {
      const position = readPosition(entry.lat, entry.lng, area);
      if (!isPosition(position)) return refuse(entry, invalid);
      let coverage: PointCoverage;
      try {
        coverage = await lookup.at(position.lat, position.lng);
      } catch (error) {
        onFault(error);
        return refuse(entry, failed);
      }
      good++;
      return write(entry, position, coverage);
    };
    const texts = await Promise.all(entries.map(answerTo));
    return { text: texts.join(listForms[format].between), good };
  };
}

const short = (coordinate: string): string => coordinate.slice(0, maxRepeated);

function start(id: AskedEntry['id']): string {
  if (id === undefined) return '{';
  return `{"id":${typeof id === 'bigint' ? id : JSON.stringify(id)},`;
}

/** A row for each provider of each technology, or for a technology without any; without the entry's own columns. */
function csvRows({ catalog, tiers }: PointCoverage): string[] {
  return answerPoint(catalog, tiers, true).flatMap(({ technology, availability, entries }) => {
    const offers: Record<string, string | number | null>[] = entries.length > 0 ? entries.map(offer2) : [{}];
    return offers.map((offer) =>
      [technology.name, availability, ...offerColumns.map((column) => offer[column]), undefined]
        .map(csvField)
        .join(),
    );
  });
}
