import type { Database, Queryable } from '../../database/database.ts';
import { follow } from '../../database/notified-cache.ts';
import type { Availability, WholesaleNetwork } from '../submissions/manifest.ts';
import { noAddress } from './providers.ts';

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

/** A tier of published coverage, with all that an answer says of it. Speeds in Mbps. */
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

/** What is published, as of one version of the `catalog` row. Never changed once made. */
export interface CatalogSnapshot {
  version: number;
  /** By nominal rank. */
  technologies: Technology[];
  /** Published tiers by id. Rows of `coverage` with other tiers are not published. */
  tiers: ReadonlyMap<number, Tier>;
}

/** How often the version is looked at where no notification has come. */
const pollMs = 30_000;

interface CatalogRow {
  version: number;
  technologies: { id: number; name: string; label: string; nominal_rank: number; set_id: number }[];
  providers: {
    id: number;
    name: string;
    url: string;
    wholesale_network: WholesaleNetwork;
    description: string;
    area_served: string[];
  }[];
  tiers: [
    id: number,
    datasetId: number,
    technologyId: number,
    providerId: number,
    availability: Availability,
    min: number,
    max: number,
    upMin: number,
    upMax: number,
    plannedDate: string | null,
  ][];
}

/** Reads the whole catalog in one statement, and so from one snapshot of the database. */
export async function readCatalog(db: Queryable): Promise<CatalogSnapshot> {
  const { rows } = await db.query<CatalogRow>(`
    select
      version,
      (select json_agg(t order by nominal_rank) from technology t) as technologies,
      (select coalesce(json_agg(p), '[]') from provider p) as providers,
      (
        select coalesce(json_agg(json_build_array(t.id, d.id, d.technology_id, d.provider_id, t.availability,
          t.bandwidth_min_mbps, t.bandwidth_max_mbps, t.bandwidth_up_min_mbps, t.bandwidth_up_max_mbps,
          t.planned_date)), '[]')
        from dataset d join tier t on t.dataset_id = d.id
        where d.state = 'published'
      ) as tiers
    from catalog`);
  const row = rows[0];
  if (!row) throw new Error('the catalog table has lost its row');
  const technologies = row.technologies.map(
    (t): Technology => ({
      id: t.id,
      name: t.name,
      label: t.label,
      nominalRank: t.nominal_rank,
      setId: t.set_id,
    }),
  );
  const technologyById = new Map(technologies.map((technology) => [technology.id, technology]));
  const providerById = new Map(
    row.providers.map((p): [number, Provider] => [
      p.id,
      {
        id: p.id,
        name: p.name,
        url: p.url || noAddress,
        wholesaleNetwork: p.wholesale_network,
        description: p.description,
        areaServed: p.area_served,
      },
    ]),
  );
  const tiers = new Map<number, Tier>();
  for (const [
    id,
    datasetId,
    technologyId,
    providerId,
    availability,
    min,
    max,
    upMin,
    upMax,
    plannedDate,
  ] of row.tiers) {
    const technology = technologyById.get(technologyId);
    const provider = providerById.get(providerId);
    if (!technology || !provider) continue; // foreign keys keep this from happening
    tiers.set(id, {
      id,
      datasetId,
      technology,
      provider,
      availability,
      bandwidthMin: min,
      bandwidthMax: max,
      bandwidthUpMin: upMin,
      bandwidthUpMax: upMax,
      plannedDate,
    });
  }
  return { version: row.version, technologies, tiers };
}

/** The catalog in this process's memory, renewed when a publication is announced. */
export class Catalog {
  readonly #database: Database;
  #snapshot: CatalogSnapshot;
  #refreshing: Promise<CatalogSnapshot> | undefined;
  #stopFollowing: (() => Promise<void>) | undefined;

  private constructor(database: Database, snapshot: CatalogSnapshot) {
    this.#database = database;
    this.#snapshot = snapshot;
  }

  /**
   * @param database what lookups read: the catalog has to come from the same place as the coverage
   * @param announcements where publications are announced; not a replica, as those announce nothing
   */
  static async open(database: Database, announcements: Database = database): Promise<Catalog> {
    const catalog = new Catalog(database, await readCatalog(database));
    const refresh = () => void catalog.refreshIfStale().catch(() => undefined);
    // Only a head start: each lookup reads the version beside its rows and notices a change by itself.
    catalog.#stopFollowing = await follow(announcements, 'catalog', refresh, refresh, pollMs);
    return catalog;
  }

  get snapshot(): CatalogSnapshot {
    return this.#snapshot;
  }

  /** The catalog as it is published now, read again where its version has moved on. */
  async refreshIfStale(): Promise<CatalogSnapshot> {
    const { rows } = await this.#database.query<{ version: number }>('select version from catalog');
    const published = rows[0]?.version ?? 0;
    // A read that is already under way may have begun before that version; then another follows.
    while (this.#snapshot.version < published) {
      this.#refreshing ??= readCatalog(this.#database).finally(() => {
        this.#refreshing = undefined;
      });
      this.adopt(await this.#refreshing);
    }
    return this.#snapshot;
  }

  /** Takes over a catalog that was read elsewhere, unless the one here is newer. */
  adopt(snapshot: CatalogSnapshot): void {
    if (snapshot.version > this.#snapshot.version) this.#snapshot = snapshot;
  }

  async close(): Promise<void> {
    await this.#stopFollowing?.();
  }
}
