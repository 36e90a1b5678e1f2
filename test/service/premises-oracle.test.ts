import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Random } from '@covermap/testing/random.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedShapefile } from '@covermap/testing/shapes.ts';
import type { Point, ShapefileFeature } from '@covermap/testing/write-shapefile.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { readySubmission } from '../../coverage/datasets/load.ts';
import { readTierPremises } from '../../coverage/premises/counted.ts';
import { numbersOf } from '../../coverage/premises/premises-set.ts';
import { countPremises } from '../../coverage/premises/recount.ts';
import { sql } from '../../platform/database/sql.ts';
import { keptScratch } from '../../platform/scratch.ts';
import { loadAlone } from '../setup/load-alone.ts';
import { addPremises, coveredBySql } from '../setup/premises.ts';
import { rounds, sampled } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';

/*
 * Random versions whose premises are counted while their file is read, beside what SQL says of their rows: with holes, corners on addresses, borders
 * through them, slivers, edges of a hundred millionth of a degree, areas that repeat others or cross themselves; each followed by its correction, which
 * moves corners.
 */

const versions = rounds(sampled(12, 60), 500);
/** Premises around a place of their own, for a few versions. */
const versionsOfPlace = 10;
const premisesOfPlace = 250;
const reach = 0.01;
const unit = 1e-7;

const { place, database } = await useDatabase();
const folder = scratchFolder();
const random = new Random(44);
/** How often a premises was covered, and how often it lay on a border: what is compared must not be nothing. */
const met = { covered: 0, compared: 0 };

afterEach(() => database.query('truncate coverage, coverage_archive'));

const near = (centre: number, by = reach) => centre + by * (2 * random.next() - 1);
const onGrid = (degrees: number) => Math.round(degrees / unit) / 1e7;

/** Half of them on a coarse grid, so that many share a longitude or a latitude. */
function madePlaces(): Point[] {
  const [lng, lat] = [near(173, 4), near(-41, 5)];
  const coarse = (degrees: number) => Math.round(degrees * 500) / 500;
  const made = Array.from({ length: premisesOfPlace }, (_, i): Point => {
    const [x, y] = [near(lng), near(lat)];
    return i % 2 ? [onGrid(x), onGrid(y)] : [coarse(x), coarse(y)];
  });
  return [...new Map(made.map((point) => [String(point), point])).values()];
}

/** Around a place, counter-clockwise and closed. */
function star([x, y]: Point, radius: number, corners: number, evenness = 0.5): Point[] {
  const ring = Array.from({ length: corners }, (_, i): Point => {
    const angle = (2 * Math.PI * (i + 0.8 * random.next())) / corners;
    const length = radius * (evenness + (1 - evenness) * random.next());
    return [x + length * Math.cos(angle), y + length * Math.sin(angle)];
  });
  return closed(ring);
}
const closed = (ring: Point[]): Point[] => [...ring, ring[0] as Point];
const clockwise = (ring: Point[]): Point[] => [...ring].reverse();

function madeArea(places: readonly Point[]): Point[][] {
  const pick = () => random.pick(places);
  const a = pick();
  switch (random.below(9)) {
    case 0: {
      // Corners that have a coordinate of an address each.
      const [b, c, d] = [pick(), pick(), pick()];
      const [west, east] = [Math.min(a[0], b[0]), Math.max(a[0], b[0]) + (a[0] === b[0] ? reach / 5 : 0)];
      const [south, north] = [Math.min(c[1], d[1]), Math.max(c[1], d[1]) + (c[1] === d[1] ? reach / 5 : 0)];
      return [
        clockwise(
          closed([
            [west, south],
            [east, south],
            [east, north],
            [west, north],
          ]),
        ),
      ];
    }
    case 1:
      return [closed([a, pick(), pick()])];
    case 2: {
      // A border straight through an address, by whole units.
      const [dx, dy] = [random.below(40_000) * unit, random.below(40_000) * unit];
      return [
        closed([[onGrid(a[0] - dx), onGrid(a[1] - dy)], [onGrid(a[0] + dx), onGrid(a[1] + dy)], pick()]),
      ];
    }
    case 3: {
      const outer = star(a, reach * (0.2 + random.next()), 5 + random.below(40), 0.8);
      const holes = random.chance(0.5) ? [star(a, reach * 0.15, 3 + random.below(20))] : [];
      return [clockwise(outer), ...holes];
    }
    case 4: {
      // A hole whose corners are addresses.
      const hole = closed([a, pick(), pick()]);
      return [clockwise(star(a, 4 * reach, 30, 0.9)), hole];
    }
    case 5: {
      // A sliver from one address to another.
      const b = pick();
      const width = unit * 10 ** -random.below(3);
      return [closed([a, b, [b[0] + width, b[1] + width]])];
    }
    case 6: {
      // Edges as short as a unit, at an address.
      const steps = star(a, reach / 3, 8 + random.below(20)).slice(0, -1);
      const short = steps.flatMap(([x, y]): Point[] => [
        [onGrid(x), onGrid(y)],
        [onGrid(x) + unit, onGrid(y)],
      ]);
      return [clockwise(closed(short))];
    }
    case 7:
      // More corners than a row may have.
      return [clockwise(star(a, reach, 150 + random.below(300), 0.7))];
    default:
      // It crosses itself.
      return [closed([a, pick(), pick(), pick()])];
  }
}

