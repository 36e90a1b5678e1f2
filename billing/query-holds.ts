import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiKey } from '../access/key-ring.ts';
import type { Connection, Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import {
  addMonths,
  dayOf,
  firstDay,
  type Month,
  monthName,
  monthOf,
  startOfMonth,
} from '../platform/nz-time.ts';
import { type Cap, smallestCap } from './caps.ts';
import { billedCustomer } from './customers.ts';
import { termsOf } from './terms.ts';

/* Without a plan, lookups are answered while there are free queries; with a cap, while the month's queries are below it; and never one more. So a
   process holds some in the database before it answers them, and returns the rest once the answered ones are stored. Queries that a killed process
   may have answered stay used: docs/administrator/billing-operations.md says how many. */

/** The max held at once for single lookups, and so lost with a killed process: of free queries, and of a cap, of which a hundredth. */
const maxHeld = { free: 10, cap: 1_000 };
/** A process holds at most this fraction of the rest (an eighth), so that the last few are given out one by one. */
const share = 8;
const shareOfMany = 100;
/** A hold ends after this time without a request. "None left" is cached as long. */
const idleMs = 1_000;
/** The same for a hold of a hundredth of the rest, which nobody misses: customers who ask now and then need no hold each time. */
const idleOfManyMs = 60_000;
/** Before `until`: what is lost with a killed process shows by then. */
const maxAgeMs = 300_000;
const sweepEveryMs = 500;
const closeTimeoutMs = 2_000;
/** A hold that is not returned by then belongs to a killed process. A lookup or a batch of a list takes less. */
const until = sql`clock_timestamp() + interval '10 minutes'`;

type LimitedKey = Pick<ApiKey, 'customerId' | 'limits'>;

/** Queries of a customer that a process holds: a row of `query_hold`. */
export interface Hold {
  readonly id: number;
  readonly customerId: number;
  left: number;
  /** Taken, and neither counted nor returned. */
  inFlight: number;
  readonly heldAt: number;
  /** Ends after this time without a request. */
  readonly idleMs: number;
  usedAt: number;
}

/** The single lookups of a customer in a month, as long as its limits stay the same. */
interface State {
  readonly limits: string | null;
  /** The month, in ms since 1970. */
  readonly begins: number;
  readonly ends: number;
  hold: Hold | undefined;
  refusal: CovermapError | undefined;
  refusedAt: number;
  /** Resolves to false where it was refused. */
  asking: Promise<boolean> | undefined;
  /** True once no process may have counts to store of before it knew of these limits. */
  isSettled: boolean;
}

/** The queries that one process holds. @param flush stores the counts so far */
export function queryHoldsIn(database: Database, flush: () => Promise<void>, logger: Logger) {
  const states = new Map<number, State>();
  /** Those, and replaced ones that may have a hold. */
  const all = new Set<State>();
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
  const stateOf = ({ customerId, limits }: LimitedKey, at: number): State => {
    const known = states.get(customerId);
    if (known && known.limits === limits && known.begins <= at && at < known.ends) return known;
    if (known) end(known);
    const month = monthOf(new Date(at));
    const state = {
      limits,
      begins: startOfMonth(month).getTime(),
      ends: startOfMonth(addMonths(month, 1)).getTime(),
      ...{ hold: undefined, refusal: undefined, refusedAt: -idleMs, asking: undefined, isSettled: false },
    };
    states.set(customerId, state);
    all.add(state);
    return state;
  };
  /** Ends a customer's hold, and deletes all of its finished holds, so that others can take the rest. */
  const settle = async (db: Queryable, isOf: (hold: Hold) => boolean) => {
    const through = [...ended].filter((hold) => hold.inFlight === 0 && isOf(hold));
    if (through.length === 0) return;
    await flush();
    await db.query(sql`delete from query_hold where id = any (${through.map(({ id }) => id)}::bigint[])`);
    for (const hold of through) ended.delete(hold);
  };
  const settleOf = async (customerId: number) => {
    const state = states.get(customerId);
    if (state) end(state);
    // If counts cannot be stored, the hold stays in the database: customers get fewer queries for a while, never more.
    await settle(database, (hold) => hold.customerId === customerId).catch(() => undefined);
  };
  /** Holds some more for single lookups. @returns true where there were any */
  const ask = async (customerId: number, state: State, at: number): Promise<boolean> => {
    if (!state.isSettled) await untilSettled(database, customerId);
    state.isSettled = true;
    await settleOf(customerId);
    try {
      state.hold = await holdWithin(database, customerId, at, (limits) => {
        requireLeft(limits);
        const queries = heldAtOnce(limits);
        return { queries, begun: queries };
      });
      return true;
    } catch (error) {
      if (!(error instanceof CovermapError)) throw error;
      state.refusal = error;
      state.refusedAt = performance.now();
      return false;
    }
  };
  const takeOnceHeld = async (customerId: number, state: State, at: number): Promise<Taken> => {
    for (;;) {
      state.asking ??= ask(customerId, state, at).finally(() => {
        state.asking = undefined;
      });
      const got = await state.asking;
      if (state.hold && state.hold.left > 0) return use(state.hold);
      if (!got) return state.refusal as CovermapError;
    }
  };
  const sweep = () => {
    const now = performance.now();
    const isUsed = ({ inFlight, usedAt, heldAt, idleMs }: Hold) =>
      inFlight > 0 || (usedAt > now - idleMs && heldAt > now - maxAgeMs);
    for (const state of all) {
      if (state.asking || state.refusedAt > now - idleMs || (state.hold && isUsed(state.hold))) continue;
      end(state);
      all.delete(state);
      for (const [customerId, one] of states) if (one === state) states.delete(customerId);
    }
    sweeping ??= settle(database, () => true)
      .catch((error) => logger.warn({ err: error }, 'held queries will be given back later'))
      .finally(() => {
        sweeping = undefined;
      });
    return sweeping;
  };
  const timer = setInterval(sweep, sweepEveryMs).unref();

  return {
    /**
     * Takes a query that was asked for at a time of the billing clock, and counts for it, in ms since 1970; call `end` after it. Gives a promise only
     * where the process holds none.
     */
    take(key: LimitedKey, at: number): Taken | Promise<Taken> {
      const state = stateOf(key, at);
      if (state.hold && state.hold.left > 0) return use(state.hold);
      if (state.refusal && !state.asking && performance.now() - state.refusedAt < idleMs)
        return state.refusal;
      return takeOnceHeld(key.customerId, state, at);
    },
    /** Ends a query that was taken. @param wasCounted false returns it */
    end(hold: Hold, wasCounted: boolean): void {
      hold.inFlight--;
      if (!wasCounted) hold.left++;
    },
    /** Returns a customer's held queries, before a statement counts those left. */
    async settle(customerId: number): Promise<void> {
      await untilSettled(database, customerId);
      await settleOf(customerId);
    },
    /** Holds queries for a list, which count for `at`; call `begin` before each part of it, and `endList`. @throws CovermapError as {@link requireLeft} */
    async holdList(customerId: number, queries: number, at: number): Promise<Hold> {
      await this.settle(customerId);
      const held = await holdWithin(database, customerId, at, (limits) => {
        requireLeft(limits, queries);
        return { queries, begun: 0 };
      });
      return { ...held, left: 0 };
    },
    /** Records that queries of a list are about to be answered. @throws Error where they are no longer held */
    async begin(hold: Hold, queries: number): Promise<void> {
      const { rowCount } = await database.query(sql`
        update query_hold set begun = begun + ${queries}, until = ${until}
        where id = ${hold.id} and until > clock_timestamp()`);
      if (rowCount === 0) throw new Error('the queries of this list are no longer held');
    },
    async endList(hold: Hold): Promise<void> {
      ended.add(hold);
      await sweep();
    },
    /** Returns everything, once all requests have ended. */
    async close(): Promise<void> {
      clearInterval(timer);
      for (const state of all) end(state);
      await Promise.race([sweep().then(sweep), sleep(closeTimeoutMs, undefined, { ref: false })]);
    },
    /** Ends without returning anything, as kill -9 would in tests. */
    abandon: () => clearInterval(timer),
  };
}

/** A taken query, or why there is none: `free_queries_used_up`, {@link CapReached}. */
type Taken = Hold | CovermapError;

/** Waits until what was answered before a customer's first cap is stored by all processes. */
async function untilSettled(db: Queryable, customerId: number): Promise<void> {
  const { rows } = await db.query<{ ms: number | null }>(sql`
    select ceil(1000 * extract(epoch from max(settled_at) - clock_timestamp()))::integer as ms
    from cap where customer_id = ${customerId} and not only_warns and settled_at > clock_timestamp()`);
  if (rows[0]?.ms) await sleep(rows[0].ms);
}

/** Holds as many of a customer's queries as `choose` says of its limits. Processes take turns. */
async function holdWithin(
  database: Database,
  customerId: number,
  at: number,
  choose: (limits: Limits) => { queries: number; begun: number },
): Promise<Hold> {
  return database.transaction(async (connection) => {
    const limits = await lockedLimits(connection, customerId, new Date(at));
    const { queries, begun } = choose(limits);
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into query_hold (customer_id, month, queries, begun, until)
      values (${customerId}, ${firstDay(limits.month)}::date, ${queries}, ${begun}, ${until}) returning id`);
    const { id } = rows[0] as { id: number };
    const now = performance.now();
    const isFew = queries > Math.min(limits.freeLeft, limits.capLeft) / shareOfMany;
    const times = { heldAt: now, usedAt: now, idleMs: isFew ? idleMs : idleOfManyMs };
    return { id, customerId, left: queries, inFlight: 0, ...times };
  });
}

/** How many queries a customer may use yet that are neither used nor held. */
interface Limits {
  at: Date;
  month: Month;
  /** Infinite with a plan, or where overage is allowed. */
  freeLeft: number;
  /** Infinite without a cap that refuses. */
  capLeft: number;
  capSetBy: Cap['set_by'] | undefined;
}

/** A customer's limits. Until the transaction ends, nobody else holds any queries of it. */
async function lockedLimits(connection: Connection, customerId: number, at: Date): Promise<Limits> {
  const month = monthOf(at);
  const first = firstDay(month);
  await connection.query(sql`select from customer where id = ${customerId} for no key update`);
  // Before the counts: what is counted and returned meanwhile is then there twice, never not at all.
  type Row = { free: number | null; held: number; before: number; capped: boolean };
  const { rows } = await connection.query<Row>(sql`
    select case when not may_owe(${customerId}, ${dayOf(at)}::date) then free_left(${customerId}) end as free,
      held_queries(${customerId}, ${first}::date) as held,
      held_queries(${customerId}, null) - held_queries(${customerId}, ${first}::date) as before,
      exists (select from cap where customer_id = ${customerId} and not only_warns) as capped`);
  const { free, held, before, capped } = rows[0] as Row;
  const none = Number.POSITIVE_INFINITY;
  const limits = { at, month, freeLeft: free ?? none, capLeft: none, capSetBy: undefined };
  if (!capped) return limits;
  const customer = await billedCustomer(connection, customerId, month);
  const { overage_cents } = await termsOf(connection, month);
  const smallest = smallestCap(customer, month, overage_cents, before);
  if (!smallest) return limits;
  const used = customer.counts.months.get(month) ?? 0;
  return { ...limits, capLeft: smallest.queries - used - held, capSetBy: smallest.cap.set_by };
}

/** How many queries are held for single lookups. */
function heldAtOnce({ freeLeft, capLeft }: Limits): number {
  const few = (left: number) => Math.min(maxHeld.free, Math.floor(left / share));
  const many = (left: number) => Math.max(few(left), Math.min(maxHeld.cap, Math.floor(left / shareOfMany)));
  return Math.max(1, Math.min(Number.isFinite(freeLeft) ? few(freeLeft) : maxHeld.cap, many(capLeft)));
}

/**
 * Requires a number of queries to be left of a customer's limits, until the transaction ends. @returns the time that they count for; null where nothing
 * limits them @throws CovermapError as {@link requireLeft}
 */
export async function requireQueries(connection: Connection, customerId: number, queries: number, at: Date) {
  const limits = await lockedLimits(connection, customerId, at);
  requireLeft(limits, queries);
  return Number.isFinite(Math.min(limits.freeLeft, limits.capLeft)) ? at : null;
}

/** @param queries of a list; undefined: a lookup @throws CovermapError `free_queries_used_up`, {@link CapReached} */
function requireLeft({ freeLeft, capLeft, capSetBy, month, at }: Limits, queries?: number): void {
  const needed = queries ?? 1;
  const count = (value: number) => Math.max(0, value).toLocaleString('en-NZ');
  if (needed > freeLeft) {
    throw new CovermapError(
      'free_queries_used_up',
      freeLeft <= 0
        ? freeQueriesUsedUp
        : `There are ${count(needed)} coordinates, and this account has no plan and ${count(freeLeft)} free queries left. Send fewer, or ask your service administrator for a plan.`,
    );
  }
  if (needed <= capLeft) return;
  const name = monthName(month);
  const why =
    capLeft <= 0
      ? `This account has reached its cap of ${name}.`
      : `There are ${count(needed)} coordinates, and the cap of this account leaves ${count(capLeft)} queries in ${name}. Send fewer, or wait.`;
  const whoRaises =
    capSetBy === 'staff' ? 'your service administrator raises it' : 'it is raised on the account page';
  const next = addMonths(month, 1);
  throw new CapReached(
    `${why} Lookups are answered again from 1 ${monthName(next)}, or as soon as ${whoRaises}.`,
    Math.ceil((startOfMonth(next).getTime() - at.getTime()) / 1000),
  );
}

/** The error without a plan, once the free queries are used up. */
const freeQueriesUsedUp =
  'The free queries of this account are used up, and it has no plan. Ask your service administrator for a plan: lookups go on as soon as it begins.';

/** The error of a customer that has reached its cap. */
export class CapReached extends CovermapError {
  /** Until the month ends. */
  readonly retrySeconds: number;

  constructor(sentence: string, retrySeconds: number) {
    super('cap_reached', sentence);
    this.retrySeconds = retrySeconds;
  }
}
