import { createReadStream, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, WaitingError } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandActor } from '../../core/access/actor.ts';
import { createKey } from '../../core/access/api-keys.ts';
import { createToken } from '../../core/access/tokens.ts';
import { createBulkJob, findBulkJob, removeBulkJob } from '../../core/coverage/lookup/bulk/jobs.ts';
import { type ManifestInput, parseManifest } from '../../core/coverage/submissions/manifest.ts';
import { beginModelling } from '../../core/coverage/submissions/modelling.ts';
import {
  findSubmission,
  waitingSubmissions,
  withdrawSubmission,
} from '../../core/coverage/submissions/submissions.ts';
import { submitLocalFile } from '../../core/coverage/submissions/submit.ts';
import { beginUpload, findUpload } from '../../core/coverage/submissions/uploads.ts';
import type { Database } from '../../core/database/database.ts';
import { CovermapError } from '../../core/errors.ts';
import { createLogger } from '../../core/logger.ts';
import { type JobKind, type JobProcessor, type JobQueue, openQueue } from '../../core/queue.ts';
import { collectFiles } from '../../core/storage/collect.ts';
import { openStorage } from '../../core/storage/open.ts';
import type { Storage } from '../../core/storage/storage.ts';
import { inTurn } from '../../core/turns.ts';
import { Attempts, endWork } from '../../core/work.ts';
import { bulkLookup } from '../../workers/bulk-lookup.ts';
import { type CancelledWork, openCancelledWork } from '../../workers/cancelled-work.ts';
import { compareCoverage } from '../../workers/compare-coverage.ts';
import type { WorkerContext } from '../../workers/context.ts';
import { ingestCoverage } from '../../workers/ingest-coverage.ts';
import { inspectUpload } from '../../workers/inspect-upload.ts';
import { predictCoverage } from '../../workers/predict-coverage.ts';
import { sweepOf } from '../../workers/sweep.ts';
import { TurnOver, type TurnWork, takeTurns } from '../../workers/take-turns.ts';
import { startWorkers } from '../../workers/worker.ts';
import { defaultManifest, makePlace, type Place, providerNamed } from '../setup/service.ts';
import { zippedRectangle } from '../setup/shapes.ts';
import { textOf } from '../setup/statement.ts';

/* Work has an end, comes to everybody in turn, and what fails keeps nothing else from being done. */

let place: Place;
let database: Database;
let storage: Storage;
let queue: JobQueue;
let cancelled: CancelledWork;
let context: WorkerContext;
/** What was logged as an error. */
const errors: { step?: string; id?: unknown }[] = [];

beforeAll(async () => {
  place = await makePlace();
  database = await place.open();
  storage = await openStorage(place.config);
  queue = openQueue(place.config, database);
  cancelled = await openCancelledWork(database);
  const logger = {
    ...createLogger('silent'),
    info() {},
    warn() {},
    debug() {},
    error: (about: object) => errors.push(about),
  } as never;
  context = { config: place.config, database, storage, queue, logger };
});
beforeEach(async () => {
  await finishAll();
  errors.length = 0;
});
afterAll(async () => {
  await cancelled?.close();
  await queue?.close();
  await database?.close();
  await place?.remove();
});

/** A submission that waits for a worker. */
async function received(provider: string, manifest: Partial<ManifestInput> = {}): Promise<string> {
  const { bytes } = await zippedRectangle(174.7, -36.95, 174.75, -36.9);
  const file = path.join(place.config.dataDir, 'in.zip');
  writeFileSync(file, bytes);
  const described = parseManifest({ ...defaultManifest, provider: providerNamed(provider), ...manifest });
  return (await submitLocalFile(database, storage, { path: file, name: 'in.zip' }, described)).id;
}
const stateOf = async (id: string) => (await findSubmission(database, id))?.state;

/** A worker in a process of its own, with all its slots. */
function workerOf(
  work: TurnWork,
  { attempts = new Attempts(database), stopping = new AbortController().signal } = {},
): JobProcessor {
  const { logger, queue } = context;
  return takeTurns({ database, queue, logger, attempts, cancelled, stopping }, work);
}

