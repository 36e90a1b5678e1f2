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

/** SQL: true where the ground of a dataset `d`, joined with `published`, was compared with everything that is published now. */
export const isGroundCompared = sql`(d.compared_at is not null and d.compared_with is not distinct from published.id
  and (published.id is null or d.compared_beside = ${publishedBeside}))`;

/** SQL: true where its premises were, too, if the ground was: with the premises that there are now, or there are none. */
export const isPremisesCompared = sql`(exists (
  select from address_list l
  where l.premises_version = 0 or (d.premises_compared = l.premises_version and d.compared_beside = ${publishedBeside})))`;

/** SQL: true where a dataset `d`, joined with `published`, was compared with everything that is published now. */
export const isCompared = sql`(${isGroundCompared} and ${isPremisesCompared})`;

/** `none`: there are no premises, or they were not compared before it was published; `unknown`: the difference cannot be determined. */
export type PremisesState = 'none' | 'counting' | 'counted' | 'unknown';

/** SQL: the {@link PremisesState} of a dataset `d`, joined with `published`. */
export const premisesState = sql`(case
  when (select premises_version from address_list) = 0 then 'none'
  when d.state = 'ready' and not ${isCompared} then 'counting'
  when d.premises_change is not null then 'counted'
  when d.state = 'ready' then 'unknown'
  else 'none' end)`;

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
