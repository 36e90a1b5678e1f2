import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { TokenOwner } from '../../access/tokens.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { CodedMessage } from '../../platform/schemas.ts';
import type { ProviderDescription, ProviderProfile } from './profile.ts';

/** The `url` in answers of a provider without an address, published before one was required. RFC 2606: it leads nowhere. */
export const noAddress = 'https://no-address.invalid/';

/** The id of a provider by its name (ignoring case), created as described unless it exists. Locks its row until the transaction ends. */
export async function findOrCreateProvider(
  db: Queryable,
  { name, url, wholesale_network, description, area_served }: ProviderDescription,
): Promise<number> {
  const { rows: created } = await db.query<{ id: number }>(sql`
    insert into provider (name, url, wholesale_network, description, area_served)
    values (${name}, coalesce(${url}, ''), coalesce(${wholesale_network}, 'No'), coalesce(${description}, ''),
      coalesce(${area_served}::text[], '{}'))
    on conflict (lower(name)) do nothing
    returning id`);
  if (created[0]) return created[0].id;
  const { rows } = await db.query<{ id: number }>(sql`
    select id from provider where lower(name) = lower(${name}) for no key update`);
  if (!rows[0]) throw new Error(`provider ${name} was neither inserted nor found`);
  return rows[0].id;
}

/** The owner of an operator's token, whose provider is created where the name is new. */
export const operatorOf = (name: string, url?: string): TokenOwner => ({
  role: 'operator',
  provider: (db) => findOrCreateProvider(db, { name, url }),
});

/** The id of a provider by its name, ignoring case. */
export async function providerNamed(db: Queryable, name: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(sql`
    select id from provider where lower(name) = lower(${name})`);
  return rows[0]?.id;
}

/** The current name of a provider. Locks its row until the transaction ends. */
export async function holdProvider(db: Queryable, id: number): Promise<string> {
  const { rows } = await db.query<{ name: string }>(sql`
    select name from provider where id = ${id} for no key update`);
  if (!rows[0]) throw new Error(`there is no provider ${id}`);
  return rows[0].name;
}

/** @throws CovermapError `provider_url_missing` where a manifest names a new provider without an address */
export async function requireAddressOfNew(db: Queryable, { name, url }: ProviderDescription): Promise<void> {
  if (url !== undefined) return;
  const { rows } = await db.query(sql`select from provider where lower(name) = lower(${name})`);
  if (rows.length > 0) return;
  throw new CovermapError(
    'provider_url_missing',
    `${name} is a new provider and has no web address yet.`,
    'If the provider exists already, check its name. For a new one, give its address as "url" of the manifest’s provider, or with --url.',
  );
}

/**
 * Copies the provider's description in the manifest of a submission into the profile, unless the profile was saved by form or API, or
 * the submission is an earlier one made again. Call it while publishing, with the provider's row locked.
 */
export async function applyManifestProfile(db: Queryable, submissionId: string): Promise<void> {
  await db.query(sql`
    update provider p set
      url = coalesce(nullif(given ->> 'url', ''), p.url),
      wholesale_network = coalesce(given ->> 'wholesale_network', p.wholesale_network),
      description = coalesce(given ->> 'description', p.description),
      area_served = coalesce(
        (select array_agg(area) from jsonb_array_elements_text(given -> 'area_served') as area),
        case when given ? 'area_served' then '{}' else p.area_served end)
    from submission s cross join lateral (select s.manifest -> 'provider' as given) as manifest
    where s.id::text = ${submissionId} and p.id = s.provider_id and p.profile_saved_at is null and s.remakes is null
      and given ?| array['url', 'wholesale_network', 'description', 'area_served']`);
}

/** The profile of a submission's provider, compared with its manifest. */
export interface ProfileOfSubmission {
  name: string;
  hasAddress: boolean;
  /** Fields in which the manifest differs from a saved profile, which stays unchanged. */
  differs: string[];
}

/** SQL: true where the provider of `submission s join provider p` has an address once it is published. */
export const hasAddress = sql`(p.url <> '' or coalesce(s.manifest -> 'provider' ->> 'url', '') <> '')`;

