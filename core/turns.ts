import type { Queryable } from './database/database.ts';
import type { WorkKind } from './work.ts';

/** Something that waits to be worked on. */
export interface Waiting {
  id: string;
  /** Whose it is: the provider or the customer, with whom others take turns. */
  owner: string;
}

/** How many of what waits one look gives: more than there are workers that could hold them. */
const maxLook = 100;

/**
 * What waits, in the order in which it is to be done: the oldest of each owner, the owner first who was served longest
 * ago; then the second oldest of each, and so on. So one owner's fifty do not hold up another's one. What failed and is
 * to be tried later is not among it.
 * @param waiting a query of `id` (text), `owner` (text) and `since`
 * @param id only whether this one waits
 */
export async function inTurn(
  db: Queryable,
  kind: WorkKind,
  waiting: string,
  id?: string,
): Promise<Waiting[]> {
  const { rows } = await db.query<Waiting>(
    `select w.id, w.owner
     from (${waiting}) as w
     left join work on work.kind = $1 and work.id = w.id
     left join work_turn t on t.kind = $1 and t.owner = w.owner
     where (work.retry_at is null or work.retry_at <= clock_timestamp()) and ($2::text is null or w.id = $2)
     order by row_number() over (partition by w.owner order by w.since, w.id), t.served_at nulls first, w.since, w.id
     limit ${maxLook}`,
    [kind, id ?? null],
  );
  return rows;
}

/** All that waits, oldest first. */
export async function allWaiting(db: Queryable, waiting: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select w.id from (${waiting}) as w order by w.since, w.id`,
  );
  return rows.map(({ id }) => id);
}

/** Notes that an owner has a turn now. */
export async function noteTurn(db: Queryable, kind: WorkKind, owner: string): Promise<void> {
  await db.query(
    `insert into work_turn (kind, owner, served_at) values ($1, $2, clock_timestamp())
     on conflict (kind, owner) do update set served_at = excluded.served_at`,
    [kind, owner],
  );
}
