import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey, rotateKey } from '../../access/api-keys.ts';
import { createCustomer } from '../../billing/customers.ts';
import { descriptionOf } from '../setup/operations.ts';
import { client } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/* Keys for pages, as docs/user/embed.md says; the checker itself is tested in a browser. */

const origin = 'https://shop.example';
const at = '/api/2.0/availability/-36.9026834/174.8075834';
/** The header by which a browser marks requests of this server's own pages. */
const ofOurPage = { 'sec-fetch-site': 'same-origin' };
const perDay = 3;

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${service.api.url}${path}`, { ...init, headers: { 'x-api-key': page.secret, ...headers } });
const framed = (key: string, headers: Record<string, string> = {}) =>
  fetch(`${service.api.url}/embed?key=${encodeURIComponent(key)}`, { headers });

const service = await useService({
  mapLookupsPerDay: perDay,
  trustProxy: ['loopback'],
  refusedRate: { perSecond: 1_000, burst: 10_000 },
});
const customer = await createCustomer(service.database, { name: 'Shop' }, commandActor, new Date());
await service.database.query('update customer set overage_allowed = true');
const page = await addKey(service.database, customer, { label: 'Shop', origin }, commandActor);
const staff = await client(service.api.url, service.database);

describe('the page', () => {
  test('may be framed by pages of its key’s origin, and by no others', async () => {
    const { status, headers } = await framed(page.secret);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/; frame-ancestors https:\/\/shop\.example$/);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('cache-control')).toMatch(/^private/);
    expect(headers.get('set-cookie')).toBeNull();
  });

  test.each([
    ['an unknown key', () => 'cvmUnknown'],
    ['no key', () => ''],
    ['a key for programs, which would be public there', () => service.key],
  ])('is refused with %s', async (_which, key) => {
    const answer = await framed(key());
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 403, error: expect.stringContaining('origin') });
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const shown = await framed(key(), { accept: 'text/html,*/*;q=0.8' });
    expect([shown.status, await shown.text()]).toEqual([403, expect.stringContaining('switched off')]);
    expect(shown.headers.get('content-security-policy')).toMatch(/frame-ancestors \*$/);
    expect(shown.headers.get('x-frame-options')).toBeNull();
  });
});

describe('its key', () => {
  test.each<[string, Record<string, string>]>([
    ['a program', {}],
    ['another page', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of another host of the domain', { 'sec-fetch-site': 'same-site' }],
    ['an old browser’s page of another origin', { referer: `${origin}/` }],
  ])('is refused where %s asks', async (_who, headers) => {
    expect((await ask(at, headers)).status).toBe(403);
  });

  test('opens nothing but lookups and searches for addresses', async () => {
    const { paths } = await descriptionOf(service.api.url);
    const opened = /^\/api\/2\.0\/(?:availability\/(?:\{lat\}\/\{lng\}|address)|addresses)/;
    const refused = [];
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { security = [] }] of Object.entries(operations)) {
        const takesKey = security.some((one) => 'apiKey' in one || 'apiKeyInQuery' in one);
        if (!takesKey || (method === 'get' && opened.test(path))) continue;
        const address = path.replace(/\{\w+\}/g, '1');
        const init: RequestInit = method === 'post' ? { method, body: '[]' } : { method };
        const { status } = await ask(`${address}?api_key=${page.secret}`, ofOurPage, init);
        expect([403, 401], `${method} ${path}`).toContain(status);
        refused.push(path);
      }
    expect(refused).toContain('/api/2.0/usage');
    expect(refused).toContain('/api/1.0/availability/yx/{y}/{x}');
    expect(refused.length).toBeGreaterThanOrEqual(8);
  });

  test('answers an address as often in a day as the map does, and a key for programs as often as it asks', async () => {
    const from = { ...ofOurPage, 'x-forwarded-for': '192.0.2.7' };
    const statuses = [];
    for (let i = 0; i <= perDay; i++) statuses.push((await ask(at, from)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask(at, from);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toEqual({ message: expect.stringContaining('tomorrow') });
    expect((await ask(at, { ...from, 'x-forwarded-for': '192.0.2.8' })).status).toBe(200);
    expect((await ask(at, { ...from, 'x-api-key': service.key })).status).toBe(200);
  });
});

test.each([
  ['https://Shop.example:443/', 'https://shop.example'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['https://māori.example', 'https://xn--mori-qsa.example'],
  ['https://shop.example/page', undefined],
  ['https://user@shop.example', undefined],
  ['shop.example', undefined],
  ['*', undefined],
  ['null', undefined],
  ["https://a.example; script-src 'unsafe-inline'", undefined],
  ['https://*.example', undefined],
  ['javascript://shop.example', undefined],
])('the origin %s makes a key for %s', async (given, expected) => {
  const answer = await staff.post(`/api/staff/customers/${customer}/keys`, { origin: given });
  const { key, code } = (await answer.json()) as { code?: string; key?: { id: number; origin: string } };
  const good = [201, expected, undefined];
  expect([answer.status, key?.origin, code]).toEqual(expected ? good : [400, undefined, 'request_invalid']);
  if (!key) return;
  // Its successor is for the same pages, and not for programs.
  const { key: next } = await rotateKey(service.database, customer, key.id, 1, commandActor);
  expect(next.origin).toBe(expected);
});
