import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEvent, CoverageExport, UploadedFile, Work } from '../../client/schema.ts';
import { Attempts } from '../../coverage/attempts.ts';
import { archiveSuperseded } from '../../coverage/datasets/archive.ts';
import { beginExport } from '../../coverage/exports/exports.ts';
import { csvFields } from '../../platform/csv-line.ts';
import { sql } from '../../platform/database/sql.ts';
import { openCancelledWork } from '../../workers/cancelled-work.ts';
import { exportCoverage } from '../../workers/export-coverage.ts';
import { jobsOf } from '../../workers/step.ts';
import { sweepOf } from '../../workers/sweep.ts';
import { importAddresses, listOf, madeStreet } from '../setup/address-lists.ts';
import { python } from '../setup/gdal.ts';
import { client, expectCode } from '../setup/operator.ts';
import { countBySql } from '../setup/premises.ts';
import { useService } from '../setup/service.ts';

/* Published coverage as files: other programs read what is stored, to the last digit, and only whose it is gets it. */

const base = '/api/operator/exports';
const patience = { timeout: 60_000, interval: 50 };
// Jobs are sent by requests alone.
const service = await useService({ sweepSeconds: 3_600, keptVersions: 1 });
const { database, storage } = service;
const name = 'Ōtaki 光ネット';
const kauri = await client(service.api.url, database, name);
const tui = await client(service.api.url, database, 'Tui Fibre');
const staff = await client(service.api.url, database);
const cancelled = await openCancelledWork(database);
afterAll(() => cancelled.close());

type Ring = [number, number][];
const square = (x: number, y: number, side: number): Ring => [
  ...([
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ] as Ring),
  [x, y],
];
/** Sides that no decimal says exactly. */
const third = 0.1 / 3;
const geoJson = (...coordinates: Ring[][]) => {
  const features = coordinates.map((rings) => ({
    ...{ type: 'Feature', properties: {} },
    geometry: { type: 'Polygon', coordinates: rings },
  }));
  return { name: 'c.geojson', bytes: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })) };
};
const withHole = [square(174.4, -36.6, 3 * third), square(174.4 + third, -36.6 + third, third).reverse()];
const speeds = { bandwidth_max_mbps: 300.5, bandwidth_up_max_mbps: 100 };
const north = { provider: name, technology: 'fibre', scope: 'North – 北', speeds };
const planned = { availability: 'planned', planned_date: '2031-03-31' } as const;

const request = (body: object, by = kauri) => by.post(base, body);
const asked = (body: object, by = kauri) => by.json<CoverageExport>(base, body);
const get = (id: string, by = kauri) => by.json<CoverageExport>(`${base}/${id}`);
async function done(body: object, by = kauri): Promise<CoverageExport> {
  const { id } = await asked(body, by);
  await expect.poll(async () => (await get(id, by)).state, patience).not.toBe('queued');
  const ended = await get(id, by);
  expect(ended).toMatchObject({ state: 'done', error: null, progress: null });
  return ended;
}
/** An export that no worker knows of yet. */
async function recorded(body: { format: string; day?: string }): Promise<string> {
  const { rows } = await database.query<{ id: string }>(sql`
    insert into coverage_export (provider_id, format, day, by_staff, actor)
    select id, ${body.format}, ${body.day}, false, 'Test' from provider where name = ${name} returning id`);
  return rows[0]?.id as string;
}
/** Does its job as a worker does. */
async function work(
  id: string,
  { step = exportCoverage(service), stopping = new AbortController().signal } = {},
) {
  const attempts = new Attempts(database);
  const context = { database, queue: { send: async () => undefined }, logger: service.logger };
  return jobsOf({ ...context, attempts, cancelled, stopping }, step)({ id });
}
/** The service, with something that happens before premises are read. */
const beforePremises = (happens: () => Promise<unknown>): typeof service => ({
  ...service,
  database: new Proxy(database, {
    get(target, property) {
      if (property !== 'query')
        return Reflect.get(target, property).bind?.(target) ?? Reflect.get(target, property);
      return async (...given: Parameters<typeof database.query>) => {
        const text = typeof given[0] === 'string' ? given[0] : given[0].text;
        if (text.includes('from tier_premises')) await happens();
        return target.query(...given);
      };
    },
  }),
});
/** The file of an export in a folder, unpacked where it is a zip. @returns the folder */
async function fetched({ links, file_name: given }: CoverageExport, by = kauri): Promise<string> {
  const folder = scratchFolder();
  const response = await by.call(links.file as string);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toContain(
    `filename*=UTF-8''${encodeURIComponent(given as string)}`,
  );
  const file = path.join(folder, 'got.gpkg');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  if (!given?.endsWith('.zip')) return folder;
  mkdirSync(path.join(folder, 'zip'));
  execFileSync(python, ['-m', 'zipfile', '-e', file, path.join(folder, 'zip')]);
  return path.join(folder, 'zip');
}
const unpacked = async (body: object, by = kauri) => fetched(await done(body, by), by);

