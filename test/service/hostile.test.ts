import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { rectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { attackedSettings, hostileRequests, prepareAttacked } from '../setup/hostile-requests.ts';
import { clientWith } from '../setup/operator.ts';
import { answersMeanwhile, startProbedService } from '../setup/probed-service.ts';
import { openSocket } from '../setup/raw-request.ts';

/* While anybody, a customer or an operator sends hostile requests, the service goes on answering everybody else. */

const service = await startProbedService(prepareAttacked, attackedSettings);
afterAll(() => service.stop());
const attacked = { url: service.url, ...service.prepared };

test.each(hostileRequests)(
  '$what: everybody else is answered meanwhile, and the answer is $status',
  async ({ send, status }) => {
    const { result } = await answersMeanwhile(service, () => send(attacked));
    expect(result).toEqual(status);
  },
);

test('1,500 requests at once on each of ten connections: everybody else is answered meanwhile', async () => {
  // The description is made at the first request for it: this is the peak without the attack.
  const ask = () => fetch(`${service.url}/openapi.json`).then((answer) => answer.text());
  const before = await answersMeanwhile(service, ask);
  const requests = 'GET /openapi.json HTTP/1.1\r\nHost:\r\n\r\n'.repeat(1_500);
  const sockets = Array.from({ length: 10 }, () => openSocket(service.url, requests).pause());
  // Nobody reads an answer. That each takes a turn of its own is in test/unit/pipelining.test.ts.
  const { peakBytes } = await answersMeanwhile(service, async (answered) => {
    while (answered() < 10) await turn();
    await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
  });
  expect(peakBytes - before.peakBytes).toBeLessThan(300 * 2 ** 20);
});

/** A file of an operator, and how the work on it ends. */
const files: { what: string; name: string; bytes: () => string; manifest: object; ends: object }[] = [
  {
    what: 'a list of four million rows that are no towers',
    name: 'towers.csv',
    bytes: () => '1\n'.repeat(4_000_000),
    manifest: { technology: 'wireless', processed_by: 'service' },
    ends: { status: 'failed', error: { code: 'tower_columns_missing' } },
  },
  {
    what: 'a polygon of 3,600 holes',
    name: 'holes.geojson',
    bytes: () => JSON.stringify(polygonWithHoles(60)),
    manifest: { technology: 'fibre', speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 } },
    ends: { finished: true, report: { features: { read: 1 } } },
  },
];

/** A square with `rows` rows of as many square holes. */
function polygonWithHoles(rows: number) {
  const square = (west: number, south: number, side: number) =>
    rectangle(west, south, west + side, south + side);
  const holes = Array.from({ length: rows * rows }, (_, i) =>
    square(175 + (i % rows) * 0.005 + 0.001, -39 + Math.floor(i / rows) * 0.005 + 0.001, 0.003),
  );
  return { type: 'Polygon', coordinates: [square(175, -39, rows * 0.005).reverse(), ...holes] };
}

test.each(files)('$what: everybody else is answered while it is worked on', async (one) => {
  const operator = clientWith(service.url, service.prepared.operator);
  const { result: submission } = await answersMeanwhile(service, async () => {
    const { id } = await operator.sent({ name: one.name, bytes: Buffer.from(one.bytes()) }, one.manifest);
    return operator.until(id, ({ finished }) => finished);
  });
  expect(submission).toMatchObject(one.ends);
});
