import { type SpeedField, speedFields } from '../speeds.ts';

/** Columns of tower data, by the names of the documentation, in the order of the template. */
const towerColumns = [
  ...['name', 'lat', 'lng', 'height_m', 'azimuth_deg', 'beam_width_deg', 'power_dbm', 'frequency_mhz'],
  ...['gain_dbi', 'feeder_loss_db', 'electrical_tilt_deg', 'mechanical_tilt_deg', 'vertical_beam_width_deg'],
  ...['front_to_back_db', 'polarisation', 'pattern'],
] as const;
export type TowerColumn = (typeof towerColumns)[number];

/** The columns and the speeds, named as those of coverage. */
export const towerFields: readonly (TowerColumn | SpeedField)[] = [...towerColumns, ...speedFields];

type TemplateRow = Record<TowerColumn | SpeedField, string | number>;

const sector: TemplateRow = {
  ...{ name: 'Grampians north', lat: -41.2871, lng: 173.2853 },
  ...{ height_m: 25, azimuth_deg: 340, beam_width_deg: 65, power_dbm: 43, frequency_mhz: 3550 },
  ...{ gain_dbi: 17, feeder_loss_db: 0.5, electrical_tilt_deg: 4, mechanical_tilt_deg: 2 },
  ...{ vertical_beam_width_deg: 7, front_to_back_db: 28, polarisation: 'vertical', pattern: '' },
  ...{ bandwidth_min_mbps: 20, bandwidth_max_mbps: 100, bandwidth_up_min_mbps: 5, bandwidth_up_max_mbps: 20 },
};

/** Examples in the template of tower data: two sectors of a mast. */
export const templateRows: readonly TemplateRow[] = [
  sector,
  { ...sector, name: 'Grampians south', azimuth_deg: 220, mechanical_tilt_deg: 0 },
];
