import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, randomNumbers } from '@covermap/testing/random.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { afterAll, expect, test } from 'vitest';
import { demoStaffToken } from '../../commands/demo.ts';
import { addDays, dayOf } from '../../platform/nz-time.ts';
import { clientWith } from '../setup/operator.ts';
import { endCommandProcesses, startCommand } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';

/*
 * The demo is killed (SIGKILL) while it begins a rehearsal, moves its clock or takes it back: the next start finds it begun or not, moved by whole
 * days, taken back or not. Taken back in the end, billing is what it was.
 */

const seed = anySeed();
const random = randomNumbers(seed);
const folder = scratchFolder();
afterAll(endCommandProcesses);

const start = async () => {
  const service = await startCommand('start', { DATA_DIR: folder, LOG_LEVEL: 'warn' });
  return { service, staff: clientWith(service.url, demoStaffToken) };
};
type Started = Awaited<ReturnType<typeof start>>;
const path = '/api/staff/rehearsal';
const nowOf = async ({ staff }: Started) => (await staff.json<{ now: string | null }>(path)).now;

/** What staff see of billing, but for the time that it shows. */
async function billingOf({ staff }: Started): Promise<string[]> {
  const asked = ['invoices', 'customers', 'processing-fees', `usage?month=${dayOf(new Date()).slice(0, 7)}&`];
  return Promise.all(
    asked.map(async (one) =>
      (await staff.call(`/api/staff/${one}${one.endsWith('&') ? '' : '?'}format=csv`)).text(),
    ),
  );
}

test('killed at any moment, a rehearsal is begun, moved and taken back as a whole or not at all', {
  timeout: 900_000,
}, async () => {
  let started = await start();
  // The last version of the samples is read by then; nothing else counts queries.
  const before = await billingOf(started);
  /** Asks for something, and kills the demo meanwhile. */
  const killedWhile = async (ask: (started: Started) => Promise<unknown>, withinMs: number) => {
    const asked = ask(started).catch(() => undefined);
    await sleep(random() * withinMs);
    started.service.child.kill('SIGKILL');
    await started.service.ended;
    await asked;
    started = await start();
  };
  for (let round = 0; round < rounds(2, 20); round++) {
    await killedWhile(({ staff }) => staff.post(path, {}), 250);
    expect(await billingOf(started), `begun, seed ${seed}`).toEqual(before);
    if (!(await nowOf(started))) await started.staff.json(path, {});
    await killedWhile(
      ({ staff }) => staff.post(`${path}/move`, { day: addDays(dayOf(new Date()), 60) }),
      1000,
    );
    const moved = await billingOf(started);
    await killedWhile(({ staff }) => staff.post(path, {}, 'DELETE'), 300);
    const isTakenBack = (await nowOf(started)) === null;
    const found = await billingOf(started);
    if (isTakenBack) expect(found, `taken back, seed ${seed}`).toEqual(before);
    // What the schedule has due by the rehearsed clock may have been done since.
    else
      expect(found[0]?.split('\n'), `seed ${seed}`).toEqual(
        expect.arrayContaining(moved[0]?.split('\n') ?? []),
      );
    if (!isTakenBack) await started.staff.post(path, {}, 'DELETE');
    expect([await nowOf(started), await billingOf(started)], `seed ${seed}`).toEqual([null, before]);
  }
});
