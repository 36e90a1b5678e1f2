import { CopyWriter } from '../platform/database/copy.ts';
import type { StreetName } from './address.ts';
import type { Drops, ImportKind } from './import-report.ts';

/* The rows of a file on their way from its reader into staging tables. */

/** What is done with an address: a row of a whole list, or one of a changeset. */
export const operations = { list: 0, INSERT: 1, UPDATE: 2, DELETE: 3 } as const;
/** Added to the operation of a change to an address that is no longer taken, as on water: it is removed where it is known. */
export const notTaken = 10;

export interface StagedAddress {
  line: number;
  operation: number;
  id: string;
  /** Undefined for what is removed; in a whole list, for a row that cannot be taken: a known address of that id stays as it is. */
  place?: {
    /** The number of its street among those of all batches. */
    street: number;
    number: number;
    label: string;
    /** In 1e-7 degrees. */
    lng: number;
    lat: number;
    postcode: string | null;
  };
}

/** An id of another system with its address's, or an address's id with its postcode. */
interface StagedPair {
  line: number;
  key: string;
  value: string;
}

/** The columns of the staging tables, in the order of the writers. */
export const stagedColumns = {
  addresses: 'line, operation, id, street, number, label, lng, lat, postcode',
  pairs: 'line, key, value',
  streets: 'local, road, suburb, town, authority',
};

export function writeAddress(copy: CopyWriter, { line, operation, id, place }: StagedAddress): void {
  copy.row();
  copy.integer(line);
  copy.integer(operation);
  copy.ascii(id);
  copy.integer(place?.street ?? null);
  copy.integer(place?.number ?? null);
  copy.text(place?.label ?? null);
  copy.integer(place?.lng ?? null);
  copy.integer(place?.lat ?? null);
  copy.text(place?.postcode ?? null);
}

export function writePair(copy: CopyWriter, { line, key, value }: StagedPair): void {
  copy.row();
  copy.integer(line);
  copy.ascii(key);
  copy.ascii(value);
}

export function copyOfStreets(streets: readonly StreetName[], first: number): Uint8Array<ArrayBuffer> {
  const copy = new CopyWriter(5, 80 * streets.length);
  for (const [i, { road, suburb, town, authority }] of streets.entries()) {
    copy.row();
    copy.integer(first + i);
    for (const text of [road, suburb, town, authority]) copy.text(text);
  }
  return copy.finish();
}

/** Some thousand rows. */
export interface AddressBatch {
  of: 'addresses' | 'pairs';
  /** In COPY's binary format, with {@link stagedColumns}. */
  copy: Uint8Array<ArrayBuffer>;
  rows: number;
  /** Streets that are in no earlier batch. */
  newStreets: StreetName[];
  /** Bytes. */
  read: number;
  total: number;
}

/** What a reader has found, at the end of the file. */
export interface AddressesRead {
  kind: ImportKind;
  /** Rows of the file. */
  rows: number;
  drops: Drops;
  /** True where the list has a column of postcodes: else the known ones stay. */
  hasPostcodes: boolean;
  assumed: string[];
}
