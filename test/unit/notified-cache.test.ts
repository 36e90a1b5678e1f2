import { describe, expect, test, vi } from 'vitest';
import { follow, openNotifiedCache } from '../../platform/database/notified-cache.ts';
import { fakeTime } from '../setup/fake-time.ts';

/* The copies of rows that a process keeps in memory. */

/** A database of which only LISTEN is used. */
function channel() {
  let onNotify = (_payload: string) => {};
  let onGap = () => {};
  let listening = false;
  return {
    async listen(_channel: string, notify: typeof onNotify, gap = () => {}) {
      [onNotify, onGap, listening] = [notify, gap, true];
      return async () => {
        listening = false;
      };
    },
    notify: (payload = '') => onNotify(payload),
    gap: () => onGap(),
    isListening: () => listening,
  };
}

describe('a cache', () => {
  test('reads a value once, however many ask at once', async () => {
    const read = vi.fn(async (key: string) => `value of ${key}`);
    const cache = await openNotifiedCache(channel(), 'c', read, { max: 2 });
    expect(cache.peek('a')).toBeUndefined();
    const values = await Promise.all(['a', 'a', 'b'].map((key) => cache.get(key)));
    expect(values).toEqual(['value of a', 'value of a', 'value of b']);
    expect(await cache.peek('a')).toBe('value of a');
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('drops what is notified, and everything where notifications were missed', async () => {
    let count = 0;
    const database = channel();
    const cache = await openNotifiedCache(database, 'c', async () => ++count, { max: 2 });
    await Promise.all([cache.get('a'), cache.get('b')]);
    database.notify('a');
    expect([await cache.get('a'), await cache.get('b')]).toEqual([3, 2]);
    database.gap();
    expect([await cache.get('a'), await cache.get('b')]).toEqual([4, 5]);
    await cache.close();
    expect(database.isListening()).toBe(false);
  });

  test('does not keep what was read before a notification', async () => {
    const reads: ((value: string) => void)[] = [];
    const database = channel();
    const read = () => new Promise<string>((done) => void reads.push(done));
    const cache = await openNotifiedCache(database, 'c', read);
    const before = cache.get();
    database.notify();
    const after = cache.get();
    reads[1]?.('new');
    reads[0]?.('old');
    expect([await before, await after, await cache.get()]).toEqual(['old', 'new', 'new']);
  });

  test('reads again after its time, and after a failure at once', async () => {
    let count = 0;
    const read = async () => {
      if (++count === 1) throw new Error('away');
      return count;
    };
    const cache = await openNotifiedCache(channel(), 'c', read, { ttlMs: 20 });
    await expect(cache.get()).rejects.toThrow('away');
    expect(await cache.get()).toBe(2);
    await vi.waitFor(async () => expect(await cache.get()).toBe(3), { interval: 5 });
  });

  test('reads a row ahead that is asked for late in its time, and drops it where a notification comes meanwhile', async () => {
    fakeTime();
    const reads: ((value: string) => void)[] = [];
    const database = channel();
    const read = () => new Promise<string>((done) => void reads.push(done));
    const cache = await openNotifiedCache(database, 'c', read, { ttlMs: 1_000 });
    const first = cache.get();
    reads[0]?.('first');
    await first;
    await vi.advanceTimersByTimeAsync(400);
    expect([cache.peek(), reads.length]).toEqual(['first', 1]);
    await vi.advanceTimersByTimeAsync(200);
    expect([cache.peek(), cache.peek()]).toEqual(['first', 'first']);
    await vi.advanceTimersByTimeAsync(100);
    expect(reads.length).toBe(2);
    reads[1]?.('second');
    await vi.advanceTimersByTimeAsync(0);
    expect(cache.peek()).toBe('second');
    await vi.advanceTimersByTimeAsync(700);
    expect(cache.peek()).toBe('second');
    await vi.advanceTimersByTimeAsync(100);
    database.notify();
    reads[2]?.('older than the change');
    await vi.advanceTimersByTimeAsync(0);
    expect(cache.peek()).toBeUndefined();
  });

  test('reads nothing ahead that does not exist', async () => {
    fakeTime();
    const read = vi.fn(async () => undefined);
    const cache = await openNotifiedCache(channel(), 'c', read, { ttlMs: 1_000 });
    await cache.get();
    await vi.advanceTimersByTimeAsync(900);
    expect(cache.peek()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(900);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

test('who follows a channel hears notifications, gaps and polls until it stops', async () => {
  fakeTime();
  const database = channel();
  const heard: string[] = [];
  const hear = (payload: string) => heard.push(payload);
  const stop = await follow(database, 'c', hear, () => hear('missed'), 1_000);
  database.notify('a');
  database.gap();
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual(['a', 'missed', 'missed']);
  await stop();
  vi.advanceTimersByTime(5_000);
  expect([heard.length, database.isListening()]).toEqual([3, false]);
});
