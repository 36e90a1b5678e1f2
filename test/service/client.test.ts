import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { expect, expectTypeOf, test } from 'vitest';
import { CovermapApiError, createClient } from '../../client/client.ts';
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
