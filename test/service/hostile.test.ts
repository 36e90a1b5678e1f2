import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandActor } from '../../core/access/actor.ts';
import { createKey } from '../../core/access/api-keys.ts';
import { createToken } from '../../core/access/tokens.ts';
import { type ProbedService, startProbedService, staysResponsive } from '../setup/probe.ts';

/* What anybody, or any customer or operator, may send: the service goes on answering everybody else meanwhile. */

let service: ProbedService<{ key: string; operator: string }>;

beforeAll(async () => {
  service = await startProbedService(async (database) => ({
    key: await createKey(database, 'Customer'),
    operator: await createToken(database, { role: 'operator', provider: 'Towers' }, 'Ana', commandActor),
  }));
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

test('a list of four million rows that are no towers is refused, and holds up nobody', async () => {
  const headers = { authorization: `Bearer ${service.prepared.operator}` };
  const manifest = { technology: 'wireless', processed_by: 'service' };
  const submission = await staysResponsive(service, async () => {
    const form = new FormData();
    form.set('manifest', JSON.stringify(manifest));
    form.set('file', new Blob(['1\n'.repeat(4_000_000)]), 'towers.csv');
    const sent = await fetch(`${service.url}/api/operator/submissions`, {
      method: 'POST',
      headers,
      body: form,
    });
    expect(sent.status).toBe(202);
    const { id } = (await sent.json()) as { id: string };
    for (;;) {
      const answer = await fetch(`${service.url}/api/operator/submissions/${id}`, { headers });
      const found = (await answer.json()) as { finished: boolean };
      if (found.finished) return found;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  expect(submission).toMatchObject({ status: 'failed', error: { code: 'tower_columns_missing' } });
});
