import { randomNumbers, seed } from '@covermap/testing/random.ts';
import { rectangle, zippedShapefile } from '@covermap/testing/shapes.ts';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { unitsPerDegree } from '../../addresses/address.ts';
import type { ChangedPremises, ComparedPremises } from '../../client/schema.ts';
import { covers } from '../../coverage/boxes.ts';
import { ComparisonStale } from '../../coverage/datasets/compare.ts';
import { comparePremisesWithPublished } from '../../coverage/datasets/compare-premises.ts';
import { changeKinds } from '../../coverage/premises/change.ts';
import { numbersOf, unpacked } from '../../coverage/premises/premises-set.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { listAddresses } from '../setup/addresses.ts';
import {
  client,
  expectCode,
  type ShownSubmission,
  manifest as usual,
  whileComparing,
} from '../setup/operator.ts';
import { addPremises, countBySql } from '../setup/premises.ts';
import { useService } from '../setup/service.ts';
import { decodeTile, tileOver } from '../setup/vector-tile.ts';

/* Who would lose service, before it is published: the comparison in premises. */

const service = await useService({ publishBlocks: { lostPercent: 5, warnings: [] } });
const { database } = service;
const tui = await client(service.api.url, database, 'Tui Fibre');
const moa = await client(service.api.url, database, 'Moa Fibre');
const random = randomNumbers(seed);

const manifest = { ...usual, attributes: { availability: 'STATE', bandwidth_max_mbps: 'DOWN' } };
const speeds = [10, 50, 100.5, 300];
const states = ['available', 'available', 'available', 'planned', 'under construction'];
const anyOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;

type Area = { west: number; south: number; state: string; down: number };
const someAreas = (): Area[] =>
  Array.from({ length: 25 }, () => ({
    ...{ west: 175 + random() * 0.3, south: -39 + random() * 0.3 },
    ...{ state: anyOf(states), down: anyOf(speeds) },
  }));

const fileOf = (areas: readonly Area[]) =>
  zippedShapefile({
    fields: [
      { name: 'STATE', type: 'C', length: 20 },
      { name: 'DOWN', type: 'N', length: 10, decimals: 1 },
    ],
    features: areas.map(({ west, south, state, down }) => ({
      rings: [rectangle(west, south, west + 0.08, south + 0.08)],
      attributes: { STATE: state, DOWN: down },
    })),
  });

const submit = async (by: typeof tui, areas: readonly Area[], more: object = {}): Promise<ShownSubmission> =>
  by.handIn(await fileOf(areas), { ...manifest, ...more });

async function publish(by: typeof tui, { id }: ShownSubmission): Promise<ShownSubmission> {
  const { comparison } = await by.submission(id);
  return by.json(`/api/operator/submissions/${id}/publish`, { comparison });
}

const datasetOf = ({ datasets }: ShownSubmission) => datasets[0] as ShownSubmission['datasets'][number];

/** For each premises the best Mbps that is available, and whether something is to come, by plain SQL. */
async function servedBy(datasetIds: readonly number[]) {
  const place = (of: string) => raw(`${of} / ${unitsPerDegree}::float8`);
  const { rows } = await database.query<{ number: number; best: number; later: boolean }>(sql`
    select p.number, coalesce(max(c.speed) filter (where c.availability = 'available'), 0) as best,
      coalesce(bool_or(c.availability <> 'available'), false) as later
    from premises p
    left join (
      select c.geom, t.availability, t.bandwidth_max_mbps::float8 as speed
      from coverage c join tier t on t.id = c.tier_id where t.dataset_id = any (${datasetIds})
    ) as c on ${covers(sql`c.geom`, place('p.lng'), place('p.lat'))}
    group by p.number order by p.number`);
  return rows;
}

/** The changed premises that are stored for a dataset, by kind. */
async function storedSets(datasetId: number) {
  const { rows } = await database.query<{ change: string; premises: Uint8Array }>(sql`
    select change, premises from premises_change where dataset_id = ${datasetId}`);
  return Object.fromEntries(rows.map(({ change, premises }) => [change, [...numbersOf(unpacked(premises))]]));
}

/** Numbers and addresses of premises, as SQL finds them. */
async function addressesOf(numbers: readonly number[]) {
  const { rows } = await database.query<{ number: number; id: string; suburb: string }>(sql`
    select p.number, a.id, s.suburb
    from premises p join address a on a.lng = p.lng and a.lat = p.lat join street s on s.id = a.street_id
    where p.number = any (${numbers}) order by p.number`);
  return rows;
}

