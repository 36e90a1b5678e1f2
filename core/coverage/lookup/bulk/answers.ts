import type { Bounds } from '../../../config.ts';
import { cachedByTiers } from '../cached-by-tiers.ts';
import type { Lookup, PointCoverage } from '../lookup.ts';
import { type AskedPosition, isPosition, readPosition } from '../position.ts';
import { results2 } from '../results.ts';
import type { AskedEntry } from './entries.ts';

/** The format of a list of answers. */
export type OutputFormat = 'json' | 'ndjson' | 'csv';

/** How a list of answers is put together of answers to parts of it. */
export interface ListForm {
  begin: string;
  between: string;
  /** After the last answer; nothing where there is none. */
  end: string;
}

const columns = [
  'id',
  'lat',
  'lng',
  'technology',
  'availability',
  'provider',
  'wholesale_network',
  'url',
  'bandwidth_min_mbps',
  'bandwidth_max_mbps',
  'bandwidth_up_min_mbps',
  'bandwidth_up_max_mbps',
  'planned_date',
  'error',
];

export const listForms: Record<OutputFormat, ListForm> = {
  ndjson: { begin: '', between: '\n', end: '\n' },
  json: { begin: '[\n', between: ',\n', end: '\n]\n' },
  csv: { begin: `${columns.join()}\r\n`, between: '\r\n', end: '\r\n' },
};

/** Answers to some coordinates, in their order. */
export interface Answers {
  text: string;
  /** How many of the coordinates were good and have an answer: each is a query. */
  good: number;
}

/** What an entry gets in place of an answer, in the words of version 2.0. */
const invalid = { code: 400, error: 'The given coordinates are not valid.' };
/** How much is repeated of what is no coordinate. Characters */
const maxRepeated = 40;
const failed = { code: 500, error: 'Internal Server Error' };

/** Answers lists of coordinates as version 2.0 answers each of them. */
export class BulkLookup {
  readonly #lookup: Lookup;
  readonly #area: Bounds;
  readonly #write: (entry: AskedEntry, position: AskedPosition, coverage: PointCoverage) => string;
  readonly #refuse: (entry: AskedEntry, error: typeof invalid) => string;
  readonly #between: string;

  constructor(lookup: Lookup, area: Bounds, format: OutputFormat) {
    this.#lookup = lookup;
    this.#area = area;
    this.#between = listForms[format].between;
    if (format === 'csv') {
      const rows = cachedByTiers((coverage) => JSON.stringify(csvRows(coverage)));
      this.#write = (entry, { latText, lngText }, coverage) => {
        const start = `${csvField(entry.id)},${latText},${lngText},`;
        return (JSON.parse(rows(coverage)) as string[]).map((row) => start + row).join('\r\n');
      };
      this.#refuse = ({ id, lat, lng }, { error }) =>
        `${[id, short(lat), short(lng)].map(csvField).join()}${','.repeat(columns.length - 3)}${csvField(error)}`;
    } else {
      const results = cachedByTiers((coverage) => JSON.stringify(results2(coverage)));
      this.#write = ({ id }, { latText, lngText }, coverage) =>
        `${start(id)}"location":{"lat":"${latText}","lng":"${lngText}"},"results":${results(coverage)}}`;
      // Where nothing was given, nothing is repeated: a file of nonsense is not answered with many times as much.
      this.#refuse = ({ id, lat, lng }, error) =>
        `${start(id)}${lat + lng === '' ? '' : `"location":${JSON.stringify({ lat: short(lat), lng: short(lng) })},`}"error":${JSON.stringify(error)}}`;
    }
  }

  /** @param entries few enough that others who look something up hardly wait for them */
  async answer(entries: readonly AskedEntry[], onFault: (error: unknown) => void): Promise<Answers> {
    let good = 0;
    const texts = await Promise.all(
      entries.map(async (entry) => {
        const position = readPosition(entry.lat, entry.lng, this.#area);
        if (!isPosition(position)) return this.#refuse(entry, invalid);
        let coverage: PointCoverage;
        try {
          coverage = await this.#lookup.at(position.lat, position.lng);
        } catch (error) {
          onFault(error);
          return this.#refuse(entry, failed);
        }
        good++;
        return this.#write(entry, position, coverage);
      }),
    );
    return { text: texts.join(this.#between), good };
  }
}

function short(coordinate: string): string {
  return coordinate.slice(0, maxRepeated);
}

function start(id: AskedEntry['id']): string {
  return id === undefined ? '{' : `{"id":${JSON.stringify(id)},`;
}

/** A row for each provider of each technology, or for the technology where there is none; without what was asked for. */
function csvRows(coverage: PointCoverage): string[] {
  const results = results2(coverage) as {
    technology: string;
    availability: string;
    providers?: Record<string, string | number | null>[];
  }[];
  return results.flatMap(({ technology, availability, providers = [] }) =>
    (providers.length > 0 ? providers : [{}]).map((provider: Record<string, string | number | null>) =>
      [
        technology,
        availability,
        provider.name,
        ...columns.slice(6, 13).map((column) => provider[column]),
        undefined,
      ]
        .map(csvField)
        .join(),
    ),
  );
}

/** RFC 4180; a text that a spreadsheet would take for a formula is made one that it does not. */
function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+@\t\r]|^-(?![\d.]+$)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
