import { randomUUID } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Meter } from '../../billing/metering.ts';
import { usageOverview } from '../../billing/usage.ts';
import { applyBatches } from '../../billing/usage-batches.ts';
import { UsageSpool } from '../../billing/usage-spool.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { createLogger } from '../../platform/logger.ts';
import { monthOf } from '../../platform/nz-time.ts';
import { flakyDatabase, makeCustomer, queriesOf, untilQueries } from '../setup/billing.ts';
import { countingLimit, startApiAlone, useDatabase } from '../setup/service.ts';

/* Every billable query is counted once: docs/administrator/billing-operations.md, How exactly queries are counted. */

const logger = createLogger('silent');

const { place, database } = await useDatabase();

const meterOn = (db: Database, now?: () => number) =>
  new Meter(db, { dataDir: place.config.dataDir, logger, ...(now ? { now } : {}) });
const patience = { timeout: 60_000, interval: 20 };
const files = () => {
  const usage = path.join(place.config.dataDir, 'usage');
  return existsSync(usage) ? readdirSync(usage) : [];
};

test('a 500 does not count, nor an answer that the caller did not wait for', async () => {
  const { secret } = await makeCustomer(database, 'Impatient');
  const limit = countingLimit();
  const api = await startApiAlone(place, database, undefined, { limit });
  const address = `${api.url}/api/2.0/availability/-36.9/174.8`;
  const ask = (options: RequestInit = {}) => fetch(address, { headers: { 'x-api-key': secret }, ...options });
  const callers = new Set<Socket>();
  const noteCaller = (message: unknown) => callers.add((message as { socket: Socket }).socket);
  try {
    expect((await ask()).status).toBe(200);
    diagnostics.subscribe('http.server.request.start', noteCaller);
    await database.transaction(async (connection) => {
      // Keeps lookups waiting: on a server by the lock, in the embedded database by holding its only session.
      await connection.query('lock table coverage in access exclusive mode');
      const gone = new AbortController();
      const asked = Array.from({ length: 5 }, () => ask({ signal: gone.signal }));
      await limit.untilTaken(1 + 5);
      gone.abort();
      const ends = await Promise.allSettled(asked);
      expect(ends.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
      // Until the API has noticed.
      while (![...callers].every(({ destroyed }) => destroyed)) await sleep(5);
    });
    expect(callers.size).toBe(5);
    await database.query('alter table coverage rename to coverage_elsewhere');
    expect((await ask()).status).toBe(500);
    await database.query('alter table coverage_elsewhere rename to coverage');
    expect((await ask()).status).toBe(200);
  } finally {
    diagnostics.unsubscribe('http.server.request.start', noteCaller);
    await api.close();
  }
  expect(await queriesOf(database, 'Impatient')).toBe(2);
});

describe('a batch', () => {
  test('is counted for the hour of the clock, even if that is set back', async () => {
    const { keyId: id } = await makeCustomer(database, 'Backwards');
    let now = Date.parse('2026-05-02T10:59:59.999Z');
    const meter = meterOn(database, () => now);
    meter.count(id, 3);
    now += 1;
    meter.count(id, 20);
    now -= 7_200_000;
    meter.count(id, 4);
    await meter.flush();
    now += 60_000;
    meter.count(id, 5);
    await meter.close();
    const { rows } = await database.query<{ hour: Date; queries: number }>(sql`
      select hour, queries from usage_hour where key_id = ${id} order by hour`);
    expect(rows.map(({ hour, queries }) => [hour.toISOString().slice(11, 16), queries])).toEqual([
      ['09:00', 9],
      ['10:00', 3],
      ['11:00', 20],
    ]);
  });
  test('that was stored without an acknowledgement is not counted again', async () => {
    const { keyId: id } = await makeCustomer(database, 'Unheard');
    const { flaky, state } = flakyDatabase(database, { away: false, deaf: true });
    const meter = meterOn(flaky);
    meter.count(id, 7);
    await expect(meter.flush()).rejects.toThrow('the connection broke');
    meter.count(id, 5);
    state.deaf = false;
    await meter.flush();
    expect(await queriesOf(database, 'Unheard')).toBe(12);
    await meter.close();
  });
});

describe('while the database is away', () => {
  test('counts are kept, and come in when it is back', async () => {
    const { keyId: id } = await makeCustomer(database, 'Patient');
    const { flaky, state } = flakyDatabase(database, { away: true, deaf: false });
    const meter = Meter.start(flaky, { dataDir: place.config.dataDir, logger });
    for (let call = 0; call < 50; call++) meter.count(id);
    await expect.poll(files, patience).not.toEqual([]);
    meter.count(id);
    state.away = false;
    await untilQueries(database, 'Patient', 51);
    await meter.close();
    expect([await queriesOf(database, 'Patient'), files()]).toEqual([51, []]);
  });
  test('a stop leaves them on the disk, and the next process brings them in, once', async () => {
    const { keyId: id } = await makeCustomer(database, 'Stopped');
    const { flaky } = flakyDatabase(database, { away: true, deaf: false });
    const meter = meterOn(flaky);
    meter.count(id, 5);
    await expect(meter.flush()).rejects.toThrow('away');
    meter.count(id, 6);
    await meter.close();
    expect(files()).toEqual([`${meter.process}.jsonl`]);
    const others = [1, 2, 3].map(() => meterOn(database));
    await Promise.all(others.map((other) => other.reclaim()));
    expect([await queriesOf(database, 'Stopped'), files()]).toEqual([11, []]);
    for (const other of others) await other.close();
  });
});

describe('counts that processes left on the disk', () => {
  const batch = (sequence: number, keyId: number, queries: number) => ({
    sequence,
    counts: [{ keyId, hour: 0, queries }],
  });
  /** A file of a process that has ended, with batches of these queries. Gives its name and the path. */
  async function leave(keyId: number, queries: number[], change = (text: string) => text) {
    const id = randomUUID();
    const spool = new UsageSpool(place.config.dataDir, id);
    for (const [i, count] of queries.entries()) await spool.add([batch(i + 1, keyId, count)]);
    await spool.abandon();
    const file = path.join(place.config.dataDir, 'usage', `${id}.jsonl`);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    return { id, file };
  }
  const damaged = async () => {
    const at = new Date();
    return (await usageOverview(database, monthOf(at), at)).damaged_files;
  };

  test('come in, though some files cannot be read and the database refuses others; staff see which', async () => {
    const { keyId: key } = await makeCustomer(database, 'Damaged');
    const unreadable = path.join(place.config.dataDir, 'usage', `${randomUUID()}.jsonl`);
    mkdirSync(unreadable, { recursive: true });
    const refused = await leave(999_999, [7]);
    const torn = await leave(key, [1, 20, 300], (text) => text.replace(/^\[2,.*$/m, '[2,[[oops'));
    // A write that was repeated: the batch counts once.
    const good = await leave(key, [4000], (text) => text.replace(/^\[1,.*\n/m, '$&$&'));
    const strange = path.join(path.dirname(good.file), 'of-nobody.jsonl');
    writeFileSync(strange, readFileSync(good.file));
    const meters = [1, 2, 3].map(() => meterOn(database));
    await Promise.all(meters.map((meter) => meter.reclaim()));
    for (const meter of meters) await meter.reclaim();
    expect(await queriesOf(database, 'Damaged')).toBe(4301);
    expect(files()).toEqual(['damaged']);
    const aside = (file: string) => path.join(path.dirname(file), 'damaged', path.basename(file));
    expect([existsSync(good.file), existsSync(aside(good.file))]).toEqual([false, false]);
    const found = await damaged();
    expect(new Map(found.map(({ file, reason }) => [file, reason.replace(/:.*/, '')]))).toEqual(
      new Map([
        [aside(unreadable), 'EISDIR'],
        [aside(refused.file), 'the database refuses them'],
        [aside(torn.file), '1 line cannot be read'],
        [aside(strange), 'the name is not that of a process'],
      ]),
    );
    // The undamaged file comes back: batches that were counted before are not counted again.
    writeFileSync(torn.file, readFileSync(aside(torn.file)));
    await meters[0]?.reclaim();
    expect(await queriesOf(database, 'Damaged')).toBe(4301);
    for (const meter of meters) await meter.close();
    rmSync(path.join(place.config.dataDir, 'usage'), { recursive: true });
  });
  test('are not lost with a line that is damaged after it came in', async () => {
    const { keyId: key } = await makeCustomer(database, 'Damaged late');
    const before = (await damaged()).length;
    const { id, file } = await leave(key, [1, 20, 300]);
    const batches = [1, 20, 300].map((queries, i) => batch(i + 1, key, queries));
    await applyBatches(database, id, batches.slice(0, 2));
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\[2,.*$/m, 'oops'));
    const meter = meterOn(database);
    await meter.reclaim();
    expect([await queriesOf(database, 'Damaged late'), files()]).toEqual([321, []]);
    expect(await damaged()).toHaveLength(before);
    await meter.close();
  });
});
