import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { routes } from '../../api/all-routes.ts';
import type { Availability } from '../../client/schema.ts';
import { readConfig } from '../../platform/config.ts';
import { sql } from '../../platform/database/sql.ts';
import { today } from '../../platform/nz-time.ts';
import { listAddresses } from '../setup/addresses.ts';
import { client } from '../setup/operator.ts';
import { expectError, useService } from '../setup/service.ts';

/* ?explain=1 and ?at=: where an answer comes from, and what it was on a day. */

/** Versions of Kauri's coverage with 100, 200 and 300 Mbps, oldest first. */
const versions: number[] = [];
const submissions: string[] = [];

const service = await useService({ keptVersions: 2, rateLimit: undefined });
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
for (const speed of [100, 200, 300]) {
  const { id } = await service.ingest(
    { ...(await zippedRectangle(175, -40, 176, -39)), name: `kauri-${speed}.zip` },
    { provider: 'Kauri Fibre', speeds: { bandwidth_max_mbps: speed, bandwidth_up_max_mbps: 20 } },
  );
  submissions.push(id);
  versions.push((await kauri.submission(id)).datasets[0]?.id as number);
}
await service.ingest(await zippedRectangle(175, -40, 176, -39), {
  provider: 'Rimu Wireless',
  technology: 'wireless',
});
// The versions, published within seconds, get dates weeks apart, in New Zealand's time.
for (const [i, [from, until]] of [
  ['2026-03-01 10:00', '2026-04-01 23:59:59.5'],
  ['2026-04-01 23:59:59.6', '2026-05-01 00:00'],
  ['2026-05-01 00:00', null],
].entries()) {
  await service.database.query(sql`
    update publication set published_at = ${from}::timestamp at time zone 'Pacific/Auckland',
      superseded_at = ${until}::timestamp at time zone 'Pacific/Auckland' where dataset_id = ${versions[i]}`);
}

const ask = async (query: string, position = '-39.5/175.5') => {
  const response = await service.get(`/api/2.0/availability/${position}${query}`);
  const body = (await response.json()) as Body;
  return { status: response.status, headers: response.headers, body };
};
type Body = Availability & { error?: string };
const fibre = (body: Body) => body.results.find(({ technology }) => technology === 'fibre');
const speedOn = async (day: string) => {
  const { status, body } = await ask(`?at=${day}`);
  if (status !== 200) return status;
  const provider = fibre(body)?.providers?.[0] as { bandwidth_max_mbps: number } | undefined;
  return provider?.bandwidth_max_mbps ?? fibre(body)?.availability;
};

