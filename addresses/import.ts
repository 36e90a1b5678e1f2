import { type Actor, commandActor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import {
  type Connection,
  type Database,
  inTransaction,
  type Queryable,
  rehearse,
} from '../platform/database/database.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import type { Acceptable, ImportOptions } from './import-options.ts';
import {
  addDrops,
  type DropReason,
  type Drops,
  droppedRows,
  expectedDrops,
  type ImportReport,
} from './import-report.ts';
import { type ImportProgress, readAddressList } from './imports.ts';
import {
  changePremises,
  createTouchedPlaces,
  indexTouchedPlaces,
  nextPremises,
  notePlaces,
  premisesCount,
  settlePlaces,
  touchedPlaces,
} from './premises.ts';
import {
  type AddressBatch,
  type AddressesRead,
  copyOfStreets,
  operations,
  stagedColumns,
} from './staged-rows.ts';

/*
 * The import of a file of addresses: its rows are copied into staging tables, which locks nothing, and applied in one transaction. Statements work on ranges
 * of ids, so that they add to the indexes in order, and none takes long: the embedded database does nothing else meanwhile.
 */

export interface ImportHooks {
  onProgress: (progress: ImportProgress) => void;
  signal?: AbortSignal | undefined;
  /** The importer; unless given, the terminal. */
  actor?: Actor;
  /** Called in the transaction that changes the list, at its end: to record the import with it. */
  complete?: (connection: Connection, report: ImportReport) => Promise<void>;
}

/** The batches of a file, and what was found in it at the end. */
export type AddressSource = AsyncIterable<AddressBatch | AddressesRead>;

/** Rows of one statement. */
const stepSizes = { server: 250_000, embedded: 20_000 };
const addressesPerStreet = 20;

/** More than this share is no usual change. A few rows may be. */
const unusual = { share: 0.1, rows: 2 };
const isUnusual = (count: number, of: number) => count > unusual.rows && count > unusual.share * of;

interface Changed {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
}

/** What a transaction works on. */
interface Work {
  connection: Connection;
  read: AddressesRead;
  accepts: (what: Acceptable) => boolean;
  step: number;
  /** Of the list that the import makes. */
  version: number;
  changed: Changed;
  drops: Drops;
  /** Between 0 and 1. */
  advance(share: number): void;
}

/**
 * Imports a file: all of it or nothing. Until the transaction ends, lookups answer from the list before it.
 * @throws CovermapError `address_import_running`, `addresses_shrink`, `addresses_dropped`, `addresses_do_not_fit`; errors of the source
 */
export async function importAddresses(
  database: Database,
  file: string,
  source: AddressSource,
  options: ImportOptions,
  hooks: ImportHooks,
): Promise<ImportReport> {
  const { signal } = hooks;
  const started = performance.now();
  const report = await database.withExclusiveKey('address import', (lost) =>
    database.withConnection(async (connection) => {
      const stop = () => {
        signal?.throwIfAborted();
        lost.throwIfAborted();
      };
      await createStaging(connection, database.kind === 'embedded');
      try {
        const read = await stage(connection, source, hooks, stop);
        const work: Work = {
          ...{ connection, read, drops: read.drops, version: 0, step: stepSizes[database.kind] },
          changed: { added: 0, changed: 0, removed: 0, unchanged: 0 },
          accepts: (what) => options.accept?.includes(what) ?? false,
          advance(share) {
            stop();
            hooks.onProgress({ step: 'applying', percent: Math.round(50 + 50 * share) });
          },
        };
        await prepare(work);
        const change = async () => {
          const report = {
            ...(await apply(work, options.system ?? '')),
            seconds: Math.round(performance.now() - started) / 1000,
          };
          if (options.dry_run) return report;
          await conclude(work, file, options, report, hooks.actor);
          await hooks.complete?.(connection, report);
          stop();
          return report;
        };
        return await (options.dry_run ? rehearse(connection, change) : inTransaction(connection, change));
      } finally {
        // The connection goes back to a pool; the embedded database has only one.
        await connection.query(dropStaging).catch(() => undefined);
      }
    }),
  );
  if (!report) throw new CovermapError('address_import_running');
  return report;
}

const dropStaging =
  'drop table if exists pg_temp.staged_address, pg_temp.staged_street, pg_temp.staged_pair, pg_temp.touched_street, pg_temp.touched_place';

/** On a server, tables are indexed once they are full; on the embedded database that would be one long statement. */
async function createStaging(connection: Connection, indexed: boolean): Promise<void> {
  await connection.query(`
    ${dropStaging};
    create temporary table staged_address (line integer not null, operation integer not null, id text collate "C" not null,
      street integer, number integer, label text, lng integer, lat integer, postcode text);
    create temporary table staged_pair (line integer not null, key text collate "C" not null, value text collate "C" not null);
    create temporary table staged_street (local integer primary key, road text, suburb text, town text, authority text,
      street_id integer);
    create temporary table touched_street (street_id integer primary key);
    ${createTouchedPlaces}`);
  if (indexed) await connection.query(`${indexStaging}; ${indexTouchedPlaces}`);
}
const stagingOf = { addresses: 'staged_address', pairs: 'staged_pair' } as const;
const indexStaging = 'create index on staged_address (id); create index on staged_pair (key)';
/** Rows in the order of their ids are read in a third of the time. */
const sortStaging = `
  create temporary table sorted_address as select * from staged_address order by id;
  drop table staged_address;
  alter table sorted_address rename to staged_address`;

async function stage(
  connection: Connection,
  source: AddressSource,
  { onProgress }: ImportHooks,
  stop: () => void,
): Promise<AddressesRead> {
  let read: AddressesRead | undefined;
  let streets = 0;
  for await (const item of source) {
    stop();
    if ('kind' in item) {
      read = item;
      continue;
    }
    const { of } = item;
    if (item.rows > 0) await connection.copyFrom(`${stagingOf[of]} (${stagedColumns[of]})`, [item.copy]);
    if (item.newStreets.length > 0) {
      const target = `staged_street (${stagedColumns.streets})`;
      await connection.copyFrom(target, [copyOfStreets(item.newStreets, streets)]);
      streets += item.newStreets.length;
    }
    onProgress({ step: 'reading', percent: Math.round((50 * item.read) / Math.max(1, item.total)) });
  }
  if (!read) throw new Error('the reader ended without a result');
  return read;
}

/** What the staging tables need before the transaction: indexes, and each key once. */
async function prepare(work: Work): Promise<void> {
  const { connection, read, step } = work;
  if (step === stepSizes.server) await connection.query(`${sortStaging}; ${indexStaging}`);
  await connection.query('analyze staged_address; analyze staged_pair; analyze staged_street');
  const content = sql`row(operation, street, number, label, lng, lat, postcode)`;
  if (read.kind === 'aliases') await dropRepeated(work, 'staged_pair', 'key', sql`value`, 'alias_twice');
  else if (read.kind === 'postcodes') await dropRepeated(work, 'staged_pair', 'key', sql`value`, 'id_twice');
  else await dropRepeated(work, 'staged_address', 'id', content, 'id_twice');
}

async function apply(work: Work, system: string): Promise<Omit<ImportReport, 'seconds'>> {
  const { connection, read, drops, changed } = work;
  // One import after the other, also of processes that have lost their key. Readers do not wait.
  const { rows } = await connection.query<{ version: number }>('select version from address_list for update');
  work.version = (rows[0]?.version ?? 0) + 1;
  // A table of all addresses is hashed in memory.
  await connection.query(`set local work_mem = '64MB'`);
  if (read.kind === 'aliases') await applyAliases(work, system);
  else if (read.kind === 'postcodes') await applyPostcodes(work);
  else await applyList(work);
  if (read.kind !== 'aliases') await countStreets(work);
  const dropped = droppedRows(drops);
  const taken = read.rows - dropped.reduce((sum, { count }) => sum + count, 0);
  const { addresses, streets } = await readAddressList(connection);
  const premises = await settlePremises(work);
  const { kind, rows: readRows, assumed } = read;
  return { kind, read: readRows, taken, dropped, changed, addresses, streets, premises, assumed };
}

/** What is written last, so that nobody reads the old list after its time. */
async function conclude(
  { connection, version }: Work,
  file: string,
  options: ImportOptions,
  { kind, read, taken, changed }: ImportReport,
  actor: Actor = commandActor,
): Promise<void> {
  await record(connection, actor, {
    action: 'addresses_imported',
    details: { file, options, kind, read, taken, changed },
  });
  if (changed.added + changed.changed + changed.removed === 0) return;
  // The embedded database has no autovacuum.
  await connection.query(
    kind === 'aliases' ? 'analyze address_alias' : 'analyze address; analyze street; analyze premises',
  );
  if (kind === 'aliases') return;
  await connection.query(sql`
    update address_list set version = ${version}, changed_at = clock_timestamp(),
      is_empty = not exists (select from address)`);
}

/** Rows after a key, up to and with another one; the last page has no end. */
interface Page {
  after: string | number;
  upTo: string | number | null;
}

/** Pages of a table. @param first below all keys of the column */
async function* pages(
  connection: Queryable,
  from: Sql,
  column: string,
  size: number,
  first: string | number = '',
): AsyncGenerator<Page> {
  for (let page: Page = { after: first, upTo: first }; page.upTo !== null; ) {
    const after = page.upTo;
    const { rows } = await connection.query<{ upTo: string | number }>(sql`
      select ${raw(column)} as "upTo" from ${from} where ${raw(column)} > ${after}
      order by ${raw(column)} offset ${size - 1} limit 1`);
    page = { after, upTo: rows[0]?.upTo ?? null };
    yield page;
  }
}

/** SQL: the rows of a page. */
const within = (column: string, { after, upTo }: Page) =>
  upTo === null
    ? sql`${raw(column)} > ${after}`
    : sql`${raw(column)} > ${after} and ${raw(column)} <= ${upTo}`;

async function applyList(work: Work): Promise<void> {
  const { connection, read, step, accepts, changed } = work;
  requireTaken(work);
  await linkStreets(work);
  work.advance(0.1);
  const isWhole = read.kind === 'whole';
  if (isWhole) await removeMissing(work);
  const counts = { fitting: 0, unfitting: 0 };
  const total = Math.max(1, read.rows);
  let done = 0;
  for await (const page of pages(connection, raw('staged_address'), 'id', step)) {
    if (!isWhole) await removeListed(work, page, counts);
    const found = await applyPage(work, page);
    add(changed, found);
    counts.fitting += found.fitting;
    counts.unfitting += found.unfitting;
    done += step;
    work.advance(0.2 + 0.6 * Math.min(1, done / total));
  }
  if (!isWhole && isUnusual(counts.unfitting, counts.fitting + counts.unfitting) && !accepts('mismatch'))
    throw new CovermapError(
      'addresses_do_not_fit',
      `${counts.unfitting} of ${counts.fitting + counts.unfitting} changes do not fit the list: they change or delete addresses that it does not have, or insert some that it has.`,
    );
}

/** Of equal rows the first is kept, of different ones with one key none: a whole list then has the id without a place, and a known address stays as it is. */
async function dropRepeated(
  { connection, drops, read, step }: Work,
  table: 'staged_address' | 'staged_pair',
  key: 'id' | 'key',
  content: Sql,
  conflict: DropReason,
): Promise<void> {
  const name = raw(table);
  const column = raw(`t.${key}`);
  const keepId =
    read.kind === 'whole'
      ? sql`, id_alone as (insert into staged_address (line, operation, id) select first, ${operations.list}, one from known where is_conflict)`
      : sql``;
  for await (const page of pages(connection, name, key, step)) {
    const { rows } = await connection.query<{ isConflict: boolean; count: number; lines: number[] }>(sql`
      with twice as materialized (
        select ${column} as one from ${name} t where ${within(`t.${key}`, page)} group by 1 having count(*) > 1
      ), known as materialized (
        select one, min(line) as first, count(distinct ${content}) > 1 as is_conflict
        from ${name} t join twice on one = ${column} group by one
      ), dropped as (
        delete from ${name} t using known where ${column} = one and (is_conflict or line <> first) returning line, is_conflict
      )${keepId}
      select is_conflict as "isConflict", count(*)::integer as count, (array_agg(line order by line))[1:10] as lines
      from dropped group by is_conflict`);
    for (const { isConflict, count, lines } of rows)
      addDrops(drops, isConflict ? conflict : 'repeated', count, lines);
  }
}

/** @throws CovermapError `addresses_dropped` where many rows are not taken that should be */
function requireTaken({ drops, read, accepts }: Work): void {
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, one) => all + one.count, 0);
  const dropped = droppedRows(drops);
  const odd = dropped.filter(({ reason }) => !expectedDrops.includes(reason as DropReason));
  const count = sum(odd);
  const expected = sum(dropped) - count;
  const wanted = read.rows - expected;
  // A file of which nothing can be taken is another file.
  if (!isUnusual(count, wanted) && (count < wanted || count === 0)) return;
  if (accepts('dropped')) return;
  const why = odd
    .slice(0, 4)
    .map((one) => `${one.message} (${one.count}, first in line ${one.lines[0]})`)
    .join('; ');
  throw new CovermapError('addresses_dropped', `${count} of ${wanted} rows would not be taken: ${why}.`);
}

