import { type Actor, commandActor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import { CopyWriter } from '../platform/database/copy.ts';
import {
  type Connection,
  type Database,
  inTransaction,
  type Result,
  rehearse,
} from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { droplistFingerprint, touchDroplist } from './droplist.ts';
import { readTerms } from './register.ts';
import { type LineFault, type RegisterRow, type RegisterSource, readRegisterFile } from './register-file.ts';
import { lockRegister } from './release.ts';

export interface ImportOptions {
  /** True for a file of changes, in order: names it lacks stay. Else it is the whole register. */
  changesOnly: boolean;
  /** True accepts a whole register that lacks many known names. */
  acceptGone: boolean;
  /** True changes nothing, and says what the file would change. */
  dryRun?: boolean;
  onProgress: (progress: ImportProgress) => void;
  /** The importer; unless given, the terminal. */
  actor?: Actor;
}

/** Bytes while reading, lines while applying. */
export interface ImportProgress {
  step: 'reading' | 'applying';
  done: number;
  total: number;
}

/** The effects of an import, in names. Each name of the file counts as one of the first five. */
interface ImportSummary {
  added: number;
  /** Active before, and cancelled by this import. */
  cancelled: number;
  /** Changed in another way: restored, or with other dates. */
  changed: number;
  unchanged: number;
  /** Cancelled names that release-domains has released since the export was made: they stay released. */
  released_before: number;
  gone: number;
}

/** All of the file is applied or nothing. */
export type ImportOutcome =
  | { state: 'imported' | 'rehearsed'; summary: ImportSummary }
  /** With the first of the faults, in order. */
  | { state: 'refused'; faults: LineFault[]; faultsTotal: number };

/** Max listed faults; the others are only counted. */
const maxFaults = 50;

/** Lines, or names, of one statement. The embedded database can do nothing else meanwhile, and finds them by index; a server joins tables. */
const stepSizes = { server: 250_000, embedded: 20_000 };

/** The max difference between the clocks of two systems. */
const clockDifferenceMs = 5 * 60_000;

/**
 * A whole register that lacks more than this share of the known names was probably truncated, and each missing name would become available. A few
 * names of a small register may go.
 */
const maxGone = { share: 0.1, names: 2 };

/**
 * Imports an export of the provisioning system: all of it or, where any line is invalid, nothing. The file is streamed into a staging table,
 * without a lock, and applied in one transaction; until that ends, lookups answer from the previous register.
 * @throws CovermapError `register_unreadable`, `import_running`, `register_shrinks`
 */
export async function importRegister(database: Database, source: RegisterSource, options: ImportOptions) {
  const stepSize = stepSizes[database.kind];
  const outcome = await database.withExclusiveKey('register import', (lost) =>
    database.withConnection(async (connection): Promise<ImportOutcome> => {
      await createStaging(connection, database.kind === 'embedded');
      try {
        const { lines, faults, faultsTotal } = await stage(connection, source, options, stepSize);
        if (faultsTotal > 0) return { state: 'refused', faults, faultsTotal };
        lost.throwIfAborted();
        const work = () => apply(connection, source, lines, options, stepSize);
        if (options.dryRun) return { state: 'rehearsed', summary: await rehearse(connection, work) };
        return { state: 'imported', summary: await inTransaction(connection, work) };
      } finally {
        // The connection goes back to a pool; the embedded database has only one.
        await connection.query('drop table if exists pg_temp.register_staging').catch(() => undefined);
      }
    }),
  );
  if (outcome) return outcome;
  throw new CovermapError(
    'import_running',
    'Another import of the register is running.',
    'Start this one again when that one has ended.',
  );
}

async function createStaging(connection: Connection, indexed: boolean): Promise<void> {
  await connection.query(`
    drop table if exists pg_temp.register_staging;
    create temporary table register_staging (
      line integer not null, name text collate "C" not null, registered timestamptz not null, cancelled timestamptz)`);
  if (!indexed) return;
  await connection.query('create index on register_staging (line); create index on register_staging (name)');
}

/** The size of most rows: 18 bytes and the values, 20 of them numbers. */
const usualRowBytes = 64;

/** Rows of the staging table in PostgreSQL's binary COPY format. */
function encodeRows(rows: readonly RegisterRow[]): Uint8Array<ArrayBuffer> {
  const copy = new CopyWriter(4, usualRowBytes * rows.length);
  for (const { line, name, registered, cancelled } of rows) {
    copy.row();
    copy.integer(line);
    copy.ascii(name);
    copy.timestamp(registered);
    copy.timestamp(cancelled);
  }
  return copy.finish();
}

/** Copies the lines of a file into the staging table, and finds their faults. */
async function stage(
  connection: Connection,
  source: RegisterSource,
  { changesOnly, onProgress }: ImportOptions,
  stepSize: number,
) {
  const { letters } = await readTerms(connection);
  const latest = (Date.now() + clockDifferenceMs) * 1000;
  const faults: LineFault[] = [];
  let [faultsTotal, names, lines] = [0, 0, 0];
  const addFaults = (found: LineFault[]) => {
    faultsTotal += found.length;
    // Invalid lines are found first, repeated names after them.
    if (faults.length < 2 * maxFaults) faults.push(...found.slice(0, maxFaults));
  };
  for await (const batch of readRegisterFile(source, letters, latest)) {
    const { rows } = batch;
    const target = 'register_staging (line, name, registered, cancelled)';
    if (rows.length > 0) await connection.copyFrom(target, [encodeRows(rows)]);
    addFaults(batch.faults);
    names += rows.length;
    lines = batch.lastLine;
    onProgress({ step: 'reading', done: batch.bytesRead, total: source.size });
  }
  if (names === 0 && faultsTotal === 0 && !changesOnly) {
    throw new CovermapError(
      'register_unreadable',
      'The file has no names, so it is not a register.',
      'If it is a file of changes, and there are none, give --changes.',
    );
  }
  await connection.query('analyze register_staging');
  // A whole register has each name once. In a file of changes, the last line of a name counts.
  if (!changesOnly) {
    for (const step of steps(lines, stepSize)) addFaults(await repeatedNames(connection, step));
  }
  return { lines, faults: faults.sort((a, b) => a.line - b.line).slice(0, maxFaults), faultsTotal };
}

/** Line numbers, from after the first to the second. */
type LineRange = [after: number, last: number];

function* steps(lines: number, stepSize: number): Generator<LineRange> {
  for (let after = 0; after < lines; after += stepSize) yield [after, Math.min(after + stepSize, lines)];
}

async function repeatedNames(connection: Connection, range: LineRange): Promise<LineFault[]> {
  const { rows } = await connection.query<LineFault>(
    `select s.line, format('"%s" is on line %s already', s.name, min(earlier.line)) as message
     from register_staging s join register_staging earlier on earlier.name = s.name and earlier.line < s.line
     where s.line > $1 and s.line <= $2
     group by s.line, s.name order by s.line`,
    range,
  );
  return rows;
}

async function apply(
  connection: Connection,
  source: RegisterSource,
  lines: number,
  { changesOnly, acceptGone, onProgress, actor = commandActor }: ImportOptions,
  stepSize: number,
): Promise<ImportSummary> {
  await lockRegister(connection);
  // A table of all names is hashed in memory.
  await connection.query(`set local work_mem = '64MB'`);
  // Names that come near during the import count too: the list may be marked as changed once too often.
  const now = new Date();
  const seenAt = new Date(now.getTime() + 3_600_000);
  const droplistBefore = await droplistFingerprint(connection, now, seenAt);
  const summary: ImportSummary = {
    ...{ added: 0, cancelled: 0, changed: 0, unchanged: 0, released_before: 0 },
    gone: changesOnly ? 0 : await removeGone(connection, acceptGone, stepSize),
  };
  for (const range of steps(lines, stepSize)) {
    if (changesOnly) await keepLastOfName(connection, range);
    for (const { change, count } of await applyLines(connection, range)) summary[change] += count;
    onProgress({ step: 'applying', done: range[1], total: lines });
  }
  const droplistChanged = droplistBefore !== (await droplistFingerprint(connection, now, seenAt));
  await connection.query(sql`
    insert into register_import (file_name, changes_only, summary)
    values (${source.name}, ${changesOnly}, ${JSON.stringify(summary)})`);
  await record(connection, actor, {
    action: 'register_imported',
    details: { file: source.name, changes_only: changesOnly, ...summary },
  });
  // The embedded database has no autovacuum.
  await connection.query('analyze domain');
  // Last, so that nobody gets the old list after the time of the new one.
  if (droplistChanged) await touchDroplist(connection);
  return summary;
}

/** Removes the names that the file lacks. */
async function removeGone(connection: Connection, acceptGone: boolean, stepSize: number): Promise<number> {
  let known = 0;
  let gone = 0;
  for (let after: string | null = ''; after !== null; ) {
    const { rows }: Result<{ last: string | null; known: number; gone: number }> = await connection.query(sql`
      with page as materialized (
        select name from domain where name > ${after} order by name limit ${stepSize}
      ), removed as (
        delete from domain d using page
        where d.name = page.name and not exists (select from register_staging s where s.name = page.name)
        returning 1
      )
      select max(name) as last, count(*)::integer as known, (select count(*)::integer from removed) as gone
      from page`);
    const page = rows[0] as (typeof rows)[0];
    known += page.known;
    gone += page.gone;
    after = page.last;
  }
  if (!acceptGone && gone > maxGone.names && gone > maxGone.share * known) {
    throw new CovermapError(
      'register_shrinks',
      `The file lacks ${gone} of the ${known} names in the register, which would all become available.`,
      'If it is a file of changes, give --changes. If they should be removed, give --accept-gone.',
    );
  }
  return gone;
}

async function keepLastOfName(connection: Connection, range: LineRange): Promise<void> {
  await connection.query(
    `delete from register_staging s using register_staging later
     where s.line > $1 and s.line <= $2 and later.name = s.name and later.line > s.line`,
    range,
  );
}

/** Applies some lines. @returns the number of names by kind of change */
async function applyLines(connection: Connection, range: LineRange) {
  const { rows } = await connection.query<{ change: Exclude<keyof ImportSummary, 'gone'>; count: number }>(
    `with line as materialized (
       select s.name, s.registered, s.cancelled,
         case
           -- An export that was made before a release must not undo it.
           when exists (
             select from released_domain r
             where r.name = s.name and r.registered = s.registered and r.cancelled = s.cancelled
           ) then 'released_before'
           when d.name is null then 'added'
           when d.registered = s.registered and d.cancelled is not distinct from s.cancelled then 'unchanged'
           when d.cancelled is null and s.cancelled is not null then 'cancelled'
           else 'changed'
         end as change
       from register_staging s left join domain d on d.name = s.name
       where s.line > $1 and s.line <= $2
     ), updated as (
       update domain d set registered = line.registered, cancelled = line.cancelled
       from line where line.change in ('cancelled', 'changed') and d.name = line.name
     ), inserted as (
       insert into domain (name, registered, cancelled)
       select name, registered, cancelled from line where change = 'added' order by name
     )
     select change, count(*)::integer as count from line group by change`,
    range,
  );
  return rows;
}
