import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Database } from '../database.ts';
import { readMigrations } from '../migrate.ts';
import type { EmbeddedDatabase } from './embedded.ts';
import { filterTar } from './tar.ts';

/* A migrated, empty database, kept with the sources: unpacking takes a fraction of a second; initdb, PostGIS and the migrations take eight to nine of
   the processor. `npm run template` makes it. A first start with other migrations or packages runs without it. */

const archive = fileURLToPath(new URL('template.tar.br', import.meta.url));
const description = fileURLToPath(new URL('template.json', import.meta.url));
const packages = ['@electric-sql/pglite', '@electric-sql/pglite-postgis'];

interface TemplateDescription {
  /** Versions by name. The files belong to one build of PostgreSQL, the functions to one of PostGIS. */
  packages: Record<string, string>;
  /** Hashes by name. Migrations that are newer run at the start, as on any database. */
  migrations: Record<string, string>;
}

/** The template's file, for `EmbeddedOptions.template`; undefined where it was made with other packages or migrations. */
export async function shippedTemplate(): Promise<string | undefined> {
  try {
    const made: TemplateDescription = JSON.parse(await readFile(description, 'utf8'));
    const present = await describe();
    const fits =
      packages.every((name) => made.packages[name] === present.packages[name]) &&
      Object.entries(made.migrations).every(([name, sha256]) => present.migrations[name] === sha256);
    return fits && existsSync(archive) ? archive : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the template from a database in memory that has just been migrated. */
export async function writeTemplate(database: EmbeddedDatabase): Promise<void> {
  // Recovery then reads only the log after this checkpoint: in a segment of its own, 16 MB of zeros.
  await database.query('checkpoint');
  await database.query('select pg_switch_wal()');
  await database.query('checkpoint');
  const segment = await neededSegment(database);
  const dump = Buffer.from(await (await database.dump()).arrayBuffer());
  const tar = filterTar(dump, (name) => !/\/pg_wal\/[0-9A-F]{24}$/.test(name) || name.endsWith(segment));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    // The databases of one cluster are alike: the window spans them.
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
  };
  await writeFile(archive, await promisify(brotliCompress)(tar, { params }));
  await writeFile(description, `${JSON.stringify(await describe(), null, 2)}\n`);
}

async function neededSegment(database: Database): Promise<string> {
  const { rows } = await database.query<{ segment: string }>(
    'select redo_wal_file as segment from pg_control_checkpoint()',
  );
  return rows[0]?.segment as string;
}

async function describe(): Promise<TemplateDescription> {
  const resolve = createRequire(import.meta.url).resolve;
  const versionOf = async (name: string) =>
    JSON.parse(await readFile(path.join(path.dirname(resolve(name)), '../package.json'), 'utf8')).version;
  return {
    packages: Object.fromEntries(
      await Promise.all(packages.map(async (name) => [name, await versionOf(name)])),
    ),
    migrations: Object.fromEntries((await readMigrations()).map(({ name, sha256 }) => [name, sha256])),
  };
}
