import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { WriteGauge } from '../platform/metrics/service.ts';

/** Files of counts that could not be read, for `GET /metrics`. */
export async function usageGauges(db: Queryable): Promise<(gauge: WriteGauge) => void> {
  const { rows } = await db.query<{ damaged: number }>(sql`select count(*) as damaged from usage_damage`);
  return (gauge) =>
    gauge('usage_damaged_files', 'Files of counted queries that cannot be read and are not billed.', [
      [rows[0]?.damaged],
    ]);
}
