import { randomNumbers, seed } from '@covermap/testing/random.ts';
import { expect, test } from 'vitest';
import { premisesVersion } from '../../addresses/premises.ts';
import { keepPremises } from '../../coverage/premises/counted.ts';
import { setOf } from '../../coverage/premises/premises-set.ts';
import { openStatistics } from '../../coverage/statistics/statistics.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { dayOf } from '../../platform/nz-time.ts';
import { keptScratch } from '../../platform/scratch.ts';
import { listAddresses } from '../setup/addresses.ts';
import { client } from '../setup/operator.ts';
import { addPremises } from '../setup/premises.ts';
import { useService } from '../setup/service.ts';

/* What is where, for staff: premises by region, technology, speed and provider, on a day, and since another. */

const service = await useService();
const { database } = service;
const staff = await client(service.api.url, database);
const random = randomNumbers(seed);
const anyOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
const below = (n: number) => Math.floor(random() * n);

interface Row {
  region: string;
  within: string;
  premises: number;
  at_least: number[];
  providers: number[];
  planned: number[];
  gained: number[] | null;
  lost: number[] | null;
}
interface Statistics {
  state: string;
  use: string;
  planned_dates: (string | null)[];
  technologies: { name: string }[];
  shared: number;
  total: Omit<Row, 'region' | 'within'>;
  regions: Row[];
}
const statistics = (query: Record<string, string> = {}) =>
  staff.json<Statistics>(`/api/staff/premises?${new URLSearchParams(query)}`);

const thresholds = [0, 10, 25, 50, 100, 300, 900];
const technologies = ['fibre', 'cable', 'wireless'];
const dates = ['2027-03-31', '2027-06-30', '2028-01-01'];
/** Noon in New Zealand on a day of the past October. */
const noon = (day: number) => `2026-10-${String(day).padStart(2, '0')}T12:00:00+13:00`;
const date = (day: number) => noon(day).slice(0, 10);

/** Adds a version with tiers over some of the premises. @returns its id, and the tiers with what they cover */
async function addVersion(provider: string, technology: string, numbers: readonly number[]) {
  const { rows } = await database.query<{ id: number }>(sql`
    with p as (
      insert into provider (name, url) values (${provider}, 'https://example.nz/')
      on conflict do nothing returning id
    ), of as (
      select id from p union all select id from provider where name = ${provider} limit 1
    ), s as (
      insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, finished_at)
      select id, 'ready', 'a.zip', gen_random_uuid()::text, 1, sha256('a'), '{}', now() from of returning id, provider_id
    )
    insert into dataset (submission_id, provider_id, technology_id, state)
    select s.id, s.provider_id, t.id, 'ready' from s join technology t on t.name = ${technology} returning id`);
  const id = rows[0]?.id as number;
  const sets = new Map<number, ReturnType<typeof setOf>>();
  const covered: { tier: number; number: number }[] = [];
  for (let i = 0, count = 1 + below(4); i < count; i++) {
    const availability = anyOf(['available', 'available', 'planned', 'underway']);
    const planned = availability === 'available' || random() < 0.3 ? null : anyOf(dates);
    const tier = await database.query<{ id: number }>(sql`
      insert into tier (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps,
        bandwidth_up_max_mbps, planned_date)
      values (${id}, ${availability}, 0, ${anyOf([0, 9.9, 10, 30, 50, 100, 299, 950])}, ${i}, ${i}, ${planned}::date) returning id`);
    const own = numbers.filter(() => random() < 0.3);
    covered.push(...own.map((number) => ({ tier: tier.rows[0]?.id as number, number })));
    sets.set(tier.rows[0]?.id as number, setOf(own));
  }
  await database.query(sql`
    insert into covered (tier, number)
    select * from unnest(${covered.map(({ tier }) => tier)}::integer[], ${covered.map(({ number }) => number)}::integer[])`);
  const version = await premisesVersion(database);
  await database.transaction((connection) => keepPremises(connection, id, version, sets));
  return id;
}

/** Publishes a version on a day, in place of another. */
async function publish(id: number, day: number, former?: number): Promise<void> {
  if (former !== undefined)
    await database.query(
      sql`update dataset set state = 'superseded', superseded_at = ${noon(day)}::timestamptz where id = ${former}`,
    );
  await database.query(sql`
    update dataset set state = 'published', published_at = ${noon(day)}::timestamptz, superseded_at = null where id = ${id}`);
}

