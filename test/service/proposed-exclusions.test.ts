import { kml, type Point } from '@covermap/testing/formats.ts';
import { rectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import type { Exclusion, ProposedExclusion } from '../../client/schema.ts';
import { client, expectCode } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/* Areas of a planner's file that take others back: they become exclusions where somebody says so. */

const patience = { timeout: 60_000, interval: 100 };
const service = await useService({
  publishBlocks: { lostPercent: 5, warnings: ['no_coverage_over_coverage'] },
});
const { database } = service;
const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 };
const manifest = (more: object = {}) => ({
  technology: 'wireless',
  tiers: { field: 'folder', values: { Addition: { speeds }, Subtraction: { coverage: false } } },
  publish: 'auto',
  ...more,
});

/** An area of coverage, and in another folder one within it, one across its edge, and one beside it. */
function planned(south: number) {
  const area = (name: string, west: number, from: number, east: number, to: number) => ({
    rings: [rectangle(west, south + from, east, south + to).reverse() as Point[]],
    properties: { name },
  });
  const bytes = kml('Multi coverage', {
    Addition: [area('Plains', 170.78, 0.04, 171.02, 0.16)],
    Subtraction: [
      area('Behind the hill', 170.86, 0.08, 170.94, 0.12),
      area('Licence edge', 170.98, 0, 171.06, 0.1),
      area('Beside it', 171.1, 0, 171.2, 0.1),
    ],
  });
  const offered = async (lat: number, lng: number) =>
    (await service.at((south + lat).toFixed(5), lng.toFixed(5))).results.some(
      ({ technology, availability }) => technology === 'wireless' && availability === 'available',
    );
  const places: Record<string, [number, number]> = {
    plains: [0.05, 170.8],
    hill: [0.1, 170.9],
    edge: [0.07, 171.0],
  };
  /** Which places are offered. */
  const answers = async () => {
    const found: string[] = [];
    for (const [name, place] of Object.entries(places)) if (await offered(...place)) found.push(name);
    return found;
  };
  return { file: { name: 'multi.kml', bytes }, answers };
}

/** An operator whose file waits for its word. */
async function operatorWith(name: string, south: number) {
  const kauri = await client(service.api.url, database, name);
  const { file, answers } = planned(south);
  const { id } = await kauri.sent(file, manifest());
  const waiting = await kauri.until(id, ({ status, comparing }) => status === 'ready' && !comparing);
  const path = `/api/operator/submissions/${id}/proposed-exclusions`;
  const proposed = async () => (await kauri.json<{ proposed: ProposedExclusion[] }>(path)).proposed;
  return { kauri, file, answers, id, waiting, path, proposed };
}

describe('areas that a file says are no coverage', () => {
  test('are proposed, made exclusions, and then taken off this and every later upload', async () => {
    const { kauri, file, answers, id, waiting, path, proposed } = await operatorWith('Kauri', -44.83);
    expect(waiting.blocking).toMatchObject([{ code: 'no_coverage_over_coverage' }]);
    const found = await proposed();
    expect(found).toMatchObject([
      { name: 'Behind the hill', technology: 'wireless', km2: expect.closeTo(28.1, 0) },
      { name: 'Licence edge', technology: 'wireless', km2: expect.closeTo(70.2, 0) },
    ]);
    expect(found[0]?.takes_km2).toBeCloseTo(found[0]?.km2 as number, 5);
    expect(found[1]?.takes_km2).toBeCloseTo(21.1, 0);
    const ids = found.map((one) => one.id);
    const { exclusions } = await kauri.json<{ exclusions: Exclusion[] }>(path, { ids });
    expect(exclusions.map(({ reason, technology }) => [reason, technology])).toEqual([
      ['Licence edge', 'wireless'],
      ['Behind the hill', 'wireless'],
    ]);
    await expectCode(kauri.post(path, { ids }), 409, 'proposed_exclusion_unknown');
    const { report } = await kauri.until(id, ({ status }) => status === 'published');
    expect(report?.warnings).toEqual([]);
    expect(report?.excluded).toHaveLength(2);
    expect(await proposed()).toEqual([]);
    expect(await answers()).toEqual(['plains']);
    const again = await kauri.handIn(file, manifest({ speeds: { bandwidth_min_mbps: 5 } }));
    expect(again.status).toBe('published');
    expect(await answers()).toEqual(['plains']);
    const { rows } = await database.query(
      `select from audit_event where action = 'exclusion_added' and submission_id = $1`,
      [id],
    );
    expect(rows).toHaveLength(2);
  });

  test('take nothing where nobody says so, and one of them alone where one is chosen', async () => {
    const { kauri, answers, id, waiting, path, proposed } = await operatorWith('Tui', -43.83);
    await kauri.json(`/api/operator/submissions/${id}/publish`, { comparison: waiting.comparison });
    expect(await answers()).toEqual(['plains', 'hill', 'edge']);
    const [hill] = await proposed();
    const reason = 'No line of sight';
    const { exclusions } = await kauri.json<{ exclusions: Exclusion[] }>(path, { ids: [hill?.id], reason });
    expect(exclusions).toMatchObject([{ reason }]);
    await expect.poll(answers, patience).toEqual(['plains', 'edge']);
  });

  test('are nobody else’s to see or to accept, but staff’s', async () => {
    const { path, proposed } = await operatorWith('Rimu', -42.83);
    const ids = (await proposed()).map((one) => one.id);
    const tui = await client(service.api.url, database, 'Miro');
    await expectCode(tui.call(path), 404, 'submission_unknown');
    await expectCode(tui.post(path, { ids }), 404, 'submission_unknown');
    const staff = await client(service.api.url, database);
    expect((await staff.json<{ proposed: object[] }>(path)).proposed).toHaveLength(2);
    const other = await operatorWith('Rata', -41.83);
    await expectCode(other.kauri.post(other.path, { ids }), 409, 'proposed_exclusion_unknown');
    expect(await proposed()).toHaveLength(2);
  });

  test('with too many corners for an exclusion are counted', async () => {
    const kauri = await client(service.api.url, database, 'Totara');
    const round = Array.from({ length: 300 }, (_, i): Point => {
      const angle = (2 * Math.PI * (i % 299)) / 299;
      return [171 + 0.05 * Math.cos(angle), -40.5 + 0.05 * Math.sin(angle)];
    });
    const bytes = kml('Round', {
      Addition: [{ rings: [rectangle(170.9, -40.6, 171.1, -40.4).reverse() as Point[]] }],
      Subtraction: [{ rings: [round], properties: { name: 'Lake' } }],
    });
    const { id } = await kauri.sent({ name: 'round.kml', bytes }, manifest());
    const { report } = await kauri.until(id, ({ status, comparing }) => status === 'ready' && !comparing);
    expect(report?.warnings[0]?.message).toContain('cut them out of the areas');
    expect(report?.warnings[0]?.message).not.toContain('make exclusions');
    const path = `/api/operator/submissions/${id}/proposed-exclusions`;
    expect(await kauri.json(path)).toEqual({ proposed: [] });
  });
});
