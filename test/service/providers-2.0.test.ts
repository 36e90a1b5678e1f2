import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../setup/service.ts';
import { zippedRectangle } from '../setup/shapes.ts';

/* GET /api/2.0/providers: every row of the document and of the page of decisions. */

let service: Service;

beforeAll(async () => {
  service = await startService();
  const area = await zippedRectangle(174.7, -36.95, 174.9, -36.85);
  await service.ingest(area, {
    provider: {
      name: 'Zulu',
      url: 'https://zulu.example/',
      description: 'Wireless and fibre.',
      area_served: ['Auckland', 'Waikato'],
    },
    technology: 'wireless',
  });
  await service.ingest(area, { provider: 'Zulu', technology: 'fibre' });
  await service.ingest(area, { provider: 'Alpha', technology: 'vdsl' });
  await service.ingest(area, { provider: 'Not yet', publish: 'review' });
  await service.ingest({ name: 'broken.zip', bytes: Buffer.from('no zip') }, { provider: 'Never' });
});
afterAll(() => service?.stop());

test('lists who has published coverage, by name, with every field of the document', async () => {
  const response = await service.get('/api/2.0/providers');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual({
    results: [
      { name: 'Alpha', description: '', areaServed: [], technologies: ['VDSL'], url: '' },
      {
        name: 'Zulu',
        description: 'Wireless and fibre.',
        areaServed: ['Auckland', 'Waikato'],
        technologies: ['Fibre', 'Wireless'],
        url: 'https://zulu.example/',
      },
    ],
  });
});

test('shows a change to a provider at once', async () => {
  await service.database.query(`update provider set url = 'https://alpha.example/' where name = 'Alpha'`);
  const { results } = (await (await service.get('/api/2.0/providers')).json()) as { results: object[] };
  expect(results[0]).toMatchObject({ name: 'Alpha', url: 'https://alpha.example/' });
});

test.each([
  ['no key', {}],
  ['an unknown key', { 'x-api-key': 'nobody' }],
])('is a 403 with only a message: %s', async (_, headers) => {
  const response = await service.get('/api/2.0/providers', headers as Record<string, string>);
  expect([response.status, await response.json()]).toEqual([403, { message: 'Forbidden' }]);
});

test('another method is a 405', async () => {
  const response = await fetch(`${service.api.url}/api/2.0/providers`, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