/** The counts of a region by plain SQL: of what the publications of a day say, premises by premises. */
async function bySql(by: string, technology: string | null, day: string, compared: string | null) {
  const has = (on: string | null) => sql`(
    select p.number, max(t.bandwidth_max_mbps) filter (where t.availability = 'available') as best,
      count(distinct d.provider_id) filter (where t.availability = 'available') as providers,
      min(coalesce(t.planned_date, 'infinity'::date)) filter (where t.availability <> 'available') as planned
    from premises p
    left join (
      covered c join tier t on t.id = c.tier join dataset d on d.id = t.dataset_id
      join technology g on g.id = d.technology_id and (${technology}::text is null or g.name = ${technology})
    ) on c.number = p.number and exists (
      select from publication u where u.dataset_id = d.id
        and u.published_at < ((${on}::date + 1)::timestamp at time zone 'Pacific/Auckland')
        and coalesce(u.superseded_at, 'infinity') >= ((${on}::date + 1)::timestamp at time zone 'Pacific/Auckland'))
    group by p.number)`;
  const { rows } = await database.query<{
    region: string;
    within: string;
    premises: number;
    at_least: number[];
    providers: number[];
    planned: number[];
    gained: number[];
    lost: number[];
  }>(sql`
    with now as ${has(day)}, was as ${has(compared)},
    placed as (
      select p.number, s.suburb, s.town, s.authority from premises p
      cross join lateral (
        select a.street_id from address a where a.lng = p.lng and a.lat = p.lat order by a.street_id limit 1
      ) as first join street s on s.id = first.street_id
    )
    select case ${by}::text when 'suburb' then suburb when 'town' then town else authority end as region,
      case when ${by}::text = 'suburb' and suburb <> '' then town else '' end as within, count(*)::integer as premises,
      (select array_agg(n order by m) from (select m, count(*) filter (where best >= m)::integer as n
        from unnest(array_agg(now.best)) as best cross join unnest(${thresholds}::float8[]) as m group by m) as x) as at_least,
      (select array_agg(n order by m) from (select m, count(*) filter (where least(3, k) = m)::integer as n
        from unnest(array_agg(now.providers)) as k cross join generate_series(0, 3) as m group by m) as x) as providers,
      (select array_agg(n order by m) from (select m, count(*) filter (where d = m)::integer as n
        from unnest(array_agg(case when now.best is null then now.planned end)) as d
        cross join unnest(${[...dates, 'infinity']}::date[]) as m group by m) as x) as planned,
      (select array_agg(n order by m) from (select m, count(*) filter (where best >= m and not coalesce(before >= m, false))::integer as n
        from unnest(array_agg(now.best), array_agg(was.best)) as x (best, before) cross join unnest(${thresholds}::float8[]) as m group by m) as x) as gained,
      (select array_agg(n order by m) from (select m, count(*) filter (where before >= m and not coalesce(best >= m, false))::integer as n
        from unnest(array_agg(now.best), array_agg(was.best)) as x (best, before) cross join unnest(${thresholds}::float8[]) as m group by m) as x) as lost
    from placed join now using (number) join was using (number) group by 1, 2`);
  const key = ({ region, within }: { region: string; within: string }) => JSON.stringify([region, within]);
  return new Map(rows.map((row) => [key(row), row]));
}

const byKey = (rows: readonly Row[]) =>
  new Map(rows.map((row) => [JSON.stringify([row.region, row.within]), row]));

test('without addresses there is nothing to count', async () => {
  expect(await statistics()).toMatchObject({ state: 'no_addresses', total: null, regions: [] });
});

