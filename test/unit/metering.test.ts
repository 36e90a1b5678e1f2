import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { Meter } from '../../billing/metering.ts';
import { UsageSpool } from '../../billing/usage-spool.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/logger.ts';

/* When counts leave the process's memory: the reason for the bound in docs/administrator/billing-operations.md. */

const folder = scratchFolder();
afterEach(() => vi.useRealTimers());

const logger = createLogger('silent');
/** The files of processes that have ended, as another one finds them. */
const orphansIn = (dataDir: string) =>
  new UsageSpool(dataDir, randomUUID()).orphaned((error) => {
    throw error;
  });
type Orphan = Awaited<ReturnType<typeof orphansIn>>[number];
const queriesIn = (left: Orphan | undefined) =>
  left?.batches.flatMap(({ counts }) => counts.map(({ queries }) => queries));
const lines = (dataDir: string) => {
  const usage = path.join(dataDir, 'usage');
  const names = existsSync(usage) ? readdirSync(usage) : [];
  return names.flatMap((name) => readFileSync(path.join(usage, name), 'utf8').trim().split('\n').slice(1));
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
  expect(meter.unstoredSince).toBeUndefined();
  meter.count(7);
  expect(meter.unstoredSince).toBe(started);
  meter.count(7);
  meter.count(8);
  vi.advanceTimersByTime(399);
  expect(begun).toEqual([started + 400]);
  // A query that is counted meanwhile goes into the next batch.
  meter.count(7);
  vi.advanceTimersByTime(249);
  await turn();
  expect(lines(dataDir)).toEqual([]);
  vi.advanceTimersByTime(1);
  await until(() => lines(dataDir).length === 1);
  const hour = started - (started % 3_600_000);
  expect(lines(dataDir)[0]).toBe(`[1,[[7,${hour},2],[8,${hour},1]]]`);
  vi.advanceTimersByTime(400);
  await until(() => lines(dataDir).length === 2);
  expect(JSON.parse(lines(dataDir)[1] as string)).toEqual([2, [[7, hour, 1]]]);
  // As after kill -9, the file stays for the next process.
  await meter.abandon();
  vi.useRealTimers();
  const [left] = await orphansIn(dataDir);
  expect(left?.process).toBe(meter.process);
  expect(left?.batches.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('a file of a process that lives is left alone', async () => {
  const dataDir = path.join(folder, 'living');
  const spool = new UsageSpool(dataDir, randomUUID());
  const one = { sequence: 1, counts: [{ keyId: 1, hour: 0, queries: 5 }] };
  for (let round = 0; round < 2; round++) {
    await spool.add([one]);
    expect(lines(dataDir)).toHaveLength(1);
    expect(await orphansIn(dataDir)).toEqual([]);
    await spool.clear();
    expect(lines(dataDir)).toEqual([]);
  }
});

/** The file of a process that has ended. @returns its path */
async function orphanedFile(dataDir: string, change: (lines: string[]) => string): Promise<string> {
  const id = randomUUID();
  const spool = new UsageSpool(dataDir, id);
  for (const sequence of [1, 2, 3]) {
    await spool.add([{ sequence, counts: [{ keyId: 1, hour: 0, queries: 10 ** sequence }] }]);
  }
  await spool.abandon();
  const file = path.join(dataDir, 'usage', `${id}.jsonl`);
  writeFileSync(file, change(readFileSync(file, 'utf8').trimEnd().split('\n')));
  // A file whose damaged heading does not name its process is left alone for a while: this one is old.
  utimesSync(file, 0, 0);
  return file;
}

const torn = (line = '') => line.slice(0, -4);
const text = (...lines: (string | undefined)[]) => `${lines.join('\n')}\n`;
const all = [10, 100, 1000];
test.for<[what: string, change: (lines: string[]) => string, queries: number[], lost: number]>([
  ['nothing is damaged', (lines) => text(...lines), all, 0],
  ['the last line was cut short by a crash', (lines) => torn(lines.join('\n')), [10, 100], 0],
  ['a line came twice', ([h, one, two, three]) => text(h, one, two, two, three), all, 0],
  ['the heading is lost', ([, ...lines]) => text(...lines), all, 0],
  ['the file was begun again', ([h, one, two, three]) => text(h, one, h, two, three), all, 0],
  ['a line is not readable', ([h, one, , three]) => text(h, one, '\0\0\0', three), [10, 1000], 1],
  ['two lines are not readable', ([h, one]) => text(h, one, 'x', 'y'), [10], 2],
  ['a count is none', ([h, one, two]) => text(h, one, two?.replace('100', '-1')), [10], 1],
  ['an hour is none', ([h, one, two]) => text(h, one, two?.replace('[1,0,', '[1,5,')), [10], 1],
])('what can be read of a damaged file counts: %s', async ([what, change, queries, lost]) => {
  const dataDir = path.join(folder, what);
  await orphanedFile(dataDir, change);
  const [left] = await orphansIn(dataDir);
  expect(queriesIn(left)).toEqual(queries);
  expect(left?.damage?.gaps.length ?? 0).toBe(lost);
});

test.each(['host', 'within'])(
  'a file of another %s is left alone until it has been silent for a while',
  async (where) => {
    const dataDir = path.join(folder, where);
    const elsewhere = { [where]: 'another', pid: 2 ** 22 + 1 };
    const file = await orphanedFile(dataDir, ([heading = '', ...more]) =>
      text(JSON.stringify({ ...JSON.parse(heading), ...elsewhere }), ...more),
    );
    for (const [minutes, found] of [
      [5, 0],
      [15, 1],
    ] as const) {
      const then = Date.now() / 1000 - 60 * minutes;
      utimesSync(file, then, then);
      expect(await orphansIn(dataDir)).toHaveLength(found);
    }
  },
);

test('a batch that does not fit on a full disk harms no other, neither at the beginning nor behind others', async () => {
  const dataDir = path.join(folder, 'full');
  // The shell's limit stands for the disk: a file of a megabyte or two is full.
  const limited = ['-c', 'ulimit -f 2048 && exec "$0" "$@"', process.execPath, '--import', 'tsx'];
  const script = path.join(import.meta.dirname, '../setup/spool-on-full-disk.ts');
  const words = [...limited, script, dataDir, randomUUID(), 'full', '5', 'full', '7', '8'];
  const child = spawnSync('sh', words, { encoding: 'utf8' });
  const said = 'EFBIG\nwritten\nEFBIG\nwritten\nwritten\n';
  expect([child.stderr, child.stdout]).toEqual(['', said]);
  const [left] = await orphansIn(dataDir);
  expect(queriesIn(left)).toEqual([5, 7, 8]);
  expect(left?.damage).toBeUndefined();
});

test('what was added after it was read is not removed', async () => {
  const dataDir = path.join(folder, 'grown');
  const id = randomUUID();
  const spool = new UsageSpool(dataDir, id);
  await spool.add([{ sequence: 1, counts: [] }]);
  await spool.abandon();
  const [left] = await orphansIn(dataDir);
  const file = path.join(dataDir, 'usage', `${id}.jsonl`);
  writeFileSync(file, `${readFileSync(file, 'utf8')}[2,[]]\n`);
  await left?.remove();
  expect(existsSync(file)).toBe(true);
  const [again] = await orphansIn(dataDir);
  await again?.remove();
  expect(existsSync(file)).toBe(false);
});
