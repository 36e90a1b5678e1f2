import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { type Cap, setCap } from '../../billing/caps.ts';
import { queryHoldsIn } from '../../billing/query-holds.ts';
import { applyBatches } from '../../billing/usage-batches.ts';
import {
  addPart,
  completeBulkJob,
  createBulkJob,
  failBulkJob,
  findBulkJob,
} from '../../coverage/lookup/bulk/jobs.ts';
import type { Connection, Database } from '../../platform/database/database.ts';
import { CovermapError } from '../../platform/errors.ts';
import { createLogger } from '../../platform/logger.ts';
import { dayOf, type Month, monthOf, startOfMonth } from '../../platform/nz-time.ts';
import { delegate, makeCustomer } from '../setup/billing.ts';
import { rounds, sampled } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';
import { textOf } from '../setup/statement.ts';

/*
 * No cap is passed by a single query, whatever happens: random runs of three processes that answer lookups, lists and files of one customer, are killed,
 * lose the database, and hear of other caps late, around the end of a month. The oracle knows what clients got, and calculates the cap by itself.
 */

const hourMs = 3_600_000;
const { database } = await useDatabase();
// A plan of a size that runs use up.
await database.query(
  `insert into plan (name, label, position, bundled_queries, price_cents) values ('tiny', 'Tiny', 90, 40, 30)`,
);

type Step =
  | { do: 'lookups'; by: number; count: number; uncounted: number; left: boolean }
  | { do: 'list'; by: number; count: number; until: number }
  | { do: 'file'; by: number; count: number }
  | { do: 'file ends'; fails: boolean }
  | {
      do: 'cap';
      by: Cap['set_by'];
      terms: { queries: number | null; budget_cents: number | null } | undefined;
    }
  | { do: 'hears' | 'stores' | 'returns' | 'kill' | 'lost' | 'lost within' | 'back'; by: number }
  | { do: 'clock'; hours: number }
  | { do: 'plan' | 'end of the killed' };

const by = fc.integer({ min: 0, max: 2 });
const amount = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1_500 }));
const terms = fc.oneof(
  amount.map((queries) => ({ queries, budget_cents: null })),
  amount.map((budget_cents) => ({ queries: null, budget_cents })),
);
const count = fc.integer({ min: 1, max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('lookups' as const),
      by,
      count,
      uncounted: fc.nat(5),
      left: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const), by, count, until: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('file' as const), by, count }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('file ends' as const), fails: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('cap' as const), by: fc.constantFrom('customer' as const, 'staff' as const) },
      terms: fc.option(terms, { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['hears', 'stores', 'returns', 'kill', 'lost', 'lost within', 'back'] as const),
      ),
      by,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('clock' as const), hours: fc.integer({ min: -3, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('plan' as const, 'end of the killed' as const) }) },
);
const run = fc.record({
  // Months that end in winter and in summer time, and those in which the time changes.
  month: fc.constantFrom('2031-03', '2031-04', '2031-05', '2031-09', '2031-10', '2031-12'),
  hours: fc.integer({ min: -30, max: 2 }),
  free: fc.constantFrom(0, 0, 30, 200),
  first: terms,
  steps: fc.array(step, { minLength: 4, maxLength: 22 }),
});
type Run = (typeof run)['generate'] extends (...args: never[]) => { value: infer R } ? R : never;

let names = 0;
/** Of all runs. */
const figures = { answered: 0, refused: 0, killed: 0, lost: 0, passed: 0 };

/** A process of the API: its holds, the counts that it has yet to store, and its way to the database. */
function processOn(customerId: number, keyId: number) {
  const state = { lost: 'no' as 'no' | 'yes' | 'within', dead: false };
  const process = randomUUID();
  const held: number[] = [];
  let [pending, sequence]: [{ hour: number; queries: number }[], number] = [[], 0];
  const away = () => {
    if (state.lost === 'yes') throw new Error('the database is away');
  };
  const db: Database = delegate(database, {
    query: async (statement: never, values: never) => {
      away();
      const result = await database.query(statement, values);
      if (state.lost === 'within') throw new Error('the answer of the database is lost');
      return result as never;
    },
    transaction: async (work) => {
      away();
      const result = await database.transaction((connection) =>
        work({
          ...connection,
          copyFrom: connection.copyFrom.bind(connection),
          query: async (statement: never, values: never) => {
            const done = await connection.query<{ id: number }>(statement, values);
            if (textOf(statement).includes('insert into query_hold'))
              held.push(...done.rows.map(({ id }) => id));
            return done as never;
          },
        } as Connection),
      );
      // The transaction is done, and the process does not know.
      if (state.lost === 'within') throw new Error('the answer of the database is lost');
      return result;
    },
  });
  const flush = async () => {
    away();
    if (pending.length === 0) return;
    const counts = pending.map((one) => ({ keyId, ...one }));
    await applyBatches(database, process, [{ sequence: ++sequence, counts }]);
    pending = [];
    if (state.lost === 'within') throw new Error('the answer of the database is lost');
  };
  return {
    ...{ state, held, flush, limits: '' },
    holds: queryHoldsIn(db, flush, createLogger('silent')),
    count: (at: number, queries: number) => pending.push({ hour: at - (at % hourMs), queries }),
    customerId,
  };
}