/** A job as BullMQ gives it to a worker, by default one of its own; what it says in the end. */
async function runJob(
  work: TurnWork | JobProcessor,
  { sentFor = '', ...given }: Parameters<typeof workerOf>[1] & { sentFor?: string } = {},
): Promise<'done' | 'delayed' | 'waiting'> {
  const job = {
    data: { id: sentFor },
    moveToDelayed: async () => undefined,
    moveToWait: async () => undefined,
  };
  const process = typeof work === 'function' ? work : workerOf(work, given);
  try {
    await process(job as never, 'token');
    return 'done';
  } catch (error) {
    if (error instanceof DelayedError) return 'delayed';
    if (error instanceof WaitingError) return 'waiting';
    throw error;
  }
}
/** Does all that waits. */
async function finishAll(): Promise<void> {
  while ((await inTurn(database, 'ingest', waitingSubmissions)).length > 0) {
    expect(await runJob(noted())).toBe('done');
  }
}
/** Of a process that began some work and was killed by it. */
async function killedAt(kind: JobKind | 'rollback' | 'overview', id: string): Promise<void> {
  const begun = new Promise<void>((resolve) => {
    const never = new Attempts(database).run(kind, id, () => {
      resolve();
      return new Promise(() => {});
    });
    never.catch(() => undefined);
  });
  await begun;
}
const workOf = async (kind: string, id: string) =>
  (
    await database.query(
      'select cardinality(processes) as marks, failures from work where kind = $1 and id = $2',
      [kind, id],
    )
  ).rows;
const sweep = (changes: Partial<WorkerContext> = {}, turns: TurnWork[] = []) =>
  sweepOf({ ...context, ...changes }, new Attempts(database), turns, new AbortController().signal)();