/** Gives the streets of the file their ids, and adds those that are new. */
async function linkStreets({ connection, step }: Work): Promise<void> {
  const { rows } = await connection.query<{ count: number }>(
    'select count(*)::integer as count from staged_street',
  );
  const count = rows[0]?.count ?? 0;
  for (let from = 0; from < count; from += step) {
    const range = sql`local >= ${from} and local < ${from + step}`;
    const isSame = sql`s.road = n.road and s.suburb = n.suburb and s.town = n.town and s.authority = n.authority`;
    await connection.query(sql`
      insert into street (road, suburb, town, authority)
      select road, suburb, town, authority from staged_street n
      where ${range} and not exists (select from street s where ${isSame}) order by local`);
    await connection.query(
      sql`update staged_street n set street_id = s.id from street s where ${range} and ${isSame}`,
    );
  }
  await connection.query('analyze staged_street');
}

/** Removes the addresses that a whole list lacks. @throws CovermapError `addresses_shrink` */
async function removeMissing({ connection, step, accepts, changed, advance }: Work): Promise<void> {
  let known = 0;
  for await (const page of pages(connection, raw('address'), 'id', step)) {
    const { rows } = await connection.query<{ known: number; removed: number }>(sql`
      with removed as (
        delete from address a where ${within('a.id', page)}
          and not exists (select from staged_address s where s.id = a.id and ${within('s.id', page)})
        returning id, street_id, lng, lat
      ), ${noteRemoved}
      select (select count(*)::integer from removed) as removed,
        -- Of the snapshot before the statement.
        (select count(*)::integer from address where ${within('id', page)}) as known`);
    const found = rows[0] as (typeof rows)[0];
    known += found.known;
    changed.removed += found.removed;
    advance(0.1);
  }
  if (!isUnusual(changed.removed, known) || accepts('gone')) return;
  throw new CovermapError(
    'addresses_shrink',
    `The file lacks ${changed.removed} of the ${known} known addresses, which would all be removed.`,
  );
}

