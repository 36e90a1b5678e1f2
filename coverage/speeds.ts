/** The speeds of an offer, in Mbps. */
export const speedFields = [
  'bandwidth_min_mbps',
  'bandwidth_max_mbps',
  'bandwidth_up_min_mbps',
  'bandwidth_up_max_mbps',
] as const;
export type SpeedField = (typeof speedFields)[number];

/** An object with a value for each of the four speeds. */
export const eachSpeed = <T>(of: (field: SpeedField) => T): Record<SpeedField, T> =>
  Object.fromEntries(speedFields.map((field) => [field, of(field)])) as Record<SpeedField, T>;

/** The lower and the upper speed of each direction. */
export const speedRanges = [
  ['bandwidth_min_mbps', 'bandwidth_max_mbps'],
  ['bandwidth_up_min_mbps', 'bandwidth_up_max_mbps'],
] as const;

/** Units that an attribute of a file may have. */
export const speedUnits = ['kbps', 'mbps', 'gbps'] as const;
export type SpeedUnit = (typeof speedUnits)[number];

/** A higher speed is a mistake. */
export const maxSpeedMbps = 1_000_000;
