import type { Queryable } from '../../platform/database/database.ts';
import { nzTimeSql } from '../../platform/database/nz-time.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { waitsForPrediction } from './predictions.ts';

/** Towers without coverage, and ready submissions that somebody has to look at, with the days of the oldest. By the index of unfinished ones. */
export async function waitingForStaff(db: Queryable) {
  const isReviewed = sql`(s.state = 'ready' and (s.blocking is not null or s.manifest ->> 'publish' = 'review'))`;
  const day = sql`min(${raw(nzTimeSql('s.received_at'))}::date)`;
  type Waiting = Record<'towers' | 'reviews', number> &
    Record<'towers_oldest' | 'reviews_oldest', string | null>;
  const { rows } = await db.query<Waiting>(sql`
    select count(*) filter (where ${waitsForPrediction})::integer as towers, ${day} filter (where ${waitsForPrediction}) as towers_oldest,
      count(*) filter (where ${isReviewed})::integer as reviews, ${day} filter (where ${isReviewed}) as reviews_oldest
    from submission s where s.state in ('received', 'reading', 'loading', 'checking', 'ready')`);
  return rows[0] as Waiting;
}
