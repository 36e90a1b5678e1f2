import { type Found, holds, maxFound, type Sought, searchedRows } from '../../billing/search.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';

/** Submissions by the name of their file, of the newest ones that are searched. */
export async function searchFiles(db: Queryable, sought: Sought): Promise<Found[]> {
  const { rows } = await db.query<Found>(sql`
    select 'file' as kind, s.id::text, s.file_name as title, p.name as note, null::bigint as amount_cents
    from (select id, file_name, provider_id, received_at from submission order by received_at desc ${raw(`limit ${searchedRows}`)}) as s
    join provider p on p.id = s.provider_id
    where ${holds('s.file_name', sought)} order by s.received_at desc ${raw(`limit ${maxFound}`)}`);
  return rows;
}
