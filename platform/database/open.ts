import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { type Connection, type Database, withConnections } from './database.ts';
import { openEmbeddedDatabase } from './embedded/embedded.ts';
import { shippedTemplate } from './embedded/template.ts';
import { type Replica, watchReplica } from './replica.ts';
import { replicated } from './replicated.ts';
import { traceStatements } from './traced.ts';

/** Opens the database that the configuration names. `migrate` brings its schema up to date. */
export async function openDatabase(config: Config, logger?: Logger): Promise<Database> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl) return traceStatements(await (await serverDatabase()).openServerDatabase(databaseUrl));
  const options = { template: shippedTemplate, ...(logger && { logger }) };
  return traceStatements(await openEmbeddedDatabase(dataDir, options));
}

/** The max wait of such work for a connection. */
const connectTimeoutMs = 3_000;

/** Loaded on demand: its library takes a twentieth of a start. */
const serverDatabase = () => import('./server/server.ts');

interface Use {
  connections: number;
  statementTimeoutMs: number;
  /** The timeout in the embedded database, where a statement waits for those before it. */
  embeddedTimeoutMs?: number;
  reads: boolean;
}

/** Kinds of work with connections of their own. After the timeout, nobody waits for a lookup, and a tile has too many shapes. */
const uses: Record<'lookups' | 'tiles' | 'metering' | 'metrics', Use> = {
  lookups: { connections: 4, statementTimeoutMs: 4_000, embeddedTimeoutMs: 10_000, reads: true },
  tiles: { connections: 2, statementTimeoutMs: 2_000, reads: true },
  metering: { connections: 1, statementTimeoutMs: 10_000, reads: false },
  /** Figures about the service, which are outdated after that. */
  metrics: { connections: 1, statementTimeoutMs: 3_000, reads: false },
};

/**
 * Opens connections on a server for one kind of work, so that it never waits for another. The caller closes them before `database`.
 * @param replica the server to read from, if configured; it is closed after them
 */
export async function openDatabaseFor(
  use: keyof typeof uses,
  { databaseUrl, databaseReadUrl }: Config,
  database: Database,
  replica?: Replica,
): Promise<Database> {
  const { connections, statementTimeoutMs, embeddedTimeoutMs, reads } = uses[use];
  if (!databaseUrl) return limited(database, embeddedTimeoutMs ?? statementTimeoutMs);
  const { openServerDatabase } = await serverDatabase();
  const limits = { connections, statementTimeoutMs, connectTimeoutMs };
  const primary = traceStatements(await openServerDatabase(databaseUrl, limits));
  if (!reads || !databaseReadUrl || !replica) return primary;
  const onReplica = traceStatements(await openServerDatabase(databaseReadUrl, limits));
  return replicated(primary, onReplica, replica);
}

/** Watches the replica of the configuration, if any. */
export async function openReplica(
  { databaseUrl, databaseReadUrl, replicaMaxLagSeconds }: Config,
  logger: Logger,
): Promise<Replica | undefined> {
  if (!databaseUrl || !databaseReadUrl) return undefined;
  const { openServerDatabase } = await serverDatabase();
  const limits = { connections: 1, statementTimeoutMs: 2_000, connectTimeoutMs: 2_000 };
  const [primary, onReplica] = await Promise.all([
    openServerDatabase(databaseUrl, limits),
    openServerDatabase(databaseReadUrl, limits),
  ]);
  return watchReplica(primary, onReplica, { maxAgeMs: replicaMaxLagSeconds * 1000 }, logger);
}

/** The same database with a default timeout for statements. Closing it does nothing. */
function limited(database: Database, timeoutMs: number): Database {
  const withLimit = (connection: Connection): Connection => ({
    query: (statement, values) =>
      connection.query({
        timeoutMs,
        ...(typeof statement === 'string' ? { text: statement, values } : statement),
      }),
    copyFrom: (target, chunks, limits) => connection.copyFrom(target, chunks, { timeoutMs, ...limits }),
  });
  return withConnections(
    database,
    (work) => database.withConnection((connection) => work(withLimit(connection))),
    { close: async () => undefined },
  );
}
