import type { Queryable } from '../database/database.ts';
import type { ProviderDescription } from './manifest.ts';

/**
 * The provider of that name (case aside), created where there is none. What the description says beyond the name
 * replaces what was known; what it leaves out stays.
 * @returns the provider's id
 */
export async function describeProvider(db: Queryable, description: ProviderDescription): Promise<number> {
  const {
    name,
    url,
    wholesale_network,
    description: about,
    area_served,
  } = {
    url: undefined,
    wholesale_network: undefined,
    description: undefined,
    area_served: undefined,
    ...description,
  };
  // The update changes nothing where only the name is given, so it does not renew the catalog; it makes the row of an
  // existing provider come back, also where another process inserts it at this moment.
  const { rows } = await db.query<{ id: number }>(
    `insert into provider as p (name, url, wholesale_network, description, area_served)
     values ($1, coalesce($2, ''), coalesce($3, 'No'), coalesce($4, ''), coalesce($5::text[], '{}'))
     on conflict (lower(name)) do update set
       url = coalesce($2, p.url),
       wholesale_network = coalesce($3, p.wholesale_network),
       description = coalesce($4, p.description),
       area_served = coalesce($5::text[], p.area_served)
     returning id`,
    [name, url ?? null, wholesale_network ?? null, about ?? null, area_served ?? null],
  );
  const row = rows[0];
  if (!row) throw new Error(`provider ${name} was neither inserted nor found`);
  return row.id;
}

/** What is known of providers, by name: of one, or of all. */
export async function listProviders(
  db: Queryable,
  id: number | null,
): Promise<(Required<ProviderDescription> & { id: number })[]> {
  const { rows } = await db.query<Required<ProviderDescription> & { id: number }>(
    `select id, name, url, wholesale_network, description, area_served
     from provider where $1::integer is null or id = $1
     order by lower(name)`,
    [id],
  );
  return rows;
}
