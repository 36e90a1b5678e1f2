import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxTiers } from '../../coverage/offer.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { useDatabase } from '../setup/service.ts';

const migrations = new URL('../../migrations/', import.meta.url);
let folder: string;
let url: URL;

const { place, database } = await useDatabase();
beforeEach(() => {
  folder = scratchFolder();
  cpSync(migrations, folder, { recursive: true });
  url = pathToFileURL(`${folder}/`);
});

const newest = readdirSync(migrations).sort().at(-1) as string;
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
    // On a server, each has a connection of its own.
    const isServer = database.kind === 'server';
    const others = await Promise.all(Array.from({ length: 3 }, () => (isServer ? place.open() : database)));
    const applied = await Promise.all([database, ...others].map((each) => migrate(each, url)));
    expect(applied.flat().sort()).toEqual([`${numberAfter(1)}_first.sql`, `${numberAfter(2)}_second.sql`]);
    expect((await database.query('select id from first order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    if (isServer) for (const other of others) await other.close();
    await database.query(`drop table first; delete from schema_migration where number > ${last}`);
  });
  test('that fail leave nothing: neither the change nor its row in the ledger', async () => {
    add(`${numberAfter(1)}_broken.sql`, 'create table broken (id integer); select 1 / 0;');
    await expect(migrate(database, url)).rejects.toMatchObject({ code: '22012' });
    const left = `select to_regclass('broken') as broken, (select max(number) from schema_migration) as last`;
    expect((await database.query(left)).rows).toEqual([{ broken: null, last }]);
  });
  test('that were edited after they ran are refused', async () => {
    add(newest, `${readFileSync(path.join(folder, newest), 'utf8')}\n-- better`);
    await expect(migrate(database, url)).rejects.toMatchObject({ code: 'migration_changed' });
  });
  test('that this program does not know are refused', async () => {
    rmSync(path.join(folder, newest));
    await expect(migrate(database, url)).rejects.toMatchObject({ code: 'database_newer' });
    // Another migration with the same number does not count as this one.
    add(`${numberAfter(0)}_another.sql`, 'select 1;');
    await expect(migrate(database, url)).rejects.toMatchObject({
      code: 'database_newer',
      message: `The database has migration ${newest}, which this version of covermap does not know.`,
    });
  });
  test('have to be numbered, each with a number of its own', async () => {
    add(`${numberAfter(0)}_z_again.sql`, 'select 1;');
    await expect(migrate(database, url)).rejects.toThrow(`${numberAfter(0)}_z_again.sql: expected the name`);
  });
});

describe('the schema itself refuses', () => {
  let dataset: number;
  beforeAll(async () => {
    const { rows } = await database.query<{ dataset: number }>(`
      with p as (insert into provider (name) values ('Schema') returning id),
        s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
          select id, 'f', 'k', 1, sha256('x'), '{}' from p returning id, provider_id)
      insert into dataset (submission_id, provider_id, technology_id) select id, provider_id, 1 from s returning id as dataset`);
    dataset = rows[0]?.dataset as number;
    await database.query(sameTier());
  });
  const columns =
    '(dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date)';
  const tierOf = (values: string) => () => `insert into tier ${columns} values (${dataset}, ${values})`;
  const sameTier = tierOf(`'available', 1, 2, 1, 2, null`);
  const publishedIn = (scope: string, count: number) =>
    `with s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
       select provider_id, n::text, 'k', 1, sha256('x'), '{}'
       from dataset, generate_series(1, ${count}) as n where dataset.id = ${dataset}
       returning id, provider_id, file_name)
     insert into dataset (submission_id, provider_id, technology_id, scope, scope_key, state, published_at)
     select s.id, s.provider_id, 1, ${scope}, lower(${scope}), 'published', now() from s cross join lateral (select file_name::integer as n) as numbered`;
  const [check, unique] = ['23514', '23505'];
  const [empty, failed] = [`'SRID=4326;POLYGON EMPTY'`, `state = 'failed', finished_at = now()`];
  const changeDataset = (changes: string) => () => `update dataset set ${changes} where id = ${dataset}`;
  const statement = (text: string) => () => text;
  const domain = (values: string) =>
    statement(`insert into domain (name, registered, cancelled) values (${values})`);
  const network = (text: string) =>
    statement(`with r as (insert into registrar (name) values ('R') returning id)
      insert into registrar_network (registrar_id, network) select id, '${text}' from r`);
  // Types, keys and lists of words are in docs/schema.sql, which the schema is held against.
  test.each<[string, string, () => string]>([
    ['a negative speed', check, tierOf(`'available', -1, 2, 1, 2, null`)],
    ['a minimum above its maximum', check, tierOf(`'available', 3, 2, 1, 2, null`)],
    ['an upload minimum above its maximum', check, tierOf(`'available', 1, 2, 3, 2, null`)],
    ['a speed that is not a number', check, tierOf(`'available', 'NaN', 'NaN', 1, 2, null`)],
    ['a date for what is available', check, tierOf(`'available', 1, 2, 1, 2, '2027-01-01'`)],
    ['a date that never comes', check, tierOf(`'planned', 1, 2, 1, 2, 'infinity'`)],
    ['a second tier that says the same', unique, sameTier],
    ['an empty polygon', check, statement(`insert into coverage values (-1, ${empty}, gen_random_uuid())`)],
    ['a failure without its error', check, statement(`update submission set ${failed}`)],
    ['a provider of the same name', unique, statement(`insert into provider (name) values ('SCHEMA')`)],
    ['a scope that is not trimmed', check, changeDataset(`scope = ' a'`)],
    ['a scope that is too long', check, changeDataset(`scope = repeat('a', 61)`)],
    ['scopes that differ in case', unique, () => publishedIn(`case n when 1 then 'a' else 'A' end`, 2)],
    ['more than 50 published scopes', check, () => publishedIn(`'Scope ' || n`, 51)],
    ['two published versions of the same coverage', unique, () => publishedIn("''", 2)],
    ['a domain in capitals', check, domain(`'A.nz', now(), null`)],
    ['a domain in Unicode', check, domain(`'ā.nz', now(), null`)],
    ['a domain that ended before it began', check, domain(`'a.nz', now(), now() - interval '1 day'`)],
    ['a domain without an end of time', check, domain(`'a.nz', '-infinity', 'infinity'`)],
    ['all of IPv4', check, network('0.0.0.0/0')],
    ['all of IPv6', check, network('::/0')],
    ['IPv4 written as IPv6', check, network('::ffff:192.0.2.0/120')],
  ])('%s', async (_, code, wrong) => {
    await expect(database.query(wrong())).rejects.toMatchObject({ code });
  });
  test('more than 500 tiers, however they come in', async () => {
    const add = (from: number, to: number) =>
      database.query(
        `insert into tier ${columns} select $1, 'available', 1, 2 + i, 1, 2, null from generate_series($2::integer, $3::integer) as i`,
        [dataset, from, to],
      );
    await add(1, maxTiers - 1);
    await expect(add(maxTiers, maxTiers)).rejects.toMatchObject({ code: check });
  });
});
