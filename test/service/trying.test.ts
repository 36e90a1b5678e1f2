import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { requireTried } from '../../coverage/submissions/trials.ts';
import { speedTrials } from '../../ingest/towers/speed-trials.ts';
import { sql } from '../../platform/database/sql.ts';
import { client, expectCode, type ShownSubmission } from '../setup/operator.ts';
import { addPremises, countBySql, coveredBySql } from '../setup/premises.ts';
import { useService } from '../setup/service.ts';
import { placeAt, type TestTower, towerList, writeTerrain } from '../setup/terrain.ts';

/* Other speeds and towers are tried on modelled coverage before it is published, and show the premises that they would give and take. */

const folder = scratchFolder();
const terrainDir = path.join(folder, 'terrain');
writeTerrain(terrainDir);
const service = await useService({ terrainDir });
const { database } = service;
const kauri = await client(service.api.url, database, 'Kauri Wireless');
const tui = await client(service.api.url, database, 'Tui Wireless');
const staff = await client(service.api.url, database);

const prediction = { range_km: 3, resolution_m: 60 };
const manifest = { technology: 'wireless', processed_by: 'service', publish: 'review', prediction };
const hill: TestTower = { name: 'Hill', at: [0, 0] };
/** Of the speeds of the profile. */
const given = [-65, -75, -85, -95];
interface Tried {
  speeds: { dbm: number; bandwidth_max_mbps: number; area_km2: number; premises: number }[];
  premises: number;
  change: Record<'gained' | 'lost' | 'faster' | 'slower', number>;
}

const linkOf = ({ id }: { id: string }) => `/api/operator/submissions/${id}`;
async function submit(towers: readonly TestTower[], who = kauri, more = {}): Promise<ShownSubmission> {
  const { id } = await who.sent(towerList(towers), { ...manifest, ...more });
  return who.until(id, ({ finished }) => finished);
}

/** Where premises are: all around, some behind the ridge, some out of range. */
const places = Array.from({ length: 3000 }, (_, i) => {
  const [angle, metres] = [i * 2.399963, 3400 * Math.sqrt(i / 3000)];
  return placeAt(metres * Math.sin(angle), metres * Math.cos(angle));
});

/** By premises: the best speed of a submission's areas, by SQL. */
async function bestBySql(id: string): Promise<Map<number, number>> {
  const { rows } = await database.query<{ dataset: number; tier: number; mbps: number }>(sql`
    select d.id as dataset, t.id as tier, t.bandwidth_max_mbps::float8 as mbps
    from dataset d join tier t on t.dataset_id = d.id
    where d.submission_id = ${id} and d.state in ('ready', 'published')`);
  const covered = await coveredBySql(database, rows[0]?.dataset as number);
  const best = new Map<number, number>();
  for (const { tier, mbps } of rows)
    for (const number of covered.get(tier) ?? []) best.set(number, Math.max(mbps, best.get(number) ?? 0));
  return best;
}

function changeBetween(before: Map<number, number>, after: Map<number, number>): Tried['change'] {
  const change = { gained: 0, lost: 0, faster: 0, slower: 0 };
  for (const [number, mbps] of after) {
    const former = before.get(number);
    if (former === undefined) change.gained++;
    else if (mbps > former) change.faster++;
    else if (mbps < former) change.slower++;
  }
  for (const number of before.keys()) if (!after.has(number)) change.lost++;
  return change;
}

async function datasetOf({ id }: ShownSubmission): Promise<number> {
  return (await kauri.submission(id)).datasets[0]?.id as number;
}