const base = ({ id }: ShownSubmission) => `/api/operator/submissions/${id}`;

let north: ShownSubmission;
let south: ShownSubmission;
let others: ShownSubmission[] = [];

test('without addresses, nothing of premises is shown', async () => {
  const first = await submit(tui, someAreas(), { scope: 'North' });
  expect(datasetOf(first)).not.toHaveProperty('premises');
  north = await publish(tui, first);
  const { id } = await submit(tui, someAreas(), { scope: 'North' });
  const next = await tui.until(id, ({ report }) => Boolean(report?.change.length));
  expect(datasetOf(next).change).not.toHaveProperty('premises');
  expect(next.report?.change[0]).not.toHaveProperty('premises');
});

test('once there are addresses, premises are "counting" until all that is compared is counted', async () => {
  const addresses = Array.from({ length: 400 }, (_, i) => ({
    ...{ id: String(1000 + i), label: String(i + 1), road: 'Rata Street' },
    ...{ lng: 175 + random() * 0.4, lat: -39 + random() * 0.4 },
    // One of them is what a spreadsheet would run.
    suburb: i % 3 === 0 ? '=Kowhai' : 'Matai',
    town: 'Rimu',
  }));
  await listAddresses(database, addresses);
  await addPremises(database, addresses);
  await database.query(
    "insert into address_alias (system, alias, address_id) select 'tlc', 'T' || id, id from address",
  );
  const { id } = await tui.sent(await fileOf(someAreas()), { ...manifest, scope: 'North' });
  const counting = await tui.until(id, ({ datasets }) => Boolean(datasets[0]?.change));
  // The published version is not counted yet.
  expect(datasetOf(counting)).toMatchObject({ premises: { state: 'counting', covered: null } });
  expect(datasetOf(counting).change).not.toHaveProperty('premises');
  expect(counting).toMatchObject({ comparing: true, comparison: null });
  await countBySql(database, datasetOf(north).id);
  const counted = await tui.until(id, ({ comparing }) => !comparing);
  expect(datasetOf(counted)).toMatchObject({ premises: { state: 'counted' } });
  expect(datasetOf(counted).change?.premises?.before).toBeGreaterThan(0);
});

test('versions with scopes, plans and others around them change what plain SQL finds, premises by premises', async () => {
  south = await publish(tui, await submit(tui, someAreas(), { scope: 'South' }));
  others = [
    await publish(moa, await submit(moa, someAreas())),
    await publish(tui, await submit(tui, someAreas(), { technology: 'cable' })),
  ];
  for (let round = 0; round < 3; round++) {
    const loaded = await submit(tui, someAreas(), { scope: 'North' });
    // What others serve is there once all that is live is counted.
    const submission = await tui.until(loaded.id, (now) => Boolean(datasetOf(now).change?.premises?.others));
    const { id, change, premises } = datasetOf(submission);
    const [before, after, live, elsewhere] = await Promise.all([
      servedBy([datasetOf(north).id, datasetOf(south).id]),
      servedBy([id, datasetOf(south).id]),
      servedBy([datasetOf(north).id]),
      servedBy(others.map((other) => datasetOf(other).id)),
    ]);
    const all = before.map((was, i) => ({
      number: was.number,
      was,
      is: after[i] as typeof was,
      other: elsewhere[i]?.best ?? 0,
    }));
    const numbers = (of: (one: (typeof all)[number]) => boolean) =>
      all.filter(of).map(({ number }) => number);
    const sets = {
      gained: numbers(({ was, is }) => was.best === 0 && is.best > 0),
      lost: numbers(({ was, is }) => was.best > 0 && is.best === 0),
      faster: numbers(({ was, is }) => was.best > 0 && is.best > was.best),
      slower: numbers(({ was, is }) => is.best > 0 && is.best < was.best),
    };
    expect(await storedSets(id), `seed ${seed}`).toEqual(sets);
    const lost = all.filter(({ was, is }) => was.best > 0 && is.best === 0);
    const served = lost.filter(({ other }) => other > 0).length;
    expect(change?.premises).toMatchObject({
      ...Object.fromEntries(changeKinds.map((kind) => [kind, sets[kind].length])),
      before: live.filter(({ best }) => best > 0).length,
      covered: premises?.covered,
      postponed: lost.filter(({ is }) => is.later).length,
      planned_lost: numbers(({ was, is }) => was.best === 0 && was.later && is.best === 0 && !is.later)
        .length,
      planned_before: live.filter(({ best, later }) => best === 0 && later).length,
      others: { served, unserved: lost.length - served },
    });
    expect(Math.min(sets.lost.length, served)).toBeGreaterThan(0);
    const moved = change?.premises?.moves.reduce((sum, move) => sum + move.premises, 0);
    expect(moved).toBe(Object.values(sets).flat().length);
    expect(submission.report?.change[0]?.premises).toEqual(change?.premises);
  }
});

