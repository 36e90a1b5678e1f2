import { isWithin } from '@covermap/geometry/polygon.ts';
import { Random, seed } from '@covermap/testing/random.ts';
import { pairsOf, rectangle, regularRing, zippedShapefile } from '@covermap/testing/shapes.ts';
import type { Point } from '@covermap/testing/write-shapefile.ts';
import { expect, inject, test } from 'vitest';
import { client, type ShownSubmission, manifest as usual } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/* The comparison of two versions, by cells and pieces that are alike, against one of both as a whole. */

const service = await useService({ publishBlocks: { lostPercent: 100, warnings: [] } });
const tui = await client(service.api.url, service.database, 'Tui Fibre');

const manifest = { ...usual, attributes: { availability: 'STATE' } };

type State = 'available' | 'planned';
type Area = { place: number; width: number; state: State };
/** West and south of a place. */
const cornerOf = (place: number) => [175 + (place % 12) * 0.04, -39 + Math.floor(place / 12) * 0.04] as const;

/** Areas that overlap their neighbours, over some thirty cells of a tenth of a degree. */
const areas = (change: (area: Area) => Area | undefined) =>
  Array.from({ length: 120 }, (_, place): Area => ({ place, width: 0.05, state: 'available' }))
    .map(change)
    .filter((area) => area !== undefined)
    .map(({ place, width, state }) => {
      const [west, south] = cornerOf(place);
      return { ring: rectangle(west, south, west + width, south + 0.05), state };
    });

const file = (all: { ring: Point[]; state: State }[]) =>
  zippedShapefile({
    fields: [{ name: 'STATE', type: 'C', length: 10 }],
    features: all.map(({ ring, state }) => ({ rings: [ring], attributes: { STATE: state } })),
  });

/** In km2. */
async function drawnAsLost({ datasets }: ShownSubmission) {
  const { rows } = await service.database.query<{ lost: number }>(
    `select sum(coverage_area_m2(geom)) / 1e6 as lost from coverage_change where dataset_id = $1 and change = 'lost'`,
    [datasets[0]?.id],
  );
  return rows[0]?.lost;
}

/** The sum of the lost areas, and the places in which they lie. */
function lost({ lost_areas }: ShownSubmission) {
  const found = lost_areas.flatMap(({ areas: of }) => of);
  const isIn = (place: number, { west, south, east, north }: (typeof found)[number]) => {
    const [left, bottom] = cornerOf(place);
    const margin = 1e-4;
    const outer = [left - margin, bottom - margin, left + 0.05 + margin, bottom + 0.05 + margin] as const;
    return isWithin([west, south, east, north], [...outer]);
  };
  const places = found.map((area) => [0, 59, 119].find((place) => isIn(place, area)));
  return { places: [...new Set(places)].sort(), km2: found.reduce((sum, { km2 }) => sum + km2, 0) };
}

const figures = ['gained_km2', 'lost_km2', 'unchanged_km2', 'downgraded_km2'] as const;

/** Expects the figures of a comparison to be those of the union of each version as a whole. @returns these */
async function expectWholes(mine: ShownSubmission, theirs: ShownSubmission) {
  const { rows } = await service.database.query<Record<(typeof figures)[number], number>>(
    `with side as (
       select t.dataset_id, st_union(c.geom) as geom,
         coalesce(st_union(c.geom) filter (where t.availability = 'available'), st_setsrid('polygon empty'::geometry, 4326))
           as available
       from (select * from coverage union all select * from coverage_archive) as c
       join tier t on t.id = c.tier_id where t.dataset_id in ($1, $2) group by t.dataset_id
     )
     select coverage_area_m2(st_difference(mine.geom, theirs.geom)) / 1e6 as gained_km2,
       coverage_area_m2(st_difference(theirs.geom, mine.geom)) / 1e6 as lost_km2,
       coverage_area_m2(st_intersection(mine.geom, theirs.geom)) / 1e6 as unchanged_km2,
       coverage_area_m2(st_difference(st_intersection(mine.geom, theirs.available), mine.available)) / 1e6
         as downgraded_km2
     from side mine, side theirs where mine.dataset_id = $1 and theirs.dataset_id = $2`,
    [mine, theirs].map(({ datasets }) => datasets[0]?.id),
  );
  const whole = rows[0] as Record<(typeof figures)[number], number>;
  const { change } = mine.datasets[0] ?? {};
  for (const part of figures) expect(change?.[part], `${part}, seed ${seed}`).toBeCloseTo(whole[part], 2);
  return whole;
}

