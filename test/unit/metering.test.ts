import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { Meter } from '../../core/billing/metering.ts';
import { UsageSpool } from '../../core/billing/usage-spool.ts';
import type { Database } from '../../core/database/database.ts';
import { createLogger } from '../../core/logger.ts';

/* When counts leave the process's memory: what the bound of docs/billing.md comes from. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-meter-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.useRealTimers());

const logger = createLogger('silent');
const lines = (dataDir: string) => {
  const usage = path.join(dataDir, 'usage');
  return existsSync(usage)
    ? readdirSync(usage).flatMap((name) =>
        readFileSync(path.join(usage, name), 'utf8').trim().split('\n').slice(1),
      )
    : [];
};
async function until(good: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 60_000; !good(); await turn()) {
    if (performance.now() > deadline) throw new Error('nothing of the kind has happened');
  }
}

/** A database that takes transactions and says nothing. */
function muteDatabase() {
  const begun: number[] = [];
  const database = {
    transaction: () => {
      begun.push(Date.now());
      return new Promise(() => undefined);
    },
    query: () => new Promise(() => undefined),
  } as unknown as Database;
  return { begun, database };
}

test('counts are sent 0.4 seconds later at most, and are on the disk after 0.25 more if nothing comes back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'Date'] });
  const dataDir = path.join(folder, 'mute');
  const { begun, database } = muteDatabase();
  const meter = Meter.start(database, { dataDir, logger });
  const started = Date.now();
  vi.advanceTimersByTime(1);
  meter.count(7);
  meter.count(7);
  meter.count(8);
  vi.advanceTimersByTime(399);
  expect(begun).toEqual([started + 400]);
  // Counted meanwhile: the next batch.
  meter.count(7);
  vi.advanceTimersByTime(249);
  await turn();
  expect(lines(dataDir)).toEqual([]);
  vi.advanceTimersByTime(1);
  await until(() => lines(dataDir).length === 1);
  const hour = started - (started % 3_600_000);
  expect(JSON.parse(lines(dataDir)[0] as string)).toEqual([
    1,
    [
      [7, hour, 2],
      [8, hour, 1],
    ],
  ]);
  vi.advanceTimersByTime(400);
  await until(() => lines(dataDir).length === 2);
  expect(JSON.parse(lines(dataDir)[1] as string)).toEqual([2, [[7, hour, 1]]]);
  // As kill -9 would: the file stays for the next.
  await meter.abandon();
  vi.useRealTimers();
  const [left] = await new UsageSpool(dataDir, 'next').leftBehind();
  expect(left?.process).toBe(meter.process);
  expect(left?.batches.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('a file of a process that lives is left alone', async () => {
  const dataDir = path.join(folder, 'living');
  const spool = new UsageSpool(dataDir, 'one');
  await spool.add([{ sequence: 1, counts: [{ keyId: 1, hour: 0, queries: 5 }] }]);
  expect(await new UsageSpool(dataDir, 'two').leftBehind()).toEqual([]);
  await spool.clear();
  expect(lines(dataDir)).toEqual([]);
});

test('a line that a crash cut short does not count, and those before it do', async () => {
  const dataDir = path.join(folder, 'cut');
  const spool = new UsageSpool(dataDir, 'cut');
  await spool.add([{ sequence: 1, counts: [{ keyId: 1, hour: 0, queries: 5 }] }]);
  await spool.leave();
  const file = path.join(dataDir, 'usage', 'cut.jsonl');
  writeFileSync(file, `${readFileSync(file, 'utf8')}[2,[[1,0,`);
  const [left] = await new UsageSpool(dataDir, 'next').leftBehind();
  expect(left?.batches).toEqual([{ sequence: 1, counts: [{ keyId: 1, hour: 0, queries: 5 }] }]);
});

test('what was added after it was read is not removed', async () => {
  const dataDir = path.join(folder, 'grown');
  const spool = new UsageSpool(dataDir, 'grown');
  await spool.add([{ sequence: 1, counts: [] }]);
  await spool.leave();
  const [left] = await new UsageSpool(dataDir, 'next').leftBehind();
  const file = path.join(dataDir, 'usage', 'grown.jsonl');
  writeFileSync(file, `${readFileSync(file, 'utf8')}[2,[]]\n`);
  await left?.remove();
  expect(existsSync(file)).toBe(true);
  const [again] = await new UsageSpool(dataDir, 'next').leftBehind();
  await again?.remove();
  expect(existsSync(file)).toBe(false);
});
