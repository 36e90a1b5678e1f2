import { type Day, nzTimeZone } from '../nz-time.ts';
import { raw, type Sql, sql } from './sql.ts';

/** SQL for the time in New Zealand, a timestamp without zone. @param instant SQL: a timestamptz */
export const nzTimeSql = (instant: string): string => `(${instant} at time zone '${nzTimeZone}')`;

/** SQL for the first instant after a date. */
export const endOfDaySql = (day: Day): Sql =>
  sql`((${day}::date + 1)::timestamp at time zone '${raw(nzTimeZone)}')`;

/** SQL for the last time until an instant at which a daily job is due. @param time SQL: HH:MM:SS in New Zealand */
export const lastRunSql = (instant: string, time: string): string => runSql(instant, time, '');

/** SQL for the first time after an instant at which a daily job is due. */
export const nextRunSql = (instant: string, time: string) => runSql(instant, time, ` + interval '1 day'`);

function runSql(instant: string, time: string, later: string): string {
  const midnight = `date_trunc('day', ${nzTimeSql(instant)} - ${time}::interval)`;
  return `((${midnight}${later} + ${time}::interval) at time zone '${nzTimeZone}')`;
}

/** SQL for `YYYY-MM-DD HH:MM:SS+HH:MM` in New Zealand, which has always been ahead of UTC. */
export function timeTextSql(instant: string): string {
  const offset = `(${nzTimeSql(instant)} - (${instant} at time zone 'UTC'))`;
  return `to_char(${nzTimeSql(instant)}, 'YYYY-MM-DD HH24:MI:SS') || to_char(${offset}, '"+"HH24:MI')`;
}
