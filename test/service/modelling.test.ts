import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { zip } from '@covermap/testing/zip.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { administer } from '../../commands/admin/commands.ts';
import type { FindPathProfile } from '../../coverage/submissions/path-profile.ts';
import { forgetSites } from '../../coverage/submissions/predicted-sites.ts';
import { towerFields } from '../../coverage/submissions/tower-columns.ts';
import { parseTowers } from '../../ingest/towers/tower-file.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { collectFiles } from '../../platform/storage/collect.ts';
import { type Client, client, expectCode, form, type ShownSubmission } from '../setup/operator.ts';
import { readInProcesses } from '../setup/reader-here.ts';
import { useApi, useService } from '../setup/service.ts';
import { signalOf } from '../setup/signal.ts';
import { placeAt, type TestTower, towerList, writeLandCover, writeTerrain } from '../setup/terrain.ts';

/* From a list of towers to published coverage, automatically. */

const isServer = inject('backend').kind === 'server';
const folder = scratchFolder();
const terrainDir = path.join(folder, 'terrain');
writeTerrain(terrainDir);
// Modelling ignores a file that is no terrain.
writeFileSync(path.join(terrainDir, 'text.tif'), 'no terrain');
const clutterDir = path.join(folder, 'cover');
const isWood = (east: number, north: number) => east < -300 && north > 500;
writeLandCover(clutterDir, (east, north) => (isWood(east, north) ? 10 : 30), [
  'class,name,height_m,loss_db',
  '10,trees,20,18',
  '30,grass,0,0',
]);
const service = await useService({ terrainDir, clutterDir });
const kauri = await client(service.api.url, service.database, 'Kauri Wireless');
const tui = await client(service.api.url, service.database, 'Tui Wireless');
const staff = await client(service.api.url, service.database);

const parameters = { range_km: 3, resolution_m: 100 };
const manifest = { technology: 'wireless', processed_by: 'service', publish: 'auto', prediction: parameters };
const hill: TestTower = { name: 'Hill', at: [0, 0] };

const row = (count: number, metres: number) =>
  Array.from({ length: count }, (_, i): TestTower => ({ name: `T${i}`, at: [i * metres - 1500, 500] }));
const speedClass = (dbm: number, down: number) => ({
  ...{ dbm, bandwidth_min_mbps: 1, bandwidth_max_mbps: down },
  ...{ bandwidth_up_min_mbps: 1, bandwidth_up_max_mbps: 5 },
});

