export const availabilities = ['available', 'underway', 'planned'] as const;
export type Availability = (typeof availabilities)[number];
