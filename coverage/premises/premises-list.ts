import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bandOf } from '@covermap/geometry/point-grid.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/*
 * The places of all premises as a file, for the processes that find those of areas: 29 MB for 2.4 million. It is made once for each version of them, in a
 * folder of this machine, and can be made again at any time.
 */

/** The height of a band, in 1e-7 degrees: some 300 m. Half and twice as much take longer. */
export const bandHeight = 30_000;

/** Premises in bands of latitude, and by longitude in each. */
export interface PremisesList {
  version: number;
  /** In 1e-7 degrees. */
  lngs: Int32Array;
  lats: Int32Array;
  /** Of the premises, in this order. */
  numbers: Int32Array;
  /** One more than the highest number. */
  length: number;
}

/** Premises that one statement reads, by number. */
const pageSize = 50_000;
/** The premises that are sorted before others have a turn. */
const sortedAtOnce = 100_000;
/** Files that nobody has asked for since are removed. */
const unusedMs = 3_600_000;
const ownName = /^premises-\d+-\d+\.bin$|^[0-9a-f-]{36}\.part$/;
/** Whole numbers: the version's upper and lower half, the count of premises, and the length of a set. */
const headerLength = 4;

/** The file of the premises that there are now, made if it is not there. @param folder of this service on this machine @returns undefined where there are no addresses */
export async function premisesFile(database: Database, folder: string): Promise<string | undefined> {
  for (;;) {
    const before = await listState(database);
    if (before.version === 0) return undefined;
    // The version alone is not enough: a restored backup counts on from an earlier one.
    const file = path.join(folder, `premises-${before.version}-${before.changedAt}.bin`);
    const now = new Date();
    if (
      await utimes(file, now, now).then(
        () => true,
        () => false,
      )
    )
      return file;
    const rows = await readPremises(database);
    if ((await listState(database)).version !== before.version) continue;
    await mkdir(folder, { recursive: true });
    const aside = path.join(folder, `${randomUUID()}.part`);
    await writeFile(aside, await sorted(rows, before.version));
    await rename(aside, file);
    await removeUnused(folder);
    return file;
  }
}

async function listState(database: Database) {
  const { rows } = await database.query<{ version: number; changedAt: number }>(`
    select premises_version as version, (extract(epoch from changed_at) * 1000000)::bigint as "changedAt" from address_list`);
  return rows[0] as (typeof rows)[number];
}

/** Number, longitude and latitude of each, in pages that hold up nobody. */
async function readPremises(database: Database): Promise<Int32Array[]> {
  const { rows } = await database.query<{ length: number }>(
    'select coalesce(max(number) + 1, 0) as length from premises',
  );
  const length = rows[0]?.length ?? 0;
  const pages: Int32Array[] = [];
  for (let from = 0; from < length; from += pageSize) {
    const { rows } = await database.query<{ page: Uint8Array | null }>(sql`
      select string_agg(int4send(number) || int4send(lng) || int4send(lat), '' order by number) as page
      from premises where number >= ${from} and number < ${from + pageSize}`);
    const page = rows[0]?.page;
    if (page) pages.push(wholeNumbers(page));
  }
  return pages;
}

/** Of the big-endian bytes of the database. */
function wholeNumbers(bytes: Uint8Array): Int32Array {
  const copy = Buffer.from(bytes).swap32();
  return new Int32Array(copy.buffer, copy.byteOffset, copy.length / 4);
}

/** The file's bytes: its header, then longitudes, latitudes and numbers, in bands. */
async function sorted(pages: readonly Int32Array[], version: number): Promise<Uint8Array> {
  const count = pages.reduce((sum, page) => sum + page.length / 3, 0);
  const whole = new Int32Array(headerLength + 3 * count);
  const { lngs, lats, numbers } = partsOf(whole);
  let [lowest, highest, length] = [Infinity, -Infinity, 0];
  for (const page of pages) {
    for (let i = 0; i < page.length; i += 3) {
      const band = bandOf(page[i + 2] as number, bandHeight);
      lowest = Math.min(lowest, band);
      highest = Math.max(highest, band);
      length = (page[i] as number) + 1;
    }
    await nextTurn();
  }
  whole.set([Math.floor(version / 2 ** 31), version % 2 ** 31, count, length]);
  const begins = new Uint32Array(count === 0 ? 1 : highest - lowest + 2);
  for (const page of pages) {
    for (let i = 2; i < page.length; i += 3) {
      const next = bandOf(page[i] as number, bandHeight) - lowest + 1;
      begins[next] = (begins[next] as number) + 1;
    }
    await nextTurn();
  }
  for (let band = 1; band < begins.length; band++)
    begins[band] = (begins[band] as number) + (begins[band - 1] as number);
  const ends = begins.slice();
  for (const page of pages) {
    for (let i = 0; i < page.length; i += 3) {
      const band = bandOf(page[i + 2] as number, bandHeight) - lowest;
      const at = ends[band] as number;
      ends[band] = at + 1;
      numbers[at] = page[i] as number;
      lngs[at] = page[i + 1] as number;
      lats[at] = page[i + 2] as number;
    }
    await nextTurn();
  }
  let sinceTurn = 0;
  for (let band = 0; band + 1 < begins.length; band++) {
    const [begin, end] = [begins[band] as number, begins[band + 1] as number];
    sortBand(lngs.subarray(begin, end), lats.subarray(begin, end), numbers.subarray(begin, end));
    sinceTurn += end - begin;
    if (sinceTurn < sortedAtOnce) continue;
    sinceTurn = 0;
    await nextTurn();
  }
  return new Uint8Array(whole.buffer);
}

/** Sorts by longitude. A key is the longitude with the place, as numbers are sorted quickly without a function: two million in a band fit. */
function sortBand(lngs: Int32Array, lats: Int32Array, numbers: Int32Array): void {
  const places = 2 ** 21;
  const keys = Float64Array.from(lngs, (lng, i) => (lng + 2 ** 31) * places + i).sort();
  const [before, numbersBefore] = [lats.slice(), numbers.slice()];
  for (const [i, key] of keys.entries()) {
    const place = key % places;
    lngs[i] = Math.floor(key / places) - 2 ** 31;
    lats[i] = before[place] as number;
    numbers[i] = numbersBefore[place] as number;
  }
}

function partsOf(whole: Int32Array) {
  const count = (whole.length - headerLength) / 3;
  const part = (number: number) =>
    whole.subarray(headerLength + number * count, headerLength + (number + 1) * count);
  return { lngs: part(0), lats: part(1), numbers: part(2) };
}

/** @param file of {@link premisesFile} */
export function readPremisesFile(file: string): PremisesList {
  const opened = openSync(file, 'r');
  const whole = new Int32Array(fstatSync(opened).size / 4);
  readSync(opened, whole);
  closeSync(opened);
  const [high, low, , length] = whole as unknown as [number, number, number, number];
  return { version: high * 2 ** 31 + low, length, ...partsOf(whole) };
}

async function removeUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const found = ownName.test(name) ? await stat(file).catch(() => undefined) : undefined;
    if (found && Date.now() - found.mtimeMs > unusedMs) await rm(file, { force: true });
  }
}
