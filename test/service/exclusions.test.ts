import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import type { Availability } from '../../client/schema.ts';
import { publishSubmission } from '../../coverage/datasets/publish.ts';
import { providersToRemake, remakeOverdue } from '../../coverage/exclusions/remakes.ts';
import { sql } from '../../platform/database/sql.ts';
import { addDays, today } from '../../platform/nz-time.ts';
import { listAddresses } from '../setup/addresses.ts';
import { client, expectCode, type ShownSubmission } from '../setup/operator.ts';
import { addPremises, countBySql } from '../setup/premises.ts';
import { useService } from '../setup/service.ts';

/* What an operator takes back stays taken back, whatever a later upload says. */

const patience = { timeout: 60_000, interval: 100 };
const exclusions = '/api/operator/exclusions';
const service = await useService({ keptVersions: 5, publishBlocks: { lostPercent: 5, warnings: [] } });
const { database } = service;

interface Shown {
  id: number;
  state: string;
  took: { technology: string; km2: number }[];
}

/** An operator with a square of 0.1 degrees, and what is around a position within it. */
async function operatorWith(name: string, lat: number, more: object = {}) {
  const kauri = await client(service.api.url, database, name);
  const file = await zippedRectangle(175, lat, 175.1, lat + 0.1);
  const upload = (manifest: object = {}) => service.ingest(file, { provider: name, ...more, ...manifest });
  const middle = { lat: lat + 0.05, lng: 175.05 };
  const circle = { area: { circle: { ...middle, radius_m: 300 } } };
  const isOffered = async (at = middle, technology = 'fibre') => {
    const { results } = await service.at(at.lat.toFixed(5), at.lng.toFixed(5));
    const found = results.find((result) => result.technology === technology);
    return found?.providers?.some((provider) => provider.name === name) ?? false;
  };
  const exclude = (body: object = {}) =>
    kauri.json<Shown>(exclusions, { ...circle, reason: 'No line of sight behind the hill', ...body });
  const remove = (id: number) => kauri.json<Shown>(`${exclusions}/${id}/remove`, { reason: 'A new mast' });
  const stateOf = async (id: number) => (await kauri.json<Shown>(`${exclusions}/${id}`)).state;
  const until = (id: number, state: string) => expect.poll(() => stateOf(id), patience).toBe(state);
  const rows = async () =>
    (
      await database.query<{ geom: string }>(sql`
        select encode(st_asewkb(c.geom), 'hex') as geom from coverage c join tier t on t.id = c.tier_id
        join dataset d on d.id = t.dataset_id join provider p on p.id = d.provider_id
        where p.name = ${name} and d.state = 'published' order by 1`)
    ).rows;
  const newest = async () =>
    (await kauri.json<{ submissions: ShownSubmission[] }>('/api/operator/submissions'))
      .submissions[0] as ShownSubmission;
  return { kauri, upload, file, middle, circle, isOffered, exclude, remove, stateOf, until, rows, newest };
}

