import { once } from 'node:events';
import { commandActor } from '../../access/actor.ts';
import { createKey } from '../../access/api-keys.ts';
import { createToken } from '../../access/tokens.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import type { Database } from '../../platform/database/database.ts';
import { openSocket, receivedBy } from './raw-request.ts';

/*
 * Requests by which anybody, a customer or an operator tries to keep a service from answering others. The tests ask for their statuses,
 * the benchmark how long an answer to /healthz takes meanwhile.
 */

export interface HostileRequest {
  what: string;
  /** Gives the status of the answer, or of each. */
  send: (service: Attacked) => Promise<number | number[]>;
  status: number | number[];
}

export interface Attacked {
  url: string;
  /** A key for each request, by its `what`: each has an allowance of its own. */
  keys: Record<string, string>;
  /** The token of an operator. */
  operator: string;
}

/** The settings of a service that gets them. */
export const attackedSettings = {
  BODY_TIMEOUT_SECONDS: '5',
  UPLOAD_MIN_BYTES_PER_SECOND: '1000',
  MAX_CONNECTIONS_PER_ADDRESS: '400',
  // As if requests came from many addresses, each with an allowance of its own.
  PAGE_RATE: '100000',
  PAGE_BURST: '100000',
};

/** Puts into a database what the requests need. */
export async function prepareAttacked(database: Database): Promise<Omit<Attacked, 'url'>> {
  const keys: Record<string, string> = {};
  for (const { what } of hostileRequests) keys[what] = await createKey(database, what);
  // More than the free queries, without a plan.
  await database.query('update customer set overage_allowed = true');
  return { keys, operator: await createToken(database, operatorOf('Kauri Fibre'), 'Operator', commandActor) };
}

async function request(address: string, options: RequestInit): Promise<number> {
  const response = await fetch(address, options);
  await response.arrayBuffer();
  return response.status;
}

const list = (what: string, type: string, status: number, body: () => string): HostileRequest => ({
  what,
  status,
  send: ({ url, keys }) =>
    request(`${url}/api/2.0/availability/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': keys[what] as string, 'content-type': type },
      body: body(),
    }),
});

/** Connections on which a request is begun and never ended: the status that all of them are answered with. */
async function stalled(url: string, count: number, text: string, trickle = ''): Promise<number> {
  const statuses = Array.from({ length: count }, async () => {
    const socket = openSocket(url, text);
    const timer = setInterval(() => trickle && !socket.connecting && socket.write(trickle), 100);
    const answer = await receivedBy(socket);
    clearInterval(timer);
    return Number(/^HTTP\/1.1 (\d{3})/.exec(answer)?.[1]);
  });
  const [first, ...others] = new Set(await Promise.all(statuses));
  if (others.length > 0) throw new Error(`Not all are answered alike: ${[first, ...others]}`);
  return first as number;
}

const post = (path: string, headers = '', type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\nContent-Type: ${type}\r\n${headers}\r\n`;

const jobs = '/api/2.0/availability/jobs';
const tooSlow =
  'at once 100 sign-ins that send no body, 100 answers whose requests go on, and 100 files that come in drop by drop';

/** Sends a manifest with a file. Whatever is wrong, the answer is short. */
async function describeFile({ url, operator }: Attacked, manifest: object): Promise<number> {
  const body = new FormData();
  body.append('manifest', JSON.stringify({ technology: 'fibre', ...manifest }));
  body.append('file', new Blob(['no archive']), 'in.zip');
  const headers = { authorization: `Bearer ${operator}` };
  const response = await fetch(`${url}/api/operator/submissions`, { method: 'POST', headers, body });
  const { length } = await response.text();
  if (length > 10_000) throw new Error(`an answer of ${length} characters`);
  return response.status;
}

export const hostileRequests: HostileRequest[] = [
  ...[7_000, 40_000].map((digits) => ({
    what: `an Accept-Encoding of ${digits} digits`,
    send: ({ url }: Attacked) =>
      request(`${url}/`, {
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
    send: ({ url, keys }) =>
      Promise.all([
        stalled(url, 100, post('/api/session')),
        stalled(url, 100, post('/healthz'), 'x'),
        stalled(url, 100, post(jobs, `x-api-key: ${keys[tooSlow]}\r\n`, 'text/csv'), '1,2\n'),
      ]),
    status: [408, 405, 408],
  },
  {
    what: '400 connections that say nothing, and one more',
    send: async ({ url }) => {
      const idle = Array.from({ length: 400 }, () => openSocket(url));
      await Promise.all(idle.map((socket) => once(socket, 'connect')));
      try {
        return await stalled(url, 1, '');
      } finally {
        for (const socket of idle) socket.destroy();
      }
    },
    status: 503,
  },
  {
    what: 'a manifest of 70,000 fields that there are not',
    send: (service) =>
      describeFile(service, Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`x${i}`, i]))),
    status: 422,
  },
  {
    what: 'a manifest of 450,000 layers that are no names',
    send: (service) => describeFile(service, { layers: Array.from({ length: 450_000 }, () => 1) }),
    status: 422,
  },
];
