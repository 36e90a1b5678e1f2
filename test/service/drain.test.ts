import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createKey } from '../../core/access/api-keys.ts';
import { countingLimit, placeOfTest, startApiAlone } from '../setup/service.ts';

test('an API that stops finishes the requests in flight, takes no more, and closes kept-alive connections', async () => {
  const { place, database } = await placeOfTest();
  const key = await createKey(database, 'Customer');
  const limit = countingLimit();
  const api = await startApiAlone(place, database, undefined, { limit });
  const ask = () => fetch(`${api.url}/api/2.0/availability/-36.9/174.8`, { headers: { 'x-api-key': key } });
  expect((await ask()).status).toBe(200);
  let closed = false;
  let inFlight: Promise<Response>[] = [];
  let closing: Promise<void> | undefined;
  await database.transaction(async (connection) => {
    // Keeps lookups waiting: on a server by the lock, in the embedded database by holding its only session.
    await connection.query('lock table coverage in access exclusive mode');
    inFlight = Array.from({ length: 5 }, ask);
    await limit.untilTaken(1 + 5);
    closing = api.close().then(() => {
      closed = true;
    });
    await expect(ask()).rejects.toThrow();
    // The lookups are held for as long as this transaction lasts.
    await Promise.race([closing, sleep(300)]);
    expect(closed).toBe(false);
  });
  const answers = await Promise.all(inFlight);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
  await closing;
});