/** SQL: keeps the ids of `removed`, and notes its streets and places. */
const noteRemoved = sql`
  gone as (insert into address_gone (id) select id from removed on conflict (id) do nothing),
  touched as (
    insert into touched_street select distinct street_id from removed on conflict do nothing
  ),
  left_places as (${notePlaces(sql`select lng, lat from removed`, false)})`;

type Counts = { fitting: number; unfitting: number };

/** Removes what a changeset deletes, or makes no place to live or work. */
async function removeListed({ connection, changed }: Work, page: Page, counts: Counts): Promise<void> {
  const { rows } = await connection.query<{ removed: number; deleted: number; unfitting: number }>(sql`
    with line as materialized (
      select s.id, s.operation, a.id is not null as is_known, g.id is not null as is_gone
      from staged_address s left join address a on a.id = s.id left join address_gone g on g.id = s.id
      where ${within('s.id', page)} and s.street is null
    ), removed as (
      delete from address a using line where line.is_known and a.id = line.id returning a.id, a.street_id, a.lng, a.lat
    ), ${noteRemoved}
    select (select count(*)::integer from removed) as removed,
      count(*) filter (where operation = ${operations.DELETE})::integer as deleted,
      -- Who applies a changeset again deletes nothing again.
      count(*) filter (where operation = ${operations.DELETE} and not is_known and not is_gone)::integer as unfitting
    from line`);
  const found = rows[0] as (typeof rows)[0];
  changed.removed += found.removed;
  counts.fitting += found.deleted - found.unfitting;
  counts.unfitting += found.unfitting;
}

