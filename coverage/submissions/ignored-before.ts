import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Manifest } from './manifest.ts';

/** An operator has a few kinds of files, each submitted again and again. */
const submissions = 20;

/** The attributes that a provider's last submissions ignored and that no later one used, in lower case. */
export async function ignoredBefore(db: Queryable, providerId: number): Promise<Set<string>> {
  type ManifestFields = Pick<Manifest, 'attributes' | 'ignore'> & { tiers: string | null };
  const { rows } = await db.query<ManifestFields>(sql`
    select manifest -> 'attributes' as attributes, manifest -> 'ignore' as ignore, manifest #>> '{tiers,field}' as tiers
    from submission where provider_id = ${providerId} and state <> 'failed'
    order by received_at desc limit ${submissions}`);
  const isIgnored = new Map<string, boolean>();
  const remember = (name: string, ignored: boolean) => {
    const key = name.toLowerCase();
    if (!isIgnored.has(key)) isIgnored.set(key, ignored);
  };
  for (const { attributes, ignore, tiers } of rows) {
    for (const attribute of Object.values(attributes ?? {})) if (attribute) remember(attribute.field, false);
    if (tiers !== null) remember(tiers, false);
    for (const name of ignore ?? []) remember(name, true);
  }
  return new Set([...isIgnored].flatMap(([name, ignored]) => (ignored ? [name] : [])));
}
