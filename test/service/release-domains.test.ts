import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openWorkQueue } from '../../coverage/jobs/queue.ts';
import type { Config } from '../../platform/config.ts';
import { lastRunSql } from '../../platform/database/nz-time.ts';
import { createLogger } from '../../platform/logger.ts';
import { addDays, dayOf, instantAt } from '../../platform/nz-time.ts';
import { releaseDomains, releaseRunMissed } from '../../registry/release.ts';
import { startReleaseDomains } from '../../workers/release-domains.ts';
import { importLines } from '../setup/registry.ts';
import { useDatabase } from '../setup/service.ts';

/* The scheduled job that releases what is due, once. */

const { place, database } = await useDatabase();
beforeEach(async () => {
  await database.query('truncate domain, released_domain, release_run');
});

const logger = createLogger('silent');
const midnight = '00:00:00';
const registered = '2015-07-01 12:00:00+12:00';
const release = (at: string, time = midnight) => releaseDomains(database, new Date(at), time);
async function names(table: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(`select name from ${table} order by name`);
  return rows.map(({ name }) => name);
}
async function runs() {
  const sql = 'select scheduled_for, released from release_run order by scheduled_for';
  return (await database.query<{ scheduled_for: Date; released: number }>(sql)).rows;
}

describe('a run', () => {
  test('moves every name whose release date is earlier than its scheduled date to the history', async () => {
    await importLines(database, [
      `last-second.nz,${registered},2023-02-10 23:59:59+13:00`,
      `midnight.nz,${registered},2023-02-11 00:00:00+13:00`,
      `next-second.nz,${registered},2023-02-11 00:00:01+13:00`,
      `active.nz,${registered},`,
    ]);
    // The first is due on 11 May at 23:59:59. A run at noon is still that of the midnight before.
    expect(await release('2023-05-11T12:00:00+12:00')).toMatchObject({ released: 0 });
    expect(await release('2023-05-12T00:00:00+12:00')).toEqual({
      scheduledFor: new Date('2023-05-12T00:00:00+12:00'),
      released: 1,
    });
    const released = {
      ...{ name: 'last-second.nz', registered: new Date(registered) },
      cancelled: new Date('2023-02-10T23:59:59+13:00'),
      release_date: new Date('2023-05-11T23:59:59+12:00'),
      scheduled_for: new Date('2023-05-12T00:00:00+12:00'),
    };
    expect((await database.query('select * from released_domain')).rows).toEqual([released]);
    // A name whose release date is the scheduled date itself waits for the next run.
    expect(await names('domain')).toEqual(['active.nz', 'midnight.nz', 'next-second.nz']);
    expect(await release('2023-05-13T00:00:00.001+12:00')).toMatchObject({ released: 2 });
    expect(await names('domain')).toEqual(['active.nz']);
  });
  test('happens once: a name that is due by then and comes later waits for the next', async () => {
    expect(await release('2023-05-12T00:00:00+12:00')).toMatchObject({ released: 0 });
    await importLines(database, [`late.nz,${registered},2023-01-01 12:00:00+13:00`]);
    expect(await release('2023-05-12T00:00:00+12:00')).toBeUndefined();
    expect(await release('2023-05-12T23:59:59+12:00')).toBeUndefined();
    expect(await release('2023-05-13T00:00:00+12:00')).toMatchObject({ released: 1 });
  });
  test('that was missed is made up for by the next', async () => {
    await importLines(database, [
      `one.nz,${registered},2023-02-01 12:00:00+13:00`,
      `two.nz,${registered},2023-02-03 12:00:00+13:00`,
    ]);
    const at = new Date('2023-05-20T08:00:00+12:00');
    expect(await releaseRunMissed(database, at, midnight)).toBe(true);
    expect(await releaseDomains(database, at, midnight)).toMatchObject({ released: 2 });
    expect(await releaseRunMissed(database, at, midnight)).toBe(false);
    expect(await releaseRunMissed(database, new Date('2023-05-21T00:00:00+12:00'), midnight)).toBe(true);
  });
  test('that fails releases nothing, and can be done again', async () => {
    await importLines(database, [
      `a.nz,${registered},2023-02-01 12:00:00+13:00`,
      `b.nz,${registered},2023-02-01 12:00:00+13:00`,
    ]);
    await database.query(`alter table released_domain add constraint broken check (name <> 'b.nz')`);
    await expect(release('2023-06-01T00:00:00+12:00')).rejects.toThrow('broken');
    await database.query('alter table released_domain drop constraint broken');
    expect([await names('domain'), await runs()]).toEqual([['a.nz', 'b.nz'], []]);
    expect(await release('2023-06-01T00:00:00+12:00')).toMatchObject({ released: 2 });
  });
  test('is scheduled daily in New Zealand: at the last time of day until then', async () => {
    // The nights in which the clocks are put back and forward, and days around them, to the second.
    const halves = Array.from({ length: 150 }, (_, i) => (i >> 1) * 1_800_000 - (i % 2) * 1000);
    const instants = ['2023-04-01T00:00:00Z', '2023-09-23T00:00:00Z'].flatMap((from) =>
      halves.map((ms) => new Date(Date.parse(from) + ms)),
    );
    for (const time of [midnight, '01:30:00', '03:30:00']) {
      const { rows } = await database.query<{ at: Date; run: Date }>(
        `select at, ${lastRunSql('at', '$2')} as run from unnest($1::timestamptz[]) as at`,
        [instants, time],
      );
      for (const { at, run } of rows) {
        const runs = [-1, 0].map((days) => instantAt(addDays(dayOf(at), days), time));
        expect(run, `${at.toISOString()}, ${time}`).toEqual(runs.findLast((one) => one <= at));
      }
    }
  });
});

