import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { routes } from '../../api/all-routes.ts';
import type { Route } from '../../api/define-route.ts';
import { createLogger } from '../../platform/logger.ts';
import { today } from '../../platform/nz-time.ts';
import { useApi, useService } from '../setup/service.ts';

/*
 * An answer that is not counted tells nothing about coverage. Each such answer of every billed route is the same for a place with
 * coverage and for one without.
 */

let counted = 0;

const service = await useService({ rateLimit: undefined });
await service.ingest(await zippedRectangle(175, -40, 176, -39), { provider: 'Kauri Fibre' });
/** A key of another customer. */
const others = await createKey(service.database, 'Another customer');
await service.database.query('update customer set overage_allowed = true');
const api = await useApi(service, service.database, createLogger('silent'), {
  meter: {
    count(_key, queries = 1) {
      counted += queries;
    },
  },
});

type Place = readonly [lat: string, lng: string];
/** Texts of one length, so that only the coverage differs. */
const covered: Place = ['-39.5', '175.5'];
const uncovered: Place = ['-38.5', '175.5'];

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** How many queries were counted for it. */
  queries: number;
}
interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(path: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> {
  const before = counted;
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const request = http.request(`${api.url}${path}`, {
    ...{ method, agent: false },
    headers: { ...headers, ...length },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  // An answer is counted once it is written, so before it can be read here.
  await turn();
  const { statusCode: status = 0, headers: answered } = response;
  return { status, headers: answered, body: Buffer.concat(chunks).toString(), queries: counted - before };
}

const withKey = (key = service.key) => ({ 'x-api-key': key });
/** The request to a billed route about a place. */
function about(route: Route, place: Place, query: string, key: string, given: Asking = {}) {
  const [lat, lng] = place;
  const path = route.path.replace(/\{(?:lat|y)\}/, lat).replace(/\{(?:lng|x)\}/, lng);
  const inQuery = route.who === 'keyInQuery';
  const parts = [query, inQuery && key ? `api_key=${key}` : ''].filter(Boolean);
  return {
    path: parts.length > 0 ? `${path}?${parts.join('&')}` : path,
    asking: {
      method: route.method.toUpperCase(),
      ...(route.method === 'post' && { body: `${lat},${lng}\n` }),
      ...given,
      headers: {
        ...(!inQuery && key && withKey(key)),
        ...(route.method === 'post' && { 'content-type': 'text/csv' }),
        ...given.headers,
      },
    },
  };
}
const askAbout = (...words: Parameters<typeof about>) => {
  const { path, asking } = about(...words);
  return ask(path, asking);
};
/** An answer as text, without its date and the position that was asked for. */
const toldBy = ({ status, headers: { date, ...headers }, body }: Answer, place: Place) =>
  JSON.stringify({ status, headers, body }).replaceAll(place.join('/'), 'here');

/** The routes whose answers are counted, found by asking each route of a key. */
async function billedRoutes(): Promise<Route[]> {
  const billed: Route[] = [];
  for (const route of routes(service.config)) {
    if (route.who !== 'key' && route.who !== 'keyInQuery') continue;
    const { queries } = await askAbout(route, covered, '', service.key);
    if (queries > 0) billed.push(route);
  }
  return billed;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const dates = [today(), '2020-01-01', '2999-01-01', 'x'].map((date) => `at=${date}`);
const queries = ['', 'explain=1', 'explain=2', ...dates, 'format=csv'];

describe('an answer that is not counted', () => {
  test('tells nothing about coverage, and is every answer but a 200: every method, header and key', async () => {
    const billed = await billedRoutes();
    const names = ['getAvailability', 'getAvailability1', 'getAvailabilityOfMany'];
    expect(billed.map(({ id }) => id).sort()).toEqual(names);
    const [one] = billed as [Route];
    /** Tags that were given for another place, key, version or query. */
    const otherTags = [
      await askAbout(one, ['-39.6', '175.5'], '', service.key),
      await askAbout(one, ['-38.6', '175.5'], '', service.key),
      await askAbout(one, covered, '', others),
      await askAbout(one, uncovered, '', others),
      await askAbout(one, covered, 'format=x', service.key),
    ].map(({ headers }) => headers.etag as string);
    expect(new Set(otherTags).size).toBe(otherTags.length);
    const tags = ['*', ' * ', '"*"', 'W/"*"', '*, "x"', otherTags.join(', ')];
    const headers: Record<string, string>[] = [
      {},
      ...tags.map((some) => ({ 'if-none-match': some })),
      { 'if-modified-since': 'Fri, 01 Jan 2999 00:00:00 GMT' },
      { 'if-unmodified-since': 'Fri, 01 Jan 1999 00:00:00 GMT' },
      { 'if-match': '"x"' },
      { range: 'bytes=0-0' },
      { range: 'bytes=0-0', 'if-range': '"x"' },
      { accept: 'image/png' },
      { 'accept-encoding': 'identity;q=0' },
      { expect: '100-continue' },
      { 'content-type': 'image/png' },
      { 'x-http-method-override': 'HEAD' },
    ];
    const tried: number[] = [];
    let uncounted = 0;
    for (const route of billed) {
      const cases = [
        ...queries.flatMap((query) =>
          // The query makes no difference to which methods are allowed.
          (query === '' ? methods : ['GET', 'HEAD', 'POST']).map((method) => ({ query, given: { method } })),
        ),
        ...[{}, { method: 'HEAD' }].flatMap((how) =>
          headers.map((given) => ({ given: { ...how, headers: given } })),
        ),
        ...['', 'wrong'].map((key) => ({ key })),
      ];
      for (const one of cases) {
        const { query, given, key } = { query: '', given: {}, key: service.key, ...one };
        const there = await askAbout(route, covered, query, key, given);
        const elsewhere = await askAbout(route, uncovered, query, key, given);
        const name = `${route.path} ${query} ${JSON.stringify(given)}`;
        expect(there.queries, name).toBe(elsewhere.queries);
        if (there.status !== 200) expect(there.queries, name).toBe(0);
        tried.push(there.status);
        if (there.queries > 0) continue;
        uncounted++;
        expect(toldBy(there, covered), name).toBe(toldBy(elsewhere, uncovered));
      }
    }
    expect(uncounted).toBeGreaterThan(60);
    expect([...new Set(tried)]).toEqual(expect.arrayContaining([200, 400, 401, 403, 405, 406, 410, 415]));
  });

  test('is a 304 only to the key and the address that its tag was given to, until the catalog changes', async () => {
    const path = `/api/2.0/availability/${covered.join('/')}`;
    const bought = await ask(path, { headers: withKey() });
    const tag = bought.headers.etag as string;
    const again = (address: string, key = service.key) =>
      ask(address, { headers: { ...withKey(key), 'if-none-match': tag } });
    const known = await again(path);
    expect([known.status, known.queries, known.body, known.headers.etag]).toEqual([304, 0, '', tag]);
    for (const [address, key] of [
      [path, others],
      [`${path}0`, service.key],
      [`${path}?explain=1`, service.key],
      [`/api/2.0/availability/${uncovered.join('/')}`, service.key],
    ] as const) {
      const other = await again(address, key);
      expect([other.status, other.queries]).toEqual([200, 1]);
    }
    // The tag is the same in every process.
    const neighbour = await useApi(service, service.database, createLogger('silent'));
    const there = await fetch(`${neighbour.url}${path}`, { headers: withKey() });
    expect(there.headers.get('etag')).toBe(tag);
    await service.ingest(await zippedRectangle(170, -45, 170.1, -44.9), { provider: 'Far away' });
    await expect.poll(async () => (await again(path)).status).toBe(200);
  });

  test('of a file of positions tells no more of one than of another', async () => {
    const send = (place: Place, query: string) =>
      ask(`/api/2.0/availability/jobs${query}`, {
        method: 'POST',
        headers: { ...withKey(), 'content-type': 'text/csv' },
        body: `${place.join()}\n`,
      });
    const told = async (place: Place) => {
      const sent = await send(place, '?quote=1');
      expect(sent.queries).toBe(0);
      const { id, links } = JSON.parse(sent.body) as { id: string; links: { self: string } };
      const asked = [sent];
      for (const method of ['GET', 'HEAD'])
        for (const path of [links.self, `${links.self}/result`])
          asked.push(await ask(path, { method, headers: withKey() }));
      asked.push(await ask(links.self, { method: 'DELETE', headers: withKey() }));
      return asked.map((answer) =>
        toldBy(answer, place)
          .replaceAll(id, 'id')
          .replace(/\d{4}-[-\dT:.]+Z/g, 'time'),
      );
    };
    expect(await told(covered)).toEqual(await told(uncovered));
  });
});
