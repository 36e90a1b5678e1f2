import type { Actor } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { CovermapError } from '../../errors.ts';
import type { Blocking } from '../datasets/blocking.ts';
import type { ProviderDescription, ProviderProfile } from '../submissions/manifest.ts';

/**
 * What answers have as the address of a provider that has none: their `url` is required, and this one leads nowhere by
 * its name (RFC 2606). Only for coverage that was published before an address was required.
 */
export const noAddress = 'https://no-address.invalid/';

/**
 * The provider of that name (case aside), created with what is said of it where there is none; one that exists stays as
 * it is. Its row is locked until the end of the transaction.
 * @returns the provider's id
 */
export async function findOrCreateProvider(
  db: Queryable,
  { name, url, wholesale_network, description, area_served }: ProviderDescription,
): Promise<number> {
  const { rows: created } = await db.query<{ id: number }>(
    `insert into provider (name, url, wholesale_network, description, area_served)
     values ($1, coalesce($2, ''), coalesce($3, 'No'), coalesce($4, ''), coalesce($5::text[], '{}'))
     on conflict (lower(name)) do nothing
     returning id`,
    [name, url ?? null, wholesale_network ?? null, description ?? null, area_served ?? null],
  );
  if (created[0]) return created[0].id;
  const { rows } = await db.query<{ id: number }>(
    'select id from provider where lower(name) = lower($1) for no key update',
    [name],
  );
  if (!rows[0]) throw new Error(`provider ${name} was neither inserted nor found`);
  return rows[0].id;
}

/** The name that a provider has now. Its row is locked until the end of the transaction. */
export async function holdProvider(db: Queryable, id: number): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    'select name from provider where id = $1 for no key update',
    [id],
  );
  if (!rows[0]) throw new Error(`there is no provider ${id}`);
  return rows[0].name;
}

/**
 * Refuses a manifest of staff or of a command that names a provider whom nobody knows, without an address for it.
 * @throws CovermapError `provider_url_missing`
 */
export async function requireAddressOfNew(db: Queryable, { name, url }: ProviderDescription): Promise<void> {
  if (url !== undefined) return;
  const { rows } = await db.query('select from provider where lower(name) = lower($1)', [name]);
  if (rows.length > 0) return;
  throw new CovermapError(
    'provider_url_missing',
    `${name} is a new provider, and has no web address yet.`,
    'Give its address, which every answer shows: "url" of the manifest’s provider, or --url. If the provider is known, check its name.',
  );
}

/**
 * Puts what a submission's manifest says of its provider into the profile, as the submission is published. A profile that
 * was saved by form or API stays as it is. The provider's row has to be locked.
 */
export async function applyManifestProfile(db: Queryable, submissionId: string): Promise<void> {
  await db.query(
    `update provider p set
       url = coalesce(nullif(said ->> 'url', ''), p.url),
       wholesale_network = coalesce(said ->> 'wholesale_network', p.wholesale_network),
       description = coalesce(said ->> 'description', p.description),
       area_served = coalesce(
         (select array_agg(area) from jsonb_array_elements_text(said -> 'area_served') as area),
         case when said ? 'area_served' then '{}' else p.area_served end)
     from submission s cross join lateral (select s.manifest -> 'provider' as said) as manifest
     where s.id::text = $1 and p.id = s.provider_id and p.profile_saved_at is null
       and said ?| array['url', 'wholesale_network', 'description', 'area_served']`,
    [submissionId],
  );
}

/** What a submission's page shows of its provider's profile. */
export interface ProfileOfSubmission {
  name: string;
  hasAddress: boolean;
  /** Fields in which its manifest differs from a profile that was saved, and so stays as it is. */
  differs: string[];
}

/** Whether answers have an address of `submission s join provider p`, once it is published. */
export const hasAddress = `(p.url <> '' or coalesce(s.manifest -> 'provider' ->> 'url', '') <> '')`;

/** A {@link ProfileOfSubmission}, of `submission s join provider p`. */
export const profileOfSubmission = `
  json_build_object(
    'name', p.name,
    'hasAddress', ${hasAddress},
    'differs', case when p.profile_saved_at is null or jsonb_typeof(s.manifest -> 'provider') <> 'object' then '[]'::json
      else (
        select coalesce(json_agg(said.key order by said.key), '[]')
        from jsonb_each(s.manifest -> 'provider') as said (key, value)
        join jsonb_each(jsonb_build_object('url', p.url, 'wholesale_network', p.wholesale_network,
          'description', p.description, 'area_served', p.area_served)) as saved (key, value) using (key)
        where said.value <> saved.value)
    end)`;

