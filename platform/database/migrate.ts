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
 * Brings the schema up to date: runs the migrations that the ledger lacks, in order and all or none, in one process at a time.
 * @returns the names of the migrations that ran @throws CovermapError `migration_changed`, `database_newer`, `postgis_missing`, `schema_outdated`
 */
export async function migrate(database: Database, folder: URL = defaultFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  // A role without the right to change the schema can use a schema that is up to date.
  if (await isUpToDate(database, migrations)) return [];
  try {
    return await database.transaction(async (connection) => {
      await lockUntilCommit(connection, 'covermap migrations');
      await connection.query(`
        create table if not exists schema_migration (
          number integer primary key,
          name text not null,
          sha256 text not null,
          applied_at timestamptz not null default clock_timestamp()
        )`);
      const missing = await missingIn(connection, migrations);
      for (const migration of missing) await apply(connection, migration);
      return missing.map(({ name }) => name);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    const message = 'The schema of the database is not up to date, and this role may not change it.';
    const hint =
      'Run npm run migrate with the DATABASE_URL of the role that owns the schema, which deploy/roles.sql gives its rights.';
    throw new CovermapError('schema_outdated', message, hint);
  }
}

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
  return rows[0]?.known === true && (await missingIn(database, migrations)).length === 0;
}

async function missingIn(db: Queryable, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await db.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by number',
  );
  for (const row of rows) {
    const migration = migrations.find(({ name }) => name === row.name);
    if (!migration) {
      const message = `The database has migration ${row.name}, which this version of covermap does not know.`;
      const hint =
        'Run the version of covermap that made the database, or point this one at another database.';
      throw new CovermapError('database_newer', message, hint);
    }
    if (migration.sha256 !== row.sha256) {
      const message = `The file migrations/${migration.name} is not the one that made this database.`;
      const hint =
        'Put the file back as it was and write the change as a new migration: they only go forward.';
      throw new CovermapError('migration_changed', message, hint);
    }
  }
  return migrations.filter(({ name }) => !rows.some((row) => row.name === name));
}

async function apply(connection: Connection, { number, name, sql, sha256 }: Migration): Promise<void> {
  try {
    await connection.query(sql);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // 0A000 and 58P01: the server does not have the extension's files. 42501: this role may not install it.
    if (/extension|postgis/i.test(message) && (code === '0A000' || code === '58P01' || code === '42501')) {
      const sentence = `PostGIS could not be installed into the database: ${message}.`;
      const hint =
        'Install the postgresql-<version>-postgis-3 package on the server, and have a superuser run CREATE EXTENSION postgis.';
      throw new CovermapError('postgis_missing', sentence, hint);
    }
    throw error;
  }
  const row = [number, name, sha256];
  await connection.query('insert into schema_migration (number, name, sha256) values ($1, $2, $3)', row);
}
