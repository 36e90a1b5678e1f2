import { once } from 'node:events';
import { rectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createKey } from '../../access/api-keys.ts';
import { createToken } from '../../access/tokens.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import { clientWith } from '../setup/operator.ts';
import { longestAnswerMs, probe, startProbedService, staysResponsive } from '../setup/probe.ts';
import { openSocket, receivedBy } from '../setup/raw-request.ts';

/*
 * While anybody, a customer or an operator sends hostile requests, the service goes on answering everybody else. A case is a row:
 * the request, and the status that it gets.
 */

interface Case {
  what: string;
  /** Gives the status of the answer, or of each. */
  send: () => Promise<number | number[]>;
  status: number | number[];
}

async function request(path: string, options: RequestInit): Promise<number> {
  const response = await fetch(`${service.url}${path}`, options);
  await response.arrayBuffer();
  return response.status;
}

const list = (what: string, type: string, status: number, body: () => string): Case => ({
  what,
  status,
  send: () =>
    request('/api/2.0/availability/bulk', {
      method: 'POST',
      headers: { 'x-api-key': service.prepared.keys[what] as string, 'content-type': type },
      body: body(),
    }),
});

/** Connections on which a request is begun and never ended: the status that all of them are answered with. */
async function stalled(count: number, text: string, trickle = ''): Promise<number> {
  const statuses = Array.from({ length: count }, async () => {
    const socket = openSocket(service.url, text);
    const timer = setInterval(() => trickle && !socket.connecting && socket.write(trickle), 100);
    const answer = await receivedBy(socket);
    clearInterval(timer);
    return Number(/^HTTP\/1.1 (\d{3})/.exec(answer)?.[1]);
  });
  const [first, ...others] = new Set(await Promise.all(statuses));
  expect(others, `Not all are answered alike: ${[first, ...others]}`).toEqual([]);
  return first as number;
}

const post = (path: string, headers = '', type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\nContent-Type: ${type}\r\n${headers}\r\n`;

const jobs = '/api/2.0/availability/jobs';
const tooSlow =
  'at once 100 sign-ins that send no body, 100 answers whose requests go on, and 100 files that come in drop by drop';

/** Sends a manifest with a file, and expects a short answer, whatever is wrong. */
async function describeFile(manifest: object): Promise<number> {
  const { operator } = service.prepared;
  const file = { name: 'in.zip', bytes: Buffer.from('no archive') };
  const described = { technology: 'fibre', ...manifest };
  const response = await clientWith(service.url, operator).send(file, described);
  expect((await response.text()).length).toBeLessThan(10_000);
  return response.status;
}

const cases: Case[] = [
  ...[7_000, 40_000].map((digits) => ({
    what: `an Accept-Encoding of ${digits} digits`,
    send: () =>
      request('/', {
        headers: { accept: 'text/html', 'accept-encoding': `gzip;q=0.${'1'.repeat(digits)}x` },
      }),
    status: digits < 8_000 ? 200 : 431,
  })),
  list('4 MB of lines that are no JSON', 'application/x-ndjson', 413, () => '{\n'.repeat(2_000_000)),
  list('4 MB of lines that are hardly JSON', 'application/x-ndjson', 413, () => '[,]\n'.repeat(1_000_000)),
  list('416 kB of lines of quoted fields', 'text/csv', 413, () => '"1","2"\n'.repeat(52_000)),
  list('as many quoted lines as a list may have', 'text/csv', 200, () => '"1","2"\n'.repeat(10_000)),
  list('1 MB of blank lines', 'text/csv', 400, () => '\n'.repeat(1_000_000)),
  list('lines of nothing but quotes', 'text/csv', 200, () => `${'"'.repeat(1_999)}\n`.repeat(2_000)),
  list('4 MB of brackets', 'application/json', 400, () => '['.repeat(4_000_000)),
  list('4 MB of JSON objects', 'application/json', 413, () => `[${'{},'.repeat(1_300_000)}{}]`),
  {
    what: tooSlow,
    send: () =>
      Promise.all([
        stalled(100, post('/api/session')),
        stalled(100, post('/healthz'), 'x'),
        stalled(100, post(jobs, `x-api-key: ${service.prepared.keys[tooSlow]}\r\n`, 'text/csv'), '1,2\n'),
      ]),
    status: [408, 405, 408],
  },
  {
    what: '400 connections that say nothing, and one more',
    send: async () => {
      const idle = Array.from({ length: 400 }, () => openSocket(service.url));
      await Promise.all(idle.map((socket) => once(socket, 'connect')));
      try {
        return await stalled(1, '');
      } finally {
        for (const socket of idle) socket.destroy();
      }
    },
    status: 503,
  },
  {
    what: 'a manifest of 70,000 fields that there are not',
    send: () => describeFile(Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`x${i}`, i]))),
    status: 422,
  },
  {
    what: 'a manifest of 450,000 layers that are no names',
    send: () => describeFile({ layers: Array.from({ length: 450_000 }, () => 1) }),
    status: 422,
  },
];

const service = await startProbedService(
  async (database) => {
    const keys: Record<string, string> = {};
    // Each has an allowance of its own.
    for (const { what } of cases) keys[what] = await createKey(database, what);
    // More than the free queries, without a plan.
    await database.query('update customer set overage_allowed = true');
    return {
      keys,
      operator: await createToken(database, operatorOf('Kauri Fibre'), 'Operator', commandActor),
    };
  },
  {
    BODY_TIMEOUT_SECONDS: '5',
    UPLOAD_MIN_BYTES_PER_SECOND: '1000',
    MAX_CONNECTIONS_PER_ADDRESS: '400',
    // As if requests came from many addresses, each with an allowance of its own.
    PAGE_RATE: '100000',
    PAGE_BURST: '100000',
  },
);
afterAll(() => service.stop());

test.each(cases)('$what: everybody else is answered meanwhile, and the answer is $status', async (one) => {
  expect(await staysResponsive(service, one.send)).toEqual(one.status);
});

/** Sends 1,500 requests in one packet on each of ten connections, and reads the first fifty answers. */
async function pipelined(): Promise<void> {
  const requests = 'GET /openapi.json HTTP/1.1\r\nHost:\r\n\r\n'.repeat(1_500);
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      let answers = 0;
      for await (const chunk of openSocket(service.url, requests).setEncoding('latin1')) {
        answers += chunk.split('"openapi":').length - 1;
        if (answers >= 50) break;
      }
    }),
  );
}

test('1,500 requests at once on each of ten connections: everybody else is answered meanwhile', async () => {
  // The description is made at the first request for it: this is the peak without the attack.
  const { figures: before } = await probe(service, () => request('/openapi.json', {}));
  const { figures } = await probe(service, pipelined);
  expect(figures.heldUpMs).toBeLessThan(longestAnswerMs);
  expect(figures.peakBytes - before.peakBytes).toBeLessThan(300 * 2 ** 20);
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
  const submission = await staysResponsive(service, async () => {
    const { id } = await operator.sent({ name: one.name, bytes: Buffer.from(one.bytes()) }, one.manifest);
    return operator.until(id, ({ finished }) => finished);
  });
  expect(submission).toMatchObject(one.ends);
});