async function play({ month, hours, free, first, steps }: Run): Promise<void> {
  const customer = await makeCustomer(database, `Run ${++names}`);
  await database.query('update customer set free_queries = $2, overage_allowed = true where id = $1', [
    customer.id,
    free,
  ]);
  const key = { id: customer.keyId, customerId: customer.id };
  const boundary = startOfMonth(month).getTime();
  let at = boundary + hours * hourMs;
  let revision = 0;
  const answered = new Map<Month, number>();
  const plans: string[] = [];
  const caps = new Map<Cap['set_by'], { queries: number | null; budget_cents: number | null }>();
  const killed: number[] = [];
  const later: (() => void)[] = [];
  const files: { id: string; at: number; count: number }[] = [];
  const processes = [0, 1, 2].map(() => processOn(customer.id, customer.keyId));
  /** What was answered and held already when the caps were last changed, by month: that much may be answered past them. */
  const earlier = new Map<Month, number>();
  const monthsAround = () => [
    ...new Set([...answered.keys(), monthOf(new Date(at)), month, monthOf(new Date(boundary - 1))]),
  ];
  const allowed = (of: Month) => {
    const before = [...answered].reduce((sum, [one, count]) => (one < of ? sum + count : sum), 0);
    const ofPlan = plans.filter((begins) => begins <= `${of}-31`);
    let least = Number.POSITIVE_INFINITY;
    for (const { queries, budget_cents } of caps.values()) {
      // The plan begins with its month in these runs, so it is whole.
      const [fee, bundle] = ofPlan.length > 0 ? [30, 40] : [0, 0];
      const paid =
        queries ?? Math.max(0, free - before) + bundle + Math.max(0, (budget_cents as number) - fee);
      least = Math.min(least, paid);
    }
    return least;
  };
  const check = () => {
    for (const [of, count] of answered) {
      const bound = Math.max(allowed(of), earlier.get(of) ?? 0);
      if (count > bound) figures.passed += count - bound;
      expect(count, `${of} of ${customer.name}, by ${JSON.stringify([...caps])}`).toBeLessThanOrEqual(bound);
    }
  };
  const noteEarlier = async () => {
    for (const of of monthsAround()) {
      const { rows } = await database.query<{ held: number }>('select held_queries($1, $2::date) as held', [
        customer.id,
        `${of}-01`,
      ]);
      earlier.set(of, (answered.get(of) ?? 0) + (rows[0]?.held ?? 0));
    }
  };
  const answer = (time: number, queries: number) => {
    const of = monthOf(new Date(time));
    answered.set(of, (answered.get(of) ?? 0) + queries);
    figures.answered += queries;
  };
  const change = async (
    side: Cap['set_by'],
    to: (typeof caps extends Map<unknown, infer T> ? T : never) | undefined,
  ) => {
    await setCap(database, customer.id, side, to && { ...to, only_warns: false }, commandActor);
    await database.query('update cap set settled_at = clock_timestamp() where customer_id = $1', [
      customer.id,
    ]);
    if (to) caps.set(side, to);
    else caps.delete(side);
    revision++;
    await noteEarlier();
  };
  await change('customer', first);
  for (const one of processes) one.limits = String(revision);
  earlier.clear();

  for (const one of steps) {
    const process = 'by' in one && typeof one.by === 'number' ? processes[one.by] : undefined;
    if (one.do === 'lookups' && process) {
      const time = at;
      const taken = await Promise.allSettled(
        Array.from({ length: one.count }, () =>
          process.holds.take({ customerId: customer.id, limits: process.limits }, time),
        ),
      );
      for (const [index, result] of taken.entries()) {
        if (result.status === 'rejected') continue;
        if (result.value instanceof CovermapError) {
          figures.refused++;
          continue;
        }
        const hold = result.value;
        const isCounted = index >= one.uncounted;
        const end = () => {
          if (process.state.dead) return;
          if (isCounted) {
            answer(time, 1);
            process.count(time, 1);
          }
          process.holds.end(hold, isCounted);
        };
        if (one.left && index % 3 === 0) later.push(end);
        else end();
      }
    } else if (one.do === 'list' && process) {
      const hold = await process.holds.holdList(customer.id, one.count, at).catch(() => undefined);
      if (!hold) continue;
      for (let from = 0; from < Math.min(one.count, one.until); from += 7) {
        const part = Math.min(7, one.count - from);
        if (
          !(await process.holds.begin(hold, part).then(
            () => true,
            () => false,
          ))
        )
          break;
        answer(at, part);
        process.count(at, part);
      }
      await process.holds.endList(hold).catch(() => undefined);
    } else if (one.do === 'file' && process) {
      await process.holds.settle(customer.id).catch(() => undefined);
      const file = { key: randomUUID(), size: 1, sha256: Buffer.alloc(32) };
      const described = { file, entries: one.count, namesAddresses: false, quoteOnly: false };
      const made = createBulkJob(
        database,
        key,
        { ...described, input: 'csv', output: 'csv' } as never,
        1e9,
        new Date(at),
      );
      const id = await made.catch(() => undefined);
      if (id) files.push({ id, at, count: one.count });
    } else if (one.do === 'file ends') {
      const file = files.shift();
      if (!file) continue;
      if (one.fails) await failBulkJob(database, file.id, { code: 'x', message: 'x' });
      else {
        const part = { number: 1, storage_key: 'x', size_bytes: 1, read_bytes: 1 };
        await addPart(database, file.id, { ...part, coordinates: file.count, good: file.count });
        const job = await findBulkJob(database, file.id);
        // Without any cap when it was accepted, it is not held, and counts for when it was answered: not of these months.
        if (job?.held_at) answer(file.at, file.count);
        await completeBulkJob(database, job as NonNullable<typeof job>);
      }
    } else if (one.do === 'cap') await change(one.by, one.terms);
    else if (one.do === 'hears' && process) process.limits = String(revision);
    else if (one.do === 'stores' && process) await process.flush().catch(() => undefined);
    else if (one.do === 'returns' && process) {
      for (const end of later.splice(0)) end();
      await process.holds.settle(customer.id).catch(() => undefined);
    } else if (one.do === 'kill' && process) {
      process.state.dead = true;
      process.holds.abandon();
      killed.push(...process.held);
      figures.killed++;
      processes[processes.indexOf(process)] = Object.assign(processOn(customer.id, customer.keyId), {
        limits: String(revision),
      });
    } else if (process && (one.do === 'lost' || one.do === 'lost within')) {
      process.state.lost = one.do === 'lost' ? 'yes' : 'within';
      figures.lost++;
    } else if (one.do === 'back' && process) process.state.lost = 'no';
    else if (one.do === 'clock') {
      const to = at + one.hours * hourMs;
      // Queries of an earlier month use up the free ones that a later month had: a budget cannot hold over a clock that goes back.
      if (free === 0 || monthOf(new Date(to)) >= monthOf(new Date(at))) at = to;
    } else if (one.do === 'end of the killed') {
      await database.query(
        `update query_hold set until = clock_timestamp() - interval '1 second' where id = any ($1::bigint[])`,
        [killed],
      );
    } else if (
      one.do === 'plan' &&
      plans.length === 0 &&
      dayOf(new Date(at)) >= `${monthOf(new Date(at))}-01`
    ) {
      const begins = `${monthOf(new Date(at))}-01`;
      await database.query(
        `insert into customer_plan (customer_id, plan, begins) values ($1, 'tiny', $2::date)`,
        [customer.id, begins],
      );
      plans.push(begins);
      await noteEarlier();
    }
    check();
  }
  for (const end of later.splice(0)) end();
  check();
  for (const process of processes) {
    process.state.lost = 'no';
    await process.holds.close();
  }
}

test('over random runs of three processes, with kills and a lost database, no query past a cap is answered', async () => {
  const runs = rounds(sampled(60, 400), 10_000);
  const all = fc.sample(run, { numRuns: runs, seed: Number(process.env.SEED ?? 45) });
  let next = 0;
  const player = async () => {
    for (let one = all[next++]; one; one = all[next++]) await play(one);
  };
  await Promise.all(Array.from({ length: database.kind === 'server' ? 6 : 1 }, player));
  console.log(`${runs} runs: ${JSON.stringify(figures)}`);
  expect(figures.passed).toBe(0);
  expect(figures.refused).toBeGreaterThan(0);
});
