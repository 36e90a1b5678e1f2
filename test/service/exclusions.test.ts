import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { client, type ShownSubmission } from '../setup/operator.ts';
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
});