/** Adds and changes addresses. */
async function applyPage({ connection, read }: Work, page: Page) {
  // A list without postcodes keeps those that are known.
  const postcode = read.hasPostcodes ? raw('s.postcode') : raw('a.postcode');
  const { rows } = await connection.query<Omit<Changed, 'removed'> & Counts>(sql`
    with line as materialized (
      select s.id, s.operation, t.street_id, s.number, s.label, s.lng, s.lat, ${postcode} as postcode, a.street_id as old_street,
        a.lng as old_lng, a.lat as old_lat, (a.lng, a.lat) is distinct from (s.lng, s.lat) as is_elsewhere,
        a.id is null as is_new,
        a.id is not null and (a.street_id, a.number, a.label, a.lng, a.lat, a.postcode)
          is distinct from (t.street_id, s.number, s.label, s.lng, s.lat, ${postcode}) as is_changed
      from staged_address s
      join staged_street t on t.local = s.street
      left join address a on a.id = s.id and ${within('a.id', page)}
      where ${within('s.id', page)}
    ), added as (
      insert into address (id, street_id, number, label, lng, lat, postcode)
      select id, street_id, number, label, lng, lat, postcode from line where is_new order by street_id, number
    ), back as (
      delete from address_gone g using line where line.is_new and g.id = line.id
    ), changed as (
      update address a set street_id = line.street_id, number = line.number, label = line.label, lng = line.lng, lat = line.lat,
        postcode = line.postcode
      from line where line.is_changed and a.id = line.id
    ), touched as (
      insert into touched_street
      select street_id from line where is_new or is_changed union select old_street from line where is_changed
      on conflict do nothing
    ), new_places as (${notePlaces(sql`select lng, lat from line where is_elsewhere`, true)}
    ), left_places as (${notePlaces(sql`select old_lng as lng, old_lat as lat from line where is_elsewhere and not is_new`, false)}
    )
    select count(*) filter (where is_new)::integer as added, count(*) filter (where is_changed)::integer as changed,
      count(*) filter (where not is_new and not is_changed)::integer as unchanged,
      count(*) filter (where operation = ${operations.UPDATE} and is_new
        or operation = ${operations.INSERT} and is_changed)::integer as unfitting,
      count(*) filter (where operation = ${operations.UPDATE} and not is_new
        or operation = ${operations.INSERT} and not is_changed)::integer as fitting
    from line`);
  return rows[0] as (typeof rows)[0];
}

