import type { Tower } from './tower.ts';

/** The attenuation of an antenna beside its strongest direction, in dB from 0: by whole degrees, clockwise from its axis and down from it. */
export interface Pattern {
  horizontal: Float64Array;
  vertical: Float64Array;
}

/** Where the list of towers does not say. Degrees, and dB */
const antennaDefaults = { verticalBeamWidth: 10, frontToBack: 25, feederLoss: 0 };
/** In the vertical plane no antenna is quieter than this beside its lobe, in dB. */
const verticalFloor = 18;

/** Of both planes of a measured pattern together, in dB. */
const maxPatternAttenuation = 60;
/** A beam that is off by less is not tilted: measurements are off by as much. Degrees */
const minTilt = 2;

/** The pattern of a sector of such beam widths, at which it radiates half: a parabola in dB (3GPP TR 36.814, table A.2.1.1-2). 360 degrees are all round. */
export function sectorPattern(beamWidth: number, verticalBeamWidth: number, frontToBack: number): Pattern {
  const lobe = (width: number, floor: number) =>
    Float64Array.from({ length: 360 }, (_, degree) => {
      const off = degree > 180 ? degree - 360 : degree;
      return Math.min(floor, 12 * (off / width) ** 2);
    });
  return {
    horizontal: beamWidth >= 360 ? new Float64Array(360) : lobe(beamWidth, frontToBack),
    vertical: lobe(verticalBeamWidth, verticalFloor),
  };
}

/** Whether a tower's signal is polarised vertically. Of crossed polarisations the vertical one counts: it reaches further. */
export const isVertical = ({ antenna }: Tower): boolean => antenna?.vertical ?? true;

export class Antenna {
  /** Equivalent isotropically radiated power: what it radiates at its strongest, in dBm. */
  readonly eirp: number;
  readonly #pattern: Pattern;
  readonly #maxAttenuation: number;
  readonly #azimuth: number;
  readonly #electrical: number;
  readonly #mechanical: number;

  /** @param pattern from a file, in place of one from the beam widths */
  constructor(tower: Tower, pattern?: Pattern) {
    const { antenna = {}, power_dbm, beam_width_deg, azimuth_deg } = tower;
    const gain = antenna.gain_dbi ?? 0;
    this.eirp = power_dbm + gain - (antenna.feeder_loss_db ?? antennaDefaults.feederLoss);
    const width = azimuth_deg === undefined ? 360 : beam_width_deg;
    const frontToBack = antenna.front_to_back_db ?? antennaDefaults.frontToBack;
    this.#pattern =
      pattern ??
      sectorPattern(width, antenna.vertical_beam_width_deg ?? antennaDefaults.verticalBeamWidth, frontToBack);
    this.#maxAttenuation = pattern ? maxPatternAttenuation : Math.max(frontToBack, verticalFloor);
    this.#azimuth = azimuth_deg ?? 0;
    // A file is of one electrical tilt: that of the list tells which.
    this.#electrical = pattern && isTilted(pattern) ? 0 : (antenna.electrical_tilt_deg ?? 0);
    this.#mechanical = antenna.mechanical_tilt_deg ?? 0;
  }

  /** Its attenuation in a direction, in dB from 0. @param azimuth and `elevation`: as {@link towards} has them */
  attenuation(azimuth: number, elevation: number): number {
    return this.towards(azimuth)(elevation);
  }

  /**
   * The antenna as a radial sees it. An electrical tilt lowers the beam all around, a mechanical one turns the antenna: it lowers the beam in
   * front and raises it behind.
   * @param azimuth degrees clockwise from north
   * @returns its attenuation by degrees above the horizontal
   */
  towards(azimuth: number): (elevation: number) => number {
    const across = azimuth - this.#azimuth;
    const tilt = this.#electrical + this.#mechanical * Math.cos((across * Math.PI) / 180);
    const { horizontal, vertical } = this.#pattern;
    const aside = between(horizontal, across);
    const max = this.#maxAttenuation;
    return (elevation) => Math.min(max, aside + between(vertical, -elevation - tilt));
  }
}

function isTilted({ vertical }: Pattern): boolean {
  const strongest = vertical.indexOf(Math.min(...vertical));
  return Math.min(strongest, 360 - strongest) >= minTilt;
}

function between(plane: Float64Array, degrees: number): number {
  const whole = Math.floor(degrees);
  const part = degrees - whole;
  const before = (((whole | 0) % 360) + 360) % 360;
  return (plane[before] as number) * (1 - part) + (plane[(before + 1) % 360] as number) * part;
}
