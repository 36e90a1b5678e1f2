import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';

/*
 * A dataset is a version of a provider's coverage with a technology in a scope. One version of each is published at a time;
 * a provider's coverage with a technology is the union of its scopes. Scopes ignore case.
 */

/** The max published scopes of a provider's technology. The database has the same limit. */
export const maxScopes = 50;

/** The `scope_key` of a dataset: equal for scopes that differ in case alone, in every database. */
export function scopeKey(scope: string): string {
  return scope.normalize('NFC').toLowerCase().normalize('NFC');
}

/** SQL: joins to a dataset `d` the `published` dataset of the same coverage, perhaps `d` itself. */
export const joinPublished = sql`left join dataset published on published.provider_id = d.provider_id
  and published.technology_id = d.technology_id and published.scope_key = d.scope_key and published.state = 'published'`;

/** SQL: the ids of the datasets that are published in the other scopes of a dataset `d`, in order. */
export const publishedBeside = sql`array(
  select o.id from dataset o
  where o.provider_id = d.provider_id and o.technology_id = d.technology_id and o.scope_key <> d.scope_key
    and o.state = 'published'
  order by o.id)`;

/** SQL: true where a dataset `d`, joined with `published`, was compared with everything that is published now. */
export const isCompared = sql`(d.compared_at is not null and d.compared_with is not distinct from published.id
  and (published.id is null or d.compared_beside = ${publishedBeside}))`;

/** Refuses a scope beyond {@link maxScopes}, with those being restored. The provider's row has to be locked. @throws CovermapError `scopes_too_many` */
export async function requireRoomForScope(connection: Queryable, datasetId: number): Promise<void> {
  const { rows } = await connection.query<{ others: number }>(sql`
    select count(distinct o.scope_key)::integer as others
    from dataset d join dataset o on o.provider_id = d.provider_id and o.technology_id = d.technology_id
      and o.scope_key <> d.scope_key and o.state in ('published', 'restoring')
    where d.id = ${datasetId}`);
  if ((rows[0]?.others ?? 0) < maxScopes) return;
  throw new CovermapError('scopes_too_many', `${maxScopes} scopes of this technology are published already.`);
}

/** A technology and a scope as messages name them. */
export function coverageName({ technology, scope }: { technology: string; scope: string }): string {
  return scope === '' ? technology : `${technology} (${scope})`;
}
