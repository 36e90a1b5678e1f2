import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { gate } from '../setup/gate.ts';
import { openSocket, receivedBy } from '../setup/raw-request.ts';
import { countingLimit, startApiAlone, useApi, useDatabase } from '../setup/service.ts';
import { smuggled } from '../setup/smuggled.ts';

/* Connections that hide a request, are not read, or stay open, also where the API stops. */

const patienceSeconds = 2;

const { place, database } = await useDatabase({ bodyTimeoutSeconds: patienceSeconds });
const api = await useApi(place, database);

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

test.each(smuggled)('a request that hides another by %s is not answered twice', async (_, text) => {
  const socket = openSocket(api.url, text);
  // The service answers an incomplete body after its timeout; a kept-alive connection ends here later.
  const idle = setTimeout(() => socket.end(), 1_000 * (patienceSeconds + 8));
  const answer = await receivedBy(socket);
  clearTimeout(idle);
  const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
  // A body that is read by its length includes the hidden request: one answer. All other requests are refused.
  expect(statuses.length, answer).toBeLessThanOrEqual(1);
  expect(['400', '404', '405', '408', undefined]).toContain(statuses[0]);
});

describe('somebody who does not read', () => {
  const requests = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(120);

  test('is cut off, however much is still to be sent', async () => {
    const socket = openSocket(api.url, requests).pause();
    const end = closed(socket);
    // Only a write notices that the other side has cut the connection; one before that time would be a sign of life.
    while (!socket.destroyed) {
      await Promise.race([end, sleep(1.5 * patienceSeconds * 1000)]);
      socket.write('G');
    }
    await end;
  });

  test('but slowly is not', async () => {
    const socket = openSocket(api.url, requests).pause();
    let bytes = 0;
    const begin = performance.now();
    // For longer than the service waits for a caller that reads nothing.
    while (performance.now() - begin < 2.5 * patienceSeconds * 1000) {
      await sleep(100);
      for (let taken = 0; taken < 400_000; ) {
        const chunk = socket.read() as Buffer | null;
        if (!chunk) break;
        taken += chunk.length;
        bytes += chunk.length;
      }
      expect(socket.destroyed).toBe(false);
    }
    expect(bytes).toBeGreaterThan(1_000_000);
    socket.destroy();
    await closed(socket);
  });

  test('and who waits for an answer that takes long is answered', async () => {
    // A lookup that another transaction holds up.
    const [held, released] = [gate(), gate()];
    const transaction = database.transaction(async (connection) => {
      await connection.query('lock table access_token in access exclusive mode');
      held.open();
      await released.opened;
    });
    await held.opened;
    const answer = fetch(`${api.url}/api/operator/catalog`, { headers: { authorization: 'Bearer none' } });
    await sleep(2 * patienceSeconds * 1000);
    released.open();
    await transaction;
    expect((await answer).status).toBe(401);
  });
});

test('an API that stops finishes the requests in flight, takes no more, and closes kept-alive connections', async () => {
  const key = await createKey(database, 'Customer');
  const limit = countingLimit();
  const api = await startApiAlone(place, database, undefined, { limit });
  const ask = () => fetch(`${api.url}/api/2.0/availability/-36.9/174.8`, { headers: { 'x-api-key': key } });
  expect((await ask()).status).toBe(200);
  let inFlight: Promise<Response>[] = [];
  let closing: Promise<void> | undefined;
  await database.transaction(async (connection) => {
    // Keeps lookups waiting: on a server by the lock, in the embedded database by holding its only session.
    await connection.query('lock table coverage in access exclusive mode');
    inFlight = Array.from({ length: 5 }, ask);
    await limit.untilTaken(1 + 5);
    closing = api.close();
    await expect(ask()).rejects.toThrow();
    // The lookups are held for as long as this transaction lasts.
    expect(await Promise.race([closing, sleep(300, 'held')])).toBe('held');
  });
  const answers = await Promise.all(inFlight);
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  await closing;
});
