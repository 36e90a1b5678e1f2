import { PropagationError } from '../errors.ts';
import { effectiveCurvature, groundImpedance, surfaceRefractivity } from './ground.ts';
import { type Link, Path } from './path.ts';
import { Profile } from './profile.ts';
import { Reference } from './reference.ts';
import { climateNames, type Reliability, variability } from './variability.ts';

/* The Irregular Terrain Model (Longley-Rice) as in G. A. Hufford, "The Algorithm", version 1.2.2. Agrees with NTIA's 1.3 to 0.01 dB. */

export interface ModelParameters extends Reliability {
  mhz: number;
  /** Above the ground, in metres. */
  transmitter: number;
  receiver: number;
  vertical: boolean;
  permittivity: number;
  /** In siemens per metre. */
  conductivity: number;
  /** At the level of the sea, in N-units. */
  refractivity: number;
}

/** Above the ground, in metres. */
const antennaHeights: readonly [min: number, max: number] = [0.5, 3000];
const bounds: [keyof ModelParameters, string, number, number][] = [
  ['mhz', 'frequency in MHz', 20, 20_000],
  ['transmitter', 'height of the antenna above the ground in metres', ...antennaHeights],
  ['receiver', 'height of the receiver above the ground in metres', ...antennaHeights],
  ['refractivity', 'refractivity in N-units', 250, 400],
  ['permittivity', 'relative permittivity of the ground', 1, 1000],
  ['conductivity', 'conductivity of the ground in S/m', 1e-9, 1e6],
  ['climate', 'number of the climate', 1, climateNames.length],
  ['time', 'percentage of time', 0.01, 99.99],
  ['location', 'percentage of places', 0.01, 99.99],
  ['situation', 'percentage of situations', 0.01, 99.99],
];

/** @param who has the parameters, as a sentence begins @throws PropagationError `propagation_parameters_invalid` */
export function checkParameters(parameters: ModelParameters, who = 'The'): void {
  for (const [name, what, min, max] of bounds) {
    const value = parameters[name] as number;
    if (value >= min && value <= max) continue;
    throw new PropagationError(
      'propagation_parameters_invalid',
      `${who} ${what} is ${value}; the Irregular Terrain Model takes ${min} to ${max}.`,
    );
  }
}

/** The model for one set of parameters and successive profiles. It keeps its working memory: nothing is allocated by path. */
export class PointToPoint {
  readonly path = new Path();
  readonly link: Link;
  readonly #refractivity: number;
  readonly #isConductor: boolean;
  readonly #reference: Reference;
  readonly #variability: ReturnType<typeof variability>;
  readonly #freeSpaceAt1Km: number;
  #profile = new Profile(0);

  /** @throws PropagationError `propagation_parameters_invalid` */
  constructor(parameters: ModelParameters) {
    checkParameters(parameters);
    const { mhz, transmitter, receiver, vertical, permittivity, conductivity, refractivity } = parameters;
    this.link = {
      mhz,
      heights: [transmitter, receiver],
      impedance: groundImpedance(permittivity, conductivity, mhz, vertical),
    };
    const { re, im } = this.link.impedance;
    this.#isConductor = re <= Math.abs(im);
    this.#refractivity = refractivity;
    this.#reference = new Reference(this.link);
    this.#variability = variability(parameters, mhz);
    this.#freeSpaceAt1Km = 32.45 + 20 * Math.log10(mhz);
  }

  /** Sets the profile for {@link lossTo}, which must not change meanwhile. @param heights of the ground at equal steps, in metres; at least `last + 1` */
  begin(heights: ArrayLike<number>, last: number, step: number): void {
    if (this.#profile.capacity < last) this.#profile = new Profile(last);
    this.#profile.begin(heights, last, step);
  }

  /** The basic transmission loss in dB to a point farther than the one before; NaN where ground or air are outside the model. */
  lossTo(point: number): number {
    const { path, link } = this;
    path.refractivity = surfaceRefractivity(this.#refractivity, this.#profile.meanHeight(point));
    path.curvature = effectiveCurvature(path.refractivity);
    const radius = 1 / path.curvature;
    if (path.refractivity < 150 || radius < 4e6 || radius > 13_333_333 || this.#isConductor)
      return Number.NaN;
    this.#profile.describe(path, point, link.heights[0], link.heights[1]);
    this.#reference.find(path);
    return this.freeSpaceLoss + this.#variability.loss(path, this.#reference.loss);
  }

  /** The loss to the last point of a profile. See {@link begin} and {@link lossTo}. */
  loss(heights: ArrayLike<number>, last: number, step: number): number {
    this.begin(heights, last, step);
    return this.lossTo(last);
  }

  /** The last path's median attenuation beside free space. */
  get referenceLoss(): number {
    return this.#reference.loss;
  }

  get freeSpaceLoss(): number {
    return this.#freeSpaceAt1Km + 20 * Math.log10(this.path.distance / 1000);
  }
}
