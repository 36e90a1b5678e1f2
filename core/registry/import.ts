import { type Actor, commandActor } from '../access/actor.ts';
import { record } from '../audit.ts';
import { type Connection, type Database, inTransaction } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { encodeRows, stagingTarget } from './copy-rows.ts';
import { droplistFingerprint, touchDroplist } from './droplist.ts';
import { readTerms } from './register.ts';
import { type LineFault, type RegisterSource, readRegisterFile } from './register-file.ts';
import { lockRegister } from './release.ts';

export interface ImportOptions {
  /** The file has what changed, in order, and names that it does not have stay. Else it is the whole register. */
  changesOnly: boolean;
  /** Take a whole register that lacks much of what is known. */
  acceptGone: boolean;
  onProgress: (progress: ImportProgress) => void;
  /** Who imports; unless given, somebody at the terminal. */
  actor?: Actor;
}

export interface ImportProgress {
  step: 'reading' | 'applying';
  /** Bytes while reading, lines while applying. */
  done: number;
  total: number;
}

/** What an import did, in names. Each name of the file is counted once among the first five. */
export interface ImportSummary {
  /** Not in the register before. */
  added: number;
  /** Active before, and cancelled by this import. */
  cancelled: number;
  /** Changed in another way: restored, or with other dates. */
  changed: number;
  unchanged: number;
  /** Cancelled names that release-domains has released since the export was made: they stay released. */
  released_before: number;
  /** In the register before, and not in the file. */
  gone: number;
}

/** Either all of the file is applied or nothing. */
export type ImportOutcome =
  | { state: 'imported'; summary: ImportSummary }
  | { state: 'refused' /** Some of them, in order. */; faults: LineFault[]; faultsTotal: number };

/** Faults that are told one by one; the others are only counted. */
const mostFaults = 50;

/**
 * Lines, or names, that one statement works on. The embedded database cannot do anything else meanwhile, and finds them
 * by index; a server joins whole tables faster, and the progress still moves.
 */
const stepSizes = { server: 250_000, embedded: 20_000 };

/** Clocks of two systems differ by less than this. */
const clockDifferenceMs = 5 * 60_000;

/**
 * A whole register that lacks this part of the known names was cut short on its way, more likely than not, and each
 * missing name would be told to be available.
 */
const mostGone = { share: 0.1, names: 1_000 };

/**
 * Imports an export of the provisioning system: all of it or, where any line is wrong, nothing. The file is streamed
 * into a staging table, which takes no lock, and applied in one transaction. Lookups answer from the register as it was
 * until that ends.
 * @throws CovermapError `register_unreadable`, `import_running`, `register_shrinks`
 */
