import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { commandActor } from '../../../access/actor.ts';
import { createKey } from '../../../access/api-keys.ts';
import { createToken } from '../../../access/tokens.ts';
import { findImport, recordImport } from '../../../addresses/imports.ts';
import { Attempts, endWork, type Step, steps } from '../../../coverage/attempts.ts';
import { findExport } from '../../../coverage/exports/exports.ts';
import { openWorkQueue } from '../../../coverage/jobs/queue.ts';
import { waitingRows } from '../../../coverage/jobs/waiting.ts';
import { createBulkJob, findBulkJob, removeBulkJob } from '../../../coverage/lookup/bulk/jobs.ts';
import { operatorOf } from '../../../coverage/providers/providers.ts';
import type { ManifestInput } from '../../../coverage/submissions/manifest.ts';
import { beginModelling } from '../../../coverage/submissions/modelling.ts';
import { findSubmission, withdrawSubmission } from '../../../coverage/submissions/submissions.ts';
import { beginUpload, findUpload } from '../../../coverage/submissions/uploads.ts';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { JobProcessor } from '../../../platform/queue.ts';
import { collectFiles } from '../../../platform/storage/collect.ts';
import { openStorage } from '../../../platform/storage/open.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { bulkLookup } from '../../../workers/bulk-lookup.ts';
import { openCancelledWork } from '../../../workers/cancelled-work.ts';
import type { WorkerContext } from '../../../workers/context.ts';
import { drawVersion } from '../../../workers/draw.ts';
import { exportCoverage } from '../../../workers/export-coverage.ts';
import { importAddresses } from '../../../workers/import-addresses.ts';
import { inspectUpload } from '../../../workers/inspect.ts';
import { loadCoverage } from '../../../workers/load.ts';
import { predictCoverage } from '../../../workers/predict.ts';
import { finishRollback } from '../../../workers/rollback.ts';
import { jobsOf, type StepWork, TurnOver } from '../../../workers/step.ts';
import { sweepOf } from '../../../workers/sweep.ts';
import { startWorkers } from '../../../workers/worker.ts';
import { gate } from '../../setup/gate.ts';
import { submitFile, useDatabase } from '../../setup/service.ts';
import { textOf } from '../../setup/statement.ts';
import { submitTowers } from '../../setup/submit-towers.ts';
import { type TestTower, writeTerrain } from '../../setup/terrain.ts';

/* Work ends, providers take turns, and a failure does not stop other work. */

/** Lines that were logged as errors. */
const errors: { step?: string; id?: unknown }[] = [];

const { place, database } = await useDatabase();
const storage = await openStorage(place.config);
const queue = openWorkQueue(place.config, database);
const cancelled = await openCancelledWork(database);
const logger = {
  ...createLogger('silent'),
  info() {},
  warn() {},
  debug() {},
  error: (about: object) => errors.push(about),
} as never;
const context = { config: place.config, database, storage, queue, logger };
beforeEach(async () => {
  await finishAll();
  errors.length = 0;
});
afterAll(async () => {
  await cancelled?.close();
  await queue?.close();
});

/** The storage, but for these functions. */
const storageWith = (changes: Partial<Storage>): Storage => Object.assign(Object.create(storage), changes);

/** A submission that waits for a worker. */
const received = async (provider: string, manifest: Partial<ManifestInput> = {}): Promise<string> =>
  submitFile(place, database, provider, await zippedRectangle(174.7, -36.95, 174.75, -36.9), manifest);
async function receivedMany(count: number, provider: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await received(provider));
  return ids;
}
const stateOf = async (id: string) => (await findSubmission(database, id))?.state;

/** A worker in a process of its own, with all its slots. What it sends is not done. */
function workerOf(work: StepWork, stopping = new AbortController().signal): JobProcessor {
  const { logger } = context;
  const queue = { send: async () => undefined };
  return jobsOf({ database, queue, logger, attempts: new Attempts(database), cancelled, stopping }, work);
}

