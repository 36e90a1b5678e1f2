import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxTiers } from '../../core/coverage/datasets/load.ts';
import type { Database } from '../../core/database/database.ts';
import { openEmbeddedDatabase } from '../../core/database/embedded/embedded.ts';
import { normaliseBatch, type RawBatch } from '../../ingest/normalise.ts';
import { makePlace, type Place } from '../setup/service.ts';

/* Normalising ends where nobody wants it any more, its statement too. */

let place: Place;
let database: Database;
let tierId: number;
let squares: Uint8Array[];
let star: Uint8Array;

beforeAll(async () => {
  // On disk, as a statement of the embedded database may have to be ended with its thread.
  place = await makePlace({}, { onDisk: true });
  database = place.config.databaseUrl
    ? await place.open()
    : await openEmbeddedDatabase(place.config.dataDir, { minStatementMs: 500 });
  const { rows } = await database.query<{ id: number }>(
    `with p as (insert into provider (name) values ('Test') returning id),
       s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
         select id, 'f', 'k', 1, sha256('x'), '{}' from p returning id, provider_id),
       d as (insert into dataset (submission_id, provider_id, technology_id) select id, provider_id, 1 from s returning id)
     insert into tier (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps)
     select id, 'available', 1, 1, 1, 1 from d returning id`,
  );
  tierId = rows[0]?.id as number;
  const { rows: shapes } = await database.query<{ wkb: Uint8Array }>(
    `select st_asbinary(st_makeenvelope(175 + i * 0.01, -40, 175.005 + i * 0.01, -39.995), 'NDR') as wkb
     from generate_series(0, 7) as i`,
  );
  squares = shapes.map(({ wkb }) => wkb);
  // Each of its edges crosses nearly all others.
  const { rows: stars } = await database.query<{ wkb: Uint8Array }>(
    `select st_asbinary(st_makepolygon(st_makeline(array_agg(st_makepoint(
       175 + 0.1 * cos(2 * pi() * i * 1500 / 3001), -40 + 0.1 * sin(2 * pi() * i * 1500 / 3001)) order by i)
       || st_makepoint(175.1, -40))), 'NDR') as wkb
     from generate_series(0, 3000) as i`,
  );
  star = stars[0]?.wkb as Uint8Array;
});
afterAll(async () => {
  await database?.close();
  await place?.remove();
});

function batch(shapes: readonly Uint8Array[]): RawBatch {
  const wkb = new Uint8Array(shapes.reduce((sum, { length }) => sum + length, 0));
  const offsets = [0];
  for (const shape of shapes) {
    wkb.set(shape, offsets.at(-1));
    offsets.push((offsets.at(-1) as number) + shape.length);
  }
  return {
    wkb,
    offsets: Uint32Array.from(offsets),
    ids: Uint32Array.from(shapes, (_, i) => i),
    tierIds: Uint32Array.from(shapes, () => tierId),
    repaired: new Uint8Array(shapes.length),
  };
}
const wgs84 = { name: 'WGS 84', definition: 'EPSG:4326', wgs84: true, projected: false } as never;
const area = { west: 166, south: -48, east: 179, north: -34 };
const normalise = (shapes: readonly Uint8Array[], options: Parameters<typeof normaliseBatch>[4]) =>
  database.withConnection((connection) => normaliseBatch(connection, batch(shapes), wgs84, area, options));

test('a load that nobody wants any more ends with its statement, on the server too', async () => {
  const stop = new AbortController();
  const reason = new Error('withdrawn');
  setTimeout(() => stop.abort(reason), 200);
  await expect(normalise([star, star], { signal: stop.signal })).rejects.toBe(reason);
  const { rows } = await database.query(
    `select from pg_stat_activity where state = 'active' and query like '%st_makevalid%' and pid <> pg_backend_pid()
       and datname = current_database()`,
  );
  expect(rows).toEqual([]);
  expect((await normalise(squares, {})).loaded).toBe(8);
});

test('a dataset has at most 500 tiers, however they come in', async () => {
  const add = (from: number, to: number) =>
    database.query(
      `insert into tier (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps)
       select dataset_id, 'available', 1, 1 + i, 1, 1 from tier, generate_series($2::integer, $3::integer) as i where id = $1`,
      [tierId, from, to],
    );
  await add(1, maxTiers - 1);
  await expect(add(maxTiers, maxTiers)).rejects.toMatchObject({ code: '23514' });
});

test('areas of many corners and holes are cut into small pieces that cover the same', async () => {
  // Round coordinates, where cuts could run along outlines; and outlines that touch at corners.
  const { rows } = await database.query<{ most: number }>(
    `with shape (name, geom) as (
       select 'cells', st_union(st_makeenvelope(x, y, x + 1, y + 1))
         from generate_series(0, 31) as x, generate_series(0, 31) as y where (x * 7 + y * 13 + x * y) % 5 > 1
       union all
       select 'circles', st_union(st_buffer(st_point(x * 3 + y % 5, y * 2.5), 1 + (x * y) % 3))
         from generate_series(0, 11) as x, generate_series(0, 11) as y
       union all
       select 'holes', st_difference(st_makeenvelope(-1, -1, 80, 80),
         st_collect(st_makeenvelope(3 * x, 3 * y, 3 * x + 1 + x % 2, 3 * y + 1)))
         from generate_series(0, 25) as x, generate_series(0, 25) as y
     )
     select name, st_npoints(geom) > 1000 as large,
       count(*) filter (where not st_isvalid(piece) or st_geometrytype(piece) <> 'ST_Polygon')::integer as invalid,
       max(st_npoints(piece)) as most,
       st_area(st_symdifference(st_union(piece), geom)) < 1e-9 * st_area(geom) as same,
       abs(sum(st_area(piece)) - st_area(geom)) < 1e-9 * st_area(geom) as once
     from shape cross join lateral cut_into_pieces(geom, 120) as piece group by name, geom order by name`,
  );
  const cut = { large: true, invalid: 0, same: true, once: true };
  expect(rows).toMatchObject(['cells', 'circles', 'holes'].map((name) => ({ name, ...cut })));
  for (const { most } of rows) expect(most).toBeLessThanOrEqual(120);
});