interface Area {
  properties: Record<string, unknown>;
  area: number;
}
/** In square degrees, shell less holes. */
const areaOf = (rings: readonly Ring[]): number =>
  rings.reduce((sum, ring) => {
    const twice = ring.reduce((all, [x = 0, y = 0], i) => {
      const [nextX = 0, nextY = 0] = ring[(i + 1) % ring.length] ?? [];
      return all + x * nextY - nextX * y;
    }, 0);
    return sum + twice / 2;
  }, 0);
const inOrder = (areas: Area[]) =>
  areas.sort(
    (a, b) => a.area - b.area || String(a.properties.scope).localeCompare(String(b.properties.scope)),
  );
type Feature = { properties: Record<string, unknown>; geometry: { coordinates: Ring[] } };
const areasOf = (features: Feature[]) =>
  inOrder(features.map(({ properties, geometry }) => ({ properties, area: areaOf(geometry.coordinates) })));
/** What GDAL reads of a file. */
function byGdal(folder: string, file: string, layer: string): Feature[] {
  const target = path.join(scratchFolder(), 'out.geojson');
  const options = ['-lco', 'COORDINATE_PRECISION=17', '-lco', 'RFC7946=NO'];
  execFileSync('ogr2ogr', ['-f', 'GeoJSON', ...options, target, path.join(folder, file), layer]);
  return JSON.parse(readFileSync(target, 'utf8')).features;
}
async function byHyparquet(file: string): Promise<Area[]> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
  // It takes the file for GeoParquet, and reads the geometries.
  return areasOf(
    rows.map(({ geometry, ...properties }) => ({ properties, geometry: geometry as Feature['geometry'] })),
  );
}
/** What is stored of published versions, by SQL. */
async function stored(datasets?: number[]): Promise<Area[]> {
  const { rows } = await database.query<Record<string, unknown> & { area: number }>(sql`
    select p.name as provider, te.name as technology, d.scope, t.availability, t.bandwidth_min_mbps::float8,
      t.bandwidth_max_mbps::float8, t.bandwidth_up_min_mbps::float8, t.bandwidth_up_max_mbps::float8,
      t.planned_date, d.id as dataset, st_area(c.geom) as area
    from (select tier_id, geom from coverage union all select tier_id, geom from coverage_archive) as c
    join tier t on t.id = c.tier_id join dataset d on d.id = t.dataset_id join provider p on p.id = d.provider_id
    join technology te on te.id = d.technology_id
    where p.name = ${name} and (d.id = any (${datasets ?? null}::integer[]) or (${datasets ?? null}::integer[] is null and d.state = 'published'))`);
  return inOrder(rows.map(({ area, ...properties }) => ({ properties, area })));
}
function expectSame(read: Area[], given: Area[]): void {
  expect(given.length).toBeGreaterThan(0);
  expect(read).toHaveLength(given.length);
  for (const [i, { area, properties }] of given.entries()) {
    expect(Math.abs((read[i]?.area as number) / area - 1)).toBeLessThanOrEqual(1e-9);
    const { planned_date, ...others } = properties;
    expect(read[i]?.properties).toMatchObject(others);
    const date = read[i]?.properties.planned_date;
    expect(date ?? null).toEqual(planned_date);
  }
}
async function premisesIn(folder: string) {
  const text = readFileSync(path.join(folder, 'premises.csv'), 'utf8');
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  const names = csvFields(head) as string[];
  return lines.map((line) =>
    Object.fromEntries((csvFields(line) as string[]).map((field, i) => [names[i], field])),
  );
}