async function uploaded(): Promise<string> {
  const token = await createToken(
    database,
    { role: 'operator', provider: 'Kauri Fibre' },
    'Test',
    commandActor,
  );
  const { rows } = await database.query<{ id: number }>(
    'select id from access_token where token_sha256 = sha256($1)',
    [Buffer.from(token)],
  );
  const { bytes, name } = await zippedRectangle(174.7, -36.95, 174.75, -36.9);
  const file = path.join(place.config.dataDir, 'upload.zip');
  writeFileSync(file, bytes);
  const stored = await storage.store(name, createReadStream(file));
  const id = crypto.randomUUID();
  const upload = { id, tokenId: rows[0]?.id as number, fileName: name, manifest: undefined, again: false };
  await beginUpload(database, place.config.providerQuotas, {
    ...upload,
    providerId: null,
    sizeBytes: stored.size,
  });
  await database.query('update upload set storage_key = $2, sha256 = $3 where id = $1', [
    id,
    stored.key,
    stored.sha256,
  ]);
  return id;
}
async function coordinates(customer: string): Promise<string> {
  const key = await createKey(database, customer);
  const { rows } = await database.query<{ id: number; customerId: number }>(
    'select id, customer_id as "customerId" from api_key where key_sha256 = sha256($1)',
    [Buffer.from(key)],
  );
  const file = path.join(place.config.dataDir, 'in.csv');
  writeFileSync(file, 'lat,lng\n-36.92,174.72\n');
  const stored = await storage.store('in.csv', createReadStream(file));
  const taken = { file: stored, entries: 1, input: 'csv', output: 'ndjson', quoteOnly: false } as const;
  return createBulkJob(database, rows[0] as never, taken, 1e9, new Date());
}
/** A submission whose towers wait for a worker that models them. */
async function towers(): Promise<string> {
  const id = await received(`Towers ${crypto.randomUUID()}`);
  await database.query(
    `update submission set kind = 'towers', processed_by = 'service', towers_read_at = now() where id = $1`,
    [id],
  );
  await beginModelling(database, id, {});
  return id;
}
/** A version that was published, and is superseded; without areas, so that nothing takes long. Its id. */
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
/** Work that is only noted, and done. */
function noted(work: (id: string, signal: AbortSignal) => Promise<void> = async () => undefined): TurnWork {
  return {
    ...ingestCoverage(context),
    async work(id, signal) {
      await work(id, signal);
      await database.query(
        `update submission set state = 'withdrawn', finished_at = clock_timestamp() where id = $1`,
        [id],
      );
    },
  };
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('what killed its process twice is not begun again, says so, and keeps nobody waiting', () => {
  interface Case {
    make(): Promise<string>;
    /** Has whoever does such work look for it. */
    run(): Promise<unknown>;
    /** What became of it. */
    outcome(id: string): Promise<unknown>;
    given: unknown;
  }
  const sentence = expect.objectContaining({
    code: 'attempts_exhausted',
    message: expect.stringContaining('crashed each time'),
  });
  const datasetState = async (id: string) =>
    (await database.query('select state, overview_at is not null as drawn from dataset where id = $1', [id]))
      .rows[0];
  const cases: Record<'ingest' | 'inspect' | 'bulk' | 'rollback' | 'overview' | 'predict', Case> = {
    ingest: {
      make: () => received('Of a deadly file'),
      run: () => runJob(ingestCoverage(context)),
      outcome: (id) => findSubmission(database, id),
      given: expect.objectContaining({ state: 'failed', error: sentence }),
    },
    inspect: {
      make: uploaded,
      run: () => runJob(inspectUpload(context)),
      outcome: (id) => findUpload(database, id, { providerId: null }),
      given: expect.objectContaining({ inspection: null, error: sentence }),
    },
    bulk: {
      make: () => coordinates('Of a deadly file'),
      run: () => runJob(bulkLookup(context)),
      outcome: (id) => findBulkJob(database, id),
      given: expect.objectContaining({ state: 'failed', error: sentence }),
    },
    predict: {
      make: towers,
      run: () => runJob(predictCoverage(context)),
      outcome: async (id) =>
        (await database.query('select state, reason from modelling where submission_id = $1', [id])).rows[0],
      given: { state: 'declined', reason: sentence },
    },
    rollback: {
      make: async () => {
        const id = await superseded();
        await database.query(`update dataset set state = 'restoring' where id = $1`, [id]);
        return String(id);
      },
      run: () => sweep(),
      outcome: datasetState,
      given: expect.objectContaining({ state: 'superseded' }),
    },
    overview: {
      make: async () => {
        const id = await superseded();
        await database.query('update dataset set overview_at = null where id = $1', [id]);
        return String(id);
      },
      run: () => sweep(),
      outcome: datasetState,
      given: expect.objectContaining({ drawn: false }),
    },
  };
  test.each(Object.entries(cases))('%s', async (kind, { make, run, outcome, given }) => {
    const [deadly, another] = [await make(), await make()];
    await killedAt(kind as JobKind, deadly);
    await killedAt(kind as JobKind, deadly);
    for (let i = 0; i < 2; i++) await run();
    expect(await outcome(deadly)).toEqual(given);
    expect(await outcome(another)).not.toEqual(given);
    expect(await outcome(another)).toEqual(expect.not.objectContaining({ state: 'received' }));
    // Nor is it begun later.
    await run();
    expect(await outcome(deadly)).toEqual(given);
    expect(await workOf(kind, another)).toEqual([]);
  });

  test('a rollback that failed is in the audit', async () => {
    const { rows } = await database.query(
      `select actor_name from audit_event where action = 'dataset_rollback_failed'`,
    );
    expect(rows).toHaveLength(1);
  });
});

describe('counts as no death', () => {
  test('one process that was killed: the next one does the work, and all is forgotten', async () => {
    const id = await received('Once');
    await killedAt('ingest', id);
    expect(await runJob(noted())).toBe('done');
    expect([await stateOf(id), await workOf('ingest', id)]).toEqual(['withdrawn', []]);
  });
  test('a start that is written twice by one process', async () => {
    const attempts = new Attempts(database, crypto.randomUUID());
    const id = crypto.randomUUID();
    const deep = (levels: number): Promise<void> =>
      attempts.run('ingest', id, () => (levels > 0 ? deep(levels - 1) : Promise.resolve()));
    await deep(5);
    await endWork(database, 'ingest', id);
  });
  test('SIGTERM: the work is handed back', async () => {
    const id = await received('Stopped');
    for (let i = 0; i < 3; i++) {
      const stop = new AbortController();
      const work = noted((_, signal) => {
        setTimeout(() => stop.abort(new Error('stopping')), 10);
        return untilAborted(signal);
      });
      expect(await runJob(work, { stopping: stop.signal })).toBe('waiting');
      expect(await workOf('ingest', id)).toEqual([{ marks: 0, failures: 0 }]);
    }
    expect(await runJob(noted())).toBe('done');
    expect(await stateOf(id)).toBe('withdrawn');
  });
  test('a storage that is out of reach, however often', async () => {
    const id = await coordinates('Patient');
    const unavailable = Object.assign(Object.create(storage), {
      read: () => Promise.reject(new CovermapError('storage_unavailable')),
    });
    for (let i = 0; i < 12; i++) {
      expect(await runJob(bulkLookup({ ...context, storage: unavailable }))).toBe('delayed');
      await database.query('update work set retry_at = null where id = $1', [id]);
    }
    expect((await findBulkJob(database, id))?.state).toBe('running');
    expect(await runJob(bulkLookup(context))).toBe('done');
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
    await new Attempts(losing).run('ingest', id, async () => undefined);
    expect(await workOf('ingest', id)).toMatchObject([{ marks: 1 }]);
    lost = false;
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
      if ((await workOf('ingest', id)).some((row) => (row as { marks: number }).marks === 0)) break;
    }
    expect(await workOf('ingest', id)).toMatchObject([{ marks: 0 }]);
  });
});