const isAtRest = ({ finished, waiting_for }: ShownSubmission) => finished || waiting_for !== null;
async function submit(who: Client, towers: readonly TestTower[], changes = {}): Promise<ShownSubmission> {
  const { id } = await who.sent(towerList(towers), { ...manifest, ...changes });
  return who.until(id, isAtRest);
}
/** Submitted once, for all tests that only look at it. */
function once(make: () => Promise<ShownSubmission>): () => Promise<ShownSubmission> {
  let made: Promise<ShownSubmission> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
/** Live coverage; coverage that waits to be published; towers that are left to staff. */
const modelledHill = once(() => submit(kauri, [hill]));
const edge = once(() => submit(tui, [{ name: 'Edge', at: [-7900, -7900] }]));
const farAway = once(() => submit(tui, [{ name: 'Far', at: [90_000, 0] }]));
const linksOf = (id: string) => `/api/operator/submissions/${id}`;
const coverageOf = async (at: [number, number]) => {
  const { lat, lng } = placeAt(...at);
  const { results } = await service.at(lat, lng);
  return results.find(({ technology }) => technology === 'wireless')?.providers ?? [];
};
/** The modelled areas, as they are stored. */
async function areasOf(id: string) {
  const { rows } = await service.database.query<{ area: string; mbps: number }>(sql`
    select st_astext(c.geom) as area, t.bandwidth_max_mbps::integer as mbps
      from coverage c join tier t on t.id = c.tier_id join dataset d on d.id = t.dataset_id
    where d.submission_id = ${id} and d.state in ('ready', 'published') order by 1, 2`);
  return rows;
}

test('the template has every column of tower data, and rows that can be used', async () => {
  const response = await fetch(`${service.api.url}/tower-template.csv`);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="tower-template.csv"');
  const text = await response.text();
  expect(text.split('\r\n')[0]?.split(',').toSorted()).toEqual(towerFields.toSorted());
  const documented = readFileSync(new URL('../../docs/operator/tower-data.md', import.meta.url), 'utf8');
  // Speeds have the same names as in coverage: they are documented there.
  for (const name of towerFields.filter((one) => !one.startsWith('bandwidth_')))
    expect(documented).toContain(`\`${name}\``);
  const file = path.join(folder, 'template.csv');
  writeFileSync(file, text);
  const towers = await parseTowers(file, {}, service.config.serviceArea);
  // Each column is read, except the pattern file, which the template leaves empty.
  const speeds = { bandwidth_min_mbps: 20, bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
  const antenna = { gain_dbi: 17, feeder_loss_db: 0.5, electrical_tilt_deg: 4, mechanical_tilt_deg: 2 };
  expect(towers).toHaveLength(2);
  expect(towers[0]).toMatchObject({ lat: -41.2871, azimuth_deg: 340, power_dbm: 43, speeds, antenna });
});

describe('a list of towers within the terrain', () => {
  let first: ShownSubmission;
  let areas: unknown[];
  test('becomes live coverage: strong near the tower, none behind the ridge', async () => {
    first = await modelledHill();
    expect(first).toMatchObject({
      status: 'published',
      modelling: { state: 'done', reason: null, report: { sites: 1, sites_reused: 0, unknown_share: 0 } },
    });
    const near = { name: 'Kauri Wireless', bandwidth_max_mbps: 150 };
    expect(await coverageOf([-500, 0])).toMatchObject([near]);
    expect(await coverageOf([-6000, 0])).toEqual([]);
    areas = await areasOf(first.id);
  });
  test('with a report of the towers and of all that they were modelled from', () => {
    expect(first.modelling?.report).toMatchObject({
      terrain: [{ name: 'model.tif' }],
      parameters: { ...parameters, climate: 6, receiver_gain_dbi: 10 },
      towers: [{ name: 'Hill', share: 1 }],
      clutter: {
        classes: [
          { class: 10, name: 'trees', loss_db: 17.8 },
          { class: 30, name: 'grass', loss_db: 0 },
        ],
        unlisted_share: 0,
      },
    });
  });
  test('with the signal, as a raster and as a picture, and the towers, for the operator and staff', async () => {
    const links = linksOf(first.id);
    for (const who of [kauri, staff]) {
      const signal = await who.call(`${links}/signal`);
      expect(signal.headers.get('content-type')).toBe('image/tiff');
      expect((await signalOf(await signal.arrayBuffer())).values.length).toBeGreaterThan(50 ** 2);
      const picture = await who.call(`${links}/signal/picture`);
      expect(picture.headers.get('content-type')).toBe('image/png');
      const { width, height } = await sharp(await picture.arrayBuffer()).metadata();
      expect(Math.min(width, height)).toBeGreaterThan(50);
      const towers = { features: [{ properties: { name: 'Hill' } }] };
      expect(await who.json(`${links}/towers`)).toMatchObject(towers);
    }
  });
  test('accrues the fee once, and is in the audit as the service’s', async () => {
    const { fees } = await kauri.json<{ fees: { kind: string }[] }>('/api/operator/processing-fees');
    expect(fees).toHaveLength(1);
    // Not those of others.
    expect(await tui.json('/api/operator/processing-fees')).toMatchObject({ fees: [], totals: { count: 0 } });
    const { rows } = await service.database.query(sql`
      select actor_kind from audit_event where submission_id = ${first.id} and action = 'prediction_attached'`);
    expect(rows).toEqual([{ actor_kind: 'service' }]);
  });
  test('gives the same areas again, without working it out again', async () => {
    const again = await submit(kauri, [hill], { scope: 'again' });
    expect(again.modelling?.report).toMatchObject({ sites: 1, sites_reused: 1 });
    expect(await areasOf(again.id)).toEqual(areas);
  });
  test('of which one is new or has changed, is worked out for that one', async () => {
    const both = await submit(kauri, [hill, { ...hill, name: 'Taller', height: 60 }], { scope: 'both' });
    expect(both.modelling?.report).toMatchObject({ sites: 2, sites_reused: 1 });
    expect(both.status).toBe('published');
  });
  describe('of which what was kept is damaged', () => {
    let ready: ShownSubmission;
    const speedsOf = (speeds: object[]) => kauri.post(`${linksOf(ready.id)}/speeds`, { speeds });
    test('is worked out again', async () => {
      const { rows } = await service.database.query<{ storage_key: string }>(
        'select storage_key from predicted_site',
      );
      for (const { storage_key } of rows) {
        const file = path.join(service.config.uploadDir, storage_key);
        const bytes = readFileSync(file);
        bytes[bytes.length - 5] = (bytes[bytes.length - 5] as number) ^ 1;
        writeFileSync(file, bytes);
      }
      ready = await submit(kauri, [hill], { scope: 'damaged', publish: 'review' });
      expect(ready.modelling?.report).toMatchObject({ sites: 1, sites_reused: 0 });
      expect(await areasOf(ready.id)).toEqual(areas);
    });
    test('gets other speeds by received power until it is published, without being worked out once more', async () => {
      const asked = await speedsOf([speedClass(-70, 22), speedClass(-60, 33)]);
      expect(asked.status).toBe(200);
      const changed = await kauri.until(ready.id, ({ status }) => status === 'ready');
      expect(changed.modelling).toMatchObject({
        parameters: { ...parameters, speeds: [{ dbm: -70 }, { dbm: -60 }] },
        report: { sites: 1, sites_reused: 1, speeds: [{ dbm: -60 }, { dbm: -70 }] },
      });
      const speeds = (await areasOf(ready.id)).map(({ mbps }) => mbps);
      expect(new Set(speeds)).toEqual(new Set([22, 33]));
      await kauri.json(`${linksOf(ready.id)}/publish`, { comparison: changed.comparison });
      await expectCode(await speedsOf([speedClass(-80, 33)]), 409, 'submission_not_modelled');
    });
  });
});

test('towers come in a zip archive with the antenna patterns that they name', async () => {
  // All to the north.
  const plane = (loss: (degree: number) => number) =>
    Array.from({ length: 360 }, (_, degree) => `${degree} ${loss(degree)}`);
  const towards = (degree: number) => Math.min(40, Math.min(degree, 360 - degree) / 2);
  const msi = ['NAME panel', 'HORIZONTAL 360', ...plane(towards), 'VERTICAL 360', ...plane(() => 0)];
  const list = towerList([{ ...hill, azimuth: 0, pattern: 'panel' }]);
  const others = { 'patterns/Panel.MSI': Buffer.from(msi.join('\n')), 'README.txt': Buffer.from('Read me') };
  const bytes = await zip({ 'list.csv': list.bytes, ...others });
  const { id } = await kauri.sent({ name: 'towers.zip', bytes }, { ...manifest, scope: 'zip' });
  const done = await kauri.until(id, isAtRest);
  expect(done).toMatchObject({ status: 'published', towers: { count: 1 }, modelling: { state: 'done' } });
  const { rows } = await service.database.query<{ middle: number }>(sql`
    select st_y(st_centroid(st_collect(c.geom))) as middle from coverage c join tier t on t.id = c.tier_id
      join dataset d on d.id = t.dataset_id where d.submission_id = ${id} and t.bandwidth_max_mbps = 150`);
  expect(rows[0]?.middle).toBeGreaterThan(placeAt(0, 500).lat);
});

describe('the profile from a tower to a place', () => {
  let id: string;
  const profileTo = (at: [number, number], { tower = 1, who = kauri } = {}) => {
    const { lat, lng } = placeAt(...at);
    return who.call(`${linksOf(id)}/profile?tower=${tower}&lat=${lat}&lng=${lng}`);
  };
  type Profile = Record<'distance_m' | 'received_dbm', number> & { ground_m: number[]; clutter: object };
  const profileOf = async (...asked: Parameters<typeof profileTo>) =>
    (await (await profileTo(...asked)).json()) as Profile;
  beforeAll(async () => {
    ({ id } = await modelledHill());
  });
  test('has the ridge in between, and the loss behind it; on the flat side there is sight', async () => {
    const behind = await profileOf([2900, 0]);
    expect(behind.distance_m).toBeCloseTo(2900, -1);
    expect([behind.ground_m[0], behind.ground_m.at(-1)]).toEqual([20, 20]);
    expect(Math.max(...behind.ground_m)).toBeCloseTo(300, 0);
    expect(behind).toMatchObject({ name: 'Hill', antenna_m: 30, receiver_m: 5, in_sight: false });
    const before = await profileOf([-2900, 0], { who: staff });
    expect(new Set(before.ground_m)).toEqual(new Set([20]));
    expect(before).toMatchObject({ in_sight: true });
    expect(before.received_dbm).toBeGreaterThan(behind.received_dbm + 20);
  });
  test('has the power that the signal’s GeoTIFF has there, and the land cover at the place', async () => {
    const response = await kauri.call(`${linksOf(id)}/signal`);
    const signal = await signalOf(await response.arrayBuffer());
    const [grass, trees] = [{ name: 'grass', loss_db: 0 }, { name: 'trees', loss_db: 17.8 }]; // biome-ignore format: classes
    for (const [east, north, clutter] of [
      [-500, 100, grass],
      [-2000, -1000, grass],
      [300, -2500, grass],
      [-1500, 1500, trees],
    ] as const) {
      const profile = await profileOf([east, north]);
      // A pixel is 100 m wide, and the nearest point a step away.
      expect(Math.abs(profile.received_dbm - signal.at(placeAt(east, north)))).toBeLessThan(3);
      expect(profile.clutter).toEqual(clutter);
    }
  });
  test('is refused while very many are asked for, and who leaves holds nobody up', async () => {
    const { lat, lng } = placeAt(-1500, 0);
    const address = `${service.api.url}${linksOf(id)}/profile?tower=1&lat=${lat}&lng=${lng}`;
    const left = new AbortController();
    const refused = await new Promise<Response>((resolve) => {
      for (let i = 0; i < 40; i++) {
        fetch(address, { headers: kauri.headers, signal: left.signal }).then(
          (response) => response.status === 429 && resolve(response),
          () => undefined,
        );
      }
    });
    expect(await refused.json()).toMatchObject({ code: 'profiles_too_many' });
    left.abort();
    await expect.poll(async () => (await profileTo([-1500, 0])).status).toBe(200);
  });
  // The embedded database has one session, and does not say who waits for it.
  test.runIf(isServer)(
    'is cancelled from the start where the caller left before the towers were read',
    async () => {
      const left: boolean[] = [];
      const pathProfile: FindPathProfile = async (_, signal) => {
        left.push(signal.aborted);
        throw new CovermapError('profile_unavailable');
      };
      const api = await useApi(service, service.database, undefined, { pathProfile });
      const url = `${api.url}${linksOf(id)}/profile?tower=1&lat=-41&lng=173`;
      await service.database.transaction(async (held) => {
        await held.query('lock table modelling in access exclusive mode');
        const asked = get(url, { headers: kauri.headers }).on('error', () => undefined);
        const waiting = `select from pg_locks where relation = 'modelling'::regclass and not granted`;
        await expect.poll(() => held.query(waiting)).toMatchObject({ rowCount: 1 });
        asked.destroy();
        // The server has seen it leave once it has answered another request.
        await (await fetch(`${api.url}/readyz`)).text();
      });
      await expect.poll(() => left).toEqual([true]);
    },
  );
  test('reaches as far as the signal', async () => {
    for (const response of [
      await profileTo([5000, 0]),
      await profileTo([0, 0]),
      await profileTo([1000, 0], { tower: 2 }),
    ])
      await expectCode(response, 409, 'profile_unavailable');
  });
  test('is offered where the server has terrain and coverage is modelled, else not', async () => {
    const offered = (profile_paths: boolean) => ({ can: { profile_paths } });
    expect(await kauri.json(linksOf(id))).toMatchObject(offered(true));
    expect(await tui.json(linksOf((await farAway()).id))).toMatchObject(offered(false));
    const without = await useApi(service, service.database);
    const ask = async (what: string) =>
      (await fetch(`${without.url}${linksOf(id)}${what}`, { headers: kauri.headers })).json();
    expect(await ask('')).toMatchObject(offered(false));
    expect(await ask('/profile?tower=1&lat=-41&lng=173')).toMatchObject({ code: 'profile_unavailable' });
  });
});

describe('is left to staff, who read why', () => {
  const tooMany = () => submit(tui, row(501, 1));
  const highUp = () => submit(tui, [{ ...hill, mhz: 26_000 }]);
  const tooWeak = { prediction: { ...parameters, speeds: [speedClass(40, 10)] } };
  test.each<[string, () => Promise<ShownSubmission>, string, string]>([
    ['a tower without terrain', farAway, 'terrain_missing', 'Far'],
    ['a frequency outside of the model', highUp, 'propagation_parameters_invalid', 'MHz is 26000'],
    ['a pattern', () => submit(tui, [{ ...hill, pattern: 'panel' }]), 'pattern_unusable', 'panel'],
    ['more towers than are allowed', tooMany, 'modelling_too_many_towers', '501 towers'],
    ['no signal that is enough', () => submit(tui, [hill], tooWeak), 'modelling_empty', 'Nowhere'],
  ])('%s', async (_, submitted, code, words) => {
    const left = await submitted();
    expect(left).toMatchObject({
      ...{ status: 'received', waiting_for: 'prediction', progress: null, can: { attach_prediction: true } },
      modelling: { state: 'declined', reason: { code, message: expect.stringContaining(words) } },
    });
    const { work } = await staff.json<{ work: ShownSubmission[] }>('/api/staff/tower-work');
    expect(work.find(({ id }) => id === left.id)?.modelling?.reason?.code).toBe(code);
    expect(JSON.stringify(left)).not.toContain(folder);
  });
});

describe('implausible coverage waits for the operator', () => {
  test('where much of the ground is unknown', async () => {
    expect(await edge()).toMatchObject({
      ...{ status: 'ready', held_back: true, waiting_for: 'publish' },
      blocking: ['terrain_unknown', 'clutter_unknown'].map((code) => ({
        ...{ code, message: expect.stringContaining('more than the 50%') },
      })),
    });
  });
  test('where it is far larger than what is live', async () => {
    await modelledHill();
    const larger = await submit(kauri, [hill], { prediction: { range_km: 7, resolution_m: 100 } });
    expect(larger).toMatchObject({ held_back: true, blocking: [{ code: 'area_far_larger' }] });
  });
});

describe('modelling', () => {
  test('stops where the submission is withdrawn', async () => {
    readInProcesses(true);
    onTestFinished(() => readInProcesses(false));
    const sites = 60;
    const prediction = { range_km: 4, resolution_m: 20 };
    const kept = async () => (await service.database.query('select from predicted_site')).rows.length;
    const before = await kept();
    const { id } = await tui.sent(towerList(row(sites, 50)), { ...manifest, prediction });
    const under = await tui.until(id, ({ progress }) => (progress?.percent ?? 0) > 0);
    expect(under).toMatchObject({
      ...{ status: 'received', waiting_for: null },
      progress: { step: 'predicting', sites_total: sites },
    });
    const withdrawn = await tui.json<ShownSubmission>(`${linksOf(id)}/withdraw`, {});
    expect(withdrawn).toMatchObject({ status: 'withdrawn', modelling: { state: 'cancelled' } });
    const worked = () => service.database.query(`select from work where kind = 'predict' and id = $1`, [id]);
    await expect.poll(worked, { timeout: 100_000 }).toMatchObject({ rows: [] });
    // It has ended before all sites were modelled.
    expect((await kept()) - before).toBeLessThan(sites);
  });
  test('forgets sites that nobody has used for long, and their files go', async () => {
    await service.database.query(`update predicted_site set used_at = now() - interval '61 days'`);
    await forgetSites(service.database, service.config.modelling.keptDays);
    expect((await service.database.query('select from predicted_site')).rows).toEqual([]);
    const { rows } = await service.database.query<{ key: string }>(
      'select storage_key as key from stored_file',
    );
    const inDays = Date.now() + 3 * 86_400_000;
    const collected = await collectFiles(service.database, service.storage, undefined, inDays);
    expect(collected.length).toBeGreaterThan(2);
    expect(collected.filter((one) => rows.some(({ key }) => key === one))).toEqual([]);
  });
});

describe('staff', () => {
  test('refuse towers that were modelled before, of which nothing is left then', async () => {
    const modelled = await submit(tui, [{ name: 'Old edge', at: [-7700, -7700] }], { publish: 'review' });
    expect(await areasOf(modelled.id)).not.toEqual([]);
    const [work, tooStrong] = [`/api/staff/tower-work/${modelled.id}`, [speedClass(20, 50)]];
    await staff.json(`${work}/predict`, { parameters: { ...parameters, speeds: tooStrong } });
    await staff.until(modelled.id, ({ waiting_for }) => waiting_for === 'prediction');
    const refused = await staff.json<ShownSubmission>(`${work}/refuse`, { reason: 'Its tower is gone.' });
    expect(refused.status).toBe('failed');
    const left = () => service.database.query('select from dataset where submission_id = $1', [modelled.id]);
    await expect.poll(left).toMatchObject({ rows: [] });
    expect(await areasOf(modelled.id)).toEqual([]);
  });
  test('replace what the service has modelled, until it is published', async () => {
    const ready = await edge();
    expect(ready).toMatchObject({ status: 'ready', can: { attach_prediction: true } });
    const work = `/api/staff/tower-work/${ready.id}`;
    await staff.json(`${work}/predict`, { parameters: { ...parameters, range_km: 1 } });
    const smaller = await staff.until(ready.id, ({ status }) => status === 'ready');
    expect(smaller.modelling).toMatchObject({ state: 'done', parameters: { range_km: 1 } });
    const { lat, lng } = placeAt(0, 0);
    const own = await zippedRectangle(lng, lat, lng + 0.01, lat + 0.01);
    const speeds = { bandwidth_max_mbps: 77, bandwidth_up_max_mbps: 7 };
    const body = form(own, { manifest: { speeds, attributes: {} } });
    const attached = await staff.call(`${work}/prediction`, { method: 'POST', body });
    expect(attached.status).toBe(202);
    // Nothing of theirs is implausible, and the operator wants it published at once.
    const theirs = await staff.until(ready.id, ({ status }) => status === 'published');
    expect(theirs).toMatchObject({ modelling: { state: 'cancelled' } });
    const ofTui = (await coverageOf([100, 100])).find(({ name }) => name === 'Tui Wireless');
    expect(ofTui?.bandwidth_max_mbps).toBe(77);
    const refused = await staff.call(`${work}/predict`, { method: 'POST' });
    await expectCode(refused, 409, 'submission_not_waiting');
  });
});

test('the administrator sees the terrain, the land cover, and files that are no terrain', async () => {
  const terrainDir = service.config.terrainDir as string;
  const whole = readFileSync(path.join(terrainDir, 'model.tif'));
  writeFileSync(path.join(terrainDir, 'half.tif'), whole.subarray(0, whole.length / 2));
  const text = await administer({ config: service.config, database: service.database }, ['terrain']);
  expect(text).toMatch(/model\.tif +\d+\.\d .* 0%$/m);
  expect(text).toMatch(/^half\.tif is left out: .*\.$/m);
  expect(text).toMatch(/^text\.tif is left out: it is not of this format\.$/m);
  expect(text).toMatch(/^Land cover: one file\n.*\n10 +trees +20 +18$/m);
});