describe('the job', () => {
  /** @returns what ends it */
  async function startProcess(changes: Partial<Config> = {}): Promise<() => Promise<void>> {
    const config = { ...place.config, ...changes };
    // The embedded database is open in one process; two of its workers stand for two.
    const own = database.kind === 'server' ? await place.open() : database;
    const queue = openWorkQueue(config, own);
    const workers = await startReleaseDomains({ config, database: own, queue, logger });
    let ended: Promise<void> | undefined;
    const end = async () => {
      await workers.close();
      await queue.close();
      if (own !== database) await own.close();
    };
    const endOnce = () => (ended ??= end());
    onTestFinished(endOnce);
    return endOnce;
  }
  async function untilRuns(count: number) {
    await expect.poll(async () => (await runs()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
    return runs();
  }

  test('makes up at the start for what was due while no process was up, once for all that start', async () => {
    await importLines(database, [
      `due.nz,${registered},2023-02-01 12:00:00+13:00`,
      `active.nz,${registered},`,
    ]);
    await Promise.all([startProcess(), startProcess()]);
    expect(await untilRuns(1)).toEqual([{ scheduled_for: expect.any(Date), released: 1 }]);
    await startProcess();
    await sleep(300);
    expect(await runs()).toHaveLength(1);
    expect(await names('released_domain')).toEqual(['due.nz']);
  });
  test('runs at its time of day in New Zealand, once in two processes', async () => {
    let soon: Date;
    // The processes make up for yesterday's run first: on a machine where that takes longer than until this one, they get more time.
    for (let leadMs = 3_000; ; leadMs *= 2) {
      soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + leadMs);
      const releaseTime = soon.toLocaleTimeString('en-GB', { timeZone: 'Pacific/Auckland' });
      const ends = await Promise.all([startProcess({ releaseTime }), startProcess({ releaseTime })]);
      await untilRuns(1);
      await importLines(database, [`due.nz,${registered},2023-02-01 12:00:00+13:00`]);
      if (Date.now() < soon.getTime()) break;
      for (const end of ends) await end();
      await database.query('truncate domain, released_domain, release_run');
    }
    const [, second] = await untilRuns(2);
    expect(second).toEqual({ scheduled_for: soon, released: 1 });
    await sleep(300);
    expect(await runs()).toHaveLength(2);
  });
});
