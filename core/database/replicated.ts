import { replicatedReads } from '../process-metrics.ts';
import { isSqlState } from './data-error.ts';
import { type Database, withConnections } from './database.ts';
import type { Replica } from './replica.ts';

/** SQLSTATEs of a server that is away, is stopping, or has run out of something; and of one whose files cannot be read. */
const serverAway = /^(08|53|57P|58|XX00[12])/;
/** A statement was in the way of what the replica had to replay. */
const inTheWay = /^40/;

/**
 * A database for reading: on the replica while that may be read from, else on the primary. A statement that fails because of the
 * replica is asked of the primary. What comes from here may be older than what came before: see {@link notOlder}.
 */
export function replicated(primary: Database, copy: Database, replica: Replica): Database {
  const read = async <T>(ask: (database: Database) => Promise<T>): Promise<T> => {
    const askPrimary = () => {
      replicatedReads.inc({ server: 'primary' });
      return ask(primary);
    };
    if (replica.state !== 'ok') return askPrimary();
    replicatedReads.inc({ server: 'replica' });
    const statement = ask(copy);
    // Where it is abandoned, nobody else waits for it.
    statement.catch(() => undefined);
    try {
      return await replica.untilLost(statement);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (isSqlState(code) && inTheWay.test(code)) return askPrimary();
      if (isSqlState(code) && !serverAway.test(code)) throw error;
      replica.lost(error);
      return askPrimary();
    }
  };
  return withConnections(primary, (work) => read((database) => database.withConnection(work)), {
    primary,
    poolUse() {
      const [one, other] = [primary.poolUse(), copy.poolUse()];
      return { max: one.max + other.max, busy: one.busy + other.busy, waiting: one.waiting + other.waiting };
    },
    query: (statement, values) => read((database) => database.query(statement, values)),
    async close() {
      await Promise.all([primary.close(), copy.close()]);
    },
  });
}

/** Reads something that has a version; again, from the primary, where a replica gave an older one than is wanted. */
export async function notOlder<T extends { version: number }>(
  database: Database,
  version: number,
  read: (database: Database) => Promise<T>,
): Promise<T> {
  const found = await read(database);
  return found.version >= version || !database.primary ? found : read(database.primary);
}
