import type { Queryable } from '../database/database.ts';

/** Of the commercial terms: cost recovery for working coverage out, without GST. */
export const firstFeeCents = 100_000;
export const laterFeeCents = 25_000;

/**
 * Notes what is owed for a submission that the service worked out and that is now published: once a submission, however
 * often it is published. Call it in the transaction of the publication, which has the provider's row locked: of two
 * submissions at once, one is the first.
 */
export async function accrueProcessingFee(db: Queryable, submissionId: string): Promise<void> {
  await db.query(
    `insert into processing_fee (provider_id, submission_id, kind, amount_cents)
     select s.provider_id, s.id, fee.kind, fee.amount_cents
     from submission s
     cross join lateral (
       select case when known then 'later' else 'first' end as kind, case when known then $3::integer else $2::integer end as amount_cents
       from (select exists (select from processing_fee where provider_id = s.provider_id) as known) as earlier
     ) as fee
     where s.id = $1 and s.processed_by = 'service'
     on conflict (submission_id) do nothing`,
    [submissionId, firstFeeCents, laterFeeCents],
  );
}
