import type { Queryable } from './database/database.ts';
import { raw, sql } from './database/sql.ts';
import type { WorkKind } from './work.ts';

/** Work that waits. */
export interface Waiting {
  id: string;
  /** The provider or customer, with whom others take turns. */
  owner: string;
}

/** More than the workers that could hold them. */
const maxWaiting = 100;

/**
 * Waiting work in the order in which to do it: the oldest of each owner, beginning with the owner served longest ago; then
 * the second oldest of each, and so on. Work that was found to be slow comes behind its owner's others and behind everybody else's
 * next. Work to be retried later is left out.
 * @param waiting a query of `id` (text), `owner` (text) and `since`
 * @param id only this one
 * @param quick only what may be quick: not what was found to be slow, and nothing of an owner of whom something is being done
 */
export async function inTurn(
  db: Queryable,
  kind: WorkKind,
  waiting: string,
  { id, quick = false }: { id?: string; quick?: boolean } = {},
) {
  const { rows } = await db.query<Waiting>(sql`
    with w as materialized (
      select waiting.id, owner, since, retry_at, coalesce(slow, false) as slow, coalesce(cardinality(processes), 0) > 0 as begun
      from (${raw(waiting)}) as waiting left join work on work.kind = ${kind} and work.id = waiting.id
    )
    select w.id, w.owner
    from w left join work_turn t on t.kind = ${kind} and t.owner = w.owner
    where (retry_at is null or retry_at <= clock_timestamp()) and (${id}::text is null or w.id = ${id})
      and (not ${quick} or not slow and w.owner not in (select owner from w where begun))
    order by row_number() over (partition by w.owner order by slow, since, w.id), slow, t.served_at nulls first, since, w.id
    limit ${maxWaiting}`);
  return rows;
}

/** All waiting work, oldest first. */
export async function allWaiting(db: Queryable, waiting: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select w.id from (${waiting}) as w order by w.since, w.id`,
  );
  return rows.map(({ id }) => id);
}

/** Records that an owner has its turn now. */
export async function recordTurn(db: Queryable, kind: WorkKind, owner: string): Promise<void> {
  await db.query(sql`
    insert into work_turn (kind, owner, served_at) values (${kind}, ${owner}, clock_timestamp())
    on conflict (kind, owner) do update set served_at = excluded.served_at`);
}
