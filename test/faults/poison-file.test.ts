import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { rectangle, zippedRectangle, zippedShapefile } from '@covermap/testing/shapes.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkQueue } from '../../coverage/jobs/queue.ts';
import { findSubmission } from '../../coverage/submissions/submissions.ts';
import type { Database } from '../../platform/database/database.ts';
import { hugeImage } from '../setup/huge-image.ts';
import { type Command, endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { type Place, submitFile, useDatabase } from '../setup/service.ts';

/* A file that takes the memory of whatever processes it, each time: it fails with a sentence, and those of others are processed. */

let place: Place;
let database: Database;
let temporary: string;

beforeEach(async () => {
  ({ place, database } = await useDatabase());
  temporary = scratchFolder();
});
afterEach(endCommandProcesses);

const startWorker = (env: Record<string, string> = {}) =>
  runCommandProcess('worker', [], {
    ...{ ...place.env, TMPDIR: temporary, WORKER_LOST_SECONDS: '5', SWEEP_SECONDS: '1' },
    ...env,
  });

const submit = (...given: [provider: string, file: { name: string; bytes: Uint8Array }]) =>
  submitFile(place, database, ...given);
const harmless = (i: number) => zippedRectangle(170 + i / 10, -37, 170.05 + i / 10, -36.9);

/** A submission, once it is published or has failed. */
async function ended(id: string) {
  const found = () => findSubmission(database, id);
  const state = async () => (await found())?.state;
  await expect.poll(state, { timeout: 120_000, interval: 100 }).toMatch(/^(published|failed)$/);
  return found();
}

/** Expects a poisonous file to fail, and another one, with this number, to be published beside it. */
async function expectPoisonToFail(number: number, message: unknown = expect.any(String)) {
  const poison = await submit('Poison', { name: 'image.kmz', bytes: await hugeImage() });
  const other = await submit('Harmless', await harmless(number));
  const error = { code: 'reader_out_of_memory', message };
  expect(await ended(poison)).toMatchObject({ state: 'failed', error });
  expect(await ended(other)).toMatchObject({ state: 'published' });
}

async function stop(worker: Command): Promise<void> {
  // The worker also archives what a publication supersedes: no work may be left.
  const queue = openWorkQueue(place.config, database);
  const unfinished = async () =>
    (await queue.figures()).filter(({ waiting, active, delayed }) => waiting + active + delayed > 0);
  await expect.poll(unfinished, { timeout: 100_000 }).toEqual([]);
  await queue.close();
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
}

test('a file that takes more memory to read than is allowed fails, and the worker goes on', async () => {
  const worker = startWorker({ READER_MEMORY_MB: '256' });
  for (let round = 0; round < rounds(1, 20); round++)
    await expectPoisonToFail(round, expect.stringContaining('256 MB'));
  expect(worker.output()).not.toMatch(/"level":[56]0/);
  await stop(worker);
});

const groups = '/sys/fs/cgroup/memory';
const noGroup = ((): string | undefined => {
  try {
    const name = path.join(groups, `covermap-try-${process.pid}`);
    mkdirSync(name);
    readFileSync(path.join(name, 'memory.limit_in_bytes'));
    rmdirSync(name);
  } catch (error) {
    return `no group of processes with a limit can be made: ${error}`;
  }
})();

test.skipIf(noGroup)(
  'the same where the system kills for want of memory, below the limit that was configured',
  async () => {
    const group = path.join(groups, `covermap-poison-${process.pid}`);
    mkdirSync(group);
    try {
      const worker = startWorker();
      // Processes that it starts are in the group, too.
      writeFileSync(path.join(group, 'cgroup.procs'), String(worker.child.pid));
      await worker.printed(/covermap works on submissions/);
      await ended(await submit('Before', await harmless(0)));
      const own =
        Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8'))?.[1]) * 1024;
      writeFileSync(path.join(group, 'memory.limit_in_bytes'), String(own + 220 * 2 ** 20));
      await expectPoisonToFail(1);
      await stop(worker);
    } finally {
      endCommandProcesses();
      for (let tries = 0; tries < 100; tries++, await sleep(50)) {
        try {
          rmdirSync(group);
          break;
        } catch {
          // Its last process is ending.
        }
      }
    }
  },
);

test('a file that takes the memory of the worker itself fails after two deaths, and others are published between them', async () => {
  const shape = { features: [{ rings: [rectangle(172, -41, 172.1, -40.9)] }] };
  const poison = await submit('Poison', await zippedShapefile(shape, 'poison'));
  const others = [await submit('Harmless', await harmless(0)), await submit('Another', await harmless(1))];
  const loader = fileURLToPath(new URL('../setup/dies-of-layer.mjs', import.meta.url));
  const env = { NODE_OPTIONS: `--max-old-space-size=256 --import ${loader}`, POISON: 'poison' };
  let deaths = 0;
  let worker = startWorker(env);
  // Starts the worker again whenever it ends, as systemd does.
  const supervised = (async () => {
    for (;;) {
      const status = await worker.ended;
      if (status === 0) return;
      expect(status).toBe('SIGABRT');
      deaths++;
      worker = startWorker(env);
    }
  })();
  expect(await ended(poison)).toMatchObject({
    state: 'failed',
    error: { code: 'attempts_exhausted', message: expect.stringMatching(/crashed each time/) },
  });
  for (const other of others) expect(await ended(other)).toMatchObject({ state: 'published' });
  const last = await database.query('select id from submission order by finished_at desc limit 1');
  expect(last.rows).toEqual([{ id: poison }]);
  expect(deaths).toBe(2);
  const { rows } = await database.query('select from dataset where submission_id = $1', [poison]);
  expect(rows).toEqual([]);
  await stop(worker);
  await supervised;
});
