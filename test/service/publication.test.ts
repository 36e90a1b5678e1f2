import { setTimeout as sleep } from 'node:timers/promises';
import { pairsOf, rectangle, regularRing, zippedShapefile } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { ComparisonStale } from '../../coverage/datasets/compare.ts';
import { compareReadyAnew } from '../../coverage/datasets/comparisons.ts';
import { beginSubmission } from '../../coverage/datasets/load.ts';
import { type PublishOptions, publishSubmission } from '../../coverage/datasets/publish.ts';
import { listPublished } from '../../coverage/datasets/versions.ts';
import { withKeyInTurn } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { createLogger } from '../../platform/logger.ts';
import { publishCoverage } from '../../workers/publish.ts';
import { useService } from '../setup/service.ts';

/* A publication is one transaction: readers see the old version or the new one, never a mix and never nothing. */

const service = await useService({ keptVersions: 2 });
const context = { ...service, logger: createLogger('silent') };

/**
 * A version of the coverage in which every place has the same speed both ways.
 * @param areas that overlap: of many, a mix of two versions would show
 */
function version(speed: number, areas = 2) {
  const features = Array.from({ length: areas }, (_, i) => {
    const x = 174 + (i % 10) * 0.1;
    const y = -38 + Math.floor(i / 10) * 0.1;
    return { rings: [rectangle(x, y, x + 0.15, y + 0.15)], attributes: { SPEED: speed } };
  });
  return zippedShapefile({ fields: [{ name: 'SPEED', type: 'N', length: 8 }], features });
}

const equalSpeeds = {
  attributes: { bandwidth_max_mbps: 'SPEED', bandwidth_up_max_mbps: 'SPEED' },
  speeds: {},
};

/** Publishes, once it has been compared with what is published. */
async function publishNow(id: string, options: Partial<PublishOptions> = {}) {
  for (;;) {
    const rules = service.config.publishBlocks;
    const outcome = await publishSubmission(service.database, id, { rules, ...options });
    if (outcome !== 'outdated') return outcome;
    await withKeyInTurn(service.database, `compare ${id}`, () =>
      compareReadyAnew(service.database, id).catch((error) => {
        if (!(error instanceof ComparisonStale)) throw error;
      }),
    );
  }
}

async function publish(speed: number) {
  expect((await service.ingest(await version(speed, 60), equalSpeeds)).state).toBe('published');
}

test('lookups during publications, over and over, answer from one whole version each', async () => {
  await publish(1);
  let running = true;
  const seen: number[] = [];
  const ask = async () => {
    while (running) {
      // Ten lookups at once: each answer has the equal speeds of one version.
      const points = Array.from(
        { length: 10 },
        () => [-37.95 + Math.random() * 0.4, 174.05 + Math.random() * 0.8] as const,
      );
      const answers = await Promise.all(
        points.map(([lat, lng]) => service.at(lat.toFixed(7), lng.toFixed(7))),
      );
      for (const { results } of answers) {
        const fibre = results.find((result) => result.technology === 'fibre');
        expect(fibre?.availability).toBe('available');
        expect(fibre?.providers).toHaveLength(1);
        const { bandwidth_max_mbps, bandwidth_up_max_mbps } = fibre?.providers?.[0] ?? {};
        expect(bandwidth_max_mbps).toBe(bandwidth_up_max_mbps);
        seen.push(bandwidth_max_mbps ?? Number.NaN);
      }
      await sleep(100);
    }
  };
  const asking = ask();
  const versions = 5;
  for (let speed = 2; speed <= versions; speed++) {
    await publish(speed);
    // The answers that were under way, and ten more: each version is seen.
    const before = seen.length;
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(before + 20);
  }
  running = false;
  await asking;
  expect([...new Set(seen)].filter((speed) => speed > 1)).toEqual([2, 3, 4, 5]);
  // Once a lookup has answered from a version, no later one answers from an earlier.
  const batches = Array.from({ length: Math.floor(seen.length / 10) }, (_, i) =>
    seen.slice(10 * i, 10 * i + 10),
  );
  for (const [i, batch] of batches.entries()) {
    expect(Math.min(...batch)).toBeGreaterThanOrEqual(Math.max(1, ...(batches[i - 1] ?? [])));
  }
});

test('what lookups read holds the published version and nothing else, and the kept versions lie elsewhere', async () => {
  const versions = (table: string) =>
    `(select count(distinct dataset_id) from ${table} join tier on tier.id = tier_id) as ${table}`;
  // The state is published a moment before the old rows have moved.
  const both = () =>
    service.database.query(`select ${versions('coverage')}, ${versions('coverage_archive')}`);
  const rows = [{ coverage: 1, coverage_archive: 2 }];
  await expect.poll(both).toMatchObject({ rows });
});

