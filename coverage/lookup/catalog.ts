import type { Database, Queryable } from '../../platform/database/database.ts';
import { follow } from '../../platform/database/notified-cache.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import type { Availability } from '../offer.ts';
import type { WholesaleNetwork } from '../providers/profile.ts';
import { noAddress } from '../providers/providers.ts';

export interface Technology {
  id: number;
  name: string;
  label: string;
  nominalRank: number;
  setId: number;
}

export interface Provider {
  id: number;
  name: string;
  url: string;
  wholesaleNetwork: WholesaleNetwork;
  description: string;
  areaServed: string[];
}

/** A tier of published coverage, with every field of an answer. Speeds in Mbps. */
export interface Tier {
  id: number;
  datasetId: number;
  technology: Technology;
  provider: Provider;
  availability: Availability;
  bandwidthMin: number;
  bandwidthMax: number;
  bandwidthUpMin: number;
  bandwidthUpMax: number;
  /** YYYY-MM-DD */
  plannedDate: string | null;
}

/** Published coverage as of one version of the `catalog` row. Immutable. */
export interface CatalogSnapshot {
  version: number;
  technologies: Technology[];
  /** Published tiers by id. Rows of `coverage` with other tiers are not published. */
  tiers: ReadonlyMap<number, Tier>;
  /** When each published version of coverage went live, ISO 8601 in UTC, by the dataset's id. */
  publishedAt: ReadonlyMap<number, string>;
}

/** The interval of version checks without a notification; a replica may get the version after the notification. */
const pollMs = { primary: 30_000, replica: 1_000 };

/** SQL: a row of `provider` as a {@link Provider}. */
export const providerJson = sql`json_build_object('id', provider.id, 'name', provider.name,
  'url', coalesce(nullif(provider.url, ''), '${raw(noAddress)}'), 'wholesaleNetwork', provider.wholesale_network,
  'description', provider.description, 'areaServed', provider.area_served)`;

/** A {@link Tier} out of the database. */
export type TierRow = Omit<Tier, 'technology' | 'provider'> & { technologyId: number; providerId: number };

/** SQL: a tier `t` of a dataset `d` as a {@link TierRow}. */
export const tierJson = sql`json_build_object('id', t.id, 'datasetId', d.id, 'technologyId', d.technology_id,
  'providerId', d.provider_id, 'availability', t.availability, 'bandwidthMin', t.bandwidth_min_mbps,
  'bandwidthMax', t.bandwidth_max_mbps, 'bandwidthUpMin', t.bandwidth_up_min_mbps,
  'bandwidthUpMax', t.bandwidth_up_max_mbps, 'plannedDate', t.planned_date)`;

/** Reads the whole catalog in one statement, and so from one snapshot of the database. */
export async function readCatalog(db: Queryable): Promise<CatalogSnapshot> {
  const { rows } = await db.query<{
    version: number;
    technologies: Technology[];
    providers: Provider[];
    tiers: TierRow[];
    published: [datasetId: number, at: string][];
  }>(`
    select
      version,
      (select json_agg(json_build_object('id', id, 'name', name, 'label', label, 'nominalRank', nominal_rank,
        'setId', set_id) order by nominal_rank) from technology) as technologies,
      (select coalesce(json_agg(${providerJson}), '[]') from provider) as providers,
      (
        select coalesce(json_agg(${tierJson}), '[]')
        from dataset d join tier t on t.dataset_id = d.id
        where d.state = 'published'
      ) as tiers,
      (
        select coalesce(json_agg(json_build_array(id, published_at)), '[]') from dataset where state = 'published'
      ) as published
    from catalog`);
  if (!rows[0]) throw new Error('the catalog table has lost its row');
  const { version, technologies, providers, tiers, published } = rows[0];
  return {
    version,
    technologies,
    tiers: tiersById(tiers, technologies, providers),
    publishedAt: new Map(published.map(([id, at]) => [id, new Date(at).toISOString()])),
  };
}

/** Tiers by id, with their technologies and providers. */
export function tiersById(
  rows: readonly TierRow[],
  technologies: readonly Technology[],
  providers: readonly Provider[],
): Map<number, Tier> {
  const technologyById = new Map(technologies.map((technology) => [technology.id, technology]));
  const providerById = new Map(providers.map((provider) => [provider.id, provider]));
  const tiers = new Map<number, Tier>();
  for (const { technologyId, providerId, ...tier } of rows) {
    // Foreign keys ensure both.
    const technology = technologyById.get(technologyId);
    const provider = providerById.get(providerId);
    if (technology && provider) tiers.set(tier.id, { ...tier, technology, provider });
  }
  return tiers;
}

export type Catalog = Awaited<ReturnType<typeof openCatalog>>;

/**
 * The catalog in this process's memory, kept fresh by NOTIFY.
 * @param database the one of lookups: catalog and coverage have to come from the same place
 * @param notifier the one of publications: not a replica, which notifies nobody
 */
export async function openCatalog(database: Database, notifier: Database = database) {
  let snapshot = await readCatalog(database);
  let refreshing: Promise<CatalogSnapshot> | undefined;
  /** Adopts a catalog that was read elsewhere, unless it is older. */
  const adopt = (other: CatalogSnapshot) => {
    if (other.version > snapshot.version) snapshot = other;
  };
  /** Reads the catalog again if its version has changed. @param atLeast a version that is known to be published */
  const refreshIfStale = async (atLeast = 0) => {
    const { rows } = await database.query<{ version: number }>('select version from catalog');
    const published = Math.max(atLeast, rows[0]?.version ?? 0);
    // A read that is under way may have begun before that version; then another follows.
    while (snapshot.version < published) {
      refreshing ??= notOlder(database, published, readCatalog).finally(() => {
        refreshing = undefined;
      });
      adopt(await refreshing);
    }
    return snapshot;
  };
  // Only a head start: each lookup reads the version with its rows and detects a change itself.
  const refresh = () => void refreshIfStale().catch(() => undefined);
  const everyMs = database.primary ? pollMs.replica : pollMs.primary;
  const close = await follow(notifier, 'catalog', refresh, refresh, everyMs);
  return {
    get snapshot() {
      return snapshot;
    },
    refreshIfStale,
    adopt,
    close,
  };
}

/** Reads a versioned value; again, from the primary, where a replica gave an older version than needed. */
export async function notOlder<T extends { version: number }>(
  database: Database,
  version: number,
  read: (database: Database) => Promise<T>,
): Promise<T> {
  const found = await read(database);
  return found.version >= version || !database.primary ? found : read(database.primary);
}
