import type { SpeedField } from '../../coverage/speeds.ts';
import type { speedProfileNames } from '../../coverage/submissions/modelling-parameters.ts';

/** The offer from a received power on. */
export interface SpeedClass {
  dbm: number;
  speeds: Record<SpeedField, number>;
}

/** Speeds by power, the strongest first, and the assumed receiver. */
export interface SpeedProfile {
  receiverHeight: number;
  receiverGain: number;
  classes: readonly SpeedClass[];
}

const speedClass = (dbm: number, down: number, minDown: number, up: number, minUp: number): SpeedClass => ({
  dbm,
  speeds: {
    bandwidth_min_mbps: minDown,
    bandwidth_max_mbps: down,
    bandwidth_up_min_mbps: minUp,
    bandwidth_up_max_mbps: up,
  },
});

/** By name. Powers are at the receiver's connector, over the whole channel. */
export const speedProfiles: Record<(typeof speedProfileNames)[number], SpeedProfile> = {
  'fixed-wireless': {
    receiverHeight: 5,
    receiverGain: 10,
    classes: [
      speedClass(-65, 150, 50, 30, 10),
      speedClass(-75, 100, 30, 20, 5),
      speedClass(-85, 50, 10, 10, 2),
      speedClass(-95, 20, 5, 5, 1),
    ],
  },
  'point-to-multipoint': {
    receiverHeight: 5,
    receiverGain: 23,
    classes: [
      speedClass(-60, 100, 50, 50, 25),
      speedClass(-68, 50, 25, 25, 10),
      speedClass(-76, 30, 10, 10, 5),
      speedClass(-84, 10, 5, 5, 2),
    ],
  },
};
