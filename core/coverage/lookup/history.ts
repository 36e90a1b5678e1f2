import type { Queryable } from '../../database/database.ts';
import { CovermapError } from '../../errors.ts';
import { endOfDaySql } from '../../nz-time.ts';
import type { Availability, WholesaleNetwork } from '../submissions/manifest.ts';
import type { CatalogSnapshot, Provider, Tier } from './catalog.ts';
import type { PointCoverage } from './lookup.ts';

/*
 * What was published on earlier days. `publication` says which versions were, and their areas are in `coverage_archive`
 * for as long as versions are kept. Names and addresses of providers are those of now.
 */

interface HistoricTier {
  id: number;
  dataset_id: number;
  technology_id: number;
  availability: Availability;
  min: number;
  max: number;
  up_min: number;
  up_max: number;
  planned_date: string | null;
  provider: Pick<Provider, 'id' | 'name' | 'url' | 'description'> & {
    wholesale_network: WholesaleNetwork;
    area_served: string[];
  };
}

/**
 * What was published at a point at the end of a day in New Zealand.
 * @param catalog the technologies of now
 * @param day YYYY-MM-DD
 * @throws CovermapError `day_not_kept` where the areas of a version of that day have been removed
 */
export async function coverageOn(
  db: Queryable,
  catalog: CatalogSnapshot,
  { lat, lng }: { lat: number; lng: number },
  day: string,
): Promise<PointCoverage> {
  // One statement, and so one snapshot: rows that are on their way to the archive are in one of the tables.
  const { rows } = await db.query<{ removed: boolean; tiers: HistoricTier[] }>(
    `with version as materialized (
       select d.id, d.technology_id, d.provider_id, d.rows_removed_at is not null as removed
       from publication p join dataset d on d.id = p.dataset_id
       where p.published_at < ${endOfDaySql('$3')}
         and (p.superseded_at is null or p.superseded_at >= ${endOfDaySql('$3')})
     ),
     here as (
       select distinct tier_id
       from (select tier_id, geom from coverage union all select tier_id, geom from coverage_archive) as pieces
       where st_intersects(geom, st_setsrid(st_makepoint($2, $1), 4326))
     )
     select
       (select coalesce(bool_or(removed), false) from version) as removed,
       (
         select coalesce(json_agg(json_build_object('id', t.id, 'dataset_id', version.id,
           'technology_id', version.technology_id, 'availability', t.availability,
           'min', t.bandwidth_min_mbps, 'max', t.bandwidth_max_mbps,
           'up_min', t.bandwidth_up_min_mbps, 'up_max', t.bandwidth_up_max_mbps,
           'planned_date', t.planned_date, 'provider', to_json(provider))), '[]')
         from here
         join tier t on t.id = here.tier_id
         join version on version.id = t.dataset_id
         join provider on provider.id = version.provider_id
       ) as tiers`,
    [lat, lng, day],
  );
  const found = rows[0] as { removed: boolean; tiers: HistoricTier[] };
  if (found.removed) {
    throw new CovermapError(
      'day_not_kept',
      'Coverage that was published on that day is no longer kept.',
      'Ask for a later day.',
    );
  }
  return { catalog, tiers: found.tiers.flatMap((row) => historicTier(catalog, row) ?? []) };
}

function historicTier(catalog: CatalogSnapshot, row: HistoricTier): Tier | undefined {
  const technology = catalog.technologies.find(({ id }) => id === row.technology_id);
  const { wholesale_network, area_served, ...provider } = row.provider;
  return (
    technology && {
      id: row.id,
      datasetId: row.dataset_id,
      technology,
      provider: { ...provider, wholesaleNetwork: wholesale_network, areaServed: area_served },
      availability: row.availability,
      bandwidthMin: row.min,
      bandwidthMax: row.max,
      bandwidthUpMin: row.up_min,
      bandwidthUpMax: row.up_max,
      plannedDate: row.planned_date,
    }
  );
}

/** Where a provider's entry in an answer comes from. */
export interface Explanation {
  /** The version of the provider's coverage: version 1.0's timing_id. */
  dataset: number;
  /** When that version became what is answered. */
  published_at: Date;
  /** The name of the submitted file. */
  file_name: string;
  /** The submission's id. */
  submission: string;
}

/** Explanations by dataset. @param day the end of which counts, YYYY-MM-DD; undefined: now */
export async function explain(
  db: Queryable,
  datasetIds: readonly number[],
  day: string | undefined,
): Promise<Map<number, Explanation>> {
  const { rows } = await db.query<Explanation>(
    `select distinct on (d.id) d.id as dataset, p.published_at, s.file_name, s.id as submission
     from dataset d
     join submission s on s.id = d.submission_id
     join publication p on p.dataset_id = d.id
     where d.id = any ($1) and ($2::text is null or p.published_at < ${endOfDaySql('$2')})
     order by d.id, p.published_at desc`,
    [datasetIds, day ?? null],
  );
  return new Map(rows.map((row) => [row.dataset, row]));
}