describe('speeds by received power', () => {
  let live: ShownSubmission;
  let waiting: ShownSubmission;
  const trial = (dbm: readonly number[], who = kauri, of = waiting) =>
    who.call(`${linkOf(of)}/signal/premises?dbm=${dbm}`);
  beforeAll(async () => {
    live = await submit([hill]);
    await kauri.json(`${linkOf(live)}/publish`, { comparison: live.comparison });
    waiting = await submit([{ ...hill, at: [300, -200] }]);
  });

  test('cannot be tried where there are no addresses', async () => {
    await expectCode(trial(given), 409, 'premises_missing');
  });
  test('wait for what is published to be counted', async () => {
    await addPremises(database, places);
    await database.query('update dataset set premises_version = null');
    await expectCode(trial(given), 409, 'premises_counting');
    await countBySql(database, await datasetOf(live));
  });
  test.each([[given], [[-55, -71.25, -82.5, -99]], [[-90, -91, -92, -93]], [[-40, -45, -50, -55]]])(
    'from %j dBm on give, when tried, what they give when used',
    async (dbm) => {
      const response = await trial(dbm);
      const tried = (await response.json()) as Tried;
      expect(response.status, JSON.stringify(tried)).toBe(200);
      const speeds = dbm.map((one, i) => ({ ...waiting.modelling?.report?.speeds[i], dbm: one }));
      await kauri.json(`${linkOf(waiting)}/speeds`, { speeds });
      await kauri.until(waiting.id, ({ status, finished }) => status === 'ready' && finished);
      const [before, after] = [await bestBySql(live.id), await bestBySql(waiting.id)];
      expect(tried.premises).toBe(after.size);
      const withSpeed = (mbps: number) => [...after.values()].filter((one) => one === mbps).length;
      expect(tried.speeds).toMatchObject(
        [150, 100, 50, 20].map((mbps, i) => {
          return { dbm: dbm[i], bandwidth_max_mbps: mbps, premises: withSpeed(mbps) };
        }),
      );
      expect(tried.change).toEqual(changeBetween(before, after));
      const { area_km2 } = (await kauri.submission(waiting.id)).datasets[0] as { area_km2: number };
      expect(tried.speeds.reduce((sum, one) => sum + one.area_km2, 0) / area_km2).toBeCloseTo(1, 2);
    },
  );
  test('give nothing where the operator has excluded ground', async () => {
    const { premises: before } = (await (await trial(given)).json()) as Tried;
    const area = { circle: { ...placeAt(-300, 200), radius_m: 400 } };
    const added = await kauri.post('/api/operator/exclusions', {
      technology: 'wireless',
      area,
      reason: 'Behind the hill',
    });
    expect(added.status, await added.clone().text()).toBe(201);
    // It is made again without that ground.
    await kauri.until(waiting.id, ({ finished, report }) => finished && report?.excluded !== undefined);
    const tried = (await (await trial(given)).json()) as Tried;
    expect(tried.premises).toBeLessThan(before - 20);
    const speeds = given.map((one, i) => ({ ...waiting.modelling?.report?.speeds[i], dbm: one }));
    await kauri.json(`${linkOf(waiting)}/speeds`, { speeds });
    await kauri.until(waiting.id, ({ status, finished }) => status === 'ready' && finished);
    expect(tried.premises).toBe((await bestBySql(waiting.id)).size);
  });
  test('are tried by the operator and staff, on coverage that is not published', async () => {
    expect((await trial(given, staff)).status).toBe(200);
    await expectCode(trial(given, tui), 404, 'submission_unknown');
    await expectCode(trial(given, kauri, live), 409, 'submission_not_modelled');
    await expectCode(trial([-60, -70]), 409, 'trial_outdated');
    for (const dbm of [[-60, -60, -70, -80], [-300], []]) expect((await trial(dbm)).status).toBe(400);
  });
  test('that a caller tries one after the other end the earlier trial; others have theirs', async () => {
    const tried = speedTrials(service.config, service.storage, database);
    const coverage = await requireTried(database, waiting.id);
    const { signal } = new AbortController();
    const trials = ['kauri', 'kauri', 'staff', 'kauri'].map((caller) => tried(coverage, caller, signal));
    const outcomes = await Promise.allSettled(trials);
    expect(outcomes).toMatchObject([
      { reason: { code: 'trial_superseded' } },
      { reason: { code: 'trial_superseded' } },
      { value: { premises: expect.any(Number) } },
      { value: { premises: expect.any(Number) } },
    ]);
  });
});

