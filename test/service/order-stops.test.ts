import { geojson } from '@covermap/testing/formats.ts';
import { pairsOf } from '@covermap/testing/shapes.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { areaCovers, shapeOf } from '../../coverage/drawn-area.ts';
import { eachSpeed } from '../../coverage/speeds.ts';
import { submissionStopsIn } from '../../coverage/stops/submission-stops.ts';
import { addDays, instantAt } from '../../platform/nz-time.ts';
import { listAddresses } from '../setup/addresses.ts';
import { client } from '../setup/operator.ts';
import { addPremises, countBySql } from '../setup/premises.ts';
import { expectError, useApi, useService } from '../setup/service.ts';

/* Stops: towers, tiers and areas that take no new connections, and what lookups with ?orderable=1 tell of them. */

let clock = instantAt('2026-11-10', '12:00:00');
const service = await useService(
  { rateLimit: undefined, refusedRate: { perSecond: 1_000, burst: 10_000 } },
  async () => ({
    now: () => clock,
  }),
);
const { database } = service;
// A second process, as far as NOTIFY and memory go.
const second = await useApi({ config: service.config }, database, undefined, { now: () => clock });

const ring = (west: number, south: number, east: number, north: number) =>
  [pairsOf(Float64Array.of(west, south, east, south, east, north, west, north, west, south))] as never;
const speeds = (down: number) => ({ bandwidth_max_mbps: down, bandwidth_up_max_mbps: 20 });
const files = {
  kauri: geojson([
    { rings: ring(174, -37, 174.1, -36.9), properties: speeds(100) },
    { rings: ring(174.1, -37, 174.2, -36.9), properties: speeds(300) },
  ]),
  tui: geojson([{ rings: ring(174, -37, 174.2, -36.9), properties: speeds(50) }]),
};
const ingest = (provider: string, bytes: Uint8Array, manifest: object = {}) =>
  service.ingest({ name: 'a.geojson', bytes }, { provider, speeds: {}, ...manifest });
await ingest('Kauri Fibre', files.kauri);
await ingest('Tui Cable', files.tui, { technology: 'cable' });
await ingest('Kauri Fibre', geojson([{ rings: ring(174, -37, 174.1, -36.9), properties: speeds(900) }]), {
  ...{ technology: 'wireless', availability: 'planned', planned_date: '2099-01-01' },
});
const kauri = await client(service.api.url, database, 'Kauri Fibre');
const tui = await client(service.api.url, database, 'Tui Cable');
const staff = await client(service.api.url, database);

