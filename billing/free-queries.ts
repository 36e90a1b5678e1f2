import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';

/* Without a plan, lookups are answered while there are free queries, and never one more. So a process holds some in the database before it answers
   them, and returns the rest once the answered ones are stored. Queries that a killed process may have answered stay used:
   docs/administrator/billing-operations.md says how many. */

/** The max held at once for single lookups, and so lost with a killed process. */
const maxHeld = 10;
/** A process holds at most this fraction of the rest (an eighth), so that the last few are given out one by one. */
const share = 8;
/** A hold ends after this time without a request. "None left" is cached as long. */
const idleMs = 1_000;
const sweepEveryMs = 500;
const closeTimeoutMs = 2_000;
/** A hold that is not returned by then belongs to a killed process. A lookup or a batch of a list takes less. */
const until = sql`clock_timestamp() + interval '10 minutes'`;

/** Free queries of a customer that a process holds: a row of `free_hold`. */
export interface Hold {
  readonly id: number;
  readonly customerId: number;
  left: number;
  /** Taken, and neither counted nor returned. */
  inFlight: number;
  usedAt: number;
}

interface State {
  hold: Hold | undefined;
  /** None were left at that time. */
  noneAt: number;
  asking: Promise<boolean> | undefined;
}

/** The free queries that one process holds. @param flush stores the counts so far */
export function freeQueriesIn(database: Database, flush: () => Promise<void>, logger: Logger) {
  const states = new Map<number, State>();
  /** Holds from which nothing more is taken. They are returned once all their taken queries are counted and stored. */
  const ended = new Set<Hold>();
  let sweeping: Promise<void> | undefined;

  const use = (hold: Hold): Hold => {
    hold.left--;
    hold.inFlight++;
    hold.usedAt = performance.now();
    return hold;
  };
  const end = (state: State) => {
    if (state.hold) ended.add(state.hold);
    state.hold = undefined;
  };
  /** Ends a customer's hold, and deletes all of its finished holds, so that others can take the rest. */
  const settle = async (db: Queryable, isOf: (hold: Hold) => boolean) => {
    const through = [...ended].filter((hold) => hold.inFlight === 0 && isOf(hold));
    if (through.length === 0) return;
    await flush();
    await db.query(sql`delete from free_hold where id = any (${through.map(({ id }) => id)}::bigint[])`);
    for (const hold of through) ended.delete(hold);
  };
  const settleOf = async (customerId: number) => {
    const state = states.get(customerId);
    if (state) end(state);
    // If counts cannot be stored, the hold stays in the database: customers get fewer free queries for a while, never more.
    await settle(database, (hold) => hold.customerId === customerId).catch(() => undefined);
  };
  /** Holds some more for single lookups. @returns true where there were any */
  const ask = async (customerId: number, state: State): Promise<boolean> => {
    await settleOf(customerId);
    const held = await holdWithin(database, customerId, (left) => {
      const queries = Math.max(1, Math.min(maxHeld, Math.floor(left / share)));
      return left > 0 ? { queries, begun: queries } : undefined;
    });
    if (held) state.hold = { ...held, left: held.queries };
    else state.noneAt = performance.now();
    return held !== undefined;
  };
  const takeOnceHeld = async (customerId: number, state: State): Promise<Hold | undefined> => {
    for (;;) {
      state.asking ??= ask(customerId, state).finally(() => {
        state.asking = undefined;
      });
      const got = await state.asking;
      if (state.hold && state.hold.left > 0) return use(state.hold);
      if (!got) return undefined;
    }
  };
  const sweep = () => {
    const before = performance.now() - idleMs;
    for (const [customerId, state] of states) {
      if (state.asking || state.noneAt > before) continue;
      if (state.hold && (state.hold.inFlight > 0 || state.hold.usedAt > before)) continue;
      end(state);
      states.delete(customerId);
    }
    sweeping ??= settle(database, () => true)
      .catch((error) => logger.warn({ err: error }, 'free queries will be given back later'))
      .finally(() => {
        sweeping = undefined;
      });
    return sweeping;
  };
  const timer = setInterval(sweep, sweepEveryMs).unref();

  return {
    /** Takes a free query, if any is left; call `end` after it. Gives a promise only where the process holds none. */
    take(customerId: number): Hold | undefined | Promise<Hold | undefined> {
      const state = states.get(customerId) ?? { hold: undefined, noneAt: -idleMs, asking: undefined };
      states.set(customerId, state);
      if (state.hold && state.hold.left > 0) return use(state.hold);
      if (!state.asking && performance.now() - state.noneAt < idleMs) return undefined;
      return takeOnceHeld(customerId, state);
    },
    /** Ends a query that was taken. @param wasCounted false returns it */
    end(hold: Hold, wasCounted: boolean): void {
      hold.inFlight--;
      if (!wasCounted) hold.left++;
    },
    /** Returns a customer's held queries, before a statement counts those left. */
    settle: settleOf,
    /** Holds free queries for a list; call `begin` before each part of it, and `endList`. @throws CovermapError `free_queries_used_up` */
    async holdList(customerId: number, queries: number): Promise<Hold> {
      await settleOf(customerId);
      const held = await holdWithin(database, customerId, (left) => {
        requireFree(left, queries);
        return { queries, begun: 0 };
      });
      return { ...(held as NonNullable<typeof held>), left: 0 };
    },
    /** Records that queries of a list are about to be answered. @throws Error where they are no longer held */
    async begin(hold: Hold, queries: number): Promise<void> {
      const { rowCount } = await database.query(sql`
        update free_hold set begun = begun + ${queries}, until = ${until}
        where id = ${hold.id} and until > clock_timestamp()`);
      if (rowCount === 0) throw new Error('the free queries of this list are no longer held');
    },
    async endList(hold: Hold): Promise<void> {
      ended.add(hold);
      await sweep();
    },
    /** Returns everything, once all requests have ended. */
    async close(): Promise<void> {
      clearInterval(timer);
      for (const state of states.values()) end(state);
      await Promise.race([sweep().then(sweep), sleep(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** Holds as many of a customer's free queries as `choose` says of the number left. Processes take turns. */
async function holdWithin(
  database: Database,
  customerId: number,
  choose: (left: number) => { queries: number; begun: number } | undefined,
) {
  return database.transaction(async (connection) => {
    const chosen = choose(await lockedFreeLeft(connection, customerId));
    if (!chosen) return undefined;
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into free_hold (customer_id, queries, begun, until)
      values (${customerId}, ${chosen.queries}, ${chosen.begun}, ${until}) returning id`);
    const { id } = rows[0] as { id: number };
    return { id, customerId, queries: chosen.queries, inFlight: 0, usedAt: performance.now() };
  });
}

/** The number of free queries that are neither used nor held. Until the transaction ends, nobody else holds any. */
async function lockedFreeLeft(connection: Connection, customerId: number): Promise<number> {
  await connection.query(sql`select from customer where id = ${customerId} for no key update`);
  const { rows } = await connection.query<{ left: number }>(sql`select free_left(${customerId}) as left`);
  return rows[0]?.left ?? 0;
}

/** Requires a number of free queries to be left, until the transaction ends. @throws CovermapError `free_queries_used_up` */
export async function requireFreeQueries(connection: Connection, customerId: number, queries: number) {
  requireFree(await lockedFreeLeft(connection, customerId), queries);
}

/** @throws CovermapError `free_queries_used_up` */
function requireFree(found: number, queries: number): void {
  const left = Math.max(0, found);
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

/** SQL: the free queries of customer `c` that killed processes may have answered. */
export const freeLost = sql`coalesce((
  select sum(h.begun) from free_hold h where h.customer_id = c.id and h.until <= clock_timestamp()), 0)::integer`;
