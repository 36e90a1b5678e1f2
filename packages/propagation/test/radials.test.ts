import { Random, seed } from '@covermap/testing/random.ts';
import { expect, test } from 'vitest';
import { effectiveCurvature, surfaceRefractivity } from '../itm/ground.ts';
import { type ModelParameters, PointToPoint } from '../itm/itm.ts';
import { Path } from '../itm/path.ts';
import { modelDefaults } from '../prediction-options.ts';
import { nearestPoint, radialGrid, radialOf } from '../radials.ts';
import { describeProfile, meanHeight } from './plain-profile.ts';

/* Paths along a radial reuse values of the paths before; and the places of a radial's points. */

const random = new Random(seed);

/** Ground of hills of all sizes, with cliffs, and sea where it would be lower. */
function roughRadial(last: number, step: number): Float64Array {
  const relief = 10 ** (3 * random.next());
  const level = relief * (2 * random.next() - 1);
  const waves = Array.from({ length: 12 }, () => {
    const length = 100 * 500 ** random.next();
    return { length, phase: 7 * random.next(), size: (relief * length) / 50_000 };
  });
  const profile = new Float64Array(last + 1);
  let cliff = 0;
  for (let i = 0; i <= last; i++) {
    if (random.chance(0.01)) cliff = random.next() * relief * 0.2;
    const waved = waves.reduce(
      (sum, { length, phase, size }) => sum + size * Math.sin((6.28 * i * step) / length + phase),
      level + cliff,
    );
    profile[i] = Math.max(0, waved + random.next() * relief * 0.005);
  }
  return profile;
}

function anyParameters(): ModelParameters {
  return {
    ...{ ...modelDefaults, climate: 1 + random.below(7), mhz: 20 * 1000 ** random.next() },
    transmitter: 1 + 200 * random.next() ** 3,
    receiver: 1 + 30 * random.next() ** 3,
    vertical: random.chance(0.5),
  };
}

type Pair = [what: string, ours: number, theirs: number];
const pairs = (one: Path, other: Path): Pair[] => [
  ['irregularity', one.deltaH, other.deltaH],
  ...(['horizonDistances', 'horizonAngles', 'effectiveHeights'] as const).flatMap((what) =>
    [0, 1].map((end): Pair => [`${what} ${end}`, one[what][end] as number, other[what][end] as number]),
  ),
];

test.each([
  ['steps of whole metres', 30],
  ['other steps', 33.3],
])(
  'along a radial a path is the same as by itself, and as by the subroutines that look at all of it: %s',
  (_, step) => {
    const different: string[] = [];
    for (let round = 0; round < 20; round++) {
      const last = 50 + random.below(600);
      const profile = roughRadial(last, step);
      const parameters = anyParameters();
      const [along, alone, plain] = [new PointToPoint(parameters), new PointToPoint(parameters), new Path()];
      along.begin(profile, last, step);
      for (let i = 1 + random.below(20); i <= last; i++) {
        const loss = along.lossTo(i);
        const { path, link } = along;
        const refractivity = surfaceRefractivity(parameters.refractivity, meanHeight(profile, i));
        plain.curvature = effectiveCurvature(refractivity);
        describeProfile(plain, { heights: profile, last: i, step }, link.heights);
        const compared = [['loss', loss, alone.loss(profile, i, step)] as const, ...pairs(path, plain)];
        for (const [what, ours, theirs] of compared)
          if (!(Math.abs(ours - theirs) <= 1e-6 * Math.max(1, Math.abs(theirs) / 100)))
            different.push(`round ${round}, point ${i}: ${what} is ${ours} and not ${theirs}`);
      }
    }
    expect(different).toEqual([]);
  },
);

test.each([
  [30_000, 30],
  [8000, 100],
  [100, 30],
  [20, 30],
])(
  'of rings of radials within %s m, no place is further than 1.12 steps of %s m from its point',
  (range, step) => {
    const grid = radialGrid(range, step);
    const points: { azimuth: number; distance: number }[] = [];
    for (let i = 0; i < grid.radials; i++) {
      const { ring, radial } = radialOf(grid, i);
      for (let number = ring.first; number <= ring.last; number++)
        points[ring.offset + radial * (ring.last - ring.first + 1) + number - ring.first] = {
          azimuth: (2 * Math.PI * radial) / ring.count,
          distance: number * step,
        };
    }
    expect(points).toHaveLength(grid.points);
    expect(points).not.toContain(undefined);
    let farthest = 0;
    for (let i = 0; i < 20_000; i++) {
      const [azimuth, distance] = [2 * Math.PI * (random.next() - 0.5), range * Math.sqrt(random.next())];
      // The tower's own place has none.
      if (distance < step / 2) continue;
      const nearest = points[nearestPoint(grid, azimuth, distance)] as (typeof points)[number];
      const turn = nearest.azimuth - azimuth;
      const square = distance ** 2 + nearest.distance ** 2 - 2 * distance * nearest.distance * Math.cos(turn);
      farthest = Math.max(farthest, Math.sqrt(Math.max(0, square)) / step);
    }
    expect(farthest).toBeLessThan(1.13);
  },
);
