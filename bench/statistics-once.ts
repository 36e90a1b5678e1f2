import { rmSync } from 'node:fs';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import { Random } from '@covermap/testing/random.ts';
import { serviceActor } from '../access/actor.ts';
import { openApplication } from '../commands/application.ts';
import { keepPremises } from '../coverage/premises/counted.ts';
import { addTo, setFor } from '../coverage/premises/premises-set.ts';
import { replaceRegionLayer } from '../coverage/regions/layers.ts';
import { openStatistics } from '../coverage/statistics/statistics.ts';
import { sql } from '../platform/database/sql.ts';
import { today } from '../platform/nz-time.ts';
import { keptScratch } from '../platform/scratch.ts';
import { type StatisticsMeasured, spent } from './measure.ts';

// Publishes made-up coverage of 100 tiers and a layer of 70 regions, then counts from nothing, and asks again. Prints `StatisticsMeasured` as JSON.
const { config, database, close } = await openApplication();
const random = new Random(7);
const { rows } = await database.query<{ version: number; length: number }>(
  'select premises_version as version, next_premises as length from address_list',
);
const { version, length } = rows[0] as { version: number; length: number };
const technologies = ['fibre', 'cable', 'vdsl', 'wireless', 'adsl'];
for (let i = 0; i < 25; i++) {
  const added = await database.query<{ id: number }>(sql`
    with p as (insert into provider (name, url) values (${`Bench ${i}`}, 'https://bench.example/') returning id),
    s as (
      insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, finished_at)
      select id, 'published', 'a.zip', ${`bench ${i}`}, 1, sha256('a'), '{}', now() from p returning id, provider_id
    )
    insert into dataset (submission_id, provider_id, technology_id, state, published_at)
    select s.id, s.provider_id, t.id, 'published', now() - interval '9 days'
    from s join technology t on t.name = ${technologies[i % 5]} returning id`);
  const dataset = added.rows[0]?.id as number;
  const sets = new Map<number, ReturnType<typeof setFor>>();
  for (let tier = 0; tier < 4; tier++) {
    const of = await database.query<{ id: number }>(sql`
      insert into tier (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps,
        bandwidth_up_max_mbps, planned_date)
      values (${dataset}, ${tier === 3 ? 'planned' : 'available'}, 0, ${[20, 100, 950, 300][tier]}, 0, ${tier},
        ${tier === 3 ? '2027-06-30' : null}::date) returning id`);
    const set = setFor(length);
    // Neighbourhoods of some hundred premises, half of the country.
    for (let number = 0, on = true; number < length; on = !on) {
      const end = Math.min(length, number + 1 + random.below(400));
      for (; number < end; number++) if (on) addTo(set, number);
    }
    sets.set(of.rows[0]?.id as number, set);
  }
  await database.transaction((connection) => keepPremises(connection, dataset, Number(version), sets));
}

/** A square of New Zealand's service area with many corners on each side. */
function squareOf(west: number, south: number, width: number, height: number): Float64Array {
  const corners = 2_000;
  const side = (i: number) => i / corners;
  const points: number[] = [];
  for (let i = 0; i < corners; i++) points.push(west + width * side(i), south);
  for (let i = 0; i < corners; i++) points.push(west + width, south + height * side(i));
  for (let i = 0; i < corners; i++) points.push(west + width * (1 - side(i)), south + height);
  for (let i = 0; i < corners; i++) points.push(west, south + height * (1 - side(i)));
  return Float64Array.from([...points, west, south]);
}
const { west, south, east, north } = config.serviceArea;
const [width, height] = [(east - west) / 7, (north - south) / 10];
const regions = Array.from({ length: 70 }, (_, i) => ({
  name: `Region ${String(i).padStart(2, '0')}`,
  areas: [wkbOf([[squareOf(west + (i % 7) * width, south + Math.floor(i / 7) * height, width, height)]])],
  outline: [],
}));
const report = {
  ...{ regions: 70, features: 70, vertices: 560_070, system: 'WGS 84', column: 'NAME', overlap_percent: 0 },
  ...{ outside: 0, clipped: 0, repaired: 0, dropped: 0 },
};
await replaceRegionLayer(database, { name: 'regions', file: 'regions.zip', report }, regions, serviceActor);

const folder = keptScratch(config);
rmSync(folder, { recursive: true, force: true });
const count = openStatistics(database, folder, new AbortController().signal);
const days = [today(), new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)] as const;
const cold = await spent(() => count(days[0], days[1], days[0]), process.ppid);
const kept = await spent(async () => {
  const found = await count(days[0], days[1], days[0]);
  if (typeof found === 'string' || found.by.get('regions')?.names.length !== 70)
    throw new Error('the premises were not counted');
}, process.ppid);
await close();
console.log(JSON.stringify({ cold, kept } satisfies StatisticsMeasured));
