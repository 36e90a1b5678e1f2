import type { Config } from '../../platform/config.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { isUnfinished } from '../submission-states.ts';

/** Limits of one provider: open uploads, submissions that a worker has not finished, and bytes of all its files, stored or announced. */
export type ProviderQuotas = Config['providerQuotas'];

/**
 * Refuses an upload that would exceed the quotas, in the transaction that records it: a second one at once waits for the owner's row.
 * @param owner operators count by provider, staff by token @param bytes announced; an upload of unknown size counts as the largest file
 * @throws CovermapError `uploads_too_many`, `submissions_too_many`, `storage_quota_exceeded`
 */
export async function requireRoomForUpload(
  connection: Queryable,
  owner: { providerId: number | null; tokenId: number },
  { bytes, isDescribed }: { bytes: number; isDescribed: boolean },
  quotas: ProviderQuotas,
): Promise<void> {
  const [row, ofOwner] =
    owner.providerId === null
      ? [sql`access_token where id = ${owner.tokenId}`, sql`t.id = ${owner.tokenId}`]
      : [sql`provider where id = ${owner.providerId}`, sql`t.provider_id = ${owner.providerId}`];
  await connection.query(sql`select from ${row} for no key update`);
  const { rows } = await connection.query<{ open: number; described: number }>(sql`
    select count(*)::integer as open, (count(*) filter (where u.manifest is not null))::integer as described
    from upload u join access_token t on t.id = u.token_id
    where u.submission_id is null and ${ofOwner}`);
  const { open, described } = rows[0] as { open: number; described: number };
  if (open >= quotas.openUploads) throw uploadsTooMany(quotas.openUploads);
  if (owner.providerId === null) return;
  const more = { bytes, submissions: isDescribed ? described + 1 : 0 };
  await requireRoomFor(connection, owner.providerId, more, quotas);
}

/** @throws CovermapError `submissions_too_many`, `storage_quota_exceeded` where they would exceed a provider's quotas */
export async function requireRoomFor(
  db: Queryable,
  providerId: number,
  more: { bytes: number; submissions: number },
  quotas: ProviderQuotas,
): Promise<void> {
  const { rows } = await db.query<{ waiting: number; bytes: number }>(sql`
    select
    (select count(*) from submission
     where provider_id = ${providerId} and ${isUnfinished} and remakes is null
       and (kind = 'coverage' or towers_read_at is null))::integer as waiting,
    (-- A file that was submitted again is stored once.
      (select coalesce(sum(size_bytes), 0)
       from (select distinct on (storage_key) size_bytes from submission where provider_id = ${providerId}) as kept)
      + (select coalesce(sum(p.size_bytes), 0) from prediction p join submission s on s.id = p.submission_id
         where s.provider_id = ${providerId})
      + (select coalesce(sum(u.size_bytes), 0) from upload u join access_token t on t.id = u.token_id
         where t.provider_id = ${providerId} and u.submission_id is null
           and not exists (select from submission s where s.storage_key = u.storage_key)))::bigint as bytes`);
  const { waiting, bytes } = rows[0] as { waiting: number; bytes: number };
  const { waitingSubmissions, storedBytes } = quotas;
  if (more.submissions > 0 && waiting + more.submissions > waitingSubmissions) {
    const message = `You have ${waitingSubmissions} submissions waiting to be processed.`;
    throw new CovermapError('submissions_too_many', message);
  }
  if (bytes + more.bytes > storedBytes) {
    const message = `With this file, your files would exceed your quota of ${Math.round(storedBytes / 1024 / 1024)} MB.`;
    throw new CovermapError('storage_quota_exceeded', message);
  }
}

export function uploadsTooMany(max: number): CovermapError {
  return new CovermapError('uploads_too_many', `You have ${max} uploads that are not submitted yet.`);
}