/** Brings counts, middle and postcodes of the streets up to date whose addresses changed: those that are other now get the new version. */
async function countStreets({ connection, step, version, advance }: Work): Promise<void> {
  await connection.query('analyze touched_street');
  const size = Math.ceil(step / addressesPerStreet);
  for await (const page of pages(connection, raw('touched_street'), 'street_id', size, 0)) {
    await connection.query(sql`
      with now as (
        select t.street_id, count(a.id)::integer as addresses, (sum(a.lng::bigint) / nullif(count(a.id), 0))::integer as lng,
          (sum(a.lat::bigint) / nullif(count(a.id), 0))::integer as lat,
          coalesce(array_agg(distinct a.postcode) filter (where a.postcode is not null), '{}') as postcodes
        from touched_street t left join address a on a.street_id = t.street_id and ${within('a.street_id', page)}
        where ${within('t.street_id', page)}
        group by t.street_id
      )
      update street s set addresses = now.addresses, lng = coalesce(now.lng, s.lng), lat = coalesce(now.lat, s.lat),
        postcodes = now.postcodes, version = ${version}
      from now where s.id = now.street_id and (s.addresses, s.lng, s.lat, s.postcodes)
        is distinct from (now.addresses, coalesce(now.lng, s.lng), coalesce(now.lat, s.lat), now.postcodes)`);
    advance(0.9);
  }
}

/** Below every band of latitude. */
const noBand = -10_000;

