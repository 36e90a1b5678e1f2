import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { endOfDaySql } from '../../platform/database/nz-time.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { time } from '../../platform/schemas.ts';
import { covers } from '../boxes.ts';
import {
  type CatalogSnapshot,
  type Provider,
  providerJson,
  type TierRow,
  tierJson,
  tiersById,
} from './catalog.ts';
import type { PointCoverage } from './lookup.ts';

/**
 * The coverage published at a point at the end of a day in New Zealand, by `publication`: areas are archived for as long as versions are kept.
 * Providers are shown as they are now. @param catalog the current technologies @param day YYYY-MM-DD
 * @throws CovermapError `day_unknown` where the areas of a version of that day have been removed, and before the first publication
 */
export async function coverageOn(
  db: Queryable,
  catalog: CatalogSnapshot,
  { lat, lng }: { lat: number; lng: number },
  day: string,
): Promise<PointCoverage> {
  // One statement, and so one snapshot: rows on their way to the archive are in one of the tables.
  const { rows } = await db.query<{
    begun: boolean;
    removed: boolean;
    tiers: TierRow[];
    providers: Provider[];
  }>(sql`
    with version as materialized (
      select d.id, d.technology_id, d.provider_id, d.rows_removed_at is not null as removed
      from publication p join dataset d on d.id = p.dataset_id
      where ${publishedOn(day)}
    ),
    here as (
      select distinct tier_id
      from (select tier_id, geom from coverage union all select tier_id, geom from coverage_archive) as pieces
      where ${covers(sql`geom`, sql`${lng}::float8`, sql`${lat}::float8`)}
    )
    select
      exists (select from publication where published_at < ${endOfDaySql(day)}) as begun,
      (select coalesce(bool_or(removed), false) from version) as removed,
      (
        select coalesce(json_agg(${tierJson}), '[]')
        from here join tier t on t.id = here.tier_id join version d on d.id = t.dataset_id
      ) as tiers,
      (
        select coalesce(json_agg(${providerJson}), '[]')
        from provider where id in (select provider_id from version)
      ) as providers`);
  const { begun, removed, tiers, providers } = rows[0] as (typeof rows)[number];
  // Otherwise the answer would be "unavailable", which nobody knows.
  if (!begun) throw dayUnknown('No coverage had been published by the end of that day.');
  if (removed) throw dayUnknown('Coverage that was published on that day is no longer kept.');
  return { catalog, tiers: [...tiersById(tiers, catalog.technologies, providers).values()] };
}

/** SQL: true for a row `p` of `publication` that was published at the end of a day. @param day YYYY-MM-DD */
export const publishedOn = (day: string) => sql`(p.published_at < ${endOfDaySql(day)}
  and (p.superseded_at is null or p.superseded_at >= ${endOfDaySql(day)}))`;

export const dayUnknown = (message: string) =>
  new CovermapError('day_unknown', message, 'Ask for a later day.');

/** The origin of a provider's entry in an answer. */
export const Explanation = z.object({
  dataset: z.int().describe('The ID of the coverage version.'),
  published_at: time().describe('When the version was published.'),
  file_name: z.string().describe('The name of the uploaded file.'),
  submission: z.uuid(),
});

/** Explanations by dataset. @param day until the end of this day, YYYY-MM-DD; undefined: now */
export async function explain(db: Queryable, datasetIds: readonly number[], day: string | undefined) {
  const until = day === undefined ? raw('true') : sql`p.published_at < ${endOfDaySql(day)}`;
  const { rows } = await db.query<z.output<typeof Explanation>>(sql`
    select distinct on (d.id) d.id as dataset, p.published_at, s.file_name, s.id as submission
    from dataset d
    join submission s on s.id = d.submission_id
    join publication p on p.dataset_id = d.id
    where d.id = any (${datasetIds}) and ${until}
    order by d.id, p.published_at desc`);
  return new Map(rows.map((row) => [row.dataset, row]));
}