describe('two versions ready at once', () => {
  const ready = async (speed: number) => {
    const waiting = { provider: 'Racer', publish: 'review', ...equalSpeeds } as const;
    const { state, id } = await service.ingest(await version(speed), waiting);
    expect(state).toBe('ready');
    return id;
  };
  const statesOf = async (...ids: string[]) => {
    const { rows } = await service.database.query<{ id: string; state: string; of_submission: string }>(sql`
      select d.submission_id as id, d.state, s.state as of_submission
      from dataset d join submission s on s.id = d.submission_id where s.id = any (${ids}) order by d.id`);
    return rows;
  };
  test('that publish themselves: one after the other, and the later submission stays, whichever is first', async () => {
    const [earlier, later] = [await ready(201), await ready(202)];
    const [state] = await Promise.all([later, earlier].map((id) => publishNow(id, { laterStays: true })));
    expect(state).toBe('published');
    // For a worker, that another version has replaced it meanwhile is no failure.
    const { signal } = new AbortController();
    expect(await publishCoverage(context).work(earlier, signal)).toEqual([['archive']]);
    expect(await statesOf(earlier, later)).toEqual([
      { id: earlier, state: 'superseded', of_submission: 'superseded' },
      { id: later, state: 'published', of_submission: 'published' },
    ]);
  });
  test('that publish themselves: the audit names only what became current', async () => {
    const [earlier, later] = [await ready(208), await ready(209)];
    await publishNow(later, { laterStays: true });
    expect(await publishNow(earlier, { laterStays: true })).toBe('superseded');
    // The later submission has one of two technologies.
    const twoTechnologies = await zippedShapefile({
      fields: [{ name: 'TECH', type: 'C', length: 8 }],
      features: ['fibre', 'cable'].map((TECH, i) => ({
        rings: [rectangle(174 + i, -38, 174.5 + i, -37.5)],
        attributes: { TECH },
      })),
    });
    const ofBoth = { provider: 'Both', publish: 'review' } as const;
    const technologies = { technology: undefined, attributes: { technology: 'TECH' } };
    const both = await service.ingest(twoTechnologies, { ...ofBoth, ...technologies });
    const ofOne = await service.ingest(await version(210), { ...ofBoth, ...equalSpeeds });
    await publishNow(ofOne.id, { laterStays: true });
    await publishNow(both.id, { laterStays: true });
    const { rows } = await service.database.query<{ submission_id: string; published: string[] }>(sql`
      select e.submission_id, array_agg(t.name) as published
      from audit_event e cross join jsonb_array_elements_text(e.details -> 'datasets') as named (dataset)
      join dataset d on d.id = named.dataset::integer join technology t on t.id = d.technology_id
      where e.action = 'submission_published' and e.submission_id = any (${[earlier, later, both.id, ofOne.id]})
      group by e.id order by e.id`);
    expect(rows).toEqual([
      { submission_id: later, published: ['fibre'] },
      { submission_id: ofOne.id, published: ['fibre'] },
      { submission_id: both.id, published: ['cable'] },
    ]);
    // The provider that came last has one of each.
    const all = await listPublished(service.database, null);
    const own = await listPublished(service.database, all.at(-1)?.provider_id ?? 0);
    expect(own.map(({ technology }) => technology).sort()).toEqual(['cable', 'fibre']);
    expect(all.length).toBeGreaterThan(2);
    expect(all.slice(-2)).toEqual(own);
    // A submission is published as long as one of its technologies is.
    const again = await service.ingest(twoTechnologies, { ...ofBoth, ...technologies });
    const newer = await service.ingest(await version(211), { ...ofBoth, ...equalSpeeds });
    await publishNow(again.id);
    await publishNow(newer.id, { rules: { lostPercent: 100, warnings: [] } });
    expect((await statesOf(again.id)).map(({ state, of_submission }) => [state, of_submission])).toEqual([
      ['superseded', 'published'],
      ['published', 'published'],
    ]);
  });
  test('that are published by hand at once: both succeed, one is current, and nothing is published twice', async () => {
    const ids = [await ready(206), await ready(207)];
    const outcomes = await Promise.all(ids.map((id) => publishNow(id)));
    expect(outcomes).toEqual(['published', 'published']);
    const states = (await statesOf(...ids)).map(({ state }) => state);
    expect(states.sort()).toEqual(['published', 'superseded']);
  });
});

test('a dataset that is not loaded yet cannot be published, and one that is cannot be begun again', async () => {
  const submission = await service.ingest(await version(5), { provider: 'Loader', publish: 'review' });
  const begun = beginSubmission(service.database, submission.id);
  await expect(begun).rejects.toMatchObject({ code: 'submission_ended' });
  const loading = `update dataset set state = 'loading' where submission_id = $1`;
  await service.database.query(loading, [submission.id]);
  await expect(publishNow(submission.id)).rejects.toMatchObject({ code: 'submission_not_ready' });
});

test('what a submission says of its provider counts once it is published, not before', async () => {
  const provider = { name: 'Modest', url: 'https://modest.example/', wholesale_network: 'No' as const };
  await service.ingest(await version(5), { provider, technology: 'cable' });
  const boast = { name: 'modest', url: 'https://boast.example/', wholesale_network: 'Yes' as const };
  const shown = async () =>
    (await service.at('-37.9', '174.1')).results.find((result) => result.technology === 'cable')?.providers;
  const junk = { name: 'junk.zip', bytes: Buffer.from('junk') };
  await service.ingest(junk, { provider: boast, technology: 'vdsl' });
  await service.ingest(await version(5), { provider: boast, technology: 'vdsl', publish: 'review' });
  expect(await shown()).toMatchObject([provider]);
  await service.ingest(await version(5), { provider: boast, technology: 'vdsl' });
  expect(await shown()).toMatchObject([{ ...boast, name: 'Modest' }]);
});

test('a load leaves room for lookups: they are answered meanwhile', async () => {
  const features = Array.from({ length: 2000 }, (_, i) => {
    const ring = regularRing(172 + (i % 60) * 0.02, -42 + Math.floor(i / 60) * 0.02, 0.01, 100);
    return { rings: [pairsOf(ring).reverse()] };
  });
  const file = await zippedShapefile({ features });
  let loading = true;
  const load = service.ingest(file, { provider: 'Large', publish: 'review' }).finally(() => {
    loading = false;
  });
  let answered = 0;
  while (loading) {
    await service.at('-37.9', '174.1');
    answered++;
    await sleep(20);
  }
  expect((await load).report?.features.loaded).toBe(2000);
  // At least one lookup is answered between batches, of which this load has four or more.
  expect(answered).toBeGreaterThan(4);
});