export async function importRegister(
  database: Database,
  source: RegisterSource,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const stepSize = stepSizes[database.kind];
  const outcome = await database.withExclusiveKey('register import', (lost) =>
    database.withConnection(async (connection) => {
      await createStaging(connection, database.kind === 'embedded');
      try {
        const staged = await stage(connection, source, options, stepSize);
        const { faults, faultsTotal } = staged;
        if (faultsTotal > 0) return { state: 'refused' as const, faults, faultsTotal };
        lost.throwIfAborted();
        const summary = await inTransaction(connection, () =>
          apply(connection, source, staged.lines, options, stepSize),
        );
        return { state: 'imported' as const, summary };
      } finally {
        // The connection goes back to a pool; the embedded database has only one.
        await connection.query('drop table if exists pg_temp.register_staging').catch(() => undefined);
      }
    }),
  );
  if (outcome) return outcome;
  throw new CovermapError(
    'import_running',
    'Another import of the register is under way.',
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

interface Staged {
  faults: LineFault[];
  faultsTotal: number;
  lines: number;
}

async function stage(
  connection: Connection,
  source: RegisterSource,
  { changesOnly, onProgress }: ImportOptions,
  stepSize: number,
): Promise<Staged> {
  const { zoneSet } = await readTerms(connection);
  const latest = (Date.now() + clockDifferenceMs) * 1000;
  const staged: Staged = { faults: [], faultsTotal: 0, lines: 0 };
  let names = 0;
  for await (const batch of readRegisterFile(source, zoneSet, latest)) {
    if (batch.rows.length > 0) await connection.copyFrom(stagingTarget, [encodeRows(batch.rows)]);
    addFaults(staged, batch.faults);
    names += batch.rows.length;
    staged.lines = batch.lastLine;
    onProgress({ step: 'reading', done: batch.bytesRead, total: source.size });
  }
  if (names === 0 && staged.faultsTotal === 0 && !changesOnly) {
    throw new CovermapError(
      'register_unreadable',
      'The file has no names, which is no register.',
      'If it has only what changed, and nothing has, give --changes.',
    );
  }
  await connection.query('analyze register_staging');
  // A whole register has each name once. Of changes, the last of a name counts.
  if (!changesOnly) {
    for (const [after, last] of steps(staged.lines, stepSize)) {
      addFaults(staged, await repeatedNames(connection, after, last));
    }
  }
  staged.faults = staged.faults.sort((a, b) => a.line - b.line).slice(0, mostFaults);
  return staged;
}

function addFaults(staged: Staged, faults: LineFault[]): void {
  staged.faultsTotal += faults.length;
  // Those of the lines themselves and those of lines beside each other are found one after the other.
  if (staged.faults.length < 2 * mostFaults) staged.faults.push(...faults.slice(0, mostFaults));
}

/** From after the first number to the second, both line numbers. */
function* steps(lines: number, stepSize: number): Generator<[after: number, last: number]> {
  for (let after = 0; after < lines; after += stepSize) yield [after, Math.min(after + stepSize, lines)];
}

async function repeatedNames(connection: Connection, after: number, last: number): Promise<LineFault[]> {
  const { rows } = await connection.query<{ line: number; name: string; first: number }>(
    `select s.line, s.name, min(earlier.line) as first
     from register_staging s join register_staging earlier on earlier.name = s.name and earlier.line < s.line
     where s.line > $1 and s.line <= $2
     group by s.line, s.name order by s.line`,
    [after, last],
  );
  return rows.map(({ line, name, first }) => ({ line, message: `"${name}" is on line ${first} already` }));
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
  // What comes near while this is under way counts, too: that it changes the list may be told once too often.
  const now = new Date();
  const seenAt = new Date(now.getTime() + 3_600_000);
  const droplistBefore = await droplistFingerprint(connection, now, seenAt);
  const summary: ImportSummary = {
    added: 0,
    cancelled: 0,
    changed: 0,
    unchanged: 0,
    released_before: 0,
    gone: changesOnly ? 0 : await removeGone(connection, acceptGone, stepSize),
  };
  for (const [after, last] of steps(lines, stepSize)) {
    if (changesOnly) await keepLastOfName(connection, after, last);
    const step = await applyLines(connection, after, last);
    for (const count of ['added', 'cancelled', 'changed', 'unchanged', 'released_before'] as const) {
      summary[count] += step[count];
    }
    onProgress({ step: 'applying', done: last, total: lines });
  }
  const droplistChanged = droplistBefore !== (await droplistFingerprint(connection, now, seenAt));
  await connection.query(
    'insert into register_import (file_name, changes_only, summary) values ($1, $2, $3)',
    [source.name, changesOnly, JSON.stringify(summary)],
  );
  await record(connection, actor, {
    action: 'register_imported',
    details: { file: source.name, changes_only: changesOnly, ...summary },
  });
  // The embedded database has nothing that would do so by itself.
  await connection.query('analyze domain');
  // Last, so that nobody gets the old list after the time of the new one.
  if (droplistChanged) await touchDroplist(connection);
  return summary;
}

/** Removes what the file does not have. */
async function removeGone(connection: Connection, acceptGone: boolean, stepSize: number): Promise<number> {
  let known = 0;
  let gone = 0;
  for (let after: string | null = ''; after !== null; ) {
    const { rows } = await connection.query<{ last: string | null; known: number; gone: number }>(
      `with page as materialized (
         select name from domain where name > $1 order by name limit ${stepSize}
       ), removed as (
         delete from domain d using page
         where d.name = page.name and not exists (select from register_staging s where s.name = page.name)
         returning 1
       )
       select max(name) as last, count(*)::integer as known, (select count(*)::integer from removed) as gone
       from page`,
      [after],
    );
    const page = rows[0] as { last: string | null; known: number; gone: number };
    known += page.known;
    gone += page.gone;
    after = page.last;
  }
  if (!acceptGone && gone > mostGone.names && gone > mostGone.share * known) {
    throw new CovermapError(
      'register_shrinks',
      `The file lacks ${gone} of the ${known} names in the register; all of them would become available.`,
      'If it has only what changed, give --changes. If they are really gone, give --accept-gone.',
    );
  }
  return gone;
}

async function keepLastOfName(connection: Connection, after: number, last: number): Promise<void> {
  await connection.query(
    `delete from register_staging s using register_staging later
     where s.line > $1 and s.line <= $2 and later.name = s.name and later.line > s.line`,
    [after, last],
  );
}

/** Brings the names of some lines to what the lines say. */
async function applyLines(
  connection: Connection,
  after: number,
  last: number,
): Promise<Omit<ImportSummary, 'gone'>> {
  const { rows } = await connection.query<Omit<ImportSummary, 'gone'>>(
    `with line as materialized (
       select s.name, s.registered, s.cancelled,
         case
           -- An export that was made before a release must not take it back.
           when exists (
             select from released_domain r
             where r.name = s.name and r.registered = s.registered and r.cancelled = s.cancelled
           ) then 'released_before'
           when d.name is null then 'added'
           when d.registered = s.registered and d.cancelled is not distinct from s.cancelled then 'unchanged'
           when d.cancelled is null and s.cancelled is not null then 'cancelled'
           else 'changed'
         end as what
       from register_staging s left join domain d on d.name = s.name
       where s.line > $1 and s.line <= $2
     ), updated as (
       update domain d set registered = line.registered, cancelled = line.cancelled
       from line where line.what in ('cancelled', 'changed') and d.name = line.name
     ), inserted as (
       insert into domain (name, registered, cancelled)
       select name, registered, cancelled from line where what = 'added' order by name
     )
     select
       count(*) filter (where what = 'added')::integer as added,
       count(*) filter (where what = 'cancelled')::integer as cancelled,
       count(*) filter (where what = 'changed')::integer as changed,
       count(*) filter (where what = 'unchanged')::integer as unchanged,
       count(*) filter (where what = 'released_before')::integer as released_before
     from line`,
    [after, last],
  );
  return rows[0] as Omit<ImportSummary, 'gone'>;
}
