import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { type Connection, type Database, inTransaction, type Queryable } from './database.ts';
import { openEmbeddedDatabase } from './embedded/embedded.ts';
import { openServerDatabase } from './server/server.ts';

/** A lookup takes milliseconds: after this long nobody waits for its answer. */
const lookupTimeoutMs = 10_000;
/** A tile that takes longer has too many shapes. */
const tileTimeoutMs = 2_000;

/** Opens the database that the configuration names. `migrate` brings its schema up to date. */
export async function openDatabase(config: Config, logger?: Logger): Promise<Database> {
  return config.databaseUrl
    ? openServerDatabase(config.databaseUrl)
    : openEmbeddedDatabase(config.dataDir, logger && { logger });
}

/*
 * The functions below open connections of their own on a server, so that one kind of work never waits for another; the
 * embedded database has one session for all. The caller closes them before `database`.
 */

/** Opens what lookups read: the replica where DATABASE_READ_URL names one. */
export async function openLookupDatabase(config: Config, database: Database): Promise<Database> {
  return openBeside(database, config.databaseReadUrl ?? config.databaseUrl, 4, lookupTimeoutMs);
}

/** Opens what tiles read: where lookups do. */
export async function openTileDatabase(config: Config, database: Database): Promise<Database> {
  return openBeside(database, config.databaseReadUrl ?? config.databaseUrl, 2, tileTimeoutMs);
}

/** Opens what usage is written to. */
export async function openMeteringDatabase(config: Config, database: Database): Promise<Database> {
  return openBeside(database, config.databaseUrl, 1, lookupTimeoutMs);
}

async function openBeside(
  database: Database,
  url: string | undefined,
  connections: number,
  statementTimeoutMs: number,
): Promise<Database> {
  return url
    ? openServerDatabase(url, { connections, statementTimeoutMs })
    : limited(database, statementTimeoutMs);
}

/** The same database with a default timeout for statements. Closing it does nothing. */
function limited(database: Database, timeoutMs: number): Database {
  const within = (session: Queryable): Queryable['query'] => {
    return (statement, values) =>
      session.query({
        timeoutMs,
        ...(typeof statement === 'string' ? { text: statement, values } : statement),
      });
  };
  const withLimit = (connection: Connection): Connection => ({
    query: within(connection),
    copyFrom: (target, chunks, limits) => connection.copyFrom(target, chunks, { timeoutMs, ...limits }),
  });
  const withConnection: Database['withConnection'] = (work) =>
    database.withConnection((connection) => work(withLimit(connection)));
  return {
    kind: database.kind,
    query: within(database),
    withConnection,
    transaction: (work, isolation) =>
      withConnection((connection) => inTransaction(connection, work, isolation)),
    withExclusiveKey: (key, work) => database.withExclusiveKey(key, work),
    listen: (channel, onNotify, onGap) => database.listen(channel, onNotify, onGap),
    queuePool: () => database.queuePool(),
    close: async () => undefined,
  };
}