describe('an exclusion', () => {
  test('is taken off what is live, off later uploads, and removed without a trace', async () => {
    const { kauri, upload, middle, isOffered, exclude, remove, until, rows, newest } = await operatorWith(
      'Kauri',
      -38,
    );
    await upload();
    expect(await isOffered()).toBe(true);
    const before = await rows();
    const { id } = await exclude();
    await until(id, 'in_force');
    expect(await isOffered()).toBe(false);
    expect(await isOffered({ ...middle, lng: 175.055 })).toBe(true);
    const remade = await newest();
    expect(remade).toMatchObject({
      status: 'published',
      note: `Made again: exclusion ${id}: No line of sight behind the hill`,
      processing_fee_cents: null,
    });
    expect(remade.remakes).toBeTruthy();
    const { report } = await kauri.submission(remade.id);
    expect(report?.excluded).toEqual([
      {
        exclusion: id,
        technology: 'fibre',
        reason: 'No line of sight behind the hill',
        km2: expect.closeTo(0.28, 2),
      },
    ]);
    expect(report?.text.join('\n')).toContain(`Exclusion ${id} took 0.28`);
    const [listed] = (await kauri.json<{ exclusions: Shown[] }>(exclusions)).exclusions;
    expect(listed).toMatchObject({ id, state: 'in_force', took: [{ technology: 'fibre' }] });
    expect((await upload({ speeds: { bandwidth_max_mbps: 300, bandwidth_up_max_mbps: 30 } })).state).toBe(
      'published',
    );
    expect(await isOffered()).toBe(false);
    await remove(id);
    await until(id, 'removed');
    expect(await isOffered()).toBe(true);
    expect(await rows()).toEqual(before);
  });

  test('of one technology leaves the others, and a file of several technologies is made again once', async () => {
    const { upload, isOffered, middle, exclude, until, newest } = await operatorWith('Tui', -39);
    await upload();
    await upload({ technology: 'cable' });
    const { id } = await exclude({ technology: 'cable' });
    await until(id, 'in_force');
    expect([await isOffered(middle, 'fibre'), await isOffered(middle, 'cable')]).toEqual([true, false]);
    expect((await newest()).technologies).toEqual(['cable']);
  });

  test('has a submission in review loaded again, which still waits for its operator', async () => {
    const { kauri, upload, isOffered, exclude } = await operatorWith('Rimu', -40);
    const { id } = await upload({ publish: 'review' });
    const seen = await kauri.until(id, ({ comparing }) => !comparing);
    await exclude();
    const again = await kauri.until(id, ({ status, comparing }) => status === 'ready' && !comparing);
    expect(again.waiting_for).toBe('publish');
    expect(again.report?.excluded).toHaveLength(1);
    expect(again.datasets[0]?.id).not.toBe(seen.datasets[0]?.id);
    await expectCode(
      kauri.post(`/api/operator/submissions/${id}/publish`, { comparison: seen.comparison ?? 'x' }),
      409,
      'published_meanwhile',
    );
    await kauri.json(`/api/operator/submissions/${id}/publish`, { comparison: again.comparison });
    expect(await isOffered()).toBe(false);
  });

  test('has coverage made again that is no newer than it was: what was uploaded before that goes live after it, and its profile stays', async () => {
    const profile = (area: string) => ({ provider: { name: 'Hinau', area_served: [area] } });
    const { kauri, upload, exclude, until } = await operatorWith('Hinau', -36);
    await upload({ ...profile('Waikato'), scope: 'Rural' });
    const { id: waiting } = await upload({
      scope: 'Rural',
      publish: 'review',
      speeds: { bandwidth_max_mbps: 300, bandwidth_up_max_mbps: 30 },
    });
    await upload({ ...profile('Otago'), scope: 'Town', technology: 'cable' });
    const { id } = await exclude({ technology: 'fibre' });
    await until(id, 'in_force');
    const areas = 'select area_served as areas from provider where name = $1';
    expect((await database.query(areas, ['Hinau'])).rows).toEqual([{ areas: ['Otago'] }]);
    await kauri.until(waiting, ({ status, comparing }) => status === 'ready' && !comparing);
    const automatic = { laterStays: true, rules: { lostPercent: 5, warnings: [] } };
    expect(await publishSubmission(database, waiting, automatic)).toBe('published');
  });

  test('cannot be undone by a rollback to a version that was made without it, which may be once it is removed', async () => {
    const { kauri, upload, isOffered, exclude, remove, until, newest } = await operatorWith('Matai', -41);
    const first = await upload();
    const { datasets } = await kauri.submission(first.id);
    const { id } = await exclude();
    await until(id, 'in_force');
    const rollBack = () => kauri.post(`/api/operator/datasets/${datasets[0]?.id}/rollback`);
    await expectCode(rollBack(), 409, 'exclusions_lacking');
    expect(await isOffered()).toBe(false);
    await remove(id);
    await until(id, 'removed');
    expect((await rollBack()).status).toBe(200);
    expect(await isOffered()).toBe(true);
    const { datasets: withExclusion } = await kauri.submission((await newest()).remakes as string);
    expect(withExclusion).toHaveLength(1);
  });

  test('ends after its last day, by itself', async () => {
    const { upload, isOffered, exclude, until } = await operatorWith('Totara', -42);
    await upload();
    const { id } = await exclude({ until: today() });
    await until(id, 'in_force');
    expect(await isOffered()).toBe(false);
    await database.query(sql`update exclusion set until = ${addDays(today(), -1)}::date where id = ${id}`);
    for (const provider of await providersToRemake(database)) await remakeOverdue(database, provider);
    await service.queue.send('load');
    await until(id, 'ended');
    expect(await isOffered()).toBe(true);
    expect(await providersToRemake(database)).toEqual([]);
  });

  test('that could not be applied is tried again, once a day', async () => {
    const { kauri, upload, isOffered, exclude, until, newest, middle } = await operatorWith('Maire', -37);
    await upload();
    const { id } = await exclude({ area: { circle: { ...middle, radius_m: 200 } } });
    await until(id, 'in_force');
    await kauri.json(`/api/operator/exclusions/${id}/remove`, {});
    await until(id, 'removed');
    // Now what is live is without it, as where making it again has failed.
    await database.query(sql`
      update exclusion set removed_at = null, removed_by = null where id = ${id}`);
    const live = await newest();
    await database.query(
      sql`delete from dataset_exclusion where exclusion_id = ${id} and dataset_id = ${live.datasets[0]?.id}`,
    );
    const sweep = async () => {
      for (const provider of await providersToRemake(database)) await remakeOverdue(database, provider);
    };
    const attempt = sql`
      insert into submission (provider_id, token_id, kind, processed_by, file_name, storage_key, size_bytes, sha256, manifest, remakes, state, error, finished_at)
      select provider_id, token_id, kind, processed_by, file_name, storage_key, size_bytes, sha256, manifest, id, 'failed', '{"code": "x", "message": "x"}', now()
      from submission where id = ${live.id} returning id`;
    const { rows } = await database.query<{ id: string }>(attempt);
    await sweep();
    expect((await newest()).id).toBe(rows[0]?.id);
    await database.query(
      sql`update submission set received_at = now() - interval '25 hours' where id = ${rows[0]?.id}`,
    );
    await sweep();
    await service.queue.send('load');
    await until(id, 'in_force');
    expect(await isOffered()).toBe(false);
  });

  test('may take all of what is live only where that is confirmed, and is asked with what it takes', async () => {
    const { kauri, upload, middle, isOffered, exclude, until, rows } = await operatorWith('Kahikatea', -43);
    await upload();
    const area = { circle: { ...middle, radius_m: 10_000 } };
    const asked = { area, reason: 'Never built' };
    const refused = await kauri.post(exclusions, asked);
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      'This exclusion would take 100% of the live fibre (90.66 km²).',
    ]);
    const preview = await kauri.json<{ takes: object[] }>('/api/operator/exclusion-previews', { area });
    expect(preview.takes).toEqual([{ technology: 'fibre', km2: expect.closeTo(90.66, 1), percent: 100 }]);
    const { id } = await exclude({ area, confirmed: true });
    await until(id, 'in_force');
    expect(await isOffered()).toBe(false);
    expect(await rows()).toEqual([]);
    expect((await upload({ speeds: { bandwidth_max_mbps: 900, bandwidth_up_max_mbps: 30 } })).state).toBe(
      'published',
    );
    expect(await isOffered()).toBe(false);
  });

  test('on an address is a circle around it, and is previewed in premises', async () => {
    const { kauri, upload, middle, isOffered } = await operatorWith('Miro', -44);
    const east = { ...middle, lng: middle.lng + 0.01 };
    await listAddresses(
      database,
      [
        { id: 'here', label: '2', road: 'Miro Road', ...middle },
        { id: 'east', label: '4', road: 'Miro Road', ...east },
      ],
      ['gone'],
    );
    // In the next band of latitude; 2 km away.
    const north = { ...middle, lat: middle.lat + 0.018 };
    await addPremises(database, [middle, east, north]);
    const { id: submission } = await upload();
    const dataset = (await kauri.submission(submission)).datasets[0]?.id as number;
    await countBySql(database, dataset);
    const preview = await kauri.json<object>('/api/operator/exclusion-previews', { address: 'here' });
    expect(preview).toMatchObject({ address: '2 Miro Road', takes: [{ technology: 'fibre', premises: 1 }] });
    const area = { circle: { ...middle, radius_m: 2_500 } };
    const larger = await kauri.json<object>('/api/operator/exclusion-previews', { area });
    expect(larger).toMatchObject({ takes: [{ premises: 3 }] });
    const made = await kauri.json<Shown>(exclusions, { address: 'here', reason: 'Behind the hill' });
    expect(made).toMatchObject({ address: { id: 'here', text: '2 Miro Road' } });
    await expect.poll(() => isOffered(), patience).toBe(false);
    expect(await isOffered(east)).toBe(true);
    for (const [address, sentence] of [
      ['gone', 'The address gone is no longer in the list of addresses.'],
      ['never', 'The address never is not in the list of addresses.'],
    ]) {
      const refused = await kauri.post(exclusions, { address, reason: 'x' });
      expect([refused.status, (await refused.json()).message]).toEqual([404, sentence]);
    }
  });

  test('is told to whoever asks why, on the days on which it was in force, and plain answers say nothing of it', async () => {
    const { upload, middle, exclude, until } = await operatorWith('Rata', -45);
    await upload();
    const at = `/api/2.0/availability/${middle.lat.toFixed(5)}/${middle.lng}`;
    const before = await (await service.get(`${at}?explain=1`)).text();
    expect(before).not.toContain('"excluded"');
    const { id } = await exclude({ technology: 'fibre' });
    await until(id, 'in_force');
    const ask = async (query: string) => (await (await service.get(`${at}${query}`)).json()) as Availability;
    const { excluded } = await ask('?explain=1');
    expect(excluded).toEqual([
      {
        ...{ provider: 'Rata', technology: 'fibre', reason: 'No line of sight behind the hill' },
        ...{ since: expect.any(String), until: null },
      },
    ]);
    expect(await ask('')).not.toHaveProperty('excluded');
    await database.query(sql`
      update exclusion set created_at = created_at - interval '9 days', removed_at = now() - interval '3 days', removed_by = 'test' where id = ${id}`);
    await database.query(
      `update publication set published_at = published_at - interval '20 days' where superseded_at is null`,
    );
    const on = async (daysAgo: number) =>
      (await ask(`?explain=1&at=${addDays(today(), -daysAgo)}`)).excluded?.length;
    expect([await on(12), await on(6), await on(1)]).toEqual([undefined, 1, undefined]);
  });

  test('after another, however many on a day, pushes out no version of an earlier file', async () => {
    const { kauri, upload, middle, exclude, until, newest } = await operatorWith('Tawa', -35);
    const { id: first } = await upload();
    await upload({ speeds: { bandwidth_max_mbps: 300, bandwidth_up_max_mbps: 30 } });
    for (let i = 0; i < 7; i++) {
      const { id } = await exclude({
        area: { circle: { lat: middle.lat, lng: 175.02 + i / 100, radius_m: 100 } },
      });
      await until(id, 'in_force');
    }
    // The day may have ended meanwhile.
    await database.query(
      `update publication set superseded_at = published_at where superseded_at is not null`,
    );
    await service.queue.send('archive');
    const canRollBack = async (id: string) => (await kauri.submission(id)).datasets[0]?.can_roll_back;
    const { remakes } = await newest();
    await expect.poll(() => canRollBack(remakes as string), patience).toBe(false);
    expect(await canRollBack(first)).toBe(true);
  });

  test('is refused beyond so many of a provider', async () => {
    const { kauri, circle, exclude } = await operatorWith('Kohekohe', -46);
    const { id } = await exclude();
    await database.query(sql`
      insert into exclusion (provider_id, drawn, geom, km2, reason, created_by)
      select provider_id, drawn, geom, km2, reason, created_by from exclusion cross join generate_series(2, 1000) where id = ${id}`);
    await expectCode(kauri.post(exclusions, { ...circle, reason: 'x' }), 409, 'exclusions_too_many');
  });
});
