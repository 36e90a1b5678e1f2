import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Database } from '../../core/database/database.ts';
import { makePlace, type Place } from '../setup/service.ts';

/* One process at a time works under a key. */

let place: Place;
let database: Database;

beforeAll(async () => {
  place = await makePlace();
  database = await place.open();
});
afterAll(async () => {
  await database?.close();
  await place?.remove();
});

test('while one works, another is refused at once, and can work afterwards', async () => {
  const inner = await database.withExclusiveKey('a', async () => {
    expect(await database.withExclusiveKey('b', async () => 'other key')).toBe('other key');
    return [await database.withExclusiveKey('a', async () => 'same key')];
  });
  expect(inner).toEqual([undefined]);
  expect(await database.withExclusiveKey('a', async () => 'afterwards')).toBe('afterwards');
});

test('work that fails gives the key back', async () => {
  await expect(database.withExclusiveKey('c', () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(await database.withExclusiveKey('c', async () => 'again')).toBe('again');
});

// The embedded database has no connection that could be lost.
const onServer = inject('backend').kind === 'server';

test.runIf(onServer)('work whose connection is lost hears of it, and another can have the key', async () => {
  await database.withExclusiveKey('d', async (lost) => {
    const told = once(lost, 'abort');
    // Of this database alone: others are on the same server.
    await database.query(
      `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and d.datname = current_database()`,
    );
    await told;
    // The server tells the client before it lets go of the lock.
    await expect
      .poll(() => database.withExclusiveKey('d', async () => 'taken over'), { timeout: 60_000 })
      .toBe('taken over');
  });
});
