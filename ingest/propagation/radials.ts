import type { Antenna } from './antenna.ts';
import type { PointToPoint } from './itm/itm.ts';

/*
 * Around a tower, radials like spokes: the terrain of each is sampled once, and every path to a point on it is a beginning of that
 * profile. They are so many that at the range's end neighbours are two steps apart: there are about as many points as pixels, none is
 * further than a step from one, and near the tower many more.
 */

/** Sampled profile by profile. */
export interface RadialGrid {
  count: number;
  /** Points of each, without the tower's own. */
  points: number;
  step: number;
}

export function radialGrid(range: number, step: number): RadialGrid {
  const points = Math.ceil(range / step);
  return { count: Math.max(360, Math.ceil(Math.PI * points)), points, step };
}

/** The profile of a radial out of the ground: bilinear between its four neighbours; what nobody knows is the sea. */
export function sampleProfile(
  heights: Float32Array,
  side: number,
  azimuth: number,
  points: number,
  out: Float64Array,
): void {
  const half = (side - 1) / 2;
  const east = Math.sin(azimuth);
  const north = Math.cos(azimuth);
  for (let i = 0; i <= points; i++) {
    const x = half + i * east;
    const y = half - i * north;
    const column = Math.min(side - 2, Math.floor(x));
    const row = Math.min(side - 2, Math.floor(y));
    const dx = x - column;
    const dy = y - row;
    const at = row * side + column;
    out[i] =
      (1 - dy) * ((1 - dx) * ground(heights, at) + dx * ground(heights, at + 1)) +
      dy * ((1 - dx) * ground(heights, at + side) + dx * ground(heights, at + side + 1));
  }
}

function ground(heights: Float32Array, at: number): number {
  const height = heights[at] as number;
  return Number.isNaN(height) ? 0 : height;
}

/**
 * What is received along a radial from the strongest of antennas that share a place: in dBm beside an isotropic receiver.
 * @param power and `strongest`: where to write, from `at` on; NaN where the model cannot say
 */
export function predictRadial(
  model: PointToPoint,
  antennas: readonly Antenna[],
  profile: Float64Array,
  azimuth: number,
  { points, step }: RadialGrid,
  power: Float32Array,
  strongest: Uint16Array,
  at: number,
): void {
  const [transmitter, receiver] = model.link.heights;
  const top = (profile[0] as number) + transmitter;
  const degrees = (azimuth * 180) / Math.PI;
  for (let i = 1; i <= points; i++) {
    const loss = model.loss(profile, i, step);
    const distance = i * step;
    const down = (profile[i] as number) + receiver - top - (model.path.curvature / 2) * distance * distance;
    const elevation = (Math.atan2(down, distance) * 180) / Math.PI;
    let best = Number.NEGATIVE_INFINITY;
    let which = 0;
    for (let k = 0; k < antennas.length; k++) {
      const antenna = antennas[k] as Antenna;
      const radiated = antenna.radiated - antenna.attenuation(degrees, elevation);
      if (radiated > best) {
        best = radiated;
        which = k;
      }
    }
    power[at + i - 1] = best - loss;
    strongest[at + i - 1] = which;
  }
}