beforeAll(async () => {
  const published = await service.ingest(geoJson(withHole, [square(174.6, -36.6, third)]), north);
  expect(published.state).toBe('published');
  await service.ingest(geoJson([square(174.4, -36.6, 5 * third)]), {
    ...{ provider: name, technology: 'fibre', scope: 'South', speeds: { bandwidth_max_mbps: 950 } },
    ...planned,
  });
  await service.ingest(geoJson([square(174.4, -36.6, 2 * third)]), {
    ...{ provider: 'Tui Fibre', technology: 'fibre' },
  });
});

describe('without addresses', () => {
  test('there are no premises in it, and none by themselves', async () => {
    await expectCode(request({ format: 'csv' }), 409, 'export_without_addresses');
    const one = await done({ format: 'geojson' });
    expect(one).toMatchObject({ premises: null, areas: 3, technology: null, day: null, provider: { name } });
    expect(one.file_name).toMatch(/^ōtaki-光ネット-all-coverage-\d{4}-\d\d-\d\d\.zip$/);
    expect(readdirSync(await fetched(one))).toEqual(['coverage.geojson']);
  });
});

describe('with addresses', () => {
  /** Some in the hole, some outside of everything. */
  const street = madeStreet(30, { lng: 174.45, road: { name: '=Rātā', type: 'Street', suffix: '' } }).map(
    (address, i) => ({ ...address, lat: Number((-36.61 + i * 0.007).toFixed(7)) }),
  );

  beforeAll(async () => {
    await importAddresses(service, listOf(...street));
    await database.query(
      `insert into address_alias (system, alias, address_id) values ('tlc', '77', '3'), ('icp', 'A-1', '3')`,
    );
  });

  test('an export waits while premises are counted, and goes on then', async () => {
    const id = await recorded({ format: 'csv' });
    await database.query('update dataset set premises_version = null');
    expect((await work(id)).again).toBeDefined();
    expect(await get(id)).toMatchObject({ state: 'queued', error: null });
    const { rows } = await database.query<{ id: number }>('select id from dataset');
    for (const one of rows) await countBySql(database, one.id);
    await database.query('update work set retry_at = null');
    await work(id);
    expect(await get(id)).toMatchObject({ state: 'done', areas: null });
    await kauri.call(`${base}/${id}`, { method: 'DELETE' });
  });

  test('GDAL reads a GeoPackage with all areas, and the premises as points', async () => {
    const folder = await unpacked({ format: 'geopackage' });
    expectSame(areasOf(byGdal(folder, 'got.gpkg', 'coverage')), await stored());
    const points = byGdal(folder, 'got.gpkg', 'premises') as unknown as {
      properties: { id: string; address: string; aliases: string };
      geometry: { coordinates: [number, number] };
    }[];
    const rows = await premisesIn(await unpacked({ format: 'csv' }));
    expect(points.map(({ properties }) => properties.id).sort()).toEqual(rows.map(({ id }) => id).sort());
    const third = points.find(({ properties }) => properties.id === '3');
    expect(third?.geometry.coordinates).toEqual([174.45, street[2]?.lat]);
    expect(third?.properties).toMatchObject({ aliases: 'icp:A-1 tlc:77' });
    // Both are indexed.
    const tables = execFileSync(
      'ogrinfo',
      [
        '-q',
        '-sql',
        "select count(*) as n from sqlite_master where name in ('rtree_coverage_geom', 'rtree_premises_geom')",
        path.join(folder, 'got.gpkg'),
      ],
      { encoding: 'utf8' },
    );
    expect(tables).toContain('n (Integer) = 2');
  });

  test('GDAL reads FlatGeobuf', async () => {
    const folder = await unpacked({ format: 'flatgeobuf' });
    expectSame(areasOf(byGdal(folder, 'coverage.fgb', 'coverage')), await stored());
  });

  test('GeoJSON is that of RFC 7946, with all digits', async () => {
    const folder = await unpacked({ format: 'geojson' });
    const text = readFileSync(path.join(folder, 'coverage.geojson'), 'utf8');
    const { features } = JSON.parse(text) as { features: Feature[] };
    expectSame(areasOf(features), await stored());
    // Shells run counterclockwise.
    for (const { geometry } of features) expect(areaOf(geometry.coordinates.slice(0, 1))).toBeGreaterThan(0);
    expectSame(areasOf(byGdal(folder, 'coverage.geojson', 'coverage')), await stored());
  });

  test('hyparquet reads GeoParquet, whose metadata say what it is', async () => {
    const file = path.join(await unpacked({ format: 'geoparquet' }), 'coverage.parquet');
    expectSame(await byHyparquet(file), await stored());
    const { key_value_metadata: meta } = await parquetMetadataAsync(await asyncBufferFromFile(file));
    expect(JSON.parse(meta?.find(({ key }) => key === 'geo')?.value as string)).toEqual({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: {
          ...{
            encoding: 'WKB',
            geometry_types: ['Polygon'],
            orientation: 'counterclockwise',
            edges: 'planar',
          },
          bbox: [expect.closeTo(174.4, 9), expect.closeTo(-36.6, 9), expect.any(Number), expect.any(Number)],
        },
      },
    });
  });

  test('premises.csv has each address with its best offer of a technology, and no spreadsheet runs it', async () => {
    const one = await done({ format: 'csv' });
    const rows = await premisesIn(await fetched(one));
    const { rows: expected } = await database.query<{
      id: string;
      availability: string;
      date: string | null;
    }>(sql`
      select distinct on (a.id) a.id, t.availability, t.planned_date as date
      from coverage c join tier t on t.id = c.tier_id join dataset d on d.id = t.dataset_id
      join provider p on p.id = d.provider_id
      join address a on st_covers(c.geom, st_setsrid(st_point(a.lng / 1e7, a.lat / 1e7), 4326))
      where p.name = ${name} and d.state = 'published'
      order by a.id, t.availability = 'available' desc`);
    expect(expected.length).toBeGreaterThan(10);
    expect(new Set(expected.map(({ availability }) => availability)).size).toBe(2);
    expect(one.premises).toBe(expected.length);
    expect(
      rows
        .map(({ id, availability, planned_date }) => ({ id, availability, date: planned_date || null }))
        .sort((a, b) => Number(a.id) - Number(b.id)),
    ).toEqual(expected.sort((a, b) => Number(a.id) - Number(b.id)));
    expect(rows.find(({ id }) => id === '3')).toMatchObject({
      ...{ address: '3 =Rātā Street, Kōwhai Bay, Tōtara', aliases: 'icp:A-1 tlc:77', lng: '174.45' },
      ...{ provider: name, technology: 'fibre', bandwidth_max_mbps: expect.stringMatching(/^(300\.5|950)$/) },
    });
    expect(rows.every(({ address = '' }) => !/^[=+@-]/.test(address))).toBe(true);
  });

  test('an import of addresses meanwhile begins it anew', async () => {
    const id = await recorded({ format: 'csv' });
    await beginExport(database, id);
    const step = exportCoverage(
      beforePremises(() => database.query('update address_list set premises_version = premises_version + 1')),
    );
    expect((await work(id, { step })).again).toBeDefined();
    expect(await get(id)).toMatchObject({ state: 'queued' });
    const { rows } = await database.query<{ id: number }>('select id from dataset');
    for (const one of rows) await countBySql(database, one.id);
    await kauri.call(`${base}/${id}`, { method: 'DELETE' });
  });
});

