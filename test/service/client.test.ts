import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { CovermapApiError, createClient } from '../../client/client.ts';
import { listAddresses, titirangi } from '../setup/addresses.ts';
import { useService } from '../setup/service.ts';

/* The typed client of `client/`, against the running service. */

const here = { lat: '-36.975', lng: '174.525' };

const service = await useService();
const file = await zippedRectangle(174.5, -37, 174.55, -36.95);
await service.ingest(file, { provider: 'Client Networks', technology: 'fibre' });

test('the client asks what there is, and the compiler knows the answer', async () => {
  const covermap = createClient({ url: service.api.url, key: service.key });
  const { location, results } = await covermap.get('/api/2.0/availability/{lat}/{lng}', { path: here });
  expect(location).toEqual(here);
  expect(results[0]).toMatchObject({
    technology: 'fibre',
    availability: 'available',
    providers: [{ name: 'Client Networks', bandwidth_max_mbps: 100, planned_date: null }],
  });
  expectTypeOf(results[0]?.availability).toEqualTypeOf<'available' | 'planned' | 'unavailable' | undefined>();
  expectTypeOf(results[0]?.providers?.[0]?.bandwidth_max_mbps).toEqualTypeOf<number | undefined>();
  // @ts-expect-error there is no such address
  await covermap.get('/api/3.0/availability').catch(() => undefined);
  // @ts-expect-error the position is needed
  await covermap.get('/api/2.0/availability/{lat}/{lng}').catch(() => undefined);
  const providers = await covermap.get('/api/2.0/providers');
  expect(providers.results.map(({ name }) => name)).toEqual(['Client Networks']);
});

test('a text of an address is sure, or has candidates: the compiler asks which, and 300 is no error', async () => {
  await listAddresses(service.database, [
    { id: '7', label: '2', ...titirangi },
    { id: '8', label: '4', ...titirangi, lat: -36.9751 },
  ]);
  const covermap = createClient({ url: service.api.url, key: service.key });
  const search = () => covermap.get('/api/2.0/addresses', { query: { q: '2 rata', limit: '1' } });
  await vi.waitFor(
    async () => expect((await search()).results).toMatchObject([{ kind: 'address', id: '7' }]),
    60_000,
  );
  const ask = (q: string) => covermap.get('/api/2.0/availability/address', { query: { q } });
  const sure = await ask('2 Rata St, Titirangi');
  if ('candidates' in sure) throw new Error(sure.error);
  expect(sure).toMatchObject({ location: here, address: { id: '7', match: 'exact' } });
  expect(sure.results[0]?.providers?.[0]?.name).toBe('Client Networks');
  const unsure = await ask('6 Rata St, Titirangi');
  if (!('candidates' in unsure)) throw new Error('it is sure of an address that there is not');
  expect(unsure.candidates[0]).toMatchObject({ text: 'Rata Street, Titirangi, Auckland', match: 'street' });
  const byId = await covermap.get('/api/2.0/availability/address/{address}', {
    path: { address: '7' },
    query: { nearby: '1' },
  });
  expectTypeOf(byId.results[0]?.providers?.[0]?.edge_m).toEqualTypeOf<number | null | undefined>();
  expect(byId).toMatchObject({ address: { id: '7' }, nearby: [] });
  await expect(ask('zzqq xxyy')).rejects.toMatchObject({ status: 404 });
  const [first, second] = await covermap.post('/api/2.0/availability/bulk', {
    body: [{ address: '2 Rata St, Titirangi', id: 'a' }, { address_id: '9' }],
  });
  expect(first).toMatchObject({ id: 'a', address: { id: '7' }, location: here });
  expect(second?.error?.code).toBe(404);
});

test('searches for addresses keep to their own rate, and do not wait for that of lookups', async () => {
  const fields = (name: string, left: number) => ({
    'ratelimit-policy': `"${name}";q=20;w=20000`,
    ratelimit: `"${name}";r=${left};t=1`,
  });
  const covermap = createClient({
    ...{ url: 'https://covermap.example/', key: 'key' },
    fetch: async ({ url }) =>
      Response.json(
        { results: [] },
        { headers: url.includes('addresses') ? fields('addresses', 9) : fields('key', 0) },
      ),
  });
  await covermap.get('/api/2.0/providers');
  for (let i = 0; i < 3; i++) await covermap.get('/api/2.0/addresses', { query: { q: 'rata' } });
  const left = AbortSignal.timeout(100);
  await expect(covermap.get('/api/2.0/providers', { signal: left })).rejects.toThrow();
});

test('the client reports errors of either shape by status, code and sentence', async () => {
  const wrong = createClient({ url: service.api.url, key: 'wrong' });
  const refused = await wrong.get('/api/2.0/providers').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CovermapApiError);
  expect(refused).toMatchObject({ status: 403, code: 403, message: 'Forbidden' });
  const nobody = createClient({ url: service.api.url });
  const error = { status: 401, code: 'not_signed_in', hint: expect.any(String) };
  await expect(nobody.get('/api/operator/catalog')).rejects.toMatchObject(error);
});

/** A client whose requests are answered here; the last answer stays. */
function answered(answers: Response[], ask = () => {}) {
  const asked: string[] = [];
  const fetch = async ({ url }: Request) => {
    asked.push(url);
    ask();
    return (answers.length > 1 ? answers.shift() : answers[0]) as Response;
  };
  return { asked, covermap: createClient({ url: 'https://covermap.example/', fetch }) };
}
const tooMany = (seconds: number) =>
  Response.json({ message: 'Too many requests' }, { status: 429, headers: { 'retry-after': `${seconds}` } });

test('the client waits where it is asked to, and tries again', async () => {
  const { asked, covermap } = answered([tooMany(0), new Response('{"submissions": [], "next": null}')]);
  const query = { technology: 'cable', limit: 2 };
  expect(await covermap.get('/api/operator/submissions', { query })).toMatchObject({ submissions: [] });
  const address = 'https://covermap.example/api/operator/submissions?technology=cable&limit=2';
  expect(asked).toEqual([address, address]);
});

test.each([
  ['while it waits', (given: AbortController) => void setTimeout(() => given.abort(new Error('left')), 50)],
  ['before it waits', (given: AbortController) => given.abort(new Error('left'))],
])('the client asks no more, and waits no longer, for a caller who has left %s', async (_when, leave) => {
  const given = new AbortController();
  const { asked, covermap } = answered([tooMany(60)], () => leave(given));
  await expect(covermap.get('/api/2.0/providers', { signal: given.signal })).rejects.toThrow('left');
  expect(asked).toHaveLength(1);
});
