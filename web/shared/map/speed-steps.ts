/** Speeds are shown in classes: those from the first to below the second of these Mbps, and so on. The tiles have the same. */
export const speedSteps = [0, 30, 100, 300, 1000] as const;
