import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { CovermapError } from '../errors.ts';
import { type Connection, type Database, lockUntilCommit, type Queryable } from './database.ts';

const defaultFolder = new URL('../../migrations/', import.meta.url);

interface Migration {
  number: number;
  name: string;
  sql: string;
  sha256: string;
}

/**
 * Brings the schema up to date: runs the migrations that the ledger does not name, in order, each in a transaction with its
 * row in the ledger. Several processes may call this at once: an advisory lock lets one work at a time.
 * @param folder where the files `0001_name.sql` are
 * @returns the names of the migrations that ran
 * @throws CovermapError `migration_changed` where one that ran was edited since, `database_newer` where the ledger names an
 *   unknown one, `postgis_missing` where PostGIS cannot be installed, `schema_outdated` where the role may not migrate
 */
export async function migrate(database: Database, folder: URL = defaultFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  // A role that may not change the schema can use one that is up to date.
  if (await isUpToDate(database, migrations)) return [];
  const applied: string[] = [];
  try {
    await inLedger(database, (connection) => checkLedger(connection, migrations));
    for (const migration of migrations) {
      const ran = await inLedger(database, (connection) => applyOnce(connection, migration));
      if (ran) applied.push(migration.name);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new CovermapError(
      'schema_outdated',
      'The schema of the database is not up to date, and this role may not change it.',
      'Run npm run migrate with the DATABASE_URL of the role that owns the schema.',
    );
  }
  return applied;
}

/** The migrations of a folder, in order. */
export async function readMigrations(folder: URL = defaultFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    // A number may be missing: an unfinished change of the schema may have taken it.
    if (!(number > (migrations.at(-1)?.number ?? 0))) {
      throw new Error(`migrations/${name}: expected the name 0001_<words>.sql, with a number of its own`);
    }
    const sql = await readFile(new URL(name, folder), 'utf8');
    migrations.push({ number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') });
  }
  return migrations;
}

async function isUpToDate(database: Database, migrations: Migration[]): Promise<boolean> {
  const { rows } = await database.query<{ known: boolean }>(
    "select to_regclass('schema_migration') is not null as known",
  );
  if (!rows[0]?.known) return false;
  const ran = await checkLedger(database, migrations);
  return migrations.every(({ number }) => ran.has(number));
}

/** Runs `work` in a transaction, in one process at a time. */
function inLedger<T>(database: Database, work: (connection: Connection) => Promise<T>): Promise<T> {
  return database.transaction(async (connection) => {
    await lockUntilCommit(connection, 'covermap migrations');
    await connection.query(`
      create table if not exists schema_migration (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default clock_timestamp()
      )`);
    return work(connection);
  });
}

/** @returns the numbers of the migrations that ran */
async function checkLedger(db: Queryable, migrations: Migration[]): Promise<Set<number>> {
  const { rows } = await db.query<{ number: number; name: string; sha256: string }>(
    'select number, name, sha256 from schema_migration order by number',
  );
  for (const row of rows) {
    const migration = migrations.find(({ name }) => name === row.name);
    if (!migration) {
      throw new CovermapError(
        'database_newer',
        `The database has migration ${row.name}, which this version of covermap does not know.`,
        'Run the version of covermap that made the database, or point this one at another database.',
      );
    }
    if (migration.sha256 !== row.sha256) {
      throw new CovermapError(
        'migration_changed',
        `The file migrations/${migration.name} is not the one that made this database.`,
        'Put the file back as it was and write the change as a new migration: they only go forward.',
      );
    }
  }
  return new Set(rows.map(({ number }) => number));
}

async function applyOnce(connection: Connection, migration: Migration): Promise<boolean> {
  const { rows } = await connection.query('select 1 from schema_migration where number = $1', [
    migration.number,
  ]);
  if (rows.length > 0) return false;
  try {
    await connection.query(migration.sql);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // 0A000 and 58P01: the server does not have the extension's files. 42501: this role may not install it.
    if (/extension|postgis/i.test(message) && (code === '0A000' || code === '58P01' || code === '42501')) {
      throw new CovermapError(
        'postgis_missing',
        `PostGIS could not be installed into the database: ${message}.`,
        'Install the postgresql-<version>-postgis-3 package on the server, and have a superuser run CREATE EXTENSION postgis.',
      );
    }
    throw error;
  }
  await connection.query('insert into schema_migration (number, name, sha256) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.sha256,
  ]);
  return true;
}