test('a failure that may pass is tried again later, and after eight of them the work has failed', async () => {
  const id = await coordinates('Unlucky');
  const failing: TurnWork = { ...bulkLookup(context), work: () => Promise.reject(new Error('bad luck')) };
  for (let i = 1; i < 8; i++) {
    expect(await runJob(failing)).toBe('delayed');
    // Until its time has come nobody takes it up.
    expect(await runJob(bulkLookup(context))).toBe('done');
    expect([(await findBulkJob(database, id))?.state, await workOf('bulk', id)]).toEqual([
      'queued',
      [{ marks: 0, failures: i }],
    ]);
    await database.query('update work set retry_at = null where id = $1', [id]);
  }
  expect(await runJob(failing)).toBe('done');
  expect(await findBulkJob(database, id)).toMatchObject({
    state: 'failed',
    // Why it is so is for the log.
    error: { code: 'internal_error', message: 'The service failed to process this.' },
  });
});

describe('turns', () => {
  test('one provider’s many files do not hold up another’s one', async () => {
    const many = await Promise.all(Array.from({ length: 4 }, () => received('Many files')));
    const one = await received('One file');
    const others = await received('Two files');
    const last = await received('Two files', { technology: 'cable' });
    const order: string[] = [];
    const work = noted(async (id) => void order.push(id));
    // Each job stands for one of them, and none says which.
    for (const _ of [...many, one, others, last]) expect(await runJob(work)).toBe('done');
    const owner = (id: string) => (many.includes(id) ? 'many' : id === one ? 'one' : 'two');
    expect(order.map(owner)).toEqual(['many', 'one', 'two', 'many', 'two', 'many', 'many']);
    expect(await runJob(work)).toBe('done');
    expect(order).toHaveLength(7);
  });

  test('a job is not over before that which it was sent for has had its turn', async () => {
    await received('First');
    const second = await received('Second');
    expect(await runJob(noted(), { sentFor: second })).toBe('delayed');
    expect(await runJob(noted(), { sentFor: second })).toBe('done');
    expect(await stateOf(second)).toBe('withdrawn');
  });

  test('long work continues when others have had their turn', async () => {
    const [long, short] = [await received('Long'), await received('Short')];
    const begun: string[] = [];
    const work = noted(async (id) => {
      begun.push(id);
      if (id === long && begun.length < 3) throw new TurnOver();
    });
    expect([await runJob(work), await runJob(work), await runJob(work)]).toEqual(['delayed', 'done', 'done']);
    expect(begun).toEqual([long, short, long]);
  });

  test('two workers at once serve two providers, and what both want is done by one', async () => {
    const [first, second] = [await received('Side A'), await received('Side A')];
    const other = await received('Side B');
    const begun: string[] = [];
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const work = noted(async (id) => {
      begun.push(id);
      await gate;
    });
    const jobs = [runJob(work), runJob(work)];
    while (begun.length < 2) await sleep(10);
    expect(begun.sort()).toEqual([first, other].sort());
    // A third finds the next one, and a fourth nothing but what others hold.
    jobs.push(runJob(work));
    while (begun.length < 3) await sleep(10);
    expect(begun[2]).toBe(second);
    expect(await runJob(work)).toBe('delayed');
    go();
    expect(await Promise.all(jobs)).toEqual(['done', 'done', 'done']);
  });

  test('a small file is published within seconds while another’s large one, with more behind it, is being read', async () => {
    const large = await Promise.all(Array.from({ length: 3 }, () => received('Large files')));
    const keys = await Promise.all(
      large.map(async (id) => (await findSubmission(database, id))?.storage_key),
    );
    const begun: string[] = [];
    const slow: Storage = Object.assign(Object.create(storage), {
      withLocalFile: ((key, use, signal) => {
        if (!keys.includes(key)) return storage.withLocalFile(key, use, signal);
        begun.push(key);
        return untilAborted(signal as AbortSignal) as Promise<never>;
      }) satisfies Storage['withLocalFile'],
    });
    for (const id of large) await queue.send('ingest', id);
    const workers = await startWorkers({ ...context, storage: slow });
    try {
      while (begun.length === 0) await sleep(10);
      const sent = performance.now();
      const small = await received('Small file');
      await queue.send('ingest', small);
      while ((await stateOf(small)) !== 'published') await sleep(50);
      expect(performance.now() - sent).toBeLessThan(20_000);
      // Of the large ones, none has taken the slot that is for others.
      expect(begun).toHaveLength(1);
    } finally {
      await workers.close();
    }
  });

  test('work that is not quick leaves the second slot, and waits for the first behind everybody else’s', async () => {
    const [first, long] = [await received('In the first slot'), await received('Not quick')];
    const begun: string[] = [];
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const work = noted(async (id, signal) => {
      begun.push(id);
      if (id === first) await gate;
      if (id === long && begun.filter((one) => one === long).length === 1) await untilAborted(signal);
    });
    const worker = workerOf({ ...work, quickMs: 50 });
    const jobs = [runJob(worker)];
    while (begun.length < 1) await sleep(10);
    expect(await runJob(worker, { sentFor: long })).toBe('delayed');
    const { rows } = await database.query(
      'select slow, cardinality(processes) as marks from work where id = $1',
      [long],
    );
    expect(rows).toEqual([{ slow: true, marks: 0 }]);
    // The second slot is free for whoever comes, and not for that again.
    const quick = await received('Quick');
    expect(await runJob(worker, { sentFor: quick })).toBe('done');
    const parked = runJob(worker, { sentFor: long });
    const later = await received('Quick, too');
    while (!begun.includes(later)) await sleep(10);
    expect(begun).toEqual([first, long, quick, later]);
    go();
    await Promise.all([...jobs, parked]);
    const other = await received('Comes last');
    for (let i = 0; i < 2; i++) await runJob(worker);
    expect(begun).toEqual([first, long, quick, later, other, long]);
  });

  test('what waits for the first slot begins as soon as that is free', async () => {
    const [first, second] = [await received('One after the other'), await received('One after the other')];
    const begun: string[] = [];
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const work = noted(async (id) => {
      begun.push(id);
      if (id === first) await gate;
    });
    const worker = workerOf(work);
    const jobs = [runJob(worker, { sentFor: first })];
    while (begun.length < 1) await sleep(10);
    jobs.push(runJob(worker, { sentFor: second }));
    await sleep(100);
    expect(begun).toEqual([first]);
    go();
    expect(await Promise.all(jobs)).toEqual(['done', 'done']);
    expect(begun).toEqual([first, second]);
  });

  test('work that is withdrawn ends at once, without waiting for a word of it, and the next begins', async () => {
    const [endless, next] = [await received('Endless'), await received('Next')];
    const begun: string[] = [];
    const work = noted(async (id, signal) => {
      begun.push(id);
      if (id === endless) await untilAborted(signal);
    });
    const job = runJob(work);
    while (begun.length === 0) await sleep(10);
    await withdrawSubmission(database, endless, commandActor);
    expect(await job).toBe('done');
    expect([await stateOf(endless), await workOf('ingest', endless)]).toEqual(['withdrawn', []]);
    expect(await runJob(work)).toBe('done');
    expect([begun, await stateOf(next)]).toEqual([[endless, next], 'withdrawn']);
  });
  test('so do a file of coordinates that is removed, and an inspection of an upload that is described', async () => {
    const job = await coordinates('Removed');
    const upload = await uploaded();
    const submission = await received('Described');
    const begun: string[] = [];
    const endless = (work: TurnWork): TurnWork => ({
      ...work,
      async work(id, signal) {
        begun.push(id);
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    const jobs = [runJob(endless(bulkLookup(context))), runJob(endless(inspectUpload(context)))];
    while (begun.length < 2) await sleep(10);
    await removeBulkJob(database, storage, job);
    await database.query('update upload set submission_id = $2 where id = $1', [upload, submission]);
    expect(await Promise.all(jobs)).toEqual(['done', 'done']);
    expect(await findUpload(database, upload, { providerId: null })).toMatchObject({
      inspection: null,
      error: null,
    });
  });
});

test('what would lose too much of what is published by then is not published automatically', async () => {
  const rules = { ...context, config: { ...place.config, publishBlocks: { lostPercent: 20, warnings: [] } } };
  const small = await received('Careful');
  expect(await runJob(ingestCoverage(rules))).toBe('done');
  expect(await stateOf(small)).toBe('published');
  // The same once more is loaded and loses nothing. Before it is published, a version of a thousand times the area is.
  const { rows } = await database.query<{ id: string }>(
    `update submission set manifest = manifest || '{"publish": "review"}' where id = $1 returning id`,
    [await received('Careful')],
  );
  const again = rows[0]?.id as string;
  expect(await runJob(ingestCoverage(rules))).toBe('done');
  expect(await findSubmission(database, again)).toMatchObject({ state: 'ready', blocking: null });
  const { bytes } = await zippedRectangle(173, -39, 176, -36);
  const file = path.join(place.config.dataDir, 'large.zip');
  writeFileSync(file, bytes);
  const manifest = parseManifest({ ...defaultManifest, provider: providerNamed('Careful') });
  const large = await submitLocalFile(database, storage, { path: file, name: 'large.zip' }, manifest);
  expect(await runJob(ingestCoverage(rules))).toBe('done');
  expect(await stateOf(large.id)).toBe('published');
  await database.query(
    `update submission set manifest = manifest || '{"publish": "auto"}', received_at = clock_timestamp() where id = $1`,
    [again],
  );
  // It has to be compared with that one first, for which no new file waits.
  expect(await inTurn(database, 'ingest', waitingSubmissions, { id: again })).toEqual([]);
  expect(await runJob(compareCoverage(rules))).toBe('done');
  expect(await runJob(ingestCoverage(rules))).toBe('done');
  expect(await findSubmission(database, again)).toMatchObject({
    state: 'ready',
    blocking: [{ code: 'area_lost' }],
  });
  expect(await stateOf(large.id)).toBe('published');
});

test('of a submission that another one has replaced, what is left is archived: that is no failure', async () => {
  const first = await received('Replaced');
  await received('Replaced');
  for (let i = 0; i < 2; i++) expect(await runJob(ingestCoverage(context))).toBe('done');
  expect(await stateOf(first)).toBe('superseded');
  // As where its rows were not archived yet, and the sweep has sent its job.
  await ingestCoverage(context).work(first, new AbortController().signal);
});

describe('the sweep', () => {
  test('does every step and every thing of a step, whatever fails of the others', async () => {
    const expired = [await uploaded(), await uploaded()];
    await database.query(`update upload set expires_at = now() - interval '1 hour' where id = any ($1)`, [
      expired,
    ]);
    const over = [await coordinates('Over'), await coordinates('Over')];
    for (const _ of over) await runJob(bulkLookup(context));
    await database.query(`update bulk_job set expires_at = now() - interval '1 hour' where id = any ($1)`, [
      over,
    ]);
    const rollbacks = [await superseded(), await superseded()];
    await database.query(`update dataset set state = 'restoring' where id = any ($1)`, [rollbacks]);
    const waiting = [await received('Swept'), await received('Swept')];
    const { rows: kept } = await database.query<{ storage_key: string }>(
      'select storage_key from upload where id = $1 union all select storage_key from bulk_job where id = $2',
      [expired[0], over[0]],
    );
    const sent: string[] = [];
    // Of each step the first thing fails.
    const failing: Partial<WorkerContext> = {
      storage: Object.assign(Object.create(storage), {
        remove: (key: string) =>
          kept.some(({ storage_key }) => storage_key === key)
            ? Promise.reject(new Error('no storage'))
            : storage.remove(key),
        list: () => {
          throw new Error('no storage');
        },
      }),
      queue: {
        ...queue,
        send: async (_kind, id) => {
          if (id === waiting[0]) throw new Error('no queue');
          sent.push(id);
        },
      },
    };
    await database.query(
      `create function refuse_one() returns trigger language plpgsql as $$
       begin if new.id = ${rollbacks[0]} then raise exception 'not this one'; end if; return new; end $$;
       create trigger refuse_one before update on dataset for each row execute function refuse_one()`,
    );
    try {
      await sweep(failing, [ingestCoverage(context)]);
    } finally {
      await database.query('drop trigger refuse_one on dataset; drop function refuse_one');
    }
    expect(errors.map(({ step, id }) => [step, id])).toEqual([
      ['ingest: send', waiting[0]],
      ['uploads: expire', expired[0]],
      ['bulk: expire', over[0]],
      ['rollbacks: finish', rollbacks[0]],
      ['storage: collect', undefined],
    ]);
    expect(sent).toContain(waiting[1]);
    expect(await findUpload(database, expired[1] as string, { providerId: null })).toBeUndefined();
    expect(await findBulkJob(database, over[1] as string)).toBeUndefined();
    const { rows } = await database.query('select id, state from dataset where id = any ($1) order by id', [
      rollbacks,
    ]);
    expect(rows).toMatchObject([{ state: 'restoring' }, { state: 'published' }]);
    // What failed is done by the next one.
    errors.length = 0;
    await sweep();
    expect(errors).toEqual([]);
    expect(await findBulkJob(database, over[0] as string)).toBeUndefined();
  });
});

describe('stored files', () => {
  test('that no row names are collected after a day; others of the folder are not ours', async () => {
    const submission = await findSubmission(database, await received('Kept'));
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
    const { rows } = await database.query<{ storage_key: string }>(
      'select storage_key from upload where id = $1',
      [upload],
    );
    const receiving = await uploaded();
    await database.query('update upload set storage_key = null, sha256 = null where id = $1', [receiving]);
    const kept = [
      write(submission?.storage_key as string, 100),
      write(rows[0]?.storage_key as string, 100),
      write(`incoming/${receiving}`, 100),
      write(`incoming/${receiving}.json`, 100),
      write(`${id()}.zip`, 23),
      write('notes.txt', 1000),
      write(`${id()}-backup.tar.gz`, 1000),
    ];
    const orphans = [write(`${id()}.zip`, 25), write(id(), 25)];
    // Goes as the folder is listed, and is no file of the storage.
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
    await runJob(inspectUpload(context));
  });
  test('are known by every table that names one', async () => {
    const { rows } = await database.query<{ table: string }>(
      `select table_name::text as table from information_schema.columns
       where column_name = 'storage_key' and table_name <> 'stored_file' and table_schema = 'public' order by 1`,
    );
    const { rows: view } = await database.query<{ definition: string }>(
      `select pg_get_viewdef('stored_file'::regclass) as definition`,
    );
    for (const { table } of rows) expect(view[0]?.definition).toMatch(new RegExp(`FROM ${table}\\b`));
    expect(rows.map(({ table }) => table)).toContain('prediction');
  });
});
