import { enqueue } from '../mail/outbox.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

/** What an operator is told of a submission, each once. */
type Told = 'review' | 'published' | 'failed';

/**
 * Queues the e-mail on what became of a submission, in the transaction of what happened. Of what the service made again by itself nobody is told.
 * @param reasons sentences: why it waits, or failed
 */
export async function tellOfSubmission(
  db: Queryable,
  submissionId: string,
  told: Told,
  reasons: readonly string[] = [],
): Promise<void> {
  const { rows } = await db.query<{ provider_id: number; file_name: string }>(sql`
    select provider_id, file_name from submission where id::text = ${submissionId} and remakes is null`);
  const submission = rows[0];
  if (!submission) return;
  const template = `submission_${told}` as const;
  await enqueue(
    db,
    {
      account: { kind: 'operator', id: submission.provider_id },
      event: `${template}:${submissionId}`,
      template,
      data: {
        file: submission.file_name,
        reasons: [...reasons],
        link: `/operator#/submission/${submissionId}`,
      },
    },
    new Date(),
  );
}
