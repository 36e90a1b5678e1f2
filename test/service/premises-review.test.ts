import { randomNumbers, seed } from '@covermap/testing/random.ts';
import { rectangle, zippedShapefile } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import { unitsPerDegree } from '../../addresses/address.ts';
import { covers } from '../../coverage/boxes.ts';
import { changeKinds } from '../../coverage/premises/change.ts';
import { numbersOf, unpacked } from '../../coverage/premises/premises-set.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { client, type ShownSubmission, manifest as usual } from '../setup/operator.ts';
import { addPremises, countBySql } from '../setup/premises.ts';
import { useService } from '../setup/service.ts';

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

/** Submits a file, and waits until it is loaded and its premises are counted. */
async function ready(by: typeof tui, areas: readonly Area[], more: object = {}): Promise<ShownSubmission> {
  const { id } = await by.sent(await fileOf(areas), { ...manifest, ...more });
  const { datasets } = await by.until(id, ({ status }) => status === 'ready');
  await countBySql(database, datasets[0]?.id as number);
  return by.until(id, ({ comparing }) => !comparing);
}

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

let north: ShownSubmission;
let south: ShownSubmission;

test('without addresses, nothing of premises is shown', async () => {
  const first = await tui.handIn(await fileOf(someAreas()), { ...manifest, scope: 'North' });
  expect(datasetOf(first)).not.toHaveProperty('premises');
  north = await publish(tui, first);
  const next = await tui.handIn(await fileOf(someAreas()), { ...manifest, scope: 'North' });
  expect(datasetOf(next).change).not.toHaveProperty('premises');
  expect(next.report.change[0]).not.toHaveProperty('premises');
});

test('once there are addresses, premises are "counting" until all that is compared is counted', async () => {
  const places = Array.from({ length: 400 }, () => ({
    lng: 175 + random() * 0.4,
    lat: -39 + random() * 0.4,
  }));
  await addPremises(database, places);
  const { id } = await tui.sent(await fileOf(someAreas()), { ...manifest, scope: 'North' });
  const loaded = await tui.until(id, ({ status }) => status === 'ready');
  await countBySql(database, datasetOf(loaded).id);
  const counting = await tui.until(id, ({ datasets }) => datasets[0]?.change !== null);
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
  south = await publish(tui, await ready(tui, someAreas(), { scope: 'South' }));
  const others = [
    await publish(moa, await ready(moa, someAreas())),
    await publish(tui, await ready(tui, someAreas(), { technology: 'cable' })),
  ];
  for (let round = 0; round < 3; round++) {
    const submission = await ready(tui, someAreas(), { scope: 'North' });
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
    expect(submission.report.change[0]?.premises).toEqual(change?.premises);
  }
});
