import { spawnSync } from 'node:child_process';
import fs, { mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import timers, { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { livingHolder, lockDataDirectory } from '../../platform/database/embedded/data-directory-lock.ts';
import { thisProcess } from '../../platform/process-identity.ts';

/* Only one process may have the embedded database of a folder open, however the calls to the file system interleave. */

let slowMs = 0;
/** The time that the lock has waited for: none passes otherwise. ms */
let waitedMs = 0;
/** What happens whenever the lock waits. */
let meanwhile: () => Promise<void>;

beforeAll(() => {
  const wait = sleep;
  // Any call may take longer than any other: a busy disk, or a process that was stopped for a moment.
  for (const name of ['link', 'open', 'readFile', 'readdir', 'rename', 'rm', 'stat'] as const) {
    const real = fs[name] as (...args: unknown[]) => Promise<never>;
    vi.spyOn(fs, name).mockImplementation(async (...args: unknown[]) => {
      if (slowMs > 0) await wait(Math.random() * slowMs);
      return real(...args);
    });
  }
  vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0, value) => {
    waitedMs += ms;
    await meanwhile();
    return value as never;
  });
  vi.spyOn(performance, 'now').mockImplementation(() => waitedMs);
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const all = scratchFolder();
let folder: string;
beforeEach(async () => {
  meanwhile = async () => {};
  folder = await mkdtemp(`${all}/`);
});

/** The number of a process that was here, and is not any more. */
const gone = () => ({ ...thisProcess(), pid: spawnSync('true').pid, started: '1' });

const writeLock = (name: string, holder: object) =>
  writeFile(path.join(folder, name), JSON.stringify({ nonce: 'before', ...holder }));

test('of many that find the lock of a process that is gone, one takes it over', async () => {
  for (let round = 0; round < 5; round++) {
    await writeLock(`lock.${100 * round}.json`, gone());
    slowMs = 20;
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDirectory(folder)));
    slowMs = 0;
    const holders = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(holders).toHaveLength(1);
    for (const one of taken) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'data_directory_in_use' });
    }
    await holders[0]?.release();
  }
});

test('a released lock can be taken again, and leaves one file', async () => {
  for (let round = 0; round < 3; round++) {
    const lock = await lockDataDirectory(folder);
    expect(await livingHolder(folder)).toMatchObject({ pid: process.pid });
    await expect(lockDataDirectory(folder)).rejects.toMatchObject({ code: 'data_directory_in_use' });
    await lock.release();
    expect(await livingHolder(folder)).toBeUndefined();
  }
  expect(await readdir(folder)).toHaveLength(1);
});

test('a file that a crash has cut short holds nothing', async () => {
  await writeFile(path.join(folder, 'lock.7.json'), '{"pid": 1');
  const lock = await lockDataDirectory(folder);
  await lock.release();
});

test('a process of another container holds for as long as its heart beats', async () => {
  const name = 'lock.3.json';
  await writeLock(name, { ...gone(), within: 'another container' });
  let beats = 0;
  const beatsMs = 5_000;
  meanwhile = async () => {
    if (waitedMs / beatsMs < beats + 1) return;
    beats++;
    await utimes(path.join(folder, name), beats, beats);
  };
  await expect(lockDataDirectory(folder)).rejects.toMatchObject({ code: 'data_directory_in_use' });
  expect([beats, waitedMs]).toEqual([1, beatsMs]);
  meanwhile = async () => {};
  const lock = await lockDataDirectory(folder);
  expect(waitedMs).toBe(beatsMs + 15_000);
  await lock.release();
});
