import type { Impedance } from './ground.ts';

/** The constants of all paths of a link budget. */
export interface Link {
  mhz: number;
  /** Above the ground, in metres. */
  heights: readonly [transmitter: number, receiver: number];
  impedance: Impedance;
}

/** A path. One object is filled anew for each. Pairs are of transmitter and receiver; lengths in metres, angles in radians. */
export class Path {
  distance = 0;
  /** The curvature of the effective earth, in 1/m. */
  curvature = 0;
  refractivity = 0;
  deltaH = 0;
  readonly horizonAngles = new Float64Array(2);
  readonly horizonDistances = new Float64Array(2);
  /** Above the reflecting surface. */
  readonly effectiveHeights = new Float64Array(2);
}