/** Runs the job of a row as BullMQ does, by default on a new worker. @returns the outcome */
async function runJob(
  work: StepWork | JobProcessor,
  id: string,
  stopping?: AbortSignal,
): Promise<'done' | 'delayed' | 'waiting'> {
  const { again } = await (typeof work === 'function' ? work : workerOf(work, stopping))({ id });
  if (again === 'at once') return 'waiting';
  return again ? 'delayed' : 'done';
}
/** Does all that waits to be loaded. */
async function finishAll(): Promise<void> {
  for (const { id } of await waitingRows(database, 'load')) expect(await runJob(noted(), id)).toBe('done');
}
/** Leaves the traces of a process that was killed by some work. */
async function killedAt(kind: Step, id: string): Promise<void> {
  const begun = gate();
  const never = new Attempts(database).run(kind, id, () => {
    begun.open();
    return new Promise(() => {});
  });
  never.catch(() => undefined);
  await begun.opened;
}
const workOf = async (kind: string, id: string) => {
  const marks =
    'select cardinality(processes) as marks, failures, slow from work where kind = $1 and id = $2';
  return (await database.query(marks, [kind, id])).rows;
};
const sweep = (changes: Partial<WorkerContext> = {}) =>
  sweepOf({ ...context, ...changes }, new AbortController().signal)();