describe('the versions of an export', () => {
  const newer = () => service.ingest(geoJson([square(174.5, -36.5, third)]), north);
  const count = async () => {
    const { rows } = await database.query<{ id: number }>('select id from dataset');
    for (const one of rows) await countBySql(database, one.id);
  };

  test('are those of its beginning: a publication meanwhile, and rows that go to the archive, change nothing', async () => {
    const id = await recorded({ format: 'geojson' });
    const before = await stored();
    const begun = await beginExport(database, id);
    await newer();
    await count();
    expect(await stored()).not.toEqual(before);
    await work(id);
    const folder = await fetched(await get(id));
    const text = readFileSync(path.join(folder, 'coverage.geojson'), 'utf8');
    expectSame(areasOf(JSON.parse(text).features), before);
    expect(begun?.datasetIds.length).toBe(2);
  });

  test('are those of a day, for as long as they are kept', async () => {
    await database.query(sql`
      update publication set published_at = published_at - interval '3 days',
        superseded_at = superseded_at - interval '1 day'
      where dataset_id in (select d.id from dataset d join provider p on p.id = d.provider_id where p.name = ${name})
        and superseded_at is not null`);
    const day = (back: number) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(
        Date.now() - back * 86_400_000,
      );
    const { rows } = await database.query<{ id: number }>(sql`
      select dataset_id as id from publication p join dataset d on d.id = p.dataset_id join provider on provider.id = d.provider_id
      where provider.name = ${name} and p.superseded_at is not null`);
    const folder = await unpacked({ format: 'geoparquet', day: day(2) });
    expectSame(
      await byHyparquet(path.join(folder, 'coverage.parquet')),
      await stored(rows.map(({ id }) => id)),
    );
    await expectCode(request({ format: 'csv', day: day(40) }), 409, 'export_empty');
    await expectCode(request({ format: 'csv', day: day(-2) }), 400, 'request_invalid');
    const begun = await recorded({ format: 'geojson', day: day(2) });
    await beginExport(database, begun);
    await count();
    const removed = await recorded({ format: 'csv', day: day(2) });
    const remove = () => archiveSuperseded(database, rows[0]?.id as number, 0);
    await work(removed, { step: exportCoverage(beforePremises(remove)) });
    expect(await get(removed)).toMatchObject({ state: 'failed', error: { code: 'export_not_kept' } });
    // Only the newest superseded version is kept.
    await newer();
    await service.ingest(geoJson([square(174.5, -36.55, third)]), north);
    await remove();
    await expectCode(request({ format: 'csv', day: day(2) }), 410, 'export_not_kept');
    await count();
    await work(begun);
    expect(await get(begun)).toMatchObject({ state: 'failed', error: { code: 'export_not_kept' } });
    await expectCode(kauri.call(`${base}/${begun}/file`), 409, 'export_not_done');
  });
});

