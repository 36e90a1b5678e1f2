/** The speeds of a provider's offer, as the coverage API names them. All are in Mbps. */
export const speedFields = [
  'bandwidth_min_mbps',
  'bandwidth_max_mbps',
  'bandwidth_up_min_mbps',
  'bandwidth_up_max_mbps',
] as const;
export type SpeedField = (typeof speedFields)[number];

/** What an attribute of a file may count speeds in. */
export const speedUnits = ['kbps', 'mbps', 'gbps'] as const;
export type SpeedUnit = (typeof speedUnits)[number];

/** Faster than this is a mistake. */
export const greatestSpeedMbps = 1_000_000;
