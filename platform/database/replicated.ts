import { replicatedReads } from '../metrics/process-metrics.ts';
import { isSqlState } from './data-error.ts';
import { type Database, withConnections } from './database.ts';
import type { Replica } from './replica.ts';

/** SQLSTATEs of a server that is away, is stopping, has run out of a resource, or has unreadable files. */
const serverAway = /^(08|53|57P|58|XX00[12])/;
/** SQLSTATEs of a statement that conflicts with the replay. */
const conflictsWithReplay = /^40/;

/** A database for reading: the replica while it is fit, else, and after failures, the primary. Answers may be older than before: `notOlder` of the catalog. */
export function replicated(primary: Database, onReplica: Database, replica: Replica): Database {
  const read = async <T>(ask: (database: Database) => Promise<T>): Promise<T> => {
    const askPrimary = () => {
      replicatedReads.inc({ server: 'primary' });
      return ask(primary);
    };
    if (replica.state !== 'ok') return askPrimary();
    replicatedReads.inc({ server: 'replica' });
    const statement = ask(onReplica);
    // Nobody else waits for an abandoned statement.
    statement.catch(() => undefined);
    try {
      return await replica.untilLost(statement);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (isSqlState(code) && conflictsWithReplay.test(code)) return askPrimary();
      if (isSqlState(code) && !serverAway.test(code)) throw error;
      replica.recordFailure(error);
      return askPrimary();
    }
  };
  return withConnections(primary, (work) => read((database) => database.withConnection(work)), {
    primary,
    poolUse() {
      const [one, other] = [primary.poolUse(), onReplica.poolUse()];
      return { max: one.max + other.max, busy: one.busy + other.busy, waiting: one.waiting + other.waiting };
    },
    query: (statement, values) => read((database) => database.query(statement, values)),
    async close() {
      await Promise.all([primary.close(), onReplica.close()]);
    },
  });
}
