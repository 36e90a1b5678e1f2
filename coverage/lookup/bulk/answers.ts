import type { Bounds } from '@covermap/geometry/bounds.ts';
import type { Address } from '../../../addresses/address.ts';
import { type AddressFinder, maxTextLength } from '../../../addresses/finder.ts';
import type { Found } from '../../../addresses/found.ts';
import { csvField } from '../../../platform/csv-line.ts';
import { onceForEach } from '../../../platform/once-for-each.ts';
import { speedFields } from '../../speeds.ts';
import { answerPoint } from '../answer.ts';
import type { Lookup, PointCoverage } from '../lookup.ts';
import { type AskedPosition, decimalText, isPosition, readPosition } from '../position.ts';
import { offer2, results2 } from '../results.ts';
import type { AskedAddress, AskedEntry } from './entries.ts';

export type OutputFormat = 'json' | 'ndjson' | 'csv';

const offerColumns = ['name', 'wholesale_network', 'url', ...speedFields, 'planned_date'];
const resultColumns = ['technology', 'availability', 'provider', ...offerColumns.slice(1)];
const addressColumns = ['address_id', 'address', 'match', 'score'];
const columnsOf = (namesAddresses: boolean) =>
  ['id', 'lat', 'lng', ...(namesAddresses ? addressColumns : []), ...resultColumns, 'error'].join();

/** The text around the answers of a list; `end` only after the last of several. @param namesAddresses as some entry of the list does */
export function listForm(format: OutputFormat, namesAddresses: boolean) {
  if (format === 'ndjson') return { begin: '', between: '\n', end: '\n' };
  if (format === 'json') return { begin: '[\n', between: ',\n', end: '\n]\n' };
  return { begin: `${columnsOf(namesAddresses)}\r\n`, between: '\r\n', end: '\r\n' };
}

/**
 * How many entries are answered together, so that they share statements and others hardly wait for them. What a text means takes this process up to
 * some milliseconds, and the texts that share an answer of the database are read in one turn of the event loop.
 */
export const entriesAtOnce = (namesAddresses: boolean) => (namesAddresses ? 16 : 128);

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
/* Those of addresses. */
const tooLong = { code: 400, error: `An address has at most ${maxTextLength} characters.` };
const cut = { code: 400, error: 'The line has more fields than the header: put the address in quotes.' };
const noList = { code: 404, error: 'No list of addresses was imported.' };
const missing = {
  unknown: { code: 404, error: 'No address has this ID.' },
  gone: { code: 410, error: 'The list of addresses no longer has the address with this ID.' },
};
const unlike = { code: 404, error: 'The text says no address of the list.' };
const unsure = { code: 300, error: 'The text does not surely say one address. The likeliest is named.' };
const numberUnsure = { code: 300, error: 'The street is found, but not this number on it.' };
type EntryError = typeof invalid;

/** The address that an entry was matched to; with an error, the likeliest candidate, which may be a street without an id. */
type AnsweredAddress = Pick<Found, 'id' | 'text' | 'match' | 'score'>;

/** Writes an answer, and an error in its place. */
interface Writer {
  write(
    entry: AskedEntry,
    position: AskedPosition,
    coverage: PointCoverage,
    address?: AnsweredAddress,
  ): string;
  refuse(entry: AskedEntry, error: EntryError, address?: AnsweredAddress): string;
}

function csvWriter(namesAddresses: boolean): Writer {
  const rows = onceForEach(csvRows);
  const fieldsOf = (address: AnsweredAddress | undefined) =>
    namesAddresses
      ? `${[address?.id, address?.text, address?.match, address?.score].map(csvField).join()},`
      : '';
  return {
    write(entry, { latText, lngText }, coverage, address) {
      const start = `${csvField(entry.id)},${latText},${lngText},${fieldsOf(address)}`;
      return rows(coverage)
        .map((row) => start + row)
        .join('\r\n');
    },
    refuse: ({ id, lat, lng }, { error }, address) =>
      `${[id, short(lat), short(lng)].map(csvField).join()},${fieldsOf(address)}${','.repeat(resultColumns.length)}${csvField(error)}`,
  };
}

function jsonWriter(): Writer {
  const results = onceForEach((coverage: PointCoverage) => results2(coverage));
  const named = (address: AnsweredAddress | undefined) =>
    address ? `"address":${JSON.stringify(address, ['id', 'text', 'match', 'score'])},` : '';
  return {
    write: ({ id }, { latText, lngText }, coverage, address) =>
      `${start(id)}"location":{"lat":"${latText}","lng":"${lngText}"},${named(address)}"results":${results(coverage)}}`,
    // Empty coordinates are not repeated: the answer to a file of nonsense would be many times as large.
    refuse: ({ id, lat, lng }, error, address) =>
      `${start(id)}${lat + lng === '' ? '' : `"location":${JSON.stringify({ lat: short(lat), lng: short(lng) })},`}${named(address)}"error":${JSON.stringify(error)}}`,
  };
}

/** The position of an entry, or the error in its place; and what its address was found to be. */
type Placed = { found?: AnsweredAddress | undefined } & (
  | { lat: string; lng: string; error?: undefined }
  | { error: EntryError }
);

/** Places entries that name an address. What is not sure is an error, with the likeliest candidate for a person's review. */
async function placed({ finder, mayName }: ListFinder, asked: AskedAddress): Promise<Placed> {
  if ('fault' in asked) return { error: cut };
  await finder.ready();
  if (finder.isEmpty) return { error: noList };
  if ('reference' in asked) {
    const found = await finder.byReference(asked.reference);
    if (typeof found === 'string') return { error: missing[found] };
    return at(found, { id: found.id, text: found.text, match: 'exact', score: 1 });
  }
  if (asked.text.length > maxTextLength) return { error: tooLong };
  const { address, candidates } = await finder.match(asked.text);
  if (address) return at(address, address);
  const [likeliest] = candidates;
  if (!likeliest) return { error: unlike };
  const error = likeliest.match === 'street' ? numberUnsure : unsure;
  return mayName() ? { error, found: likeliest } : { error };
}

const at = ({ lat, lng }: Pick<Address, 'lat' | 'lng'>, found: AnsweredAddress): Placed => ({
  ...{ lat: decimalText(lat), lng: decimalText(lng), found },
});

/** What finds the addresses of a list. `mayName`: takes one of the searches that are left, as a candidate tells of the list what a search does. */
interface ListFinder {
  finder: AddressFinder;
  mayName: () => boolean;
}

/** Answers lists of coordinates and addresses as version 2.0 answers each of them. @param addresses for a list that names some */
export function listAnswerer(lookup: Lookup, area: Bounds, format: OutputFormat, addresses?: ListFinder) {
  const { write, refuse } = format === 'csv' ? csvWriter(addresses !== undefined) : jsonWriter();
  /** @param entries at most {@link entriesAtOnce} */
  return async (entries: readonly AskedEntry[], onFault: (error: unknown) => void): Promise<Answers> => {
    let good = 0;
    const answerTo = async (entry: AskedEntry) => {
      try {
        const place: Placed = addresses && entry.address ? await placed(addresses, entry.address) : entry;
        if (place.error) return refuse(entry, place.error, place.found);
        const position = readPosition(place.lat, place.lng, area);
        if (!isPosition(position)) return refuse(entry, invalid, place.found);
        const coverage = await lookup.at(position.lat, position.lng);
        good++;
        return write(entry, position, coverage, place.found);
      } catch (error) {
        onFault(error);
        return refuse(entry, failed);
      }
    };
    const texts = await Promise.all(entries.map(answerTo));
    return { text: texts.join(listForm(format, false).between), good };
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
