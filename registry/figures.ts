import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { WriteGauge } from '../platform/metrics/service.ts';

/** The last release of names, for `GET /metrics`. */
export async function registryGauges(db: Queryable): Promise<(gauge: WriteGauge) => void> {
  const { rows } = await db.query<{ releasedAt: number | null }>(
    sql`select extract(epoch from max(ran_at))::float8 as "releasedAt" from release_run`,
  );
  return (gauge) =>
    gauge('last_release_timestamp_seconds', 'When names were released last.', [[rows[0]?.releasedAt]]);
}
