import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, client } from '../setup/operator.ts';
import { type Service, startService } from '../setup/service.ts';
import { rectangle, zippedShapefile } from '../setup/shapes.ts';

/* The comparison of two versions, cell by cell and by pieces that are alike, beside one of both as a whole. */

let service: Service;
let tui: Client;

beforeAll(async () => {
  service = await startService({ publishBlocks: { lostPercent: 100, warnings: [] } });
  tui = await client(service.api.url, service.database, 'Tui Fibre');
});
afterAll(() => service?.stop());

const manifest = {
  technology: 'fibre',
  speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 },
  attributes: { availability: 'STATE' },
  publish: 'review',
};

interface Area {
  place: number;
  width: number;
  state: 'available' | 'planned';
}

/** Areas that overlap their neighbours, over some thirty cells of a tenth of a degree. */
const areas = (change: (area: Area) => Area | undefined): Area[] =>
  Array.from({ length: 120 }, (_, place): Area => ({ place, width: 0.05, state: 'available' }))
    .map(change)
    .filter((area) => area !== undefined);

const file = (all: Area[]) =>
  zippedShapefile({
    fields: [{ name: 'STATE', type: 'C', length: 10 }],
    features: all.map(({ place, width, state }) => {
      const [west, south] = [175 + (place % 12) * 0.04, -39 + Math.floor(place / 12) * 0.04];
      return { rings: [rectangle(west, south, west + width, south + 0.05)], attributes: { STATE: state } };
    }),
  });

test('a version that differs in few of its areas: gained, lost, unchanged and downgraded are those of the whole', async () => {
  const first = await tui.handIn(await file(areas((area) => area)), manifest);
  await tui.json(`/api/operator/submissions/${first.id}/publish`, {});
  // One is away, one has grown, one is not built yet; the order of the others says nothing.
  const next = areas((area) => {
    if (area.place === 0) return undefined;
    if (area.place === 59) return { ...area, width: 0.08 };
    return area.place === 119 ? { ...area, state: 'planned' } : area;
  }).reverse();
  const second = await tui.handIn(await file(next), manifest);
  const { rows } = await service.database.query<Record<string, number>>(
    `with side as (
       select t.dataset_id, st_union(c.geom) as geom,
         st_union(c.geom) filter (where t.availability = 'available') as available
       from coverage c join tier t on t.id = c.tier_id where t.dataset_id = any ($1) group by t.dataset_id
     )
     select coverage_area_m2(st_difference(mine.geom, theirs.geom)) / 1e6 as gained_km2,
       coverage_area_m2(st_difference(theirs.geom, mine.geom)) / 1e6 as lost_km2,
       coverage_area_m2(st_intersection(mine.geom, theirs.geom)) / 1e6 as unchanged_km2,
       coverage_area_m2(st_difference(st_intersection(mine.geom, theirs.available), mine.available)) / 1e6
         as downgraded_km2
     from side mine, side theirs where mine.dataset_id = $2 and theirs.dataset_id <> $2`,
    [[first, second].map(({ datasets }) => datasets[0]?.id), second.datasets[0]?.id],
  );
  const { change } = second.datasets[0] ?? {};
  for (const part of ['gained_km2', 'lost_km2', 'unchanged_km2', 'downgraded_km2'] as const) {
    expect(rows[0]?.[part], part).toBeGreaterThan(0.1);
    expect(change?.[part], part).toBeCloseTo(rows[0]?.[part] as number, 2);
  }
});