test('random worlds count as plain SQL does, on every day, with versions that were rolled back to or never published', async () => {
  await database.query('create table covered (tier integer, number integer)');
  const addresses = Array.from({ length: 300 }, (_, i) => ({
    ...{ id: `a${i}`, label: String(i), road: anyOf(['Rata Street', 'Kauri Road', 'Rimu Lane']) },
    ...{ suburb: anyOf(['', 'Ponsonby', 'Newtown']), town: anyOf(['Auckland', 'Wellington']) },
    authority: anyOf(['', 'Auckland', 'Wellington City']),
    // Several share a point.
    ...{ lat: -39 + below(10) / 100, lng: 175 + below(20) / 100 },
  }));
  await listAddresses(database, addresses);
  const places = new Map(addresses.map(({ lat, lng }) => [`${lat} ${lng}`, { lat, lng }]));
  const numbers = await addPremises(database, [...places.values()]);
  const first = await addVersion('Kauri', 'fibre', numbers);
  const second = await addVersion('Kauri', 'fibre', numbers);
  await addVersion('Kauri', 'fibre', numbers);
  await publish(first, 5);
  await publish(second, 10, first);
  // A rollback.
  await publish(first, 15, second);
  for (const [i, [provider, technology]] of (
    [
      ['Tui', 'fibre'],
      ['Tui', 'wireless'],
      ['Moa', 'wireless'],
      ['Kea', 'wireless'],
      ['Kauri', 'cable'],
    ] as const
  ).entries())
    await publish(await addVersion(provider, technology, numbers), 6 + 2 * i);
  const today = dayOf(new Date());
  for (const by of ['authority', 'town', 'suburb'])
    for (const technology of [null, ...technologies])
      for (const [day, compared] of [
        [today, date(5)],
        [date(10), date(7)],
        [date(6), date(15)],
      ] as const) {
        const found = await statistics({
          by,
          day,
          compared_with: compared,
          ...(technology && { technology }),
        });
        expect(found.state).toBe('counted');
        const expected = await bySql(by, technology, day, compared);
        const shownDates = found.planned_dates.map((one) => one ?? 'infinity');
        const wanted = [...expected].map(
          ([key, row]) =>
            [
              key,
              {
                ...row,
                // Only dates that some version of the day has are shown.
                planned: shownDates.map((one) => row.planned[[...dates, 'infinity'].indexOf(one)] ?? 0),
              },
            ] as const,
        );
        expect(byKey(found.regions), `seed ${seed}, ${by} ${technology} ${day}`).toEqual(new Map(wanted));
        const { total, regions } = found;
        expect(total.premises).toBe(numbers.length);
        expect(total.providers.reduce((a, b) => a + b)).toBe(numbers.length);
        for (const of of ['at_least', 'providers', 'planned', 'gained', 'lost'] as const)
          for (const [i, sum] of (total[of] as number[]).entries())
            expect(regions.reduce((all, row) => all + (row[of]?.[i] as number), 0)).toBe(sum);
      }
});

test('a day before the first publication, and one after today, are refused', async () => {
  const ask = async (query: string) =>
    (await fetch(`${service.api.url}/api/staff/premises?${query}`, staff)).json();
  expect(await ask(`day=${date(3)}`)).toMatchObject({ code: 'day_unknown' });
  expect(await ask('day=2999-01-01')).toMatchObject({ code: 'request_invalid' });
  expect(await ask('by=nowhere')).toMatchObject({ code: 'regions_unknown' });
  expect(await ask('technology=laser')).toMatchObject({ code: 'request_invalid' });
});

test('the file says for whom it is, and has the numbers of the answer', async () => {
  const answer = await fetch(`${service.api.url}/api/staff/premises?by=town&format=csv`, staff);
  expect(answer.headers.get('content-disposition')).toContain('staff-only');
  const [head = '', ...lines] = (await answer.text()).trim().split('\r\n');
  const { regions, use } = await statistics({ by: 'town' });
  expect(use).toMatch(/staff.*research.*not permitted/);
  expect(head).toMatch(/^region,within,premises,available_any_speed,available_10_mbps/);
  expect(lines).toHaveLength(regions.length);
  for (const [i, line] of lines.entries()) {
    const { region, premises, at_least: [any] = [] } = regions[i] as Row;
    expect(line).toMatch(new RegExp(`^${region},,${premises},${any},.*${use}`));
  }
});

test('premises that are counted anew are "counting" until they are, and a version that is gone makes its days unknown', async () => {
  await database.query('update address_list set premises_version = premises_version + 1');
  expect(await statistics()).toMatchObject({ state: 'counting', total: null });
  const csv = await fetch(`${service.api.url}/api/staff/premises?format=csv`, staff);
  expect(await csv.json()).toMatchObject({ code: 'statistics_counting' });
  await database.query(
    'update dataset set premises_version = premises_version + 1 where premises_version is not null',
  );
  expect(await statistics()).toMatchObject({ state: 'counted' });
  await database.query(`
    update dataset set rows_removed_at = now(), premises_version = null where id = (select min(id) from dataset where state = 'superseded')`);
  expect((await statistics({ day: dayOf(new Date()) })).state).toBe('counted');
  const gone = await fetch(`${service.api.url}/api/staff/premises?day=${date(11)}`, staff);
  expect([gone.status, await gone.json()]).toMatchObject([410, { code: 'day_unknown' }]);
});

test('staff who ask at once wait for one count, which is kept', async () => {
  let begun = 0;
  const counted: Database = {
    ...database,
    query: ((query: Parameters<Database['query']>[0]) => {
      if (String((query as { text?: string }).text ?? query).includes('from technology')) begun++;
      return database.query(query);
    }) as Database['query'],
  };
  const count = openStatistics(counted, keptScratch(service.config), new AbortController().signal);
  const today = dayOf(new Date());
  await Promise.all([
    count(today, undefined, today),
    count(today, undefined, today),
    count(today, undefined, today),
  ]);
  expect(begun).toBe(1);
  await count(today, undefined, today);
  expect(begun).toBe(1);
});