function madeVersion(places: readonly Point[]): ShapefileFeature[] {
  const features = Array.from({ length: 4 + random.below(20) }, () => ({
    rings: madeArea(places),
    attributes: { SPEED: 100 * (1 + random.below(3)) },
  }));
  // The same again, of the same and of other tiers.
  const repeated = features.filter(() => random.chance(0.1));
  return [...features, ...repeated, ...repeated.map((one) => ({ ...one, attributes: { SPEED: 100 } }))];
}

/** Moves corners: onto an address, by a unit, or somewhere near. */
function corrected(features: readonly ShapefileFeature[], places: readonly Point[]): ShapefileFeature[] {
  const moved = ([x, y]: Point): Point => {
    switch (random.below(12)) {
      case 0:
        return random.pick(places);
      case 1:
        return [x + unit, y];
      case 2:
        return [near(x, reach / 10), near(y, reach / 10)];
      default:
        return [x, y];
    }
  };
  return features.map(({ rings, ...feature }) => ({
    ...feature,
    rings: (rings as Point[][]).map((ring) => closed(ring.slice(0, -1).map(moved))),
  }));
}

async function load(features: ShapefileFeature[], number: number): Promise<number[]> {
  const fields = [{ name: 'SPEED', type: 'N' as const, length: 5 }];
  const { bytes } = await zippedShapefile({ features, fields });
  const file = path.join(folder, `${number}.zip`);
  writeFileSync(file, bytes);
  const manifest = { attributes: { bandwidth_max_mbps: 'SPEED' }, speeds: { bandwidth_up_max_mbps: 10 } };
  const { id, areas, report, premises } = await loadAlone(place, database, file, manifest);
  await readySubmission(database, id, areas, report, premises);
  return [...areas.keys()];
}

const counted = async (datasets: number[]) =>
  new Map(
    (await readTierPremises(database, datasets))?.map(({ tierId, set }) => [tierId, [...numbersOf(set)]]),
  );

describe(`${versions} versions`, () => {
  let places: Point[] = [];
  let before: ShapefileFeature[] = [];
  test.each(Array.from({ length: versions }, (_, i) => i))('version %i', async (number) => {
    if (number % versionsOfPlace === 0) {
      places = madePlaces();
      await database.query('delete from premises');
      await addPremises(
        database,
        places.map(([lng, lat]) => ({ lng, lat })),
      );
    }
    const features = number % 2 ? corrected(before, places) : madeVersion(places);
    before = features;
    const datasets = await load(features, number);
    const bySql = new Map<number, number[]>();
    for (const dataset of datasets)
      for (const [tier, numbers] of await coveredBySql(database, dataset))
        if (numbers.length > 0) bySql.set(tier, numbers);
    expect(await counted(datasets)).toEqual(bySql);
    met.compared++;
    for (const numbers of bySql.values()) met.covered += numbers.length;
    // The same from the rows.
    if (number % 5 > 0) return;
    for (const dataset of datasets) {
      await database.query(sql`update dataset set premises_version = null where id = ${dataset}`);
      await countPremises(database, keptScratch(place.config), dataset);
    }
    expect(await counted(datasets)).toEqual(bySql);
  });

  test('cover thousands of premises', () => {
    expect(met.compared).toBe(versions);
    expect(met.covered).toBeGreaterThan(50 * versions);
  });
});