/** Why nothing of a provider is published: what keeps a submission back until it is given. */
export function addressMissing({ name, hasAddress }: ProfileOfSubmission): Blocking[] {
  if (hasAddress) return [];
  const message = `${name} has no web address, so answers would show none. It is published once the profile has one.`;
  return [{ code: 'provider_url_missing', message }];
}

const fieldWords: Record<string, string> = {
  url: 'web address',
  wholesale_network: 'wholesale network',
  description: 'description',
  area_served: 'areas served',
};

/** What a manifest says of a provider and the profile has otherwise. */
export function profileKept({ differs }: ProfileOfSubmission): { code: string; message: string }[] {
  if (differs.length === 0) return [];
  const fields = differs.map((field) => fieldWords[field] ?? field).join(', ');
  const message = `The manifest differs from the saved profile (${fields}). The profile stays as it is.`;
  return [{ code: 'provider_profile_kept', message }];
}

/**
 * Refuses to publish anything of a provider that has no address. The provider's row has to be locked.
 * @throws CovermapError `provider_url_missing`
 */
export async function requireAddress(db: Queryable, submissionId: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select p.name from submission s join provider p on p.id = s.provider_id where s.id::text = $1 and p.url = ''`,
    [submissionId],
  );
  if (!rows[0]) return;
  throw new CovermapError(
    'provider_url_missing',
    `${rows[0].name} has no web address, which every answer shows.`,
    'Save the profile with its address, on the page for operators or with PUT /api/operator/providers/<id>. Then publish.',
  );
}

/** A provider as its profile shows it. */
export interface Provider extends ProviderProfile {
  id: number;
  name: string;
  revision: number;
  /** When it was saved by form or API; null: manifests may still change it. */
  profile_saved_at: Date | null;
}

/** What is known of providers, by name: of one, or of all. */
export async function listProviders(db: Queryable, id: number | null): Promise<Provider[]> {
  const { rows } = await db.query<Provider>(
    `select id, name, url, wholesale_network, description, area_served, revision, profile_saved_at
     from provider where $1::integer is null or id = $1
     order by lower(name)`,
    [id],
  );
  return rows;
}

/**
 * Saves a provider's profile, which answers show from then on and no manifest changes any more.
 * @param seen the revision that it was changed from; undefined: whatever it is by now
 * @param name another name, which only staff give
 * @throws CovermapError `provider_changed`, `provider_exists`
 */
export async function saveProfile(
  database: Database,
  id: number,
  { name, url, wholesale_network, description, area_served }: ProviderProfile & { name?: string | undefined },
  seen: number | undefined,
  actor: Actor,
): Promise<Provider> {
  return database.transaction(async (connection) => {
    await connection.query('select from provider where id = $1 for update', [id]);
    const [before] = await listProviders(connection, id);
    if (!before) throw new Error(`there is no provider ${id}`);
    if (seen !== undefined && before.revision !== seen) {
      throw new CovermapError(
        'provider_changed',
        'Somebody has changed this profile since you opened it.',
        'Look at what it says now, and save your changes again.',
      );
    }
    if (name !== undefined && name !== before.name) await requireFreeName(connection, id, name);
    await connection.query(
      `update provider set name = coalesce($2, name), url = $3, wholesale_network = $4, description = $5,
         area_served = $6::text[], profile_saved_at = clock_timestamp()
       where id = $1`,
      [id, name ?? null, url, wholesale_network, description, area_served],
    );
    const [after] = (await listProviders(connection, id)) as [Provider];
    const fields = ['name', 'url', 'wholesale_network', 'description', 'area_served'] as const;
    const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
    await record(connection, actor, {
      action: 'provider_changed',
      providerId: id,
      details: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }])),
    });
    return after;
  });
}

/** The submissions of a provider that publish themselves, now that it has an address: for their jobs. */
export async function publishingThemselves(db: Queryable, providerId: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from submission
     where provider_id = $1 and state = 'ready' and manifest ->> 'publish' = 'auto' and blocking is null`,
    [providerId],
  );
  return rows.map(({ id }) => id);
}

async function requireFreeName(db: Queryable, id: number, name: string): Promise<void> {
  const { rows } = await db.query('select from provider where lower(name) = lower($1) and id <> $2', [
    name,
    id,
  ]);
  if (rows.length === 0) return;
  throw new CovermapError('provider_exists', `There is another provider called ${name}.`);
}
