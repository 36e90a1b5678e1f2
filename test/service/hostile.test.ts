import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../core/access/api-keys.ts';
import { type ProbedService, startProbedService, staysResponsive } from '../setup/probe.ts';

/* What anybody, or any customer or operator, may send: the service goes on answering everybody else meanwhile. */

let service: ProbedService<{ key: string }>;

beforeAll(async () => {
  service = await startProbedService(async (database) => ({ key: await createKey(database, 'Customer') }));
});
afterAll(() => service?.stop());

/** Sends something hostile. What it is answered is the last column: a status, or a range of them. */
interface Case {
  what: string;
  send: () => Promise<Response>;
  status: number;
}

const get = (path: string, headers: Record<string, string>) => () =>
  fetch(`${service.url}${path}`, { headers });

const cases: Case[] = [
  {
    what: 'an Accept-Encoding of 7,000 digits',
    send: get('/', { accept: 'text/html', 'accept-encoding': `gzip;q=0.${'1'.repeat(7_000)}x` }),
    status: 200,
  },
  {
    what: 'an Accept-Encoding of 40,000 digits',
    send: get('/', { accept: 'text/html', 'accept-encoding': `gzip;q=0.${'1'.repeat(40_000)}x` }),
    status: 431,
  },
];

test.each(cases)('$what holds up nobody, and is answered with a $status', async ({ send, status }) => {
  const response = await staysResponsive(service, send);
  expect(response.status).toBe(status);
});
