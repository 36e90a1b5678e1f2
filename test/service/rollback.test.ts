import { existsSync } from 'node:fs';
import path from 'node:path';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { Attempts } from '../../coverage/attempts.ts';
import { ComparisonStale, compareWithPublished } from '../../coverage/datasets/compare.ts';
import { abandonRollback, finishRollback, unpublish } from '../../coverage/datasets/rollback.ts';
import { waitingRows } from '../../coverage/jobs/waiting.ts';
import { sql } from '../../platform/database/sql.ts';
import { pauseForFiles } from '../../workers/compare.ts';
import {
  type Client,
  client,
  expectCode,
  form,
  manifest,
  type ShownSubmission,
  whileComparing,
} from '../setup/operator.ts';
import { useService } from '../setup/service.ts';
import { decodeTile, tileOver } from '../setup/vector-tile.ts';

/* Validate, publish, roll back; and coverage that the service models. */

const submissions = '/api/operator/submissions';
const patience = { timeout: 60_000, interval: 100 };

const service = await useService({
  keptVersions: 2,
  publishBlocks: { lostPercent: 20, warnings: ['speeds_absent'] },
});
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
const staff = await client(service.api.url, service.database);

/** A file of one rectangle, as wide as it is said. */
const area = (east: number) => zippedRectangle(175, -39, east, -38.9);
const speedAt = async (lng: number, provider = 'Kauri Fibre', technology = 'fibre') => {
  const { results } = await service.at('-38.95', String(lng));
  const found = results.find((result) => result.technology === technology);
  return found?.providers?.find(({ name }) => name === provider)?.bandwidth_max_mbps;
};
const askToPublish = (id: string, body: object = {}, by = kauri) =>
  by.post(`${submissions}/${id}/publish`, body);
const publish = (id: string, body: object = {}, by = kauri) => by.json(`${submissions}/${id}/publish`, body);
/** Publishes what has been looked at, whatever is lost by that. */
const publishSeen = async (id: string, body: object = {}, by = kauri) => {
  const { comparison } = await by.until(id, ({ comparing }) => !comparing);
  return publish(id, { ...body, comparison }, by);
};
const askToRollBack = (id: number | undefined, body: object = {}, by = kauri) =>
  by.post(`/api/operator/datasets/${id}/rollback`, body);
/** The version that a submission is, where it has one technology. */
const versionOf = ({ datasets }: ShownSubmission) => datasets[0]?.id as number;

