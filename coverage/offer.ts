export const availabilities = ['available', 'underway', 'planned'] as const;
export type Availability = (typeof availabilities)[number];

/** The parts of an offer that a column of a file may hold. */
export const attributeSubjects = ['technology', 'availability', 'planned_date', 'speeds'] as const;

/** The max tiers of a dataset, as every process keeps all published tiers in memory. The database has the same limit. */
export const maxTiers = 500;
