import { expect, vi } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { createCustomer } from '../../billing/customers.ts';
import { presentIssuer, recordIssuer } from '../../billing/issuer.ts';
import { accrueProcessingFee } from '../../billing/processing-fees.ts';
import { findOrCreateProvider } from '../../coverage/providers/providers.ts';
import type { Connection, Database } from '../../platform/database/database.ts';
import { textOf } from './statement.ts';
import { testConfig } from './test-config.ts';

/** Names an issuer with all that the law asks for, where none is recorded. */
export async function recordTestIssuer(database: Database) {
  if (!(await presentIssuer(database))) await recordIssuer(database, testConfig().invoiceIssuer);
}

/** Makes a customer with a key. @param described what is known of it besides its name and contact @param at when it is made */
export async function makeCustomer(database: Database, name: string, described = {}, at = new Date()) {
  await recordTestIssuer(database);
  const contact = { address: '', contact: '021 123 456' };
  const id = await createCustomer(database, { name, contact, ...described }, commandActor, at);
  const { key, secret } = await addKey(database, id, {}, commandActor);
  return { id, name, keyId: key.id, secret };
}

/** Billable queries of a customer, or of all, that are in the database. */
export async function queriesOf(database: Database, customer?: string): Promise<number> {
  const { rows } = await database.query<{ queries: number }>(
    `select coalesce(sum(u.queries), 0)::bigint as queries
     from usage_hour u join api_key k on k.id = u.key_id join customer c on c.id = k.customer_id
     where c.name = coalesce($1, c.name)`,
    [customer ?? null],
  );
  return rows[0]?.queries ?? 0;
}

/** Waits until as many billable queries of a customer are in the database; that it stays so is for the caller to see. */
export const untilQueries = (database: Database, customer: string, expected: number) =>
  vi.waitFor(async () => expect(await queriesOf(database, customer), customer).toBe(expected), {
    timeout: 100_000,
  });

/** Adds queries of a key to the database, as if asked at an instant. */
export async function addQueries(database: Database, keyId: number, instant: string | Date, queries: number) {
  await database.query(
    `insert into usage_hour as u (key_id, hour, queries) values ($1, date_trunc('hour', $2::timestamptz), $3)
     on conflict (key_id, hour) do update set queries = u.queries + excluded.queries`,
    [keyId, instant, queries],
  );
}

/** Adds modelled coverage, published at an instant, for which its operator owes a fee. @returns the submission */
export async function publishModelled(database: Database, operator: string, at: Date, file = 'towers.csv') {
  await recordTestIssuer(database);
  const provider = await findOrCreateProvider(database, { name: operator, url: 'https://operator.example' });
  const { rows } = await database.query<{ id: string }>(
    `insert into submission
       (provider_id, state, processed_by, file_name, storage_key, size_bytes, sha256, manifest, received_at, finished_at)
     values ($1, 'superseded', 'service', $2, 'towers', 1, sha256('towers'), '{}', $3::timestamptz - interval '2 days', $3)
     returning id`,
    [provider, file, at],
  );
  const { id } = rows[0] as { id: string };
  // As each publication of it does: the fee is charged once.
  for (let time = 0; time < 2; time++) await accrueProcessingFee(database, id, at);
  return id;
}

const methods = [
  ...(['poolUse', 'query', 'withConnection', 'transaction'] as const),
  ...(['withExclusiveKey', 'listen', 'queuePool', 'close'] as const),
];
/** A database with some methods replaced. */
export const delegate = (db: Database, replaced: Partial<Database>): Database =>
  Object.assign({ kind: db.kind }, ...methods.map((name) => ({ [name]: db[name].bind(db) })), replaced);

type Meddle = (text: string, connection: Connection) => unknown;
/** A database that does something before or after statements of transactions. */
export function interrupted(database: Database, { before, after }: { before?: Meddle; after?: Meddle }) {
  const heard = (connection: Connection): Connection => ({
    ...connection,
    copyFrom: connection.copyFrom.bind(connection),
    async query(statement, values) {
      await before?.(textOf(statement), connection);
      const result = await connection.query(statement, values);
      await after?.(textOf(statement), connection);
      return result as never;
    },
  });
  return delegate(database, {
    transaction: (work, isolation) =>
      database.transaction((connection) => work(heard(connection)), isolation),
  });
}

/** A database that can be taken away from transactions, or be deaf: it stores them, and the answer gets lost. */
export function flakyDatabase(database: Database, state = { away: false, deaf: false }) {
  const flaky = delegate(database, {
    async transaction(work, isolation) {
      if (state.away) throw new Error('away');
      const result = await database.transaction(work, isolation);
      if (state.deaf) throw new Error('the connection broke after the commit');
      return result;
    },
  });
  return { flaky, state };
}
