import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isCompared, joinPublished } from '../../core/coverage/datasets/scopes.ts';
import type { Database } from '../../core/database/database.ts';
import { migrate } from '../../core/database/migrate.ts';
import { makePlace, type Place } from '../setup/service.ts';

let place: Place;
let database: Database;
let folder: string;
let url: URL;

beforeAll(async () => {
  place = await makePlace();
  database = await place.open();
});
afterAll(async () => {
  await database?.close();
  await place?.remove();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-migrations-'));
  cpSync(new URL('../../migrations/', import.meta.url), folder, { recursive: true });
  url = pathToFileURL(`${folder}/`);
  return () => rmSync(folder, { recursive: true });
});

const newest = readdirSync(new URL('../../migrations/', import.meta.url))
  .sort()
  .at(-1) as string;
const last = Number(newest.slice(0, 4));
/** The number of a migration that comes so many after the newest. */
const numberAfter = (steps: number) => String(last + steps).padStart(4, '0');
const add = (name: string, sql: string) => writeFileSync(path.join(folder, name), sql);

describe('migrations', () => {
  test('that ran do not run again', async () => {
    expect(await migrate(database, url)).toEqual([]);
  });
  test('run once, also when several processes start at the same time', async () => {
    add(`${numberAfter(1)}_first.sql`, 'create table first (id integer); insert into first values (1);');
    add(`${numberAfter(2)}_second.sql`, 'insert into first values (2);');
    // Where there is a server, from connections of their own.
    const others =
      database.kind === 'server'
        ? [await place.open(), await place.open(), await place.open()]
        : [database, database];
    const applied = await Promise.all([database, ...others].map((each) => migrate(each, url)));
    expect(applied.flat().sort()).toEqual([`${numberAfter(1)}_first.sql`, `${numberAfter(2)}_second.sql`]);
    expect((await database.query('select id from first order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    for (const other of others) if (other !== database) await other.close();
    await database.query(`drop table first; delete from schema_migration where number > ${last}`);
  });
  test('note when versions were published before, which have no scope then; what was compared stays so; addresses are made good', async () => {
    const older = await makePlace();
    const old = await older.open();
    // As it was before: without what the migration made, and with versions that were published then.
    await old.query(
      `drop view stored_file; drop table bulk_job_part, bulk_job, coverage_overview, publication;
       drop trigger publication_noted on dataset; drop function note_publication;
       alter table dataset drop column overview_at;
       drop trigger scope_limit on dataset; drop function limit_scopes;
       drop index dataset_published, dataset_versions;
       alter table dataset drop column scope_key, drop column scope, drop column compared_beside, drop column comparison_wanted_at;
       create unique index dataset_published on dataset (provider_id, technology_id) where state = 'published';
       create index dataset_versions on dataset (provider_id, technology_id, id);
       drop trigger provider_revision_counted on provider; drop function count_provider_revision;
       alter table provider drop column revision, drop column profile_saved_at,
         drop constraint provider_url, drop constraint provider_description, drop constraint provider_area_served;
       delete from schema_migration where number in (7, 17, 20)`,
    );
    await old.query(
      `insert into provider (name) values ('Kauri Fibre');
       insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, finished_at)
       select 1, 'published', 'a.zip', 'a', 1, sha256(n::text::bytea), '{}', now() from generate_series(1, 4) as n;
       insert into dataset (submission_id, provider_id, technology_id, state, published_at, superseded_at)
       select id, 1, 1, state, published_at, superseded_at
       from (select id, row_number() over (order by received_at, id) as number from submission) as s
       join (values
         (1, 'superseded', '2026-01-01'::timestamptz, '2026-02-01'::timestamptz),
         (2, 'published', '2026-02-01', null),
         (3, 'superseded', null, '2026-02-02'),
         (4, 'ready', null, null)) as v (number, state, published_at, superseded_at) using (number);
       update dataset set compared_at = now(), compared_with = (select id from dataset where state = 'published')
       where state = 'ready'`,
    );
    await old.query(
      `insert into provider (name, url, description, area_served) values
         ('Case', 'HTTP://Case.example/A', '', '{}'), ('Junk', 'ftp:moa', '', '{}'), ('Secret', 'https://a:b@c.example', '', '{}'),
         ('Long', 'https://long.example/' || repeat('x', 500), repeat('x', 2001), array_fill('a'::text, array[101]));
       update submission set manifest = '{"provider": {"name": "Kauri Fibre", "url": "HTTPS://kauri.example"}}'`,
    );
    await migrate(old, url);
    const { rows: kept } = await old.query(
      `update provider set wholesale_network = 'Both'
       returning name, url, char_length(description) as characters, cardinality(area_served) as areas`,
    );
    const empty = { url: '', characters: 0, areas: 0 };
    expect(kept).toEqual([
      { ...empty, name: 'Kauri Fibre' },
      { ...empty, name: 'Case', url: 'http://Case.example/A' },
      { ...empty, name: 'Junk' },
      { ...empty, name: 'Secret' },
      { ...empty, name: 'Long', characters: 2000, areas: 100 },
    ]);
    const { rows: said } = await old.query(
      `select distinct manifest -> 'provider' ->> 'url' as url from submission`,
    );
    expect(said).toEqual([{ url: 'https://kauri.example' }]);
    const { rows } = await old.query(
      `select d.state, p.published_at = d.published_at as begins, p.superseded_at is not distinct from d.superseded_at as ends
       from publication p join dataset d on d.id = p.dataset_id order by p.published_at`,
    );
    expect(rows).toEqual([
      { state: 'superseded', begins: true, ends: true },
      { state: 'published', begins: true, ends: true },
    ]);
    const { rows: ready } = await old.query(
      `select d.scope, ${isCompared} as compared from dataset d ${joinPublished} where d.state = 'ready'`,
    );
    expect(ready).toEqual([{ scope: '', compared: true }]);
    await old.close();
    await older.remove();
  });
  test('keep what the work of earlier versions has recorded, under the names of its steps', async () => {
    const older = await makePlace();
    const old = await older.open();
    await old.query(
      `create table work_turn (kind text, owner text, served_at timestamptz);
       alter table work drop constraint work_kind_check, add constraint work_kind_check check (kind <> '');
       insert into provider (name) values ('Kauri Fibre');
       insert into submission (provider_id, state, kind, processed_by, file_name, storage_key, size_bytes, sha256, manifest,
         finished_at)
       select 1, state, kind, 'service', state, kind, 1, sha256(n::text::bytea), '{}', case when state <> 'received' then now() end
       from (values (1, 'received', 'coverage'), (2, 'received', 'towers'), (3, 'ready', 'coverage'),
         (4, 'withdrawn', 'coverage')) as v (n, state, kind);
       insert into work (kind, id, failures) select 'ingest', id::text, 3 from submission;
       insert into work (kind, id) values ('ingest', gen_random_uuid()), ('bulk', 'b'), ('overview', '1'), ('predict', 'p');
       delete from schema_migration where number = 41`,
    );
    await migrate(old, url);
    const { rows } = await old.query(
      `select w.kind, w.failures, coalesce(s.state || ' ' || s.kind, w.id) as of
       from work w left join submission s on s.id::text = w.id order by w.kind`,
    );
    expect(rows).toEqual([
      { kind: 'bulk-lookup', failures: 0, of: 'b' },
      { kind: 'discard', failures: 3, of: 'withdrawn coverage' },
      { kind: 'draw', failures: 0, of: '1' },
      { kind: 'load', failures: 3, of: 'received coverage' },
      { kind: 'predict', failures: 0, of: 'p' },
      { kind: 'publish', failures: 3, of: 'ready coverage' },
      { kind: 'read-towers', failures: 3, of: 'received towers' },
    ]);
    await old.close();
    await older.remove();
  });
  test('that fail leave nothing: neither the change nor its row in the ledger', async () => {
    add(`${numberAfter(1)}_broken.sql`, 'create table broken (id integer); select 1 / 0;');
    await expect(migrate(database, url)).rejects.toMatchObject({ code: '22012' });
    expect((await database.query(`select to_regclass('broken') as broken`)).rows).toEqual([{ broken: null }]);
    const { rows } = await database.query('select 1 from schema_migration where number > $1', [last]);
    expect(rows).toEqual([]);
  });
  test('that were edited after they ran are refused', async () => {
    const name = '0002_api_keys.sql';
    add(name, `${readFileSync(path.join(folder, name), 'utf8')}\n-- better`);
    await expect(migrate(database, url)).rejects.toMatchObject({ code: 'migration_changed' });
  });
  test('that this program does not know are refused', async () => {
    rmSync(path.join(folder, newest));
    await expect(migrate(database, url)).rejects.toMatchObject({ code: 'database_newer' });
  });
  test('have to be numbered, each with a number of its own', async () => {
    add(`${numberAfter(0)}_z_again.sql`, 'select 1;');
    await expect(migrate(database, url)).rejects.toThrow(`${numberAfter(0)}_z_again.sql: expected the name`);
  });
});

describe('the schema itself refuses', () => {
  let dataset: number;
  let tier: number;
  beforeAll(async () => {
    const { rows } = await database.query<{ dataset: number }>(
      `with p as (insert into provider (name) values ('Schema') returning id),
         s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
           select id, 'f', 'k', 1, sha256('x'), '{}' from p returning id, provider_id)
       insert into dataset (submission_id, provider_id, technology_id) select id, provider_id, 1 from s returning id as dataset`,
    );
    dataset = rows[0]?.dataset as number;
    const made = await database.query<{ id: number }>(
      `insert into tier ${columns} values (${dataset}, 'available', 1, 2, 1, 2, null) returning id`,
    );
    tier = made.rows[0]?.id as number;
  });
  const columns =
    '(dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date)';
  const insertTier = (values: string) => () => `insert into tier ${columns} values (${dataset}, ${values})`;
  const insertCoverage =
    (geom: string, id = () => tier) =>
    () =>
      `insert into coverage values (${id()}, ${geom}, gen_random_uuid())`;

  const publishedIn = (scope: string, count: number) =>
    `with s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
       select provider_id, n::text, 'k', 1, sha256('x'), '{}'
       from dataset, generate_series(1, ${count}) as n where dataset.id = ${dataset}
       returning id, provider_id, file_name)
     insert into dataset (submission_id, provider_id, technology_id, scope, scope_key, state, published_at)
     select s.id, s.provider_id, 1, ${scope}, lower(${scope}), 'published', now() from s cross join lateral (select file_name::integer as n) as numbered`;
  const violations = { check: '23514', foreignKey: '23503', unique: '23505', invalid: '22023' };
  test.each<[string, string, () => string]>([
    ['an availability that is none', violations.check, insertTier(`'maybe', 1, 2, 1, 2, null`)],
    ['a negative speed', violations.check, insertTier(`'available', -1, 2, 1, 2, null`)],
    ['a minimum above its maximum', violations.check, insertTier(`'available', 3, 2, 1, 2, null`)],
    ['an upload minimum above its maximum', violations.check, insertTier(`'available', 1, 2, 3, 2, null`)],
    ['a speed that is not a number', violations.check, insertTier(`'available', 'NaN', 'NaN', 1, 2, null`)],
    [
      'a planned date for what is available',
      violations.check,
      insertTier(`'available', 1, 2, 1, 2, '2027-01-01'`),
    ],
    ['a date that never comes', violations.check, insertTier(`'planned', 1, 2, 1, 2, 'infinity'`)],
    ['a second tier that says the same', violations.unique, insertTier(`'available', 1, 2, 1, 2, null`)],
    [
      'a tier of no dataset',
      violations.foreignKey,
      () => `insert into tier ${columns} values (-1, 'available', 1, 2, 1, 2, null)`,
    ],
    ['a line', violations.invalid, insertCoverage(`st_geomfromtext('LINESTRING(174 -37, 175 -37)', 4326)`)],
    [
      'several polygons in one',
      violations.invalid,
      insertCoverage(`st_multi(st_makeenvelope(174, -37, 175, -36, 4326))`),
    ],
    [
      'another reference system',
      violations.invalid,
      insertCoverage(`st_makeenvelope(174, -37, 175, -36, 2193)`),
    ],
    ['an empty polygon', violations.check, insertCoverage(`st_geomfromtext('POLYGON EMPTY', 4326)`)],
    [
      'coverage of no tier',
      violations.foreignKey,
      insertCoverage(`st_makeenvelope(174, -37, 175, -36, 4326)`, () => -1),
    ],
    [
      'a technology that does not exist',
      violations.foreignKey,
      () => `update dataset set technology_id = 99 where id = ${dataset}`,
    ],
    [
      'a failed submission without its error',
      violations.check,
      () => `update submission set state = 'failed', finished_at = now()`,
    ],
    [
      'a state that is none',
      violations.check,
      () => `update dataset set state = 'done' where id = ${dataset}`,
    ],
    ['a provider of the same name', violations.unique, () => `insert into provider (name) values ('SCHEMA')`],
    [
      'a wholesale kind that is none',
      violations.check,
      () => `insert into provider (name, wholesale_network) values ('W', 'Maybe')`,
    ],
    [
      'a scope that is not trimmed',
      violations.check,
      () => `update dataset set scope = ' a' where id = ${dataset}`,
    ],
    [
      'a scope that is too long',
      violations.check,
      () => `update dataset set scope = repeat('a', 61) where id = ${dataset}`,
    ],
    [
      'two published versions of a scope that differ in case',
      violations.unique,
      () => publishedIn(`case n when 1 then 'North' else 'NORTH' end`, 2),
    ],
    ['more than 50 published scopes', violations.check, () => publishedIn(`'Scope ' || n`, 51)],
    [
      'two published versions of the same coverage',
      violations.unique,
      () => `with s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
               select provider_id, 'f', 'k', 1, sha256('x'), '{}'
               from dataset, generate_series(1, 2) where dataset.id = ${dataset} returning id, provider_id)
             insert into dataset (submission_id, provider_id, technology_id, state, published_at)
             select s.id, s.provider_id, 1, 'published', now() from s`,
    ],
  ])('%s', async (_, code, statement) => {
    await expect(database.query(statement())).rejects.toMatchObject({ code });
  });
});