type Caller = typeof kauri;
const base = '/api/operator/stops';
const send = (caller: Caller, method: string, path: string, body?: object) =>
  fetch(service.api.url + path, {
    method,
    headers: { ...caller.headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
async function make(caller: Caller, body: object) {
  const response = await send(caller, 'POST', base, body);
  const stop = await response.json();
  expect([response.status, stop.code]).toEqual([201, undefined]);
  return stop as { id: number; state: string; holds: boolean; from: string; until: string | null };
}
const stopsOf = async (caller: Caller) => (await (await send(caller, 'GET', base)).json()).stops;
const undoAll = async () => {
  for (const { id } of await stopsOf(staff)) await send(staff, 'DELETE', `${base}/${id}`);
};

const here = { lat: -36.95, lng: 174.05 };
const there = { lat: -36.95, lng: 174.15 };
const paths = [
  `/api/2.0/availability/${here.lat}/${here.lng}`,
  `/api/2.0/availability/${there.lat}/${there.lng}`,
  `/api/1.0/availability/yx/${here.lat}/${here.lng}?api_key=${service.key}`,
  '/api/2.0/availability/address/7',
];
await listAddresses(database, [{ id: '7', label: '1', road: 'Rata Street', ...here }]);

/** What each provider says of new connections, by both processes once they say the same. */
async function orderable(
  at: { lat: number; lng: number },
  expected: Record<string, [boolean, string | null]>,
) {
  for (const url of [service.api.url, second.url]) {
    const read = async () => {
      const response = await fetch(`${url}/api/2.0/availability/${at.lat}/${at.lng}?orderable=1`, {
        headers: { 'x-api-key': service.key },
      });
      const { results } = await response.json();
      // biome-ignore lint/suspicious/noExplicitAny: JSON
      const providers = results.flatMap((one: any) => one.providers ?? []);
      return Object.fromEntries(
        // biome-ignore lint/suspicious/noExplicitAny: JSON
        providers.map((one: any) => [
          `${one.name} ${one.bandwidth_max_mbps}`,
          [one.orderable, one.orderable_from],
        ]),
      );
    };
    await expect.poll(read, { timeout: 10_000 }).toEqual(expected);
  }
}

const open: [boolean, null] = [true, null];
const planned: [boolean, null] = [false, null];
const circle = (place: typeof here, radius_m = 500) => ({ circle: { ...place, radius_m } });

beforeEach(() => {
  clock = instantAt('2026-11-10', '12:00:00');
});
afterEach(undoAll);

test('an area closes what the operator has there, of one technology or all, and nothing of others', async () => {
  await orderable(here, { 'Kauri Fibre 100': open, 'Tui Cable 50': open, 'Kauri Fibre 900': planned });
  await make(kauri, { area: circle(here), until: '2026-12-18', reason: 'The cabinet is full' });
  const closed: [boolean, string] = [false, '2026-12-19'];
  await orderable(here, { 'Kauri Fibre 100': closed, 'Tui Cable 50': open, 'Kauri Fibre 900': planned });
  await orderable(there, { 'Kauri Fibre 300': open, 'Tui Cable 50': open });
  await undoAll();
  await make(kauri, { area: circle(here), technology: 'wireless' });
  await orderable(here, { 'Kauri Fibre 100': open, 'Tui Cable 50': open, 'Kauri Fibre 900': planned });
});

test('a tier is closed by its terms: a later version with them is closed, too, and one without them is not', async () => {
  const { results } = await service.at(here.lat, here.lng);
  const offer = results.find(({ technology }) => technology === 'fibre')?.providers?.[0];
  const tier = { technology: 'fibre', ...eachSpeed((field) => offer?.[field]) };
  const stop = await make(kauri, { tier });
  await orderable(here, {
    'Kauri Fibre 100': [false, null],
    'Tui Cable 50': open,
    'Kauri Fibre 900': planned,
  });
  await orderable(there, { 'Kauri Fibre 300': open, 'Tui Cable 50': open });
  await ingest('Kauri Fibre', geojson([{ rings: ring(174, -37, 174.2, -36.9), properties: speeds(100) }]));
  await orderable(there, { 'Kauri Fibre 100': [false, null], 'Tui Cable 50': open });
  const faster = geojson([{ rings: ring(174, -37, 174.2, -36.9), properties: speeds(200) }]);
  await ingest('Kauri Fibre', faster);
  await orderable(there, { 'Kauri Fibre 200': open, 'Tui Cable 50': open });
  // It stays, and says that it closes nothing at present.
  expect(await stopsOf(kauri)).toMatchObject([{ id: stop.id, holds: false, state: 'closed' }]);
  await ingest('Kauri Fibre', files.kauri);
  await orderable(here, {
    'Kauri Fibre 100': [false, null],
    'Tui Cable 50': open,
    'Kauri Fibre 900': planned,
  });
});

test('answers that are not asked for it are the same to the byte before, during and after a stop', async () => {
  const plain = async () => {
    const texts: unknown[] = [];
    for (const path of paths) {
      const response = await service.get(path);
      texts.push([
        response.status,
        response.headers.get('etag'),
        response.headers.get('cache-control'),
        await response.text(),
      ]);
    }
    const lists = await service.atAll([[here.lat, here.lng]]);
    return JSON.stringify([texts, lists]);
  };
  const before = await plain();
  expect(before).not.toContain('orderable');
  await make(kauri, { area: circle(here) });
  await orderable(here, {
    'Kauri Fibre 100': [false, null],
    'Tui Cable 50': open,
    'Kauri Fibre 900': planned,
  });
  expect(await plain()).toBe(before);
  await undoAll();
  await orderable(here, { 'Kauri Fibre 100': open, 'Tui Cable 50': open, 'Kauri Fibre 900': planned });
  expect(await plain()).toBe(before);
});

test('each route of single lookups adds both fields to its own answer, and to nothing else', async () => {
  await make(kauri, { area: circle(here) });
  await orderable(here, {
    'Kauri Fibre 100': [false, null],
    'Tui Cable 50': open,
    'Kauri Fibre 900': planned,
  });
  for (const path of paths) {
    const plain = await (await service.get(path)).json();
    const asked = await (await service.get(`${path}${path.includes('?') ? '&' : '?'}orderable=1`)).text();
    expect(asked).toContain('"orderable":');
    const without = asked.replaceAll(/,"orderable":(true|false),"orderable_from":(null|"[^"]*")/g, '');
    expect(without, path).toBe(JSON.stringify(plain));
    const zero = await service.get(`${path}${path.includes('?') ? '&' : '?'}orderable=0`);
    expect(await zero.json()).toEqual(plain);
  }
});

test('a question that it cannot answer is refused with a sentence', async () => {
  const sentence = 'orderable tells of today: ask without at, or without orderable.';
  await expectError(await service.get(`${paths[0]}?orderable=1&at=2026-05-01`), 400, sentence);
  for (const path of paths)
    for (const query of ['orderable=2', 'orderable=', 'orderable=1&orderable=1', 'orderable[]=1'])
      await expectError(await service.get(`${path}${path.includes('?') ? '&' : '?'}${query}`), 400);
});

describe('days', () => {
  test.each([
    // Clocks go back on the first Sunday of April, and forward on the last of September.
    ['of 25 hours', '2027-04-04'],
    ['of 23 hours', '2026-09-27'],
    ['as usual', '2026-12-01'],
  ])('%s: a stop holds from its first moment to its last', async (_, day) => {
    clock = new Date(instantAt(addDays(day, -1), '00:00:00').getTime());
    await make(kauri, { area: circle(here), from: day, until: day });
    const others = { 'Tui Cable 50': open, 'Kauri Fibre 900': planned };
    const moments: [Date, [boolean, string | null]][] = [
      [new Date(instantAt(day, '00:00:00').getTime() - 1), open],
      [instantAt(day, '00:00:00'), [false, addDays(day, 1)]],
      [new Date(instantAt(addDays(day, 1), '00:00:00').getTime() - 1), [false, addDays(day, 1)]],
      [instantAt(addDays(day, 1), '00:00:00'), open],
    ];
    for (const [moment, expected] of moments) {
      clock = moment;
      await orderable(here, { 'Kauri Fibre 100': expected, ...others });
    }
    clock = moments[0]?.[0] as Date;
  });

  test('of several stops that follow one another: the first day on which none of them holds', async () => {
    await make(kauri, { area: circle(here), until: '2026-11-12' });
    await make(kauri, { area: circle(here, 600), from: '2026-11-13', until: '2026-11-20' });
    await make(kauri, { area: circle(here, 700), from: '2026-11-22' });
    const others = { 'Tui Cable 50': open, 'Kauri Fibre 900': planned };
    await orderable(here, { 'Kauri Fibre 100': [false, '2026-11-21'], ...others });
  });
});

test('an undone stop leaves no trace but in the audit', async () => {
  const rows = async () => (await database.query('select * from order_stop')).rows;
  const { id } = await make(kauri, { area: circle(here), reason: 'Full' });
  expect(await rows()).toHaveLength(1);
  expect((await send(kauri, 'DELETE', `${base}/${id}`)).status).toBe(204);
  expect(await rows()).toEqual([]);
  expect((await send(kauri, 'GET', `${base}/${id}`)).status).toBe(404);
  expect((await send(kauri, 'DELETE', `${base}/${id}`)).status).toBe(404);
  const { events } = await (await send(staff, 'GET', '/api/staff/audit?limit=2')).json();
  expect(events).toMatchObject([
    { action: 'stop_undone', provider: 'Kauri Fibre', details: { id, reason: 'Full', from: '2026-11-10' } },
    { action: 'stop_made', provider: 'Kauri Fibre', details: { id, area: circle(here) } },
  ]);
});

test('the end of a stop can be changed, and taken away', async () => {
  const { id } = await make(kauri, { area: circle(here), until: '2026-11-20' });
  const others = { 'Tui Cable 50': open, 'Kauri Fibre 900': planned };
  const until = async (day: string | null) =>
    (await send(kauri, 'PUT', `${base}/${id}/until`, { until: day })).json();
  expect(await until('2026-11-30')).toMatchObject({ until: '2026-11-30' });
  await orderable(here, { 'Kauri Fibre 100': [false, '2026-12-01'], ...others });
  expect(await until(null)).toMatchObject({ until: null });
  await orderable(here, { 'Kauri Fibre 100': [false, null], ...others });
  expect(await until('2026-11-09')).toMatchObject({ code: 'stop_past' });
  await until('2026-11-11');
  clock = instantAt('2026-11-12', '00:00:00');
  expect(await until('2026-11-20')).toMatchObject({ code: 'stop_ended' });
  expect(await stopsOf(kauri)).toMatchObject([{ state: 'ended' }]);
});

describe('what is refused, and why', () => {
  const tier = {
    technology: 'fibre',
    bandwidth_min_mbps: 0,
    bandwidth_max_mbps: 77,
    bandwidth_up_min_mbps: 0,
    bandwidth_up_max_mbps: 20,
  };
  const area = circle(here);
  const bowTie = {
    polygon: [
      [
        [174, -37],
        [174.1, -36.9],
        [174.1, -37],
        [174, -36.9],
      ],
    ],
  };
  test.each([
    ['a last day that is past', { area, until: '2026-11-09' }, 409, 'stop_past'],
    ['a first day that is past', { area, from: '2026-11-09' }, 409, 'stop_past'],
    [
      'a last day before the first',
      { area, from: '2026-11-20', until: '2026-11-19' },
      422,
      'stop_days_reversed',
    ],
    ['a day that is none', { area, from: '2026-02-30' }, 400, 'request_invalid'],
    ['a tier that is not published', { tier }, 409, 'stop_closes_nothing'],
    [
      'a tier of a technology that is not',
      { tier: { ...tier, technology: 'laser' } },
      409,
      'stop_closes_nothing',
    ],
    ['an area of a technology that is not', { area, technology: 'laser' }, 422, 'technology_unknown'],
    [
      'a tower of coverage from elsewhere',
      { tower: { technology: 'fibre', ...here } },
      409,
      'tower_ground_unknown',
    ],
    ['a tower of no coverage', { tower: { technology: 'cable', ...here } }, 409, 'stop_closes_nothing'],
    ['an area without coverage', { area: circle({ lat: -44, lng: 170 }) }, 409, 'stop_closes_nothing'],
    ['an area that crosses itself', { area: bowTie }, 422, 'area_invalid'],
    ['an area far larger than the coverage', { area: circle(here, 60_000) }, 409, 'stop_too_large'],
    ['nothing', {}, 400, 'request_invalid'],
    ['two at once', { area, tier }, 400, 'request_invalid'],
    ['another provider’s', { area, provider: 'Tui Cable' }, 403, 'provider_not_yours'],
  ])('%s', async (_, body, status, code) => {
    const response = await send(kauri, 'POST', base, body);
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
    expect(await stopsOf(kauri)).toEqual([]);
  });

  test('a large area that is meant is closed', async () => {
    await make(kauri, { area: circle(here, 60_000), large: true });
  });
});

test('an operator sees and changes its own stops alone, staff all', async () => {
  const { id } = await make(kauri, { area: circle(here) });
  const { id: ofTui } = await make(staff, { area: circle(here), provider: 'tui cable' });
  const ids = async (caller: Caller) => (await stopsOf(caller)).map((one: { id: number }) => one.id);
  expect([await ids(kauri), await ids(tui), await ids(staff)]).toEqual([[id], [ofTui], [ofTui, id]]);
  for (const [method, below, body] of [
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', '/until', { until: null }],
  ] as const)
    expect((await send(tui, method, `${base}/${id}${below}`, body)).status).toBe(404);
  expect(await ids(kauri)).toEqual([id]);
});

test('the same stop, made again or twice at once, is one; beyond the bound there is none', async () => {
  const body = { area: circle(here), until: '2026-12-01' };
  const made = await Promise.all([make(kauri, body), make(kauri, body), make(kauri, body)]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  await database.query(`
    insert into order_stop (provider_id, kind, area, from_day, created_by)
    select provider_id, kind, area, current_date, 'test' from order_stop cross join generate_series(1, 199)`);
  const response = await send(kauri, 'POST', base, { area: circle(here, 501) });
  expect([response.status, (await response.json()).code]).toEqual([409, 'stops_too_many']);
  await database.query('delete from order_stop');
});

describe('the review of a submission', () => {
  const review = async (id: string, by = kauri) =>
    (await send(by, 'GET', `/api/operator/submissions/${id}/stops`)).json();
  const live = async () => {
    const { rows } = await database.query<{ id: string }>(`
      select d.submission_id as id from dataset d join technology t on t.id = d.technology_id join provider p on p.id = d.provider_id
      where d.state = 'published' and p.name = 'Kauri Fibre' and t.name = 'fibre'`);
    return rows[0]?.id as string;
  };
  const idsOf = ({ stops }: { stops: { id: number }[] }) => stops.map(({ id }) => id).sort();

  test('names the stops that its coverage meets, and says nothing of premises where there are none', async () => {
    const area = await make(kauri, { area: circle(here) });
    const edge = await make(kauri, { area: circle({ lat: -36.95, lng: 173.996 }), technology: 'fibre' });
    await make(kauri, { area: circle(here), technology: 'wireless' });
    await make(tui, { area: circle(here) });
    const found = await review(await live());
    expect(idsOf(found)).toEqual([area.id, edge.id]);
    expect(found).not.toHaveProperty('premises');
  });

  test('counts the premises that cannot be ordered: by area, by tier, both, and none while they are counted', async () => {
    const grid = Array.from({ length: 400 }, (_, i) => ({
      lat: -36.999 + 0.005 * Math.floor(i / 20),
      lng: 174.001 + 0.01 * (i % 20),
    }));
    await addPremises(database, grid);
    const id = await live();
    await make(kauri, { area: circle(here, 2_000) });
    expect(await review(id)).toMatchObject({ premises: null });
    const { rows } = await database.query<{ id: number }>('select id from dataset where submission_id = $1', [
      id,
    ]);
    for (const { id: dataset } of rows) await countBySql(database, dataset);
    const area = shapeOf(circle(here, 2_000));
    const within = grid.filter(({ lat, lng }) => areaCovers(area, lng, lat)).length;
    expect(within).toBeGreaterThan(20);
    expect(await review(id)).toMatchObject({ premises: { covered: 400, not_orderable: within } });
    const { coverage } = await (await send(kauri, 'GET', '/api/operator/stop-targets')).json();
    const [fastest] = coverage[0].tiers;
    await make(kauri, { tier: { technology: 'fibre', ...fastest } });
    // The eastern half, of 300 Mbps, too; the circle lies in the western one.
    expect(await review(id)).toMatchObject({ premises: { covered: 400, not_orderable: within + 200 } });
    // Requests at once share the work.
    let reads = 0;
    const query: typeof database.query = (statement, values) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (text.includes('from premises where number')) reads++;
      return database.query(statement, values);
    };
    const stopsOf = submissionStopsIn({ ...database, kind: database.kind, query });
    const asked = await Promise.all([stopsOf(id, '2026-11-10'), stopsOf(id, '2026-11-10')]);
    expect(asked.map(({ premises }) => premises?.not_orderable)).toEqual([within + 200, within + 200]);
    expect(reads).toBe(1);
    // Of a version whose rows are no longer kept, nothing waits to be counted.
    await database.query(
      `update dataset set premises_version = null, rows_removed_at = now(), state = 'superseded', superseded_at = now() where submission_id = $1`,
      [id],
    );
    expect(await review(id)).toEqual({ stops: [] });
    await database.query('delete from premises');
    await database.query('update address_list set premises_version = 0');
  });
});
