import type { Antenna } from './antenna.ts';
import type { PointToPoint } from './itm/itm.ts';

/*
 * Radials around a tower, like spokes. The terrain of each is sampled once, and the path to any point is a beginning of that profile. Each
 * ring has as many as put neighbours two steps apart at its outer edge. So no pixel is much further than a step from a point, and ten pixels
 * have six points.
 */

/** Points between two distances, on radials of their own. */
export interface Ring {
  count: number;
  /** The first and last distance of its points, in steps. */
  first: number;
  last: number;
  /** The index of its first point in the grid; radial by radial. */
  offset: number;
}

export interface RadialGrid {
  step: number;
  /** The outermost first. */
  rings: Ring[];
  /** By distance in steps: the index of the ring. */
  ringOf: Uint8Array;
  points: number;
  radials: number;
}

/** The inner radius of a ring, as a share of the outer. Narrower rings have fewer points, but more profiles. */
const narrowing = 0.75;
/** In steps: nearer, further rings would save no points. */
const innermost = 40;

export function radialGrid(range: number, step: number): RadialGrid {
  const rings: Ring[] = [];
  const outermost = Math.ceil(range / step);
  const ringOf = new Uint8Array(outermost + 1);
  let points = 0;
  for (let last = outermost; last > 0; ) {
    const inner = last > innermost ? Math.floor(last * narrowing) : 0;
    const count = Math.max(innermost, Math.ceil(Math.PI * last));
    ringOf.fill(rings.length, inner, last + 1);
    rings.push({ count, first: inner + 1, last, offset: points });
    points += count * (last - inner);
    last = inner;
  }
  const radials = rings.reduce((sum, { count }) => sum + count, 0);
  return { step, rings, ringOf, points, radials };
}

/** The index of the grid's point nearest to a place in the plane. @param azimuth in radians */
export function nearestPoint({ step, rings, ringOf }: RadialGrid, azimuth: number, distance: number): number {
  const number = Math.min(ringOf.length - 1, Math.max(1, Math.round(distance / step)));
  const { count, first, last, offset } = rings[ringOf[number] as number] as Ring;
  const radial = (Math.round((azimuth / (2 * Math.PI)) * count) + count) % count;
  return offset + radial * (last - first + 1) + number - first;
}

/** A radial by its index among those of all rings. */
export function radialOf({ rings }: RadialGrid, number: number): { ring: Ring; radial: number } {
  let radial = number;
  for (const ring of rings) {
    if (radial < ring.count) return { ring, radial };
    radial -= ring.count;
  }
  throw new RangeError(`no radial ${number}`);
}

/**
 * The profile of a radial: ground bilinear between its four neighbours; unknown ground counts as sea.
 * @param azimuth in radians, clockwise from north
 * @param points the last point, in steps of the ground from its middle
 * @param out heights from the middle on
 */
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

/** The elevation in degrees at which an antenna sees the receiver at a point of its profile: straight, over the effective earth. */
export function elevationTo(
  { link, path }: PointToPoint,
  profile: Float64Array,
  point: number,
  step: number,
): number {
  const [transmitter, receiver] = link.heights;
  const distance = point * step;
  const down =
    (profile[point] as number) +
    receiver -
    (profile[0] as number) -
    transmitter -
    (path.curvature / 2) * distance * distance;
  return (Math.atan(down / distance) * 180) / Math.PI;
}

/** Computes the power in dBm at a ring's points of one radial, from the strongest antenna of a place. @param power of all points of the grid; NaN: unknown */
export function predictRadial(
  model: PointToPoint,
  antennas: readonly Antenna[],
  profile: Float64Array,
  { count, first, last, offset }: Ring,
  radial: number,
  step: number,
  power: Float32Array,
  strongest: Uint16Array,
): void {
  const cuts = antennas.map((antenna) => antenna.towards((360 * radial) / count));
  const at = offset + radial * (last - first + 1) - first;
  model.begin(profile, last, step);
  for (let i = first; i <= last; i++) {
    const loss = model.lossTo(i);
    const elevation = elevationTo(model, profile, i, step);
    let best = Number.NEGATIVE_INFINITY;
    let which = 0;
    for (let k = 0; k < antennas.length; k++) {
      const attenuation = cuts[k] as (typeof cuts)[number];
      const radiated = (antennas[k] as Antenna).eirp - attenuation(elevation);
      if (radiated > best) {
        best = radiated;
        which = k;
      }
    }
    power[at + i] = best - loss;
    strongest[at + i] = which;
  }
}
