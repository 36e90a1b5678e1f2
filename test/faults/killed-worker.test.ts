import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, randomNumbers } from '@covermap/testing/random.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { brokenRules, endState } from '../setup/end-state.ts';
import { giveWork } from '../setup/months-of-work.ts';
import { type Command, endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';
import { markSteps, steps, stepsNow } from '../setup/steps.ts';

/*
 * A worker is killed (SIGKILL) at any moment: its work ends as in an undisturbed run. Work that kills two processes fails by design
 * (poison-file.test.ts), so that no work is killed twice here.
 */

const seed = anySeed();
const random = randomNumbers(seed);
const kills = rounds(3, 100);
/** Max kills in one database, before a worker ends the rest of its work. */
const killsAtOnce = 20;
/** How long to wait for a step that may not come any more. */
const patienceMs = 3000;

afterAll(endCommandProcesses);

async function newScene() {
  const { place, database } = await useDatabase({ closeTime: '00:00:00' });
  await markSteps(database);
  const work = await giveWork(place.config, database);
  onTestFinished(() => work.close());
  return { place, database, work };
}
type Scene = Awaited<ReturnType<typeof newScene>>;

const startWorker = ({ place }: Scene) =>
  runCommandProcess('worker', [], {
    ...place.env,
    CLOSE_TIME: '00:00:00',
    WORKER_LOST_SECONDS: '5',
    SWEEP_SECONDS: '1',
    LOG_LEVEL: 'info',
  });

/** Has a worker do all that is left, and stops it. */
async function finish(scene: Scene): Promise<Record<string, string[]>> {
  const worker = startWorker(scene);
  do await untilDone(scene, worker);
  while (await scene.work.sendNext());
  // If no work was left, the worker may not have started yet.
  await worker.printed(/covermap works on submissions/);
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  return endState(scene.database);
}

async function untilDone({ work }: Scene, worker: Command): Promise<void> {
  for (const deadline = Date.now() + 200_000; ; await sleep(100)) {
    const undone = await work.undone();
    if (undone.length === 0) return;
    if (Date.now() > deadline) throw new Error(`seed ${seed}: not done: ${undone}\n${worker.output()}`);
  }
}

/**
 * Kills the worker, unless its work has been killed before. It is stopped (SIGSTOP) first, so that it cannot go on while the test reads
 * the database: its statements end there, its transactions do not.
 * @returns the step in which it was killed; undefined where it was spared
 */
async function kill({ database }: Scene, { child, ended }: Command): Promise<string | undefined> {
  child.kill('SIGSTOP');
  const at = await stepsNow(database);
  await untilStatementsEnd(database);
  const { rows } = await database.query('select from work where cardinality(processes) > 1');
  if (rows.length > 0) {
    child.kill('SIGCONT');
    return undefined;
  }
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  return at[0] ?? 'between steps';
}

/** Statements that were sent run to their end, even if nobody waits for them. */
async function untilStatementsEnd(database: Database): Promise<void> {
  for (;;) {
    await sleep(10);
    const { rows } = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
         -- They wait for the stopped process.
         and coalesce(wait_event_type, '') not in ('Client', 'Lock')`,
    );
    if (rows.length === 0) return;
  }
}

const killedAt = new Map<string, number>();
const killsAt = (step: string) => killedAt.get(step) ?? 0;

/** Waits for a moment to kill: one of the steps with the fewest kills, or any time. */
async function untilSomeMoment({ database }: Scene): Promise<void> {
  if (random() < 0.4) return void (await sleep(random() * 2500));
  const wanted = [...steps].sort((a, b) => killsAt(a) - killsAt(b)).slice(0, 1 + Math.floor(random() * 4));
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(5)) {
    if ((await stepsNow(database)).some((step) => wanted.includes(step))) break;
  }
  await sleep(random() * 40);
}

/** Kills workers until there were enough or nothing is left to do. @returns how often */
async function killWorkers(scene: Scene, most: number): Promise<number> {
  let killed = 0;
  let worker: Command | undefined;
  while (killed < most && ((await scene.work.undone()).length > 0 || (await scene.work.sendNext()))) {
    worker ??= startWorker(scene);
    await untilSomeMoment(scene);
    const step = await kill(scene, worker);
    if (step === undefined) continue;
    worker = undefined;
    killed++;
    killedAt.set(step, killsAt(step) + 1);
    expect(await brokenRules(scene.database), `seed ${seed}, killed at: ${step}`).toEqual({});
  }
  worker?.child.kill('SIGTERM');
  await worker?.ended;
  return killed;
}

let undisturbed: Record<string, string[]>;

test('undisturbed, all is published, closed and released', async () => {
  const scene = await newScene();
  undisturbed = await finish(scene);
  const states = undisturbed.submissions?.map((row) => JSON.parse(row).state).sort();
  expect(states).toEqual([...Array(6).fill('published'), 'ready', 'superseded', 'superseded']);
  expect(undisturbed.months).toHaveLength(4);
  expect(undisturbed.invoices?.length).toBeGreaterThan(8);
  expect(undisturbed.fees).toHaveLength(3);
  expect(undisturbed.released).toHaveLength(200);
  expect(await brokenRules(scene.database)).toEqual({});
});

test(`killed ${kills} times at any moment, it ends the same`, { timeout: 900_000 }, async () => {
  for (let killed = 0; killed < kills; ) {
    const scene = await newScene();
    killed += await killWorkers(scene, Math.min(killsAtOnce, kills - killed));
    expect(await finish(scene), `seed ${seed}`).toEqual(undisturbed);
    expect(await brokenRules(scene.database), `seed ${seed}`).toEqual({});
    console.log(`seed ${seed}, ${killed} kills, at:`, Object.fromEntries([...killedAt].sort()));
  }
  // A thorough run has killed in each step.
  if (kills >= 100)
    for (const step of steps) expect(killsAt(step), `${step}, seed ${seed}`).toBeGreaterThan(0);
});