/** The tile that the rectangles are in, at a zoom where they fill much of it: 0.1 degrees are 0.28 of a tile's side. */
const zoomed = tileOver(10, 175.05, -38.95);
/** How much of a tile, of 1, each value of a property has. */
async function tile(path: string, layer: string, property: string, { z, x, y } = zoomed) {
  const response = await kauri.call(`${path}/${z}/${x}/${y}.mvt`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const areas: Record<string, number> = {};
  for (const { properties, rings } of decodeTile(bytes, layer, { z, x, y })) {
    const value = String(properties[property]);
    for (const ring of rings) {
      const next = (j: number) => ring[(j + 1) % ring.length] as { x: number; y: number };
      const twice = ring.reduce((sum, point, j) => sum + point.x * next(j).y - next(j).x * point.y, 0);
      areas[value] = (areas[value] ?? 0) + twice / 2 / 4096 / 4096;
    }
  }
  return areas;
}

describe('versions of one coverage', () => {
  let first: ShownSubmission;
  let second: ShownSubmission;

  test('wait to be looked at, and no lookup knows of them', async () => {
    first = await kauri.handIn(await area(175.1), manifest);
    expect(first).toMatchObject({ status: 'ready', waiting_for: 'publish' });
    expect(await speedAt(175.05)).toBeUndefined();
    const covered = await tile(`${submissions}/${first.id}/tiles`, 'coverage', 'bandwidth_max_mbps');
    expect(Object.keys(covered)).toEqual(['100']);
    // All of it is gained where nothing was published.
    const change = await tile(`${submissions}/${first.id}/change`, 'change', 'change');
    expect(change.gained).toBeCloseTo(covered['100'] as number, 6);
  });
  test('are answered from once they are published', async () => {
    expect(await publish(first.id, { replaces: [] })).toMatchObject({ status: 'published', finished: true });
    expect(await speedAt(175.05)).toBe(100);
    const version = async () => (await service.database.query('select version from catalog')).rows;
    const before = await version();
    // Again changes nothing.
    expect(await publish(first.id)).toMatchObject({ status: 'published' });
    expect(await version()).toEqual(before);
  });
  test('are shown beside what is published: gained, lost, unchanged, in figures and on the map', async () => {
    const moved = await zippedRectangle(175.05, -39, 175.15, -38.9);
    second = await kauri.handIn(moved, {
      ...manifest,
      speeds: { ...manifest.speeds, bandwidth_max_mbps: 200 },
    });
    const [dataset] = second.datasets;
    expect(dataset?.replaces).toBe(first.datasets[0]?.id);
    const { gained_km2 = 0, lost_km2 = 0, unchanged_km2 = 0, current } = dataset?.change ?? {};
    expect(current).toBe(true);
    expect(gained_km2).toBeCloseTo(lost_km2, 1);
    expect(unchanged_km2).toBeCloseTo(lost_km2, 1);
    expect(lost_km2).toBeGreaterThan(40);
    const change = await tile(`${submissions}/${second.id}/change`, 'change', 'change');
    const before = await tile(`/api/operator/datasets/${dataset?.replaces}/tiles`, 'coverage', 'technology');
    expect((change.lost as number) + (change.unchanged as number)).toBeCloseTo(before.fibre as number, 3);
    const shown = `${submissions}/${second.id}/tiles`;
    // From afar it is a dot, and still there.
    expect(await tile(shown, 'coverage', 'technology', { z: 3, x: 7, y: 4 })).toEqual({
      fibre: expect.closeTo(1 / 256 ** 2, 6),
    });
    expect(await tile(shown, 'coverage', 'technology', { z: 3, x: 0, y: 0 })).toEqual({});
  });
  test('are not published on a difference that nobody looked at', async () => {
    const third = await kauri.handIn(await area(175.12), manifest);
    const replaces = [versionOf(first)];
    await publish(third.id, { replaces });
    await expectCode(askToPublish(second.id, { replaces }), 409, 'published_meanwhile');
    // A waiting submission is compared with the new version by itself.
    const compared = await kauri.until(second.id, ({ datasets }) => datasets[0]?.change?.current === true);
    expect(compared.datasets[0]?.change?.compared_with).toBe(versionOf(third));
    const both = { replaces: [versionOf(third), versionOf(first)] };
    await expectCode(askToPublish(second.id, both), 409, 'published_meanwhile');
    await publishSeen(second.id, { replaces: [versionOf(third)] });
    expect([await speedAt(175.02), await speedAt(175.14)]).toEqual([undefined, 200]);
    for (const deed of ['publish', 'withdraw'])
      await expectCode(kauri.post(`${submissions}/${third.id}/${deed}`), 409, 'submission_superseded');
  });
  test('are rolled back to, at once and in both directions, also by two at a time', async () => {
    const [before, after] = [versionOf(first), versionOf(second)];
    const answer = await askToRollBack(before, { replaces: after });
    const dataset = { id: before, state: 'published' };
    expect(await answer.json()).toMatchObject({ replaced: after, dataset });
    expect([await speedAt(175.02), await speedAt(175.14)]).toEqual([100, undefined]);
    // A limited list always has the live version, however old it is.
    expect(await kauri.json('/api/operator/datasets?limit=1')).toMatchObject({ datasets: [{ id: before }] });
    expect(await kauri.submission(first.id)).toMatchObject({
      ...{ status: 'published', datasets: [{ can_roll_back: false }] },
    });
    const superseded = { state: 'superseded', can_roll_back: true };
    expect(await kauri.submission(second.id)).toMatchObject({ datasets: [superseded] });
    // Rolling back to the live version changes nothing.
    expect(await (await askToRollBack(before)).json()).toMatchObject({ replaced: null });
    await expectCode(askToRollBack(after, { replaces: after }), 409, 'published_meanwhile');
    const both = await Promise.all([askToRollBack(after), askToRollBack(after)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect([await speedAt(175.02), await speedAt(175.14)]).toEqual([undefined, 200]);
    const { rows } = await service.database.query(sql`
      select count(*) as deeds from audit_event where action = 'dataset_rolled_back' and dataset_id = ${after}`);
    expect(rows).toEqual([{ deeds: 1 }]);
  });
  test('are kept as many as are configured, and the others are removed', async () => {
    await publishSeen((await kauri.handIn(await area(175.13), manifest)).id);
    type Versions = { datasets: { id: number; state: string; can_roll_back: boolean }[] };
    const versions = async () =>
      (await kauri.json<Versions>('/api/operator/datasets?technology=fibre')).datasets;
    const kept = async () => (await versions()).filter(({ can_roll_back }) => can_roll_back).length;
    await expect.poll(kept, patience).toBe(2);
    const all = await versions();
    expect(all.map(({ state }) => state)).toEqual(['published', 'superseded', 'superseded', 'superseded']);
    const gone = all.find(({ state, can_roll_back }) => state === 'superseded' && !can_roll_back);
    await expectCode(askToRollBack(gone?.id), 409, 'version_not_kept');
    const left = async () => {
      const { rows } = await service.database.query<{ rows: number }>(sql`
        select (select count(*) from coverage c join tier t on t.id = c.tier_id where t.dataset_id = ${gone?.id})
          + (select count(*) from coverage_archive c join tier t on t.id = c.tier_id where t.dataset_id = ${gone?.id})
          + (select count(*) from coverage_change where dataset_id = ${gone?.id}) as rows`);
      return rows[0]?.rows;
    };
    await expect.poll(left, patience).toBe(0);
  });
  test('whose rollback was interrupted are completed', async () => {
    const id = versionOf(second);
    const restoring = `update dataset set state = 'restoring', rollback_replaces = $2 where id = $1`;
    const live = async () =>
      (await service.database.query<{ id: number }>(`select id from dataset where state = 'published'`)).rows;
    const [current] = await live();
    // A live version that the rollback was not told to replace stays.
    await service.database.query(restoring, [id, null]);
    await expect(finishRollback(service.database, new Attempts(service.database), id)).rejects.toMatchObject({
      code: 'published_meanwhile',
    });
    expect(await live()).toEqual([current]);
    await expectCode(askToRollBack(id, { replaces: null }), 409, 'published_meanwhile');
    await service.database.query(restoring, [id, current?.id]);
    await service.queue.send('rollback');
    const speeds = () => Promise.all([speedAt(175.02), speedAt(175.14)]);
    await expect.poll(speeds, patience).toEqual([undefined, 200]);
    // A worker that gives the rollback up now comes too late.
    await abandonRollback(service.database, id);
    expect(await live()).toEqual([{ id }]);
  });
});

describe('what publishes automatically', () => {
  const automatic = { ...manifest, technology: 'cable', publish: 'auto' };
  test('does, unless much of the area would be lost, which lists show and somebody can overrule', async () => {
    expect((await kauri.handIn(await area(175.2), automatic)).status).toBe('published');
    expect((await kauri.handIn(await area(175.17), automatic)).status).toBe('published');
    const held = await kauri.handIn(await area(175.1), automatic);
    const lost = expect.stringMatching(/^41% of the published cable would be lost/);
    expect(held).toMatchObject({
      ...{ status: 'ready', waiting_for: 'publish', held_back: true },
      blocking: [{ code: 'area_lost', message: lost }],
    });
    expect(await speedAt(175.15, 'Kauri Fibre', 'cable')).toBe(100);
    const listed = await kauri.json<{ submissions: ShownSubmission[] }>(`${submissions}?technology=cable`);
    expect(listed.submissions[0]).toMatchObject({ id: held.id, held_back: true });
    expect((await publishSeen(held.id)).status).toBe('published');
    expect(await speedAt(175.15, 'Kauri Fibre', 'cable')).toBeUndefined();
  });
  test('does not where speeds are absent', async () => {
    const speedless = await kauri.handIn(await area(175.1), { technology: 'vdsl', publish: 'auto' });
    expect(speedless).toMatchObject({ status: 'ready', blocking: [{ code: 'speeds_absent' }, {}] });
  });
});

describe('scopes of an operator’s coverage', () => {
  const scoped = (scope: string, more: object = {}) => ({ ...manifest, scope, ...more });
  const mbps = (down: number) => ({ speeds: { ...manifest.speeds, bandwidth_max_mbps: down } });
  const provider = 'Rimu Networks';
  let rimu: Client;
  let south: ShownSubmission;
  const answer = async (lng: number) => {
    const { results } = await service.at('-38.95', String(lng));
    const { availability, providers } = results.find(({ technology }) => technology === 'fibre') ?? {};
    const own = (providers ?? []).filter(({ name }) => name === provider);
    return [availability, ...own.map(({ bandwidth_max_mbps }) => bandwidth_max_mbps)].join(' ');
  };
  const published = async (operator: Client) =>
    (await operator.json<{ published: Record<string, unknown>[] }>('/api/operator/catalog')).published;
  const publishIn = async (west: number, east: number, said: object) => {
    const { id } = await rimu.handIn(await zippedRectangle(west, -39, east, -38.9), said);
    return publishSeen(id, {}, rimu);
  };
  beforeAll(async () => {
    rimu = await client(service.api.url, service.database, provider);
  });

  test('a publication replaces its own scope, whatever its case, and lookups answer from all of them', async () => {
    const north = await publishIn(176, 176.1, scoped('Ōtaki'.toUpperCase()));
    south = await publishIn(176.2, 176.3, scoped('South', mbps(200)));
    expect([await answer(176.05), await answer(176.25)]).toEqual(['available 100', 'available 200']);
    const again = await publishIn(176, 176.15, scoped('ōtaki', mbps(300)));
    expect(again.datasets).toMatchObject([
      { scope: 'ōtaki', change: { compared_with: versionOf(north), lost_km2: 0 } },
    ]);
    expect([await answer(176.12), await answer(176.25)]).toEqual(['available 300', 'available 200']);
    expect(await published(rimu)).toMatchObject([
      {
        ...{ technology: 'fibre', scope: 'South', dataset_id: versionOf(south) },
        bbox: [176.2, -39, 176.3, -38.9],
      },
      { technology: 'fibre', scope: 'ōtaki', dataset_id: versionOf(again) },
    ]);
    expect(JSON.stringify(await published(kauri))).not.toContain('South');
    expect(JSON.stringify(await published(staff))).toContain('South');
  });
  test('a planned scope leaves what is available, and shows where nothing is: one entry a provider', async () => {
    const planned = { ...mbps(900), availability: 'planned' };
    await publishIn(176, 176.4, scoped('planned', planned));
    expect([await answer(176.05), await answer(176.35)]).toEqual(['available 300', 'planned 900']);
  });
  test('a scope is taken offline, once, and brought back by rolling back', async () => {
    const takeOffline = () => rimu.post(`/api/operator/datasets/${versionOf(south)}/unpublish`);
    expect((await takeOffline()).status).toBe(200);
    expect(await answer(176.25)).toBe('planned 900');
    await expectCode(takeOffline(), 409, 'version_not_published');
    // It was taken offline, and no version has superseded it.
    const again = (await (await askToPublish(south.id, {}, rimu)).json()) as { message: string };
    expect(again.message).toContain('taken offline');
    // Who expects to replace what is no longer there has seen another state.
    const late = askToRollBack(versionOf(south), { replaces: versionOf(south) }, rimu);
    await expectCode(late, 409, 'published_meanwhile');
    expect((await askToRollBack(versionOf(south), {}, rimu)).status).toBe(200);
    expect(await answer(176.25)).toBe('available 200');
    const { rows } = await service.database.query(sql`
      select action from audit_event where dataset_id = ${versionOf(south)} order by id`);
    expect(rows).toEqual([{ action: 'dataset_unpublished' }, { action: 'dataset_rolled_back' }]);
  });
  test('what another scope covers as well is not lost; what would only be planned is', async () => {
    // "Planned" covers all of it, too, but planned coverage does not make up for available coverage.
    const half = await rimu.handIn(await zippedRectangle(176.2, -39, 176.25, -38.9), scoped('South'));
    const change = half.datasets[0]?.change;
    expect([change?.lost_km2, half.blocking[0]?.code]).toEqual([expect.closeTo(48, 0), 'area_lost']);
    expect([change?.still_covered_km2, change?.downgraded_km2]).toEqual([0, 0]);
    await publishIn(176.22, 176.3, scoped('Overlap'));
    const covered = await rimu.until(half.id, ({ comparing }) => !comparing);
    expect(covered.blocking).toEqual([]);
    expect(covered.datasets[0]?.change?.still_covered_km2).toBeCloseTo(change?.lost_km2 as number, 2);
    const later = scoped('Ōtaki', { availability: 'planned' });
    const downgrade = await rimu.handIn(await zippedRectangle(176, -39, 176.15, -38.9), later);
    expect(downgrade.blocking[0]?.message).toMatch(/^100% of the published fibre \(Ōtaki\) would be lost/);
    const { lost_km2, unchanged_km2, downgraded_km2 } = downgrade.datasets[0]?.change ?? {};
    expect([lost_km2, downgraded_km2]).toEqual([0, expect.closeTo(unchanged_km2 as number, 2)]);
  });
  test('there are so many scopes, and no more', async () => {
    await service.database.query(
      `with s as (
         insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, finished_at)
         select p.id, 'published', 'many.zip', 'many', 1, sha256(n::text::bytea), '{}', now()
         from provider p, generate_series(1, 50) as n where p.name = $1 returning id, provider_id)
       insert into dataset (submission_id, provider_id, technology_id, state, scope, scope_key, area_km2, published_at, overview_at)
       select id, provider_id, 2, 'published', 'Scope ' || n, 'scope ' || n, 0, now(), now()
       from (select *, row_number() over () as n from s) as numbered`,
      [provider],
    );
    const blocked = async () =>
      (await service.database.query('select id from submission where blocking is not null')).rows.length;
    const before = await blocked();
    const cable = { technology: 'cable' };
    const held = await rimu.handIn(await area(175.1), scoped('One more', { ...cable, publish: 'auto' }));
    expect(held).toMatchObject({ status: 'ready', blocking: [{ code: 'scopes_too_many' }] });
    expect(await blocked()).toBe(before + 1);
    await expectCode(askToPublish(held.id, {}, rimu), 409, 'scopes_too_many');
    const one = await rimu.handIn(await area(175.1), scoped('scope 7', cable));
    expect((await askToPublish(one.id, {}, rimu)).status).toBe(200);
  });
});

describe('what would be lost', () => {
  const said = { ...manifest, technology: 'vdsl' };
  let narrow: ShownSubmission;
  test('is compared with what is published now, also for a file that was validated before', async () => {
    narrow = await kauri.handIn(await area(175.05), said);
    expect([narrow.blocking, narrow.comparing]).toEqual([[], false]);
    await publish((await kauri.handIn(await area(175.1), said)).id);
    // As if it had come last, to be published without anybody's word.
    await whileComparing(service.database, 'Kauri Fibre', async () => {
      await service.database.query(
        `update submission set manifest = manifest || '{"publish": "auto"}', received_at = clock_timestamp() where id = $1`,
        [narrow.id],
      );
      expect(await waitingRows(service.database, 'publish', narrow.id)).toEqual([]);
    });
    const now = await kauri.until(narrow.id, ({ comparing }) => !comparing);
    expect(now.blocking).toEqual([
      { code: 'area_lost', message: expect.stringMatching(/^50% of the published vdsl would be lost \(48/) },
    ]);
    expect(now.comparison).not.toBe(narrow.comparison);
    const toPublish = () => waitingRows(service.database, 'publish', narrow.id);
    await expect.poll(toPublish, patience).toEqual([]);
    expect((await kauri.submission(narrow.id)).status).toBe('ready');
  });
  test('has to be confirmed by whoever publishes: the operator and staff', async () => {
    for (const body of [{}, { replaces: [(await kauri.submission(narrow.id)).datasets[0]?.replaces] }]) {
      const refused = await askToPublish(narrow.id, body);
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { code: 'losses_unconfirmed', submission: { blocking: [{ code: 'area_lost' }] } },
      ]);
    }
    await expectCode(askToPublish(narrow.id, {}, staff), 409, 'losses_unconfirmed');
    const { comparison } = narrow;
    await expectCode(askToPublish(narrow.id, { comparison }), 409, 'published_meanwhile');
    expect(await speedAt(175.07, 'Kauri Fibre', 'vdsl')).toBe(100);
    expect((await publishSeen(narrow.id)).status).toBe('published');
    const { rows } = await service.database.query<{ details: object }>(sql`
      select details from audit_event where action = 'submission_published' and submission_id = ${narrow.id}`);
    expect(rows[0]?.details).toMatchObject({ confirmed: [{ code: 'area_lost' }] });
  });
});

describe('submissions that wait while others are published', () => {
  let matai: Client;
  const waiting: ShownSubmission[] = [];
  const compared = async () => {
    const { rows } = await service.database.query<{ id: string; compared_with: number | null }>(
      'select submission_id as id, compared_with from dataset where submission_id = any ($1) order by dataset.id',
      [waiting.map(({ id }) => id)],
    );
    return rows.map(({ compared_with }) => compared_with);
  };
  beforeAll(async () => {
    matai = await client(service.api.url, service.database, 'Matai Networks');
    for (const east of [175.01, 175.02, 175.03]) waiting.push(await matai.handIn(await area(east), manifest));
  });

  test('are compared again when somebody opens one, and only that one', async () => {
    const newest = waiting.pop() as ShownSubmission;
    await publish(newest.id, {}, matai);
    expect(await waitingRows(service.database, 'compare')).toEqual([]);
    const current = versionOf(newest);
    await matai.until(waiting[1]?.id as string, ({ comparing }) => !comparing);
    expect(await compared()).toEqual([null, current]);
  });
  test('hold nobody up: files are loaded and published while one waits for its comparison', async () => {
    await whileComparing(service.database, 'Matai Networks', async () => {
      const id = waiting[0]?.id as string;
      expect(await matai.submission(id)).toMatchObject({ comparing: true, comparison: null });
      const other = { ...manifest, technology: 'cable', publish: 'auto' };
      expect((await matai.handIn(await area(175.1), other)).status).toBe('published');
      await expectCode(askToPublish(id, {}, matai), 409, 'comparison_outdated');
    });
    await matai.until(waiting[0]?.id as string, ({ comparing }) => !comparing);
  });
  test('a comparison rests while there are files to be loaded, and for some time only', async () => {
    const { signal } = new AbortController();
    let looks = 0;
    await pauseForFiles(1_000_000, async () => ++looks < 3, signal);
    expect(looks).toBe(3);
    // A comparison does not rest for ever: an operator waits for it, too.
    await pauseForFiles(1, async () => true, signal);
  });
  test('a comparison ends as soon as it is with what is not published any more', async () => {
    const dataset = versionOf(waiting[0] as ShownSubmission);
    const live = (await matai.submission(waiting[0]?.id as string)).datasets[0]?.replaces as number;
    const comparing = compareWithPublished(service.database, dataset, {
      pause: () => unpublish(service.database, live, commandActor),
    });
    await expect(comparing).rejects.toBeInstanceOf(ComparisonStale);
  });
});

test('a submission is followed to its end as events, each later than the one before, and the last says what polling shows', async () => {
  const { id } = await kauri.sent(await area(175.05), { ...manifest, technology: 'wireless' });
  const text = await (await kauri.call(`${submissions}/${id}/events`)).text();
  const told = [
    ...text.matchAll(/^id: (?<number>\d+)\nevent: submission\ndata: (?<data>.*)\n\n(?<end>event: end)?/gm),
  ];
  const numbers = told.map(({ groups }) => Number(groups?.number));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  const polled = await kauri.json<Record<string, unknown>>(`${submissions}/${id}`);
  const { manifest: _, report: __, lost_areas: ___, ...shown } = polled;
  const last = told.at(-1)?.groups;
  expect([JSON.parse(last?.data ?? ''), last?.end]).toEqual([shown, 'event: end']);
  expect(shown).toMatchObject({ status: 'ready', finished: true, progress: { percent: 100 } });
  const newest = numbers.at(-1) as number;
  const after = (seen: number) =>
    kauri.call(`${submissions}/${id}/events`, { headers: { 'last-event-id': `${seen}` } });
  expect((await after(newest)).status).toBe(204);
  expect((await (await after(newest - 1)).text()).match(/^id: .*/gm)).toEqual([`id: ${newest}`]);
});

describe('coverage that the service models', () => {
  const towers = {
    name: 'towers.csv',
    bytes: Buffer.from(
      'Site,Latitude,Longitude,Height,Azimuth,HBW,EIRP,Frequency,Down,Up\nHill,-38.95,175.05,30,120,65,60,3500,80,15\nTop,-38.96,175.06,25,,,55,3500,,\n',
    ),
  };
  const left = { ...manifest, technology: 'wireless', processed_by: 'service', publish: 'review' };
  const predict = async (id: string, file?: { name: string; bytes: Buffer }, said?: object) =>
    staff.call(`/api/staff/tower-work/${id}/prediction`, {
      method: 'POST',
      body: form(file ?? (await area(175.3)), said ? { manifest: said } : {}),
    });
  const feesOf = async (by: Client) =>
    (await by.json<{ fees: { amount_cents: number }[] }>('/api/operator/processing-fees')).fees;
  const waits = ({ waiting_for }: ShownSubmission) => waiting_for === 'prediction';
  const handInTowers = async (operator: Client, said: object = left, list = towers) =>
    operator.until((await operator.sent(list, said, { again: 'true' })).id, waits);

  let id: string;
  test('waits as work for staff, who see the towers', async () => {
    const waiting = await handInTowers(kauri);
    id = waiting.id;
    expect(waiting).toMatchObject({ status: 'received', finished: false, towers: { count: 2 } });
    const { work } = await staff.json<{ work: ShownSubmission[] }>('/api/staff/tower-work');
    expect(work.map((one) => one.id)).toEqual([id]);
    const { features } = await staff.json<{ features: object[] }>(`/api/staff/tower-work/${id}/towers`);
    const hill = { name: 'Hill', height_m: 30, azimuth_deg: 120, beam_width_deg: 65, bandwidth_max_mbps: 80 };
    const top = { name: 'Top', azimuth_deg: null, bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
    expect(features).toMatchObject([
      { geometry: { type: 'Point', coordinates: [175.05, -38.95] }, properties: hill },
      { properties: top },
    ]);
  });
  test('waits for another prediction where the first cannot be used', async () => {
    expect((await predict(id, { name: 'x.zip', bytes: Buffer.from('junk') })).status).toBe(202);
    const waiting = await kauri.until(id, (one) => waits(one) && one.prediction?.error !== null);
    expect(waiting).toMatchObject({
      status: 'received',
      error: null,
      prediction: { error: { code: 'format_unknown' } },
    });
  });
  test('goes the way of every other once staff have attached it, and leaves one fee when it is published', async () => {
    const fileOfPrediction = async () => {
      const { rows } = await service.database.query<{ storage_key: string }>(sql`
        select storage_key from prediction where submission_id = ${id}`);
      return path.join(service.config.uploadDir, rows[0]?.storage_key as string);
    };
    const replaced = await fileOfPrediction();
    expect(existsSync(replaced)).toBe(true);
    expect((await predict(id)).status).toBe(202);
    expect([existsSync(replaced), existsSync(await fileOfPrediction())]).toEqual([false, true]);
    await expectCode(predict(id), 409, 'submission_not_waiting');
    const ready = await kauri.until(id, ({ finished }) => finished);
    expect(ready).toMatchObject({ status: 'ready', datasets: [{ technology: 'wireless' }] });
    expect(await feesOf(kauri)).toEqual([]);
    expect(ready).toMatchObject({ processing_fee_cents: 100_000 });
    await publish(id);
    expect(await kauri.submission(id)).toMatchObject({ processing_fee_cents: null });
    await publish(id);
    expect(await speedAt(175.25, 'Kauri Fibre', 'wireless')).toBe(100);
    const fee = { submission: { id }, kind: 'first', state: 'accrued', amount_cents: 100_000, invoice: null };
    expect(await feesOf(kauri)).toMatchObject([fee]);
  });
  test('fails with a sentence of staff where no coverage can be made of the towers', async () => {
    const waiting = await handInTowers(kauri);
    const refuse = () =>
      staff.post(`/api/staff/tower-work/${waiting.id}/refuse`, { reason: 'Hill lies in the sea.' });
    // One of two requests at once wins.
    const statuses = await Promise.all([refuse(), refuse()]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await kauri.submission(waiting.id)).toMatchObject({
      status: 'failed',
      processing_fee_cents: null,
      error: { code: 'towers_refused', message: 'Hill lies in the sea.' },
    });
    const { work, count } = await staff.json<{ work: { id: string }[]; count: number }>(
      '/api/staff/tower-work',
    );
    expect([work.some((one) => one.id === waiting.id), count]).toEqual([false, work.length]);
  });
  test('costs less the second time, whichever of two at once is published first, and nothing for a rollback', async () => {
    const tui = await client(service.api.url, service.database, 'Tui Wireless');
    const ids: string[] = [];
    for (const technology of ['wireless', 'adsl']) {
      const waiting = await handInTowers(tui, { ...left, technology });
      await predict(waiting.id, await area(175.31));
      await tui.until(waiting.id, ({ finished }) => finished);
      ids.push(waiting.id);
    }
    const feeOf = async (one: string) => (await tui.submission(one)).processing_fee_cents;
    expect(await Promise.all(ids.map(feeOf))).toEqual([100_000, 100_000]);
    await Promise.all(ids.map((one) => publish(one, {}, tui)));
    const next = await handInTowers(tui, { ...left, technology: 'vdsl' });
    expect(await feeOf(next.id)).toBe(25_000);
    // Others owe fees, too.
    const theirs = await feesOf(tui);
    expect(theirs.map(({ amount_cents }) => amount_cents).sort()).toEqual([100_000, 25_000]);
    // The operator's own coverage supersedes it and is rolled back: the fee is not charged again.
    const first = versionOf(await tui.submission(ids[0] as string));
    const own = await tui.handIn(await area(175.32), { ...manifest, technology: 'wireless' });
    expect(await feeOf(own.id)).toBeNull();
    await publish(own.id, {}, tui);
    type Versions = { datasets: { id: number; processing_fee_cents: number | null }[] };
    const { datasets } = await tui.json<Versions>('/api/operator/datasets');
    expect(datasets.find(({ id }) => id === first)?.processing_fee_cents).toBeNull();
    expect((await askToRollBack(first, {}, tui)).status).toBe(200);
    expect(await feesOf(tui)).toEqual(theirs);
    // A version of the service that was overtaken before it was published is charged when it is rolled back to.
    await service.database.query(sql`update submission set processed_by = 'service' where id = ${own.id}`);
    expect((await askToRollBack(versionOf(own), {}, tui)).status).toBe(200);
    const charged = (await feesOf(tui)).map(({ amount_cents }) => amount_cents);
    expect(charged.sort()).toEqual([100_000, 25_000, 25_000]);
  });
  test('fails at once where a tower cannot be used', async () => {
    const bytes = Buffer.from(towers.bytes.toString().replace('175.06', 'x'));
    const failed = await kauri.handIn({ ...towers, bytes }, left);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'towers_invalid' } });
  });
  test('shows a long list whole and in its order', async () => {
    const numbers = Array.from({ length: 4_001 }, (_, i) => i + 1);
    const lines = numbers.map((number) => `Tower ${number},-38.95,${175 + number / 1e5},30,60,3500`);
    const bytes = Buffer.from(`name,lat,lng,height_m,power_dbm,frequency_mhz\n${lines.join('\n')}`);
    const { id: long } = await handInTowers(kauri, left, { name: 'long.csv', bytes });
    const { features } = await kauri.json<{ features: { id: number }[] }>(`${submissions}/${long}/towers`);
    expect(features.map((tower) => tower.id)).toEqual(numbers);
    const last = { properties: { name: 'Tower 4001' }, geometry: { coordinates: [175.04001, -38.95] } };
    expect(features.at(-1)).toMatchObject(last);
  });
});