describe('a job', () => {
  const files = async () => {
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    return keys;
  };

  test('that is stopped is done again, with one file', async () => {
    const id = await recorded({ format: 'geojson' });
    const before = await files();
    const stopping = new AbortController();
    const step = exportCoverage({
      ...service,
      storage: {
        ...storage,
        async store(...given) {
          stopping.abort(new Error('the worker is stopping'));
          const file = await storage.store(...given);
          await storage.remove(file.key);
          throw new Error('killed');
        },
      },
    });
    expect(await work(id, { step, stopping: stopping.signal })).toEqual({ again: 'at once' });
    expect(await get(id)).toMatchObject({ state: 'queued' });
    await work(id);
    const { state, progress } = await get(id);
    expect([state, progress]).toEqual(['done', null]);
    expect(await files()).toHaveLength(before.length + 1);
  });

  test('that is removed ends, and leaves no file', async () => {
    const id = await recorded({ format: 'geojson' });
    const before = await files();
    const step = exportCoverage({
      ...service,
      storage: {
        ...storage,
        async store(...given) {
          const file = await storage.store(...given);
          expect((await kauri.call(`${base}/${id}`, { method: 'DELETE' })).status).toBe(204);
          return file;
        },
      },
    });
    await work(id, { step });
    await expectCode(kauri.call(`${base}/${id}`), 404, 'export_unknown');
    expect(await files()).toEqual(before);
    const { events } = await staff.json<{ events: AuditEvent[] }>('/api/staff/audit?limit=1');
    expect(events).toMatchObject([
      { action: 'coverage_export_removed', provider: name, details: { export: id } },
    ]);
  });

  test('waits for a storage that is away, and is listed for staff', async () => {
    const id = await recorded({ format: 'geojson' });
    const step = exportCoverage({
      ...service,
      storage: {
        ...storage,
        store: async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
      },
    });
    expect((await work(id, { step })).again).toBeDefined();
    const { work: listed } = await staff.json<Work>('/api/staff/work');
    expect(listed.find((one) => one.id === id)).toMatchObject({
      ...{ kind: 'export-coverage', owner: name, state: 'delayed' },
    });
    await kauri.call(`${base}/${id}`, { method: 'DELETE' });
  });

  test('has a quota of space, and a provider of unfinished ones', async () => {
    const id = await recorded({ format: 'geojson' });
    const small = { ...service.config, exports: { keptDays: 7, keptBytes: 1 } };
    await work(id, { step: exportCoverage({ ...service, config: small }) });
    expect(await get(id)).toMatchObject({ state: 'failed', error: { code: 'exports_quota_exceeded' } });
    await database.query(sql`
      update coverage_export set size_bytes = 1e13 where id in (select id from coverage_export where state = 'done' limit 1)`);
    await expectCode(request({ format: 'geojson' }), 507, 'exports_quota_exceeded');
    await database.query('update coverage_export set size_bytes = 1 where size_bytes = 1e13');
    const waiting = [];
    for (let i = 0; i < 3; i++) waiting.push(await recorded({ format: 'csv' }));
    await expectCode(request({ format: 'csv' }), 429, 'exports_too_many');
    for (const one of [id, ...waiting]) await kauri.call(`${base}/${one}`, { method: 'DELETE' });
  });

  test('and its file are removed some days after it is done', async () => {
    const { id } = await done({ format: 'geojson' });
    const before = await files();
    await database.query(
      sql`update coverage_export set expires_at = now() - interval '1 second' where id = ${id}`,
    );
    await sweepOf(service, new AbortController().signal)();
    await expectCode(kauri.call(`${base}/${id}`), 404, 'export_unknown');
    expect(await files()).toHaveLength(before.length - 1);
  });
});

