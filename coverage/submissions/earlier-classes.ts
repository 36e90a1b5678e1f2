import type { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { pixelClass } from './manifest.ts';

/** The newest pixel classes, of colours and of values, submitted by a token's provider; none for staff. */
export async function earlierClasses(db: Queryable, tokenId: number) {
  const { rows } = await db.query<{ file_name: string; classes: z.input<typeof pixelClass>[] }>(sql`
    select file_name, classes
    from (
      select distinct on (of_colours) s.file_name, s.received_at, s.manifest -> 'classes' as classes,
        s.manifest #> '{classes,0,colour}' is not null as of_colours
      from submission s join access_token t on t.provider_id = s.provider_id
      where t.id = ${tokenId} and s.state <> 'failed' and s.manifest -> 'classes' is not null
      order by of_colours, s.received_at desc
    ) as newest
    order by received_at desc`);
  return rows;
}
