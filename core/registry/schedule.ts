/** The maintenance window of release-domains, from when a run was to be. The specification gives its end, 00:00:34, for the run at midnight. */
const releaseWindow = `interval '34 seconds'`;

/** Names are on the droplist this long before their release: the specification's "about two days", in hours, as days differ in length. */
export const droplistHours = 48;

/** SQL for the end of a run's window. @param run SQL: a timestamptz, when the run was to be */
export const windowEndSql = (run: string): string => `(${run} + ${releaseWindow})`;

/** SQL for an instant such that the windows of later runs, and only theirs, have not ended at another. @param instant SQL: a timestamptz */
export const windowsEndedSql = (instant: string): string => `(${instant} - ${releaseWindow})`;