describe('a tower', () => {
  // Kauri’s other scopes would count, too.
  const [owner, other] = [tui, kauri];
  const azimuth = 90;
  const panel: TestTower = { name: 'Panel', at: [-400, 300], azimuth, beam: 90 };
  const mast: TestTower = { name: 'Mast', at: [900, -600] };
  interface Trial {
    state: string;
    result: Tried | null;
    current: boolean;
    reason: { code: string } | null;
    sites: { done: number; total: number } | null;
  }
  let live: ShownSubmission;
  let waiting: ShownSubmission;
  const trialOf = async (who = owner) =>
    (await who.json<{ trial: Trial | null }>(`${linkOf(waiting)}/towers/trial`)).trial;
  const tryTowers = (towers: object[], who = owner, of = waiting) =>
    who.post(`${linkOf(of)}/towers/trial`, { towers });
  const use = (towers: object[]) => owner.post(`${linkOf(waiting)}/towers`, { towers }, 'PUT');
  const untilTried = async () => {
    await expect.poll(async () => (await trialOf())?.state, { timeout: 60_000 }).not.toBe('waiting');
    return (await trialOf()) as Trial;
  };
  const azimuths = async () => {
    type Towers = { features: { properties: { azimuth_deg: number | null } }[] };
    const { features } = await owner.json<Towers>(`${linkOf(waiting)}/towers`);
    return features.map(({ properties }) => properties.azimuth_deg);
  };
  beforeAll(async () => {
    live = await submit([panel, mast], owner);
    await owner.json(`${linkOf(live)}/publish`, { comparison: live.comparison });
    // The same towers, said in another way.
    waiting = await submit([panel, mast], owner, { prediction: { ...prediction, climate: 6 } });
  });

  test('that is turned gives, when tried, what it gives when used, and only its site is modelled', async () => {
    expect(await trialOf()).toBe(null);
    const { modelling } = await owner.submission(waiting.id);
    expect((await tryTowers([{ number: 1, azimuth_deg: 250 }])).status).toBe(200);
    const { state, result, current, sites } = await untilTried();
    expect({ state, current, sites }).toEqual({ state: 'done', current: true, sites: { done: 2, total: 2 } });
    // The submission is as it was.
    expect(await owner.submission(waiting.id)).toMatchObject({ modelling, status: 'ready' });
    expect(await azimuths()).toEqual([azimuth, null]);
    expect((await use([{ number: 1, azimuth_deg: 250 }])).status).toBe(200);
    const used = await owner.until(waiting.id, ({ status, finished }) => status === 'ready' && finished);
    // Modelling reads what the trial has kept.
    expect(used.modelling?.report).toMatchObject({ sites: 2, sites_reused: 2 });
    expect(await azimuths()).toEqual([250, null]);
    const [before, after] = [await bestBySql(live.id), await bestBySql(waiting.id)];
    const change = changeBetween(before, after);
    expect(change.faster).toBeGreaterThan(50);
    expect(change.slower).toBeGreaterThan(50);
    expect(result).toMatchObject({ premises: after.size, change });
  });
  test('is as before once its former azimuth is used; the audit has both', async () => {
    expect((await use([{ number: 1, azimuth_deg: azimuth }])).status).toBe(200);
    await owner.until(waiting.id, ({ status, finished }) => status === 'ready' && finished);
    expect(await bestBySql(waiting.id)).toEqual(await bestBySql(live.id));
    const { rows } = await database.query(sql`
      select details -> 'parameters' -> 'towers' -> 0 ->> 'azimuth_deg' as azimuth from audit_event
      where submission_id = ${waiting.id} and action = 'modelling_requested' order by id`);
    expect(rows).toEqual([{ azimuth: '250' }, { azimuth: '90' }]);
  });
  test('of which a newer trial begins is modelled for that one alone', async () => {
    for (const azimuth_deg of [10, 20, 30])
      expect((await tryTowers([{ number: 1, azimuth_deg }])).status).toBe(200);
    expect(await untilTried()).toMatchObject({ state: 'done', towers: [{ number: 1, azimuth_deg: 30 }] });
  });
  test('is tried as far as a killed worker had come', async () => {
    // As a killed process leaves it: at work, with its mark.
    await tryTowers([{ number: 2, height_m: 60 }]);
    await untilTried();
    await database.query(sql`
      update tower_trial set state = 'waiting', result = null, against = null, finished_at = null where submission_id = ${waiting.id}`);
    await database.query(sql`
      insert into work (kind, id, processes) values ('predict', ${waiting.id}, array[gen_random_uuid()])
      on conflict (kind, id) do update set processes = excluded.processes, changed_at = now() - interval '1 hour'`);
    await service.queue.send('predict', waiting.id);
    expect(await untilTried()).toMatchObject({ state: 'done' });
  });
  test('that the list does not have, or that radiates all round, is not turned', async () => {
    const [unknown, allRound] = [[{ number: 3, height_m: 10 }], [{ number: 2, azimuth_deg: 10 }]];
    for (const towers of [unknown, allRound]) {
      await expectCode(tryTowers(towers), 400, 'tower_unchangeable');
      await expectCode(use(towers), 400, 'tower_unchangeable');
    }
    for (const towers of [[{ number: 1 }], [{ number: 1, azimuth_deg: 400 }], [unknown[0], unknown[0]]])
      expect((await tryTowers(towers as object[])).status).toBe(400);
  });
  test('is nobody else’s to try, and not once it is published', async () => {
    const turned = [{ number: 1, azimuth_deg: 10 }];
    await expectCode(tryTowers(turned, other), 404, 'submission_unknown');
    await expectCode(other.call(`${linkOf(waiting)}/towers/trial`), 404, 'submission_unknown');
    expect((await trialOf(staff))?.state).toBe('done');
    await expectCode(tryTowers(turned, owner, live), 409, 'submission_not_modelled');
    await owner.json(`${linkOf(waiting)}/publish`, {
      comparison: (await owner.submission(waiting.id)).comparison,
    });
    await expectCode(tryTowers(turned), 409, 'submission_not_modelled');
    await expectCode(use(turned), 409, 'submission_not_modelled');
    expect(await trialOf()).toBe(null);
  });
});
