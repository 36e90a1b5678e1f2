import type { Tower } from './tower.ts';

/** The attenuation of an antenna beside its strongest direction, in dB from 0: by whole degrees, clockwise from its axis and down from it. */
export interface Pattern {
  horizontal: Float64Array;
  vertical: Float64Array;
}

/** Defaults, in degrees and dB. */
const antennaDefaults = { verticalBeamWidth: 10, frontToBack: 25, feederLoss: 0 };
/** The max attenuation in the vertical plane beside the lobe, in dB. */
const verticalFloor = 18;

/** The bound of both planes of a measured pattern together, in dB. */
const maxPatternAttenuation = 60;
/** In degrees: a smaller tilt may be an error of measurement. */
const minTilt = 2;

/** The pattern of a sector, a parabola in dB (3GPP TR 36.814, table A.2.1.1-2) that is at half power at the beam widths. 360 degrees are all round. */
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

/** Tells if a tower's signal is polarised vertically. Crossed polarisations count as vertical, which reaches further. */
export const isVertical = ({ antenna }: Tower): boolean => antenna?.vertical ?? true;

export type Antenna = ReturnType<typeof antennaOf>;

/** @param pattern from a file, replaces the one from the beam widths */
export function antennaOf(
  { antenna = {}, power_dbm, beam_width_deg, azimuth_deg }: Tower,
  pattern?: Pattern,
) {
  const width = azimuth_deg === undefined ? 360 : beam_width_deg;
  const frontToBack = antenna.front_to_back_db ?? antennaDefaults.frontToBack;
  const verticalWidth = antenna.vertical_beam_width_deg ?? antennaDefaults.verticalBeamWidth;
  const { horizontal, vertical } = pattern ?? sectorPattern(width, verticalWidth, frontToBack);
  const max = pattern ? maxPatternAttenuation : Math.max(frontToBack, verticalFloor);
  // A pattern file is measured at one electrical tilt, already in it if it is tilted.
  const electrical = pattern && isTilted(pattern) ? 0 : (antenna.electrical_tilt_deg ?? 0);
  const mechanical = antenna.mechanical_tilt_deg ?? 0;
  return {
    /** Equivalent isotropically radiated power in the strongest direction, in dBm. */
    eirp: power_dbm + (antenna.gain_dbi ?? 0) - (antenna.feeder_loss_db ?? antennaDefaults.feederLoss),
    /**
     * The antenna as a radial sees it. An electrical tilt lowers the beam all around; a mechanical one lowers it in front and raises it behind.
     * @param azimuth degrees clockwise from north
     * @returns its attenuation in dB from 0, by degrees above the horizontal
     */
    towards(azimuth: number): (elevation: number) => number {
      const across = azimuth - (azimuth_deg ?? 0);
      const tilt = electrical + mechanical * Math.cos((across * Math.PI) / 180);
      const aside = between(horizontal, across);
      return (elevation) => Math.min(max, aside + between(vertical, -elevation - tilt));
    },
  };
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
