export const availabilities = ['available', 'underway', 'planned'] as const;
export type Availability = (typeof availabilities)[number];

/** What a column of a file may say of an offer. */
export const attributeSubjects = ['technology', 'availability', 'planned_date', 'speeds'] as const;