/** SQL: a {@link ProfileOfSubmission} of `submission s join provider p`. */
export const profileOfSubmission = sql`
  json_build_object(
    'name', p.name,
    'hasAddress', ${hasAddress},
    'differs', case when p.profile_saved_at is null or jsonb_typeof(s.manifest -> 'provider') <> 'object' then '[]'::json
      else (
        select coalesce(json_agg(given.key order by given.key), '[]')
        from jsonb_each(s.manifest -> 'provider') as given (key, value)
        join jsonb_each(jsonb_build_object('url', p.url, 'wholesale_network', p.wholesale_network,
          'description', p.description, 'area_served', p.area_served)) as saved (key, value) using (key)
        where given.value <> saved.value)
    end)`;

/** The message that holds a submission back until its provider has an address. */
export function addressMissing({ name, hasAddress }: ProfileOfSubmission): CodedMessage[] {
  if (hasAddress) return [];
  const message = `${name} has no web address, so answers would show none. It is published once the profile has one.`;
  return [{ code: 'provider_url_missing', message }];
}

const fieldLabels: Record<string, string> = {
  url: 'web address',
  wholesale_network: 'wholesale network',
  description: 'description',
  area_served: 'areas served',
};

/** The warning that the manifest differs from the saved profile. */
export function profileKept({ differs }: ProfileOfSubmission): CodedMessage[] {
  if (differs.length === 0) return [];
  const fields = differs.map((field) => fieldLabels[field] ?? field).join(', ');
  const message = `The manifest differs from the saved profile (${fields}). The profile stays as it is.`;
  return [{ code: 'provider_profile_kept', message }];
}

/** The provider's row has to be locked. @throws CovermapError `provider_url_missing` where it has no address */
export async function requireAddress(db: Queryable, submissionId: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>(sql`
    select p.name from submission s join provider p on p.id = s.provider_id
    where s.id::text = ${submissionId} and p.url = ''`);
  if (!rows[0]) return;
  throw new CovermapError(
    'provider_url_missing',
    `${rows[0].name} has no web address, which every answer shows.`,
    'Save the address in the profile, on the operator page or with PUT /api/operator/providers/<id>. Then publish.',
  );
}

export interface Provider extends ProviderProfile {
  id: number;
  name: string;
  revision: number;
  /** The time of the last save by form or API; null: manifests still change the profile. */
  profile_saved_at: Date | null;
}

/** Providers by name. @param id null: all */
export async function listProviders(db: Queryable, id: number | null): Promise<Provider[]> {
  const { rows } = await db.query<Provider>(sql`
    select id, name, url, wholesale_network, description, area_served, revision, profile_saved_at
    from provider where ${id}::integer is null or id = ${id}
    order by lower(name)`);
  return rows;
}

/**
 * Saves a provider's profile, which manifests no longer change. @param seen the revision that was edited; undefined: any
 * @param name another name, which only staff give @throws CovermapError `provider_changed`, `provider_exists`
 */
export function saveProfile(
  database: Database,
  id: number,
  { name, url, wholesale_network, description, area_served }: ProviderProfile & { name?: string | undefined },
  seen: number | undefined,
  actor: Actor,
): Promise<Provider> {
  return database.transaction(async (connection) => {
    await connection.query(sql`select from provider where id = ${id} for update`);
    const [before] = await listProviders(connection, id);
    if (!before) throw new Error(`there is no provider ${id}`);
    if (seen !== undefined && before.revision !== seen) throw new CovermapError('provider_changed');
    const { rowCount } = await connection.query(sql`
      select from provider where lower(name) = lower(${name}) and id <> ${id}`);
    if (rowCount > 0) throw new CovermapError('provider_exists', `There is another provider called ${name}.`);
    await connection.query(sql`
      update provider set name = coalesce(${name}, name), url = ${url}, wholesale_network = ${wholesale_network},
        description = ${description}, area_served = ${area_served}::text[], profile_saved_at = clock_timestamp()
      where id = ${id}`);
    const [after] = (await listProviders(connection, id)) as [Provider];
    const fields = ['name', 'url', 'wholesale_network', 'description', 'area_served'] as const;
    const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
    const changes = changed.map((field) => [field, { from: before[field], to: after[field] }]);
    const details = Object.fromEntries(changes);
    await record(connection, actor, { action: 'provider_changed', providerId: id, details });
    return after;
  });
}

/** Ids of a provider's submissions to publish automatically now that it has an address. */
export async function automaticPublications(db: Queryable, providerId: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select id from submission
    where provider_id = ${providerId} and state = 'ready' and manifest ->> 'publish' = 'auto' and blocking is null`);
  return rows.map(({ id }) => id);
}