describe('explain=1', () => {
  test('adds to each provider which version, published when, from which file and submission', async () => {
    const plain = await ask('');
    const { status, headers, body } = await ask('?explain=1');
    expect(status).toBe(200);
    const explain = {
      ...{ dataset: versions[2], submission: submissions[2], file_name: 'kauri-300.zip' },
      published_at: '2026-04-30T12:00:00.000Z',
    };
    expect(fibre(body)?.providers).toEqual([{ ...fibre(plain.body)?.providers?.[0], explain }]);
    expect(body.results.map(({ technology }) => technology)).toEqual(
      plain.body.results.map(({ technology }) => technology),
    );
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  test('does not change plain answers, before or after', async () => {
    for (const query of ['?explain=1', '', '?explain=0', '?explain=1', '?other=1', '']) {
      const { body, headers } = await ask(query);
      const explained = JSON.stringify(body).includes('"explain"');
      expect(explained).toBe(query === '?explain=1');
      if (!explained) expect(headers.get('cache-control')).toBe('private, max-age=864000');
    }
  });

  test('and any other value is a 400', async () => {
    for (const query of ['?explain=yes', '?explain=', '?explain=1&explain=1'])
      expect((await ask(query)).status, query).toBe(400);
  });
});

describe('at=YYYY-MM-DD', () => {
  test('is the answer as it was published at the end of that day in New Zealand', async () => {
    const days = ['2026-03-01', '2026-03-31', '2026-04-01', '2026-04-30', '2026-05-01', today()];
    expect(await Promise.all(days.map(speedOn))).toEqual([100, 100, 200, 200, 300, 300]);
  });

  test('of today is the answer of now', async () => {
    expect((await ask(`?at=${today()}`)).body).toEqual((await ask('')).body);
    expect((await ask(`?at=${today()}`, '-41/170')).body).toEqual((await ask('', '-41/170')).body);
  });

  test('goes together with explain=1', async () => {
    const { body } = await ask('?at=2026-04-15&explain=1');
    expect(fibre(body)?.providers?.[0]).toMatchObject({
      bandwidth_max_mbps: 200,
      explain: { dataset: versions[1], published_at: '2026-04-01T10:59:59.600Z', file_name: 'kauri-200.zip' },
    });
  });

  test('that is no day, or still to come, is a 400', async () => {
    for (const day of ['2026-02-30', '01.05.2026', '', '2999-01-01', '2026-05-01T00:00'])
      expect(await speedOn(day), day).toBe(400);
  });

  test('the key and the coordinates are looked at before it', async () => {
    expect((await service.get('/api/2.0/availability/x/y?at=x', {})).status).toBe(403);
    expect((await service.get('/api/1.0/availability/yx/x/y?at=x', {})).status).toBe(401);
    expect((await ask('?at=x', 'x/y')).body.error).toBe('The given coordinates are not valid.');
  });

  test('before there was any coverage is a 410, in the shape of the version', async () => {
    for (const query of ['?at=2026-02-28', '?at=1999-12-31&explain=1']) {
      const { status, body } = await ask(query);
      expect([status, body]).toEqual([410, { code: 410, error: expect.stringContaining('later day') }]);
    }
    // A technology that was first offered later was unavailable then.
    const { body } = await ask('?at=2026-03-01');
    expect(body.results.find(({ technology }) => technology === 'wireless')?.availability).toBe(
      'unavailable',
    );
  });

  test('a version that was rolled back to was current more than once', async () => {
    await kauri.json(`/api/operator/datasets/${versions[1]}/rollback`, {});
    expect(await speedOn('2026-04-15')).toBe(200);
    expect(await speedOn('2026-05-15')).toBe(300);
    expect(await speedOn(today())).toBe(200);
    // It was published twice: what is told is the publication of that day.
    const explained = async (query: string) => fibre((await ask(`?explain=1${query}`)).body)?.providers?.[0];
    const { rows } = await service.database.query<{ last: Date; isLater: boolean }>(sql`
      select max(p.published_at) as last, max(p.published_at) > max(other.published_at) as "isLater"
      from publication p join dataset other on other.id = ${versions[2]} where p.dataset_id = ${versions[1]}`);
    expect(rows[0]?.isLater).toBe(true);
    const published_at = rows[0]?.last.toISOString();
    expect(await explained('')).toMatchObject({ explain: { published_at } });
    const before = { explain: { published_at: '2026-04-01T10:59:59.600Z' } };
    expect(await explained('&at=2026-04-15')).toMatchObject(before);
  });

  test('of which areas are no longer kept is a 410', async () => {
    // The fourth version: two of the earlier ones keep their areas.
    await service.ingest(await zippedRectangle(175, -40, 176, -39), { provider: 'Kauri Fibre' });
    // The areas of the others are removed after the publication.
    const removed = async () =>
      (await service.database.query('select from dataset where rows_removed_at is not null')).rows.length;
    await expect.poll(removed, { timeout: 60_000 }).toBe(1);
    const { status, body } = await ask('?at=2026-03-15');
    expect([status, body]).toEqual([410, { code: 410, error: expect.stringContaining('no longer kept') }]);
    expect(await speedOn('2026-04-15')).toBe(200);
  });
});

/** Requests that a key pays for by position. */
const paid = routes(readConfig({})).filter(
  ({ who, path, method }) =>
    (who === 'key' || who === 'keyInQuery') &&
    /availability(?!.*\{id\})/.test(path) &&
    !(method === 'get' && path.endsWith('/jobs')),
);

await listAddresses(service.database, [
  { id: '14', label: '14', road: 'Rata Street', lat: -39.5, lng: 175.5 },
]);

test('six requests are paid by position', () => expect(paid).toHaveLength(6));

test.each(
  paid.flatMap((route) => ['at=2026-04-15', 'explain=1', 'nearby=1'].map((query) => ({ route, query }))),
)(
  'at, explain and nearby are refused by what does not know them: $route.id with $query',
  async ({ route, query }) => {
    const [name = ''] = query.split('=');
    const known = Object.keys((route.query as { shape?: object } | undefined)?.shape ?? {});
    const path = route.path
      .replace(/\{(lat|y)\}/, '-39.5')
      .replace(/\{(lng|x)\}/, '175.5')
      .replace('{address}', '14');
    const response = await fetch(
      `${service.api.url}${path}?api_key=${service.key}&q=14+Rata+Street&${query}`,
      {
        method: route.method.toUpperCase(),
        headers: { 'x-api-key': service.key, 'content-type': 'text/csv' },
        ...(route.method === 'post' && { body: '-39.5,175.5\n' }),
      },
    );
    if (known.includes(name)) return void expect(response.status).toBe(200);
    const sentence = `${name} is not a parameter of this request, only of GET /api/2.0/availability/<lat>/<lng>.`;
    await expectError(response, 400, sentence);
  },
);