let reviewed: ShownSubmission;
const lostNumbers = async () => (await storedSets(datasetOf(reviewed).id)).lost as number[];

describe('the premises that would lose service', () => {
  beforeAll(async () => {
    reviewed = await submit(tui, someAreas().slice(0, 12), { scope: 'North' });
  });

  test('are listed by suburb, those with the most first', async () => {
    const { datasets } = await tui.json<ComparedPremises>(`${base(reviewed)}/premises`);
    const lost = datasets[0]?.suburbs?.find(({ change }) => change === 'lost');
    const found = await addressesOf(await lostNumbers());
    const counts = ['=Kowhai', 'Matai']
      .map((suburb) => ({ suburb, premises: found.filter((one) => one.suburb === suburb).length }))
      .sort((a, b) => b.premises - a.premises);
    expect(lost).toMatchObject({ suburb_count: 2, suburbs: counts });
    expect(datasets).toMatchObject([{ state: 'counted', change: datasetOf(reviewed).change?.premises }]);
    const few = await tui.json<ComparedPremises>(`${base(reviewed)}/premises?limit=1`);
    expect(few.datasets[0]?.suburbs?.[0]?.suburbs).toHaveLength(1);
  });

  test('are a CSV, an address a row, with what others offer, which no spreadsheet runs', async () => {
    const response = await tui.call(`${base(reviewed)}/premises.csv`);
    expect(response.headers.get('content-type')).toContain('text/csv');
    const [header, ...lines] = parse(await response.text()) as string[][];
    const rows = lines.map((line) => Object.fromEntries(line.map((field, i) => [header?.[i], field])));
    const sets = await storedSets(datasetOf(reviewed).id);
    for (const kind of changeKinds) {
      const listed = rows.filter(({ change }) => change === kind).map((row) => row.address_id);
      expect(listed, kind).toEqual((await addressesOf(sets[kind] as number[])).map(({ id }) => id));
    }
    const [before, after] = await Promise.all([
      servedBy([datasetOf(north).id, datasetOf(south).id]),
      servedBy([datasetOf(reviewed).id, datasetOf(south).id]),
    ]);
    const elsewhere = await servedBy(others.map((one) => datasetOf(one).id));
    const idOf = new Map(
      (await addressesOf(before.map(({ number }) => number))).map(({ number, id }) => [id, number]),
    );
    for (const row of rows) {
      const at = (all: typeof before) =>
        all.find(({ number }) => number === idOf.get(row.address_id as string))?.best;
      expect([row.before_mbps, row.after_mbps]).toEqual(
        [at(before), at(after)].map((mbps) => (mbps ? String(mbps) : '')),
      );
      expect(row.served_by_others !== '', row.served_by_others).toBe((at(elsewhere) ?? 0) > 0);
      expect(row.aliases).toBe(`tlc:T${row.address_id}`);
      expect(row.suburb).toMatch(/^('=Kowhai|Matai)$/);
    }
    const only = parse(
      await (await tui.call(`${base(reviewed)}/premises.csv?change=lost`)).text(),
    ) as string[][];
    expect(only).toHaveLength(1 + (await lostNumbers()).length);
  });

  test('are points of tiles, each with its addresses and what is there now', async () => {
    const [number] = await lostNumbers();
    const shown = await tui.json<ChangedPremises>(`${base(reviewed)}/premises/${number}`);
    const [address] = await addressesOf([number as number]);
    expect(shown).toMatchObject({
      number,
      address_count: 1,
      addresses: [{ id: address?.id, aliases: { tlc: [`T${address?.id}`] } }],
      changes: [{ change: 'lost', technology: 'fibre', scope: 'North', after_mbps: null }],
    });
    const fibre = shown.results.find(({ technology }) => technology === 'fibre');
    expect(fibre?.providers?.map(({ name }) => name)).toContain('Tui Fibre');
    for (const zoom of [12, 16]) {
      const { z, x, y } = tileOver(zoom, shown.lng, shown.lat);
      const tile = await tui.call(`${base(reviewed)}/premises/${z}/${x}/${y}.mvt`);
      const points = decodeTile(new Uint8Array(await tile.arrayBuffer()), 'premises', { z, x, y }).map(
        ({ properties }) => properties,
      );
      expect(points).toContainEqual({ number, change: 'lost' });
    }
    const wide = tileOver(11, shown.lng, shown.lat);
    expect((await tui.call(`${base(reviewed)}/premises/11/${wide.x}/${wide.y}.mvt`)).status).toBe(204);
  });

  test("are no others: those that do not change, and another operator's", async () => {
    await expectCode(tui.call(`${base(reviewed)}/premises/999999`), 404, 'premises_unknown');
    for (const path of [
      'premises',
      'premises.csv',
      `premises/${(await lostNumbers())[0]}`,
      'premises/12/4037/2559.mvt',
    ])
      await expectCode(moa.call(`${base(reviewed)}/${path}`), 404, 'submission_unknown');
  });
});

describe('a comparison in premises that is not of now is never shown as one', () => {
  test('after an import: it is counting until all is counted, and the ground is not compared again', async () => {
    const comparedAt = async () =>
      (await database.query(sql`select compared_at from dataset where id = ${datasetOf(reviewed).id}`))
        .rows[0];
    const before = await comparedAt();
    await database.query('update address_list set premises_version = premises_version + 1');
    const counting = await tui.submission(reviewed.id);
    expect(counting).toMatchObject({
      comparison: null,
      comparing: true,
      datasets: [{ premises: { state: 'counting' } }],
    });
    await expectCode(tui.call(`${base(reviewed)}/premises.csv`), 409, 'premises_counting');
    expect(await tui.json<ComparedPremises>(`${base(reviewed)}/premises`)).toMatchObject({
      datasets: [{ state: 'counting', change: null, suburbs: null }],
    });
    await expectCode(
      tui.post(`${base(reviewed)}/publish`, { comparison: reviewed.comparison }),
      409,
      'comparison_outdated',
    );
    for (const one of [reviewed, north, south]) await countBySql(database, datasetOf(one).id);
    const now = await tui.until(reviewed.id, ({ comparing }) => !comparing);
    // What others serve is not counted yet.
    expect(datasetOf(now).change?.premises?.others).toBeNull();
    expect(await comparedAt()).toEqual(before);
    expect(now.comparison).toBe(reviewed.comparison);
  });

  test('after another publication: it is compared with that one', async () => {
    const other = await submit(tui, someAreas(), { scope: 'North' });
    const published = await publish(tui, other);
    const stale = await tui.submission(reviewed.id);
    expect(stale).toMatchObject({ comparison: null, datasets: [{ premises: { state: 'counting' } }] });
    const now = await tui.until(reviewed.id, ({ comparing }) => !comparing);
    const live = await servedBy([datasetOf(published).id]);
    expect(datasetOf(now).change?.premises?.before).toBe(live.filter(({ best }) => best > 0).length);
  });

  test('after what it was compared with is counted anew, also in the middle of it', async () => {
    const { id } = datasetOf(reviewed);
    const state = async () => datasetOf(await tui.submission(reviewed.id)).premises?.state;
    await whileComparing(database, 'Tui Fibre', async () => {
      await countBySql(database, id);
      expect(await state()).toBe('counting');
      const countedBetween = {
        query: database.query.bind(database),
        transaction: async (...given: Parameters<typeof database.transaction>) => {
          await countBySql(database, id);
          return database.transaction(...given);
        },
      };
      const interrupted = comparePremisesWithPublished(countedBetween as typeof database, id);
      await expect(interrupted).rejects.toBeInstanceOf(ComparisonStale);
      expect(await state()).toBe('counting');
      await comparePremisesWithPublished(database, id);
      expect(await state()).toBe('counted');
    });
  });
});

test('a file is held back by the premises that it loses, in a sentence with both measures', async () => {
  const auto = await submit(tui, someAreas().slice(0, 8), { scope: 'North', publish: 'auto' });
  const {
    lost = 0,
    before = 0,
    planned_lost = 0,
    planned_before = 0,
  } = datasetOf(auto).change?.premises ?? {};
  expect(auto).toMatchObject({ held_back: true, blocking: [{ code: 'premises_lost' }] });
  expect(auto.blocking[0]?.message).toMatch(
    new RegExp(
      `^${lost + planned_lost} of ${before + planned_before} premises \\(\\d.*%\\) of the published fibre \\(North\\) would lose .*km2\\): more than the 5% allowed`,
    ),
  );
});