let second: ShownSubmission;

test('a version that differs in few of its areas: gained, lost, unchanged and downgraded are those of the whole', async () => {
  const first = await tui.handIn(await file(areas((area) => area)), manifest);
  await tui.json(`/api/operator/submissions/${first.id}/publish`, {});
  // One area is missing, one has grown, one is only planned; the order of areas makes no difference.
  const next = areas((area) => {
    if (area.place === 0) return undefined;
    if (area.place === 59) return { ...area, width: 0.08 };
    return area.place === 119 ? { ...area, state: 'planned' } : area;
  }).reverse();
  second = await tui.handIn(await file(next), manifest);
  const whole = await expectWholes(second, first);
  expect(Math.min(...Object.values(whole))).toBeGreaterThan(0.1);
});

test('what is drawn as lost, and listed by its places, is what lookups would lose', async () => {
  const { lost_km2 = 0, downgraded_km2 = 0 } = second.datasets[0]?.change ?? {};
  const all = lost_km2 + downgraded_km2;
  expect(await drawnAsLost(second)).toBeCloseTo(all, 2);
  // The first is missing, and the last is only planned; its neighbours still cover the ground where they overlap it.
  expect(lost(second)).toEqual({ places: [0, 119], km2: expect.closeTo(all, 2) });
  const sizes = second.lost_areas.flatMap(({ areas: found }) => found.map(({ km2 }) => km2));
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
});

test('ground that another scope of the technology still covers is not lost', async () => {
  // All of the area that is away, with another technology, and of another operator.
  const away = areas((area) => (area.place === 0 ? area : undefined));
  const moa = await client(service.api.url, service.database, 'Moa Fibre');
  for (const [by, technology] of [
    [tui, 'cable'],
    [moa, manifest.technology],
  ] as const) {
    const { id } = await by.handIn(await file(away), { ...manifest, technology, scope: 'West' });
    await by.json(`/api/operator/submissions/${id}/publish`, {});
  }
  // A strip of it.
  const strip = areas((area) => (area.place === 0 ? { ...area, width: 0.01 } : undefined));
  const beside = await tui.handIn(await file(strip), { ...manifest, scope: 'West' });
  await tui.json(`/api/operator/submissions/${beside.id}/publish`, {});
  const again = await tui.until(second.id, ({ comparing }) => !comparing);
  const { lost_km2 = 0, still_covered_km2 = 0, downgraded_km2 = 0 } = again.datasets[0]?.change ?? {};
  expect(still_covered_km2).toBeCloseTo(lost_km2 / 4, 2);
  const all = lost_km2 - still_covered_km2 + downgraded_km2;
  expect(await drawnAsLost(again)).toBeCloseTo(all, 2);
  expect(lost(again)).toEqual({ places: [0, 119], km2: expect.closeTo(all, 2) });
});

// The embedded build of GEOS gives up on the union of so many nearly coincident edges as a whole.
test.runIf(inject('backend').kind === 'server')(
  'version after version, whatever has changed, the figures are those of both as wholes',
  async () => {
    const rata = await client(service.api.url, service.database, 'Rata Fibre');
    const random = new Random(seed);
    const disc = () => {
      const [lng, lat] = [175 + 0.4 * random.next(), -39 + 0.4 * random.next()];
      const ring: Point[] = pairsOf(regularRing(lng, lat, 0.005 + 0.05 * random.next(), 24)).reverse();
      return { ring, state: random.chance(0.8) ? ('available' as State) : 'planned' };
    };
    let discs = Array.from({ length: 60 }, disc);
    let live: ShownSubmission | undefined;
    for (let version = 0; version < 3; version++) {
      const next = await rata.handIn(await file(discs), manifest);
      if (live) await expectWholes(next, live);
      await rata.json(`/api/operator/submissions/${next.id}/publish`, {});
      live = next;
      // Some discs go, move, come twice, or change state; most stay. Their order makes no difference.
      discs = discs.flatMap((one) => {
        const roll = random.next();
        if (roll < 0.1) return [];
        if (roll < 0.2) return [{ ...one, ring: one.ring.map(([lng, lat]): Point => [lng + 1e-4, lat]) }];
        if (roll < 0.3) return [{ ...one, state: one.state === 'planned' ? 'available' : 'planned' }];
        return roll < 0.4 ? [one, one, disc()] : [one];
      });
      discs.reverse();
    }
  },
);
