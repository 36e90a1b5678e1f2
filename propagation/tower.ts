/** One antenna of a list of towers. */
export interface Tower {
  name: string | undefined;
  lat: number;
  lng: number;
  /** Of the antenna above the ground. */
  height_m: number;
  /** Clockwise from north; undefined: all round. */
  azimuth_deg: number | undefined;
  beam_width_deg: number;
  power_dbm: number;
  frequency_mhz: number;
  /** What is offered, which changes no signal. */
  speeds?: object;
  /** What a planner knows beyond it, where the file says any of it. */
  antenna?: TowerAntenna | undefined;
}

/** Each is undefined where the file does not say. */
export interface TowerAntenna {
  /** With it, the power is that of the transmitter, and not the one that is radiated. */
  gain_dbi?: number | undefined;
  electrical_tilt_deg?: number | undefined;
  mechanical_tilt_deg?: number | undefined;
  vertical_beam_width_deg?: number | undefined;
  front_to_back_db?: number | undefined;
  feeder_loss_db?: number | undefined;
  vertical?: boolean | undefined;
  pattern?: string | undefined;
}