async function uploaded(): Promise<string> {
  await createToken(database, operatorOf('Kauri Fibre'), 'Test', commandActor);
  const { rows } = await database.query<{ id: number }>('select max(id) as id from access_token');
  const { bytes, name } = await zippedRectangle(174.7, -36.95, 174.75, -36.9);
  const { key, size, sha256 } = await storage.store(name, Readable.from([bytes]));
  const id = crypto.randomUUID();
  const upload = { id, tokenId: rows[0]?.id as number, fileName: name, manifest: undefined, again: false };
  await beginUpload(database, place.config.providerQuotas, { ...upload, providerId: null, sizeBytes: size });
  await database.query('update upload set storage_key = $2, sha256 = $3 where id = $1', [id, key, sha256]);
  return id;
}
async function coordinates(customer: string): Promise<string> {
  await createKey(database, customer);
  const newest = 'select id, customer_id as "customerId" from api_key order by id desc limit 1';
  const { rows } = await database.query(newest);
  const stored = await storage.store('in.csv', Readable.from([Buffer.from('lat,lng\n-36.92,174.72\n')]));
  const taken = {
    file: stored,
    entries: 1,
    namesAddresses: false,
    input: 'csv',
    output: 'ndjson',
    quoteOnly: false,
  } as const;
  return createBulkJob(database, rows[0] as never, taken, 1e9, new Date());
}
async function addresses(): Promise<string> {
  const stored = await storage.store('list.csv', Readable.from([Buffer.from('no list of addresses')]));
  return recordImport(database, { file: { name: 'list.csv', ...stored }, options: {}, actor: commandActor });
}
/** A submission whose towers, at metres from the middle of the terrain, wait for a worker that models them. */
async function towers(...places: TestTower['at'][]): Promise<string> {
  const prediction = { range_km: 2, resolution_m: 100 };
  const sites = places.map((at) => ({ name: 'Tower', at }));
  const id = await submitTowers(database, place, `Towers ${crypto.randomUUID()}`, sites, { prediction });
  await database.query('update submission set towers_read_at = now() where id = $1', [id]);
  await beginModelling(database, id, prediction);
  return id;
}
const modellingOf = async (id: string) => {
  const text = `select state, reason, report -> 'sites_reused' as reused from modelling where submission_id = $1`;
  return (await database.query(text, [id])).rows[0];
};
/** Adds a superseded version, without areas, so that nothing takes long. @returns its id */
async function superseded(): Promise<number> {
  const id = await received(`Superseded ${crypto.randomUUID()}`);
  const { rows } = await database.query<{ id: number }>(
    `with done as (update submission set state = 'superseded', finished_at = now() where id = $1 returning id, provider_id)
     insert into dataset (submission_id, provider_id, technology_id, state, published_at, superseded_at, overview_at)
     select id, provider_id, 1, 'superseded', now(), now(), now() from done returning id`,
    [id],
  );
  return rows[0]?.id as number;
}
/** Does `work` in place of a load, and ends the submission. */
function noted(work: (id: string, signal: AbortSignal) => Promise<void> = async () => undefined): StepWork {
  return {
    ...loadCoverage(context),
    async work(id, signal) {
      await work(id, signal);
      await database.query(sql`
        update submission set state = 'withdrawn', finished_at = clock_timestamp() where id = ${id}`);
      return [];
    },
  };
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('what killed its process twice is not begun again, says so, and keeps nobody waiting', () => {
  interface Case {
    make(): Promise<string>;
    work: StepWork;
    outcome(id: string): Promise<unknown>;
    given: unknown;
  }
  const sentence = expect.objectContaining({
    code: 'attempts_exhausted',
    message: expect.stringContaining('crashed each time'),
  });
  const datasetState = async (id: string) => {
    const text = 'select state, overview_at is not null as drawn from dataset where id = $1';
    return (await database.query(text, [id])).rows[0];
  };
  /** A superseded version, as it was while something of it was still to be done. */
  const undone = (change: string) => async () => {
    const id = await superseded();
    await database.query(`update dataset set ${change} where id = $1`, [id]);
    return String(id);
  };
  const cases: Partial<Record<Step, Case>> = {
    load: {
      make: () => received('Of a deadly file'),
      work: loadCoverage(context),
      outcome: (id) => findSubmission(database, id),
      given: expect.objectContaining({ state: 'failed', error: sentence }),
    },
    inspect: {
      make: uploaded,
      work: inspectUpload(context),
      outcome: (id) => findUpload(database, id, { providerId: null }),
      given: expect.objectContaining({ inspection: null, error: sentence }),
    },
    'bulk-lookup': {
      make: () => coordinates('Of a deadly file'),
      work: bulkLookup(context),
      outcome: (id) => findBulkJob(database, id),
      given: expect.objectContaining({ state: 'failed', error: sentence }),
    },
    'import-addresses': {
      make: addresses,
      work: importAddresses(context),
      outcome: (id) => findImport(database, id),
      given: expect.objectContaining({ state: 'failed', error: sentence }),
    },
    'export-coverage': {
      make: async () => {
        const { rows } = await database.query<{ id: string }>(sql`
          insert into coverage_export (provider_id, format, by_staff, actor)
          select id, 'geojson', true, 'Test' from provider limit 1 returning id`);
        return rows[0]?.id as string;
      },
      work: exportCoverage(context),
      outcome: (id) => findExport(database, id),
      given: expect.objectContaining({ state: 'failed', error: sentence }),
    },
    predict: {
      make: () => towers([0, 0]),
      work: predictCoverage(context),
      outcome: modellingOf,
      given: { state: 'declined', reason: sentence, reused: null },
    },
    rollback: {
      make: undone(`state = 'restoring'`),
      work: finishRollback(context),
      outcome: datasetState,
      given: expect.objectContaining({ state: 'superseded' }),
    },
    draw: {
      make: undone('overview_at = null'),
      work: drawVersion(context),
      outcome: datasetState,
      given: expect.objectContaining({ drawn: false }),
    },
  };
  test.each(Object.entries(cases))('%s', async (step, { make, work, outcome, given }) => {
    const kind = step as Step;
    const [deadly, another] = [await make(), await make()];
    const run = async () => {
      for (const id of [deadly, another]) await runJob(work, id);
    };
    await killedAt(kind, deadly);
    await killedAt(kind, deadly);
    for (let i = 0; i < 2; i++) await run();
    expect(await outcome(deadly)).toEqual(given);
    expect(await outcome(another)).not.toEqual(given);
    expect(await outcome(another)).toEqual(expect.not.objectContaining({ state: 'received' }));
    // Nor is it begun later.
    await run();
    expect(await outcome(deadly)).toEqual(given);
    expect(await workOf(kind, another)).toEqual([]);
  });

  test('and what a process died after is not held to have killed it', async () => {
    const [done, waits] = await Promise.all([received('Done before a death'), received('Begun before one')]);
    await runJob(noted(), done);
    for (const id of [done, waits]) await killedAt('load', id);
    await sweep();
    expect(await workOf('load', done)).toEqual([]);
    expect(await workOf('load', waits)).toMatchObject([{ marks: 1 }]);
  });

  test('a rollback that failed is in the audit', async () => {
    const { rows } = await database.query(`
      select actor_name from audit_event where action = 'dataset_rollback_failed'`);
    expect(rows).toHaveLength(1);
  });
});

describe('counts as no death', () => {
  test('a start that is written twice by one process', async () => {
    const attempts = new Attempts(database, crypto.randomUUID());
    const id = crypto.randomUUID();
    const deep = (levels: number): Promise<void> =>
      attempts.run('load', id, () => (levels > 0 ? deep(levels - 1) : Promise.resolve()));
    await deep(5);
    await endWork(database, 'load', id);
  });
  test('SIGTERM: the work is handed back', async () => {
    const id = await received('Stopped');
    for (let i = 0; i < 3; i++) {
      const stop = new AbortController();
      const work = noted((_, signal) => {
        setTimeout(() => stop.abort(new Error('stopping')), 10);
        return untilAborted(signal);
      });
      expect(await runJob(work, id, stop.signal)).toBe('waiting');
      expect(await workOf('load', id)).toMatchObject([{ marks: 0, failures: 0 }]);
    }
    expect(await runJob(noted(), id)).toBe('done');
    expect(await stateOf(id)).toBe('withdrawn');
  });
  test('a storage that is out of reach, however often', async () => {
    const id = await coordinates('Patient');
    const unavailable = storageWith({ read: () => Promise.reject(new CovermapError('storage_unavailable')) });
    for (let i = 0; i < 12; i++) {
      expect(await runJob(bulkLookup({ ...context, storage: unavailable }), id)).toBe('delayed');
      await database.query('update work set retry_at = null where id = $1', [id]);
    }
    expect((await findBulkJob(database, id))?.state).toBe('running');
    expect(await runJob(bulkLookup(context), id)).toBe('done');
    expect((await findBulkJob(database, id))?.state).toBe('done');
  });
  test('a database that is lost when the work ends: the mark goes when it is back', async () => {
    let lost = true;
    const losing: Database = Object.create(database, {
      query: {
        value: (...call: Parameters<Database['query']>) =>
          lost && /array_remove\(processes/.test(textOf(call[0]))
            ? Promise.reject(new Error('lost'))
            : database.query(...call),
      },
    });
    const id = crypto.randomUUID();
    await new Attempts(losing).run('load', id, async () => undefined);
    expect(await workOf('load', id)).toMatchObject([{ marks: 1 }]);
    lost = false;
    await expect.poll(() => workOf('load', id)).toMatchObject([{ marks: 0 }]);
  });
});

test('a failure that may pass is tried again later, and after eight of them the work has failed', async () => {
  const id = await coordinates('Unlucky');
  const failing: StepWork = { ...bulkLookup(context), work: () => Promise.reject(new Error('bad luck')) };
  for (let i = 1; i < 8; i++) {
    expect(await runJob(failing, id)).toBe('delayed');
    // No worker takes it before the time of its next attempt.
    expect(await runJob(bulkLookup(context), id)).toBe('done');
    expect((await findBulkJob(database, id))?.state).toBe('queued');
    expect(await workOf('bulk-lookup', id)).toMatchObject([{ marks: 0, failures: i }]);
    await database.query('update work set retry_at = null where id = $1', [id]);
  }
  expect(await runJob(failing, id)).toBe('done');
  expect(await findBulkJob(database, id)).toMatchObject({
    state: 'failed',
    // The cause is in the log alone.
    error: { code: 'internal_error', message: 'The service failed to process this.' },
  });
});

describe('turns', () => {
  /** Sends what waits to be loaded, and has one worker do it. @returns the order in which it began */
  async function inOrder(
    ids: readonly string[],
    { turns = ids.length, each }: { turns?: number; each?: (id: string) => Promise<void> } = {},
  ) {
    for (const id of ids) await queue.send('load', id);
    const order: string[] = [];
    const end = gate();
    const work = noted(async (id) => {
      order.push(id);
      if (order.length === turns) end.open();
      await each?.(id);
    });
    const worker = queue.startWorker('load', workerOf(work), 1);
    await end.opened;
    await worker.close();
    return order;
  }

  test('one provider’s many files do not hold up another’s one', async () => {
    const many = await receivedMany(4, 'Many files');
    const one = await received('One file');
    const others = await received('Two files');
    const last = await received('Two files', { technology: 'cable' });
    const order = await inOrder([...many, one, others, last]);
    const owner = (id: string) => (many.includes(id) ? 'many' : id === one ? 'one' : 'two');
    expect(order.map(owner)).toEqual(['many', 'one', 'two', 'many', 'two', 'many', 'many']);
    expect(order.filter((id) => many.includes(id))).toEqual(many);
  });

  test('a provider that comes while many files of another wait has the next turn, also where the sweep sends all jobs', async () => {
    const many = await receivedMany(3, 'Many files');
    let one = '';
    const each = async (id: string) => {
      if (id !== many[0]) return;
      one = await received('Comes later');
      await queue.send('load');
    };
    const order = await inOrder(many, { turns: 4, each });
    expect(order).toEqual([many[0], one, many[1], many[2]]);
  });

  test('long work continues when others have had their turn', async () => {
    const [long, short] = [await received('Long'), await received('Short')];
    let begun = 0;
    const each = async (id: string) => {
      if (id === long && ++begun === 1) throw new TurnOver();
    };
    const order = await inOrder([long, short], { turns: 3, each });
    expect(order).toEqual([long, short, long]);
  });

  test('a long list of towers lets who waits have a turn, and goes on from the sites that are done', async () => {
    const terrainDir = path.join(place.config.dataDir, 'terrain');
    writeTerrain(terrainDir);
    const work = predictCoverage({ ...context, config: { ...place.config, terrainDir } }, 0);
    const [long, short] = [await towers([0, 1000], [0, -1000]), await towers([0, 1000])];
    expect(await runJob(work, long)).toBe('delayed');
    for (const id of [long, short])
      expect(await modellingOf(id)).toMatchObject({ state: 'waiting', reused: null });
    // Once no other modelling waits, it runs to its end.
    await database.query(`update modelling set state = 'cancelled' where submission_id = $1`, [short]);
    expect(await runJob(work, long)).toBe('done');
    expect(await modellingOf(long)).toMatchObject({ state: 'done', reused: 1 });
  });

  test('what two workers want is done by one, and the other looks again later', async () => {
    const id = await received('Both');
    const [begun, end] = [gate(), gate()];
    const work = noted(async () => {
      begun.open();
      await end.opened;
    });
    const first = runJob(work, id);
    await begun.opened;
    expect(await runJob(work, id)).toBe('delayed');
    end.open();
    expect(await first).toBe('done');
    expect(await runJob(work, id)).toBe('done');
  });

  test('a small file is published within seconds while another’s large one, with more behind it, is being read', async () => {
    const large = await receivedMany(2, 'Large files');
    const keys = await Promise.all(
      large.map(async (id) => (await findSubmission(database, id))?.storage_key),
    );
    const begun: string[] = [];
    const slow = storageWith({
      withLocalFile: (key, use, signal) => {
        if (!keys.includes(key)) return storage.withLocalFile(key, use, signal);
        begun.push(key);
        return untilAborted(signal as AbortSignal) as Promise<never>;
      },
    });
    for (const id of large) await queue.send('load', id);
    const workers = await startWorkers({ ...context, storage: slow }, { quickMs: 5_000 });
    try {
      while (begun.length === 0) await sleep(10);
      const small = await received('Small file');
      await queue.send('load', small);
      // The large files never end by themselves.
      while ((await stateOf(small)) !== 'published') await sleep(50);
    } finally {
      await workers.close();
    }
  });

  test('slow work beside other slow work is stopped, and waits behind everybody else’s', async () => {
    const [first, long] = [await received('Slow'), await received('Slow, too')];
    const begun: string[] = [];
    const end = gate();
    const work = noted(async (id, signal) => {
      begun.push(id);
      if (id === first) await end.opened;
      if (id === long && begun.filter((one) => one === long).length === 1) await untilAborted(signal);
    });
    // Long enough for what is quick, also on a busy machine.
    const quickMs = 1_000;
    const worker = workerOf({ ...work, quickMs });
    const job = runJob(worker, first);
    while (begun.length < 1) await sleep(10);
    await sleep(quickMs + 100);
    expect(await runJob(worker, long)).toBe('delayed');
    expect(await workOf('load', long)).toMatchObject([{ slow: true, marks: 0 }]);
    // Newcomers are served before it.
    const quick = await received('Quick');
    const order = await waitingRows(database, 'load');
    expect(order.map(({ id }) => id)).toEqual([first, quick, long]);
    expect(await runJob(worker, quick)).toBe('done');
    // It does not take the slot that is reserved for others.
    expect(await runJob(worker, long)).toBe('delayed');
    expect(begun).toEqual([first, long, quick]);
    end.open();
    expect(await job).toBe('done');
    expect(await runJob(worker, long)).toBe('done');
    expect(begun).toEqual([first, long, quick, long]);
  });

  test('work that has killed a process lets others go first, and never runs beside other such work: only one is to blame', async () => {
    const [deadly, beside] = [await received('Deadly'), await received('Beside')];
    const other = await received('Other');
    await killedAt('load', deadly);
    await killedAt('load', beside);
    const begun: string[] = [];
    const end = gate();
    const worker = workerOf(
      noted(async (id) => {
        begun.push(id);
        if (id === deadly) await end.opened;
      }),
    );
    expect(await runJob(worker, deadly)).toBe('delayed');
    expect(await runJob(worker, other)).toBe('done');
    const job = runJob(worker, deadly);
    while (begun.length < 2) await sleep(10);
    expect(await runJob(worker, beside)).toBe('delayed');
    end.open();
    expect(await job).toBe('done');
    expect(await runJob(worker, beside)).toBe('done');
    expect(begun).toEqual([other, deadly, beside]);
    // One death is forgotten once the work is done.
    expect([await workOf('load', deadly), await workOf('load', beside)]).toEqual([[], []]);
  });

  test('work that nobody wants any more ends at once: of a withdrawn submission, a removed file of coordinates, a described upload', async () => {
    const [job, upload] = [await coordinates('Removed'), await uploaded()];
    const [withdrawn, submission] = [await received('Withdrawn'), await received('Described')];
    const begun: string[] = [];
    const endless = (work: StepWork): StepWork => ({
      ...work,
      work: (id, signal) => {
        begun.push(id);
        return untilAborted(signal) as Promise<never>;
      },
    });
    const jobs = [
      runJob(endless(loadCoverage(context)), withdrawn),
      runJob(endless(bulkLookup(context)), job),
      runJob(endless(inspectUpload(context)), upload),
    ];
    while (begun.length < 3) await sleep(10);
    await withdrawSubmission(database, withdrawn, commandActor);
    await removeBulkJob(database, storage, job);
    await database.query('update upload set submission_id = $2 where id = $1', [upload, submission]);
    expect(await Promise.all(jobs)).toEqual(['done', 'done', 'done']);
    expect([await stateOf(withdrawn), await workOf('load', withdrawn)]).toEqual(['withdrawn', []]);
    const described = await findUpload(database, upload, { providerId: null });
    expect(described).toMatchObject({ inspection: null, error: null });
  });
});

test('a load that died after it had written rows begins again, and ends with the rows of an undisturbed one', async () => {
  const rowsOf = async (id: string) =>
    (
      await database.query(sql`
        select t.availability, t.bandwidth_max_mbps, st_astext(c.geom) as area from coverage c join tier t on t.id = c.tier_id
          join dataset d on d.id = t.dataset_id where d.submission_id = ${id} order by 1, 2, 3`)
    ).rows;
  const [undisturbed, killed] = [await received('Undisturbed'), await received('Killed')];
  await runJob(loadCoverage(context), undisturbed);
  const dying = storageWith({
    withLocalFile: async (...given) => {
      await storage.withLocalFile(...given);
      throw new Error('killed');
    },
  });
  expect(await runJob(loadCoverage({ ...context, storage: dying }), killed)).toBe('delayed');
  expect(await rowsOf(killed)).not.toEqual([]);
  await database.query('update work set retry_at = null where id = $1', [killed]);
  expect(await runJob(loadCoverage(context), killed)).toBe('done');
  expect(await rowsOf(killed)).toEqual(await rowsOf(undisturbed));
});

test('the sweep does every step and every thing of a step, whatever fails of the others', async () => {
  const expired = [await uploaded(), await uploaded()];
  const expire = (table: string, ids: string[]) =>
    database.query(`update ${table} set expires_at = now() - interval '1 hour' where id = any ($1)`, [ids]);
  await expire('upload', expired);
  const over = [await coordinates('Over'), await coordinates('Over')];
  for (const id of over) await runJob(bulkLookup(context), id);
  await expire('bulk_job', over);
  const { rows: kept } = await database.query<{ storage_key: string }>(sql`
    select storage_key from upload where id = ${expired[0]} union all select storage_key from bulk_job where id = ${over[0]}`);
  const sent: Step[] = [];
  // In each step, the first thing to do fails.
  const failing: Partial<WorkerContext> = {
    storage: storageWith({
      remove: (key) =>
        kept.some(({ storage_key }) => storage_key === key)
          ? Promise.reject(new Error('no storage'))
          : storage.remove(key),
      list: () => {
        throw new Error('no storage');
      },
    }),
    queue: {
      ...queue,
      send: async (step) => {
        if (step === 'inspect') throw new Error('no queue');
        sent.push(step);
      },
    },
  };
  await sweep(failing);
  expect(errors.map(({ step, id }) => [step, id])).toEqual([
    ['inspect: send', undefined],
    ['uploads: expire', expired[0]],
    ['bulk: expire', over[0]],
    ['storage: collect', undefined],
  ]);
  expect(sent).toEqual(steps.filter((step) => step !== 'inspect'));
  expect(await findUpload(database, expired[1] as string, { providerId: null })).toBeUndefined();
  expect(await findBulkJob(database, over[1] as string)).toBeUndefined();
  // The next sweep does the steps that failed.
  errors.length = 0;
  await sweep();
  expect(errors).toEqual([]);
  expect(await findBulkJob(database, over[0] as string)).toBeUndefined();
});

describe('stored files', () => {
  test('that no row names are collected after a day; others of the folder are not ours', async () => {
    const keyOf = async (table: string, id: string) =>
      (await database.query<{ key: string }>(`select storage_key as key from ${table} where id = $1`, [id]))
        .rows[0]?.key as string;
    const submission = await received('Kept');
    const folder = place.config.uploadDir;
    mkdirSync(path.join(folder, 'incoming'), { recursive: true });
    const write = (name: string, hours: number) => {
      const file = path.join(folder, name);
      if (!existsSync(file)) writeFileSync(file, 'x');
      const then = new Date(Date.now() - hours * 3_600_000);
      utimesSync(file, then, then);
      return name;
    };
    const id = () => crypto.randomUUID();
    const upload = await uploaded();
    const receiving = await uploaded();
    await database.query('update upload set storage_key = null, sha256 = null where id = $1', [receiving]);
    const kept = [
      write(await keyOf('submission', submission), 100),
      write(await keyOf('upload', upload), 100),
      write(`incoming/${receiving}`, 100),
      write(`incoming/${receiving}.json`, 100),
      write(`${id()}.zip`, 23),
      write('notes.txt', 1000),
      write(`${id()}-backup.tar.gz`, 1000),
    ];
    const orphans = [write(`${id()}.zip`, 25), write(id(), 25)];
    // Deleted as the folder is listed; it is no file of the storage.
    const halfWritten = write(`${id()}.zip.part`, 25);
    const incoming = id();
    orphans.push(write(`incoming/${incoming}`, 25), write(`incoming/${incoming}.json`, 25));
    const collected = await collectFiles(database, storage);
    for (const name of orphans) expect(collected).toContain(path.basename(name));
    for (const name of kept) expect(collected).not.toContain(path.basename(name));
    const names = [
      ...readdirSync(folder),
      ...readdirSync(path.join(folder, 'incoming')).map((one) => `incoming/${one}`),
    ];
    expect([...kept, ...orphans, halfWritten].filter((name) => names.includes(name))).toEqual(kept);
    await runJob(inspectUpload(context), upload);
    const ofAnother = storageWith({
      list: async function* () {
        yield { key: id(), changedAt: new Date(0) };
      },
    });
    await expect(collectFiles(database, ofAnother)).rejects.toThrow('None of 1 stored files is of this');
  });
  test('are known by every table that names one', async () => {
    const { rows } = await database.query<{ table: string }>(`
      select table_name::text as table from information_schema.columns
      where column_name = 'storage_key' and table_name <> 'stored_file' and table_schema = 'public' order by 1`);
    const { rows: view } = await database.query<{ definition: string }>(`
      select pg_get_viewdef('stored_file'::regclass) as definition`);
    for (const { table } of rows) expect(view[0]?.definition).toMatch(new RegExp(`FROM ${table}\\b`));
    expect(rows.map(({ table }) => table)).toContain('prediction');
  });
});