/** Numbers the places that addresses have come to, and forgets those that all have left. @returns the number of premises */
async function settlePremises({ connection, step, version, advance }: Work): Promise<number> {
  if (step === stepSizes.server) await connection.query(indexTouchedPlaces);
  await connection.query('analyze touched_place');
  const first = await nextPremises(connection);
  let [next, gone] = [first, 0];
  for await (const page of pages(connection, raw(touchedPlaces), 'band', step, noBand)) {
    const { numbered, forgotten } = await settlePlaces(connection, (band) => within(band, page), next);
    next += numbered;
    gone += forgotten;
    advance(0.95);
  }
  const count = await premisesCount(connection);
  if (next > first || gone > 0) await changePremises(connection, { version, next, count });
  return count;
}

/** Drops the pairs whose address is not one of the list. @param isKnown SQL about a staged pair `s` */
async function dropUnknown({ connection, step, drops }: Work, isKnown: Sql): Promise<void> {
  for await (const page of pages(connection, raw('staged_pair'), 'key', step)) {
    const { rows } = await connection.query<{ count: number; lines: number[] }>(sql`
      with dropped as (
        delete from staged_pair s where ${within('s.key', page)} and not (${isKnown}) returning line
      )
      select count(*)::integer as count, coalesce((array_agg(line order by line))[1:10], '{}') as lines from dropped`);
    addDrops(drops, 'address_unknown', rows[0]?.count ?? 0, rows[0]?.lines ?? []);
  }
}

/** Replaces the ids of a system. */
async function applyAliases(work: Work, system: string): Promise<void> {
  const { connection, step, changed } = work;
  // Who asks for an address that is gone, by another system's id, is told so.
  await dropUnknown(
    work,
    sql`exists (select from address a where a.id = s.value) or exists (select from address_gone g where g.id = s.value)`,
  );
  requireTaken(work);
  const known = sql`(select alias from address_alias where system = ${system}) as known`;
  for await (const page of pages(connection, known, 'alias', step)) {
    const { rowCount } = await connection.query(sql`
      delete from address_alias l where l.system = ${system} and ${within('l.alias', page)}
        and not exists (select from staged_pair s where s.key = l.alias)`);
    changed.removed += rowCount;
    work.advance(0.5);
  }
  for await (const page of pages(connection, raw('staged_pair'), 'key', step)) {
    const { rows } = await connection.query<Omit<Changed, 'removed'>>(sql`
      with line as materialized (
        select s.key as alias, s.value as id, l.alias is null as is_new,
          l.alias is not null and l.address_id <> s.value as is_changed
        from staged_pair s left join address_alias l on l.system = ${system} and l.alias = s.key
        where ${within('s.key', page)}
      ), added as (
        insert into address_alias (system, alias, address_id) select ${system}, alias, id from line where is_new order by alias
      ), changed as (
        update address_alias l set address_id = line.id from line
        where line.is_changed and l.system = ${system} and l.alias = line.alias
      )
      select count(*) filter (where is_new)::integer as added, count(*) filter (where is_changed)::integer as changed,
        count(*) filter (where not is_new and not is_changed)::integer as unchanged
      from line`);
    add(changed, rows[0] as (typeof rows)[0]);
    work.advance(0.8);
  }
}

/** Sets the postcodes of the addresses that the file names. */
async function applyPostcodes(work: Work): Promise<void> {
  const { connection, step, changed } = work;
  await dropUnknown(work, sql`exists (select from address a where a.id = s.key)`);
  requireTaken(work);
  for await (const page of pages(connection, raw('staged_pair'), 'key', step)) {
    const { rows } = await connection.query<{ changed: number; unchanged: number }>(sql`
      with changed as (
        update address a set postcode = s.value from staged_pair s
        where ${within('s.key', page)} and a.id = s.key and ${within('a.id', page)} and a.postcode is distinct from s.value
        returning a.street_id
      ), touched as (
        insert into touched_street select distinct street_id from changed on conflict do nothing
      )
      select (select count(*)::integer from changed) as changed,
        count(*)::integer - (select count(*)::integer from changed) as unchanged
      from staged_pair s where ${within('s.key', page)}`);
    add(changed, { added: 0, ...(rows[0] as (typeof rows)[0]) });
    work.advance(0.5);
  }
}

function add(sum: Changed, { added, changed, unchanged }: Omit<Changed, 'removed'>): void {
  sum.added += added;
  sum.changed += changed;
  sum.unchanged += unchanged;
}
