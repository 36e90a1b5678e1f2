/**
 * How long the maintenance window is in which the release job runs. The specification gives its end, 00:00:34, and the
 * job runs at midnight unless configured otherwise. It begins when the run was to be, however late the run itself is.
 */
const releaseWindow = `interval '34 seconds'`;

/**
 * Names whose release is at most this far ahead are on the droplist: the "about two days" of the specification, in
 * hours, as days differ in length.
 */
export const droplistHours = 48;

/** SQL for the end of a run's window. @param run SQL: a timestamptz, when the run was to be */
export const windowEndSql = (run: string): string => `(${run} + ${releaseWindow})`;

/** SQL for an instant such that the windows of later runs, and only theirs, have not ended at another. @param instant SQL: a timestamptz */
export const windowsEndedSql = (instant: string): string => `(${instant} - ${releaseWindow})`;
