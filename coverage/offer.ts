export const availabilities = ['available', 'underway', 'planned'] as const;
export type Availability = (typeof availabilities)[number];

/** The parts of an offer that a column of a file may hold. */
export const attributeSubjects = ['technology', 'availability', 'planned_date', 'speeds'] as const;
