/** The lower limits of speed classes, in Mbps. The tiles have the same. */
export const speedSteps = [0, 30, 100, 300, 1000] as const;