test('an operator gets their own coverage, staff anybody’s, and nobody sees what another asked for', async () => {
  const theirs = await done({ format: 'geojson' }, tui);
  const ofStaff = await done({ format: 'geojson', provider: name, technology: 'fibre' }, staff);
  for (const { id } of [theirs, ofStaff])
    for (const one of [`${base}/${id}`, `${base}/${id}/file`])
      await expectCode(kauri.call(one), 404, 'export_unknown');
  const { exports: listed } = await kauri.json<{ exports: CoverageExport[] }>(base);
  expect(listed.every(({ provider, asked_by: by }) => provider.name === name && by !== 'Test staff')).toBe(
    true,
  );
  const { exports: all } = await staff.json<{ exports: CoverageExport[] }>(base);
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([theirs.id, ofStaff.id]));
  const text = readFileSync(path.join(await fetched(theirs, tui), 'coverage.geojson'), 'utf8');
  expect(text).not.toContain(name);
  await expectCode(request({ format: 'geojson', provider: 'Tui Fibre' }), 403, 'provider_not_yours');
  await expectCode(request({ format: 'geojson' }, staff), 400, 'request_invalid');
  await expectCode(request({ format: 'geojson', provider: 'Nobody' }, staff), 404, 'provider_unknown');
  await expectCode(request({ format: 'geojson', technology: 'laser' }), 422, 'technology_unknown');
  await expectCode(request({ format: 'dwg' }), 400, 'request_invalid');
});

test('a file that is uploaded again has its speeds found', async () => {
  const folder = await unpacked({ format: 'geopackage' });
  const bytes = readFileSync(path.join(folder, 'got.gpkg'));
  const { id } = await tui.upload({ name: 'again.gpkg', bytes });
  const inspected = () => tui.json<UploadedFile>(`/api/operator/files/${id}`);
  await expect.poll(async () => (await inspected()).state, patience).toBe('inspected');
  const [layer] = (await inspected()).inspection?.layers ?? [];
  const found = layer?.mapping?.map(({ to, attribute }) => `${to}: ${attribute}`);
  expect(found).toEqual(
    ['min', 'max', 'up_min', 'up_max'].map((one) => `bandwidth_${one}_mbps: bandwidth_${one}_mbps`),
  );
});
