import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type CoalescerOptions, coalesced } from '../../platform/database/coalescer.ts';

/* Requests that arrive while a statement is under way share the next one. */

/** A coalescer of texts that answers with their capitals, one statement each time `finish` is called. */
function capitals(options: Partial<CoalescerOptions<string, string>> = {}) {
  const batches: string[][] = [];
  const finishes: ((error?: Error) => void)[] = [];
  const ask = coalesced<string, string>({
    name: 'answer',
    answer: (texts) => {
      batches.push(texts);
      return new Promise((resolve, reject) => {
        finishes.push((error) => (error ? reject(error) : resolve(texts.map((text) => text.toUpperCase()))));
      });
    },
    maxSize: 3,
    concurrency: 1,
    maxWaiting: 4,
    ...options,
  });
  return { ask, batches, finish: (error?: Error) => finishes.shift()?.(error) };
}

test('one that arrives alone is sent at once, the others share statements, and each has its answer', async () => {
  const { ask, batches, finish } = capitals();
  const answers = ['a', 'b', 'c', 'd', 'e'].map((text) => ask(text));
  expect(batches).toEqual([['a']]);
  finish();
  expect(await answers[0]).toBe('A');
  expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  finish();
  await answers[3];
  finish();
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
});

test('a statement takes requests up to its size, and a larger one by itself', async () => {
  const { ask, batches, finish } = capitals({ size: (text) => text.length });
  const answers = ['a', 'bb', 'cc', 'dddd'].map((text) => ask(text));
  for (const answer of answers) {
    finish();
    await answer;
  }
  expect(batches).toEqual([['a'], ['bb'], ['cc'], ['dddd']]);
});

test('a further statement begins when as many wait as fill it, and none beyond those allowed', async () => {
  const { ask, batches, finish } = capitals({ concurrency: 2, maxWaiting: 9 });
  const answers = ['a', 'b', 'c'].map((text) => ask(text));
  expect(batches).toEqual([['a']]);
  answers.push(...['d', 'e', 'f', 'g'].map((text) => ask(text)));
  expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  finish();
  await answers[0];
  expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e', 'f', 'g']]);
  finish();
  finish();
  await Promise.all(answers);
});

test('one that hangs holds up the first beside it, and no other', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { ask, batches, finish } = capitals({ concurrency: 3, maxWaiting: 9 });
  const hung = ask('hung');
  vi.advanceTimersByTime(10);
  const answers = ['a', 'b'].map((text) => ask(text));
  expect(batches).toEqual([['hung'], ['a']]);
  vi.advanceTimersByTime(10);
  expect(batches).toEqual([['hung'], ['a'], ['b']]);
  for (const _ of batches) finish();
  await Promise.all([hung, ...answers]);
});

test('a further statement begins beside one that takes long, and none beyond those allowed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { ask, batches, finish } = capitals({ concurrency: 2 });
  const answers = ['a', 'b'].map((text) => ask(text));
  vi.advanceTimersByTime(9);
  expect(batches).toEqual([['a']]);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([['a'], ['b']]);
  answers.push(ask('c'));
  vi.advanceTimersByTime(100);
  expect(batches).toEqual([['a'], ['b']]);
  finish();
  await answers[0];
  expect(batches).toEqual([['a'], ['b'], ['c']]);
  finish();
  finish();
  await Promise.all(answers);
});

test('an error is that of its statement, and the next one works', async () => {
  const { ask, finish } = capitals();
  const [first, second] = [ask('a'), ask('b')];
  finish(new Error('the database is away'));
  await expect(first).rejects.toThrow('the database is away');
  finish();
  expect(await second).toBe('B');
});

test('more than are kept waiting are refused', async () => {
  const { ask, finish } = capitals({ maxWaiting: 1 });
  const answers = [ask('a'), ask('b')];
  await expect(ask('c')).rejects.toThrow('1 lookups are waiting');
  finish();
  await answers[0];
  finish();
  await answers[1];
});

test('by turns, those of one turn of the event loop share a statement, and later ones do not wait for more', async () => {
  const { ask, batches, finish } = capitals({ byTurn: true });
  const answers = ['a', 'b'].map((text) => ask(text));
  expect(batches).toEqual([]);
  await turn();
  expect(batches).toEqual([['a', 'b']]);
  finish();
  expect(await Promise.all(answers)).toEqual(['A', 'B']);
  const later = ask('c');
  await turn();
  expect(batches).toEqual([['a', 'b'], ['c']]);
  finish();
  expect(await later).toBe('C');
});

test('a request that waits for too long fails, also while its statement is under way; those that come later do not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ask, finish } = capitals({ withinMs: 100 });
  const late = [ask('a'), ask('b')].map((one) => expect(one).rejects.toThrow('silent'));
  vi.advanceTimersByTime(250);
  await Promise.all(late);
  finish();
  const later = ask('c');
  // The statement that was under way ends in the next turn.
  await turn();
  finish();
  expect(await later).toBe('C');
});

test('answers that came while the process stood still are taken, and who waits on fails at the next check', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => {
    clock.mockRestore();
    vi.useRealTimers();
  });
  const { ask, finish } = capitals({ withinMs: 500, concurrency: 2, maxSize: 1 });
  const [first, second] = [ask('a'), ask('b')];
  clock.mockReturnValue(600);
  vi.advanceTimersByTime(250);
  finish();
  expect(await first).toBe('A');
  clock.mockReturnValue(850);
  vi.advanceTimersByTime(250);
  await expect(second).rejects.toThrow('silent');
});
