import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failedAttempts, TooManyAttempts } from '../../access/failed-attempts.ts';
import { openKeyRing } from '../../access/key-ring.ts';
import { requireKey } from '../../api/middleware/key.ts';
import { gate } from '../setup/gate.ts';

test('requests of a key that is read for the first time are no wrong attempts, however many come before it is read', async () => {
  const digestOf: string[] = [];
  const answer = gate();
  const database = {
    listen: async () => async () => undefined,
    async query({ values }: { values: [string[], string] }) {
      digestOf.push(...values[0]);
      await answer.opened;
      const key = { id: 1, customerId: 1, origin: null, localOnly: false, limits: null };
      return { rows: values[0].map((digest) => ({ digest, ...key })) };
    },
  };
  const keys = await openKeyRing(database as never);
  const attempts = failedAttempts({ perSecond: 1, burst: 3 }, database as never, pino({ enabled: false }));
  let refused = 0;
  const handler = requireKey(
    { keys, attempts },
    { readKey: () => 'm-slow', refuse: () => refused++, refuseTooMany: () => refused++ },
  );
  const passed: unknown[] = [];
  const next = vi.fn();
  const pass = () => handler({ ip: '192.0.2.1' } as never, { setHeader() {} } as never, next);
  for (let i = 0; i < 20; i++, await turn()) passed.push(pass());
  answer.open();
  await Promise.all(passed);
  expect(refused).toBe(0);
  expect(next).toHaveBeenCalledTimes(20);
  expect(digestOf).toHaveLength(1);
  await attempts.close();
  await keys.close();
});

test('a secret that is valid no longer is a wrong attempt from the first time on; an error of the database is none', async () => {
  const logger = pino({ enabled: false });
  const attempts = failedAttempts({ perSecond: 0.001, burst: 3 }, undefined as never, logger);
  onTestFinished(() => attempts.close());
  const attempt = (answer: Promise<string | undefined>) =>
    attempts.attempt('token', '192.0.2.1', 'secret', () => answer);
  for (let time = 0; time < 4; time++)
    await expect(attempt(Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await attempt(Promise.resolve('Ana'))).toBe('Ana');
  for (let time = 0; time < 3; time++) expect(await attempt(Promise.resolve(undefined))).toBeUndefined();
  await expect(attempt(Promise.resolve('Ana'))).rejects.toThrow(TooManyAttempts);
});
