import { LRUCache } from 'lru-cache';
import type { Connection, Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { CovermapError } from '../errors.ts';

/*
 * Without a plan, lookups are answered while there are free queries. No lookup asks the database for that: each process counts down
 * from what it last read, and reads again once a second while somebody asks. Queries that several processes answer too many in that
 * second are not charged. docs/administrator/billing-operations.md has the bound.
 */

/** How often a process reads what is left of a customer that asks. */
const lookEveryMs = 1_000;
/** Customers without a plan that are kept in memory. */
const maxCustomers = 10_000;
/** A list is answered within this time, or its process was killed. */
const holdMinutes = 10;

interface State {
  left: number;
  /** Taken, and neither counted nor returned. */
  inFlight: number;
  /** Taken since the process first saw the customer. */
  taken: number;
  lookedAt: number;
  asking: Promise<void> | undefined;
}

export type FreeQueries = ReturnType<typeof freeQueriesIn>;

/** How many free queries are left, as one process knows it. @param flush stores what was counted so far */
export function freeQueriesIn(database: Database, flush: () => Promise<void>) {
  const states = new LRUCache<number, State>({ max: maxCustomers });
  /** Sees what others have taken meanwhile. What this process has taken, it knows better than the database. */
  const look = (customerId: number, state: State) => {
    state.lookedAt = performance.now();
    freeLeft(database, customerId).then(
      (left) => {
        state.left = Math.min(state.left, left);
      },
      // The lookup that follows reports that the database is away.
      () => undefined,
    );
  };
  /** Asks what is left, once all that was counted here is stored. */
  const ask = async (customerId: number, state: State) => {
    const { inFlight, taken } = state;
    const isStored = await flush().then(
      () => true,
      () => false,
    );
    const left = (await freeLeft(database, customerId)) - inFlight - (state.taken - taken);
    // Where counts cannot be stored, the database knows of fewer than this process.
    state.left = isStored ? left : Math.min(state.left, left);
    state.lookedAt = performance.now();
  };
  return {
    /**
     * Takes a free query of a customer; call `end` once it was counted, or not.
     * @param known how many there were when the customer's key was looked up
     * @returns whether there was one; a promise only where this process knows of none
     */
    take(customerId: number, known: number): boolean | Promise<boolean> {
      const now = performance.now();
      const unseen = { left: known, inFlight: 0, taken: 0, lookedAt: now, asking: undefined };
      const state: State = states.get(customerId) ?? unseen;
      states.set(customerId, state);
      const isFresh = now - state.lookedAt < lookEveryMs;
      if (state.left > 0) {
        if (!isFresh) look(customerId, state);
        return take(state);
      }
      if (isFresh && !state.asking) return false;
      state.asking ??= ask(customerId, state).finally(() => {
        state.asking = undefined;
      });
      return state.asking.then(() => state.left > 0 && take(state));
    },
    /** Ends a query that was taken. @param wasCounted false returns it */
    end(customerId: number, wasCounted: boolean): void {
      const state = states.get(customerId);
      if (!state) return;
      state.inFlight--;
      if (!wasCounted) state.left++;
    },
  };
}

function take(state: State): true {
  state.left--;
  state.inFlight++;
  state.taken++;
  return true;
}

/** How many free queries are neither used nor held; below zero where more were answered. */
export async function freeLeft(db: Queryable, customerId: number): Promise<number> {
  const { rows } = await db.query<{ left: number }>(sql`select free_left(${customerId}) as left`);
  return rows[0]?.left ?? 0;
}

/**
 * Holds free queries for a list, so that nobody else uses them meanwhile.
 * @returns the id of the hold, for {@link releaseFreeQueries}
 * @throws CovermapError `free_queries_used_up`
 */
export async function holdFreeQueries(db: Database, customerId: number, queries: number): Promise<number> {
  return db.transaction(async (connection) => {
    await requireFreeQueries(connection, customerId, queries);
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into free_hold (customer_id, queries, until)
      values (${customerId}, ${queries}, clock_timestamp() + make_interval(mins => ${holdMinutes})) returning id`);
    return (rows[0] as { id: number }).id;
  });
}

/** Ends a hold, once what was used of it is counted. */
export async function releaseFreeQueries(db: Queryable, id: number): Promise<void> {
  await db.query(sql`delete from free_hold where id = ${id} or until < clock_timestamp()`);
}

/**
 * Requires that a customer without a plan has so many free queries left. Two lists at once take turns.
 * @throws CovermapError `free_queries_used_up`
 */
export async function requireFreeQueries(connection: Connection, customerId: number, queries: number) {
  await connection.query(sql`select from customer where id = ${customerId} for no key update`);
  const left = Math.max(0, await freeLeft(connection, customerId));
  if (queries <= left) return;
  const count = (value: number) => value.toLocaleString('en-NZ');
  throw new CovermapError(
    'free_queries_used_up',
    left === 0
      ? freeQueriesUsedUp
      : `There are ${count(queries)} coordinates, and this account has no plan and ${count(left)} free queries left. Send fewer, or ask your service administrator for a plan.`,
  );
}

/** The error without a plan, once the free queries are used up. */
export const freeQueriesUsedUp =
  'The free queries of this account are used up, and it has no plan. Ask your service administrator for a plan: lookups go on as soon as it begins.';
