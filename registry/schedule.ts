/** The maintenance window of release-domains, from the scheduled time of a run: docs/specification.md, "Registry: droplist and releases". */
const releaseWindow = `interval '34 seconds'`;

/** Names are on the droplist this long before their release: "two days", in hours, as days differ in length. */
export const droplistHours = 48;

/** SQL for the end of a run's window. @param run SQL: a timestamptz, the scheduled time */
export const windowEndSql = (run: string): string => `(${run} + ${releaseWindow})`;

/** SQL for a time: windows of runs scheduled after it have not ended by an instant, all others have. @param instant SQL: a timestamptz */
export const windowsEndedSql = (instant: string): string => `(${instant} - ${releaseWindow})`;
