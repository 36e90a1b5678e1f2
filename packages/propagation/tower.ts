/** One antenna of a list of towers. */
export interface Tower {
  name: string | undefined;
  lat: number;
  lng: number;
  /** The antenna's height above the ground. */
  height_m: number;
  /** Clockwise from north; undefined: all round. */
  azimuth_deg: number | undefined;
  beam_width_deg: number;
  power_dbm: number;
  frequency_mhz: number;
  /** The offer, which does not affect the signal. */
  speeds?: object;
  /** Details of the antenna, if the file has any. */
  antenna?: TowerAntenna | undefined;
}

export interface TowerAntenna {
  /** If given, the power is the transmitter's, else the radiated one. */
  gain_dbi?: number | undefined;
  electrical_tilt_deg?: number | undefined;
  mechanical_tilt_deg?: number | undefined;
  vertical_beam_width_deg?: number | undefined;
  front_to_back_db?: number | undefined;
  feeder_loss_db?: number | undefined;
  vertical?: boolean | undefined;
  pattern?: string | undefined;
}
