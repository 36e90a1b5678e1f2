/** Where the registry's days begin and end. */
export const registryTimeZone = 'Pacific/Auckland';

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
export function windowEndSql(run: string): string {
  return `(${run} + ${releaseWindow})`;
}

/** SQL for an instant such that the windows of later runs, and only theirs, have not ended at another. @param instant SQL: a timestamptz */
export function windowsEndedSql(instant: string): string {
  return `(${instant} - ${releaseWindow})`;
}

/**
 * SQL for the last run of the release job that is not after an instant.
 * @param instant and @param time SQL: a timestamptz, and the time of day (HH:MM:SS) in New Zealand
 */
export function lastRunSql(instant: string, time: string): string {
  const local = `(${instant} at time zone '${registryTimeZone}')`;
  return `((date_trunc('day', ${local} - ${time}::interval) + ${time}::interval) at time zone '${registryTimeZone}')`;
}

/** SQL for the first run of the release job that is after an instant: one at the instant itself does not count. */
export function nextRunSql(instant: string, time: string): string {
  const local = `(${instant} at time zone '${registryTimeZone}')`;
  return `((date_trunc('day', ${local} - ${time}::interval) + interval '1 day' + ${time}::interval) at time zone '${registryTimeZone}')`;
}

/**
 * SQL for `YYYY-MM-DD HH:MM:SS+HH:MM` in New Zealand, with the offset of that very instant. The offset has been ahead
 * of UTC ever since there is one, so its sign is not looked for.
 */
export function timeTextSql(instant: string): string {
  const local = `(${instant} at time zone '${registryTimeZone}')`;
  const offset = `(${local} - (${instant} at time zone 'UTC'))`;
  return `to_char(${local}, 'YYYY-MM-DD HH24:MI:SS') || to_char(${offset}, '"+"HH24:MI')`;
}
