import { z } from 'zod';
import type { Viewer } from '../../access/actor.ts';
import { processingFeeCents } from '../../billing/processing-fees.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { box, cents, NamedProvider, named, time } from '../../platform/schemas.ts';
import { note, processedBy } from '../submission-fields.ts';
import { joinPublished } from './scopes.ts';

export const versionStates = ['ready', 'published', 'superseded', 'restoring', 'withdrawn'] as const;

export const DatasetState = named('DatasetState', z.enum(versionStates));

const scope = () => z.string().describe('Empty for coverage without a scope.');

/** The fields of a version in every answer. */
export const versionFields = {
  id: z.int(),
  technology: z.string(),
  scope: scope(),
  state: DatasetState,
  area_km2: z.number().nullable(),
  can_roll_back: z.boolean(),
  replaces: z.int().nullable().describe('The live version with the same technology and scope.'),
};

export const Version = named('Dataset', {
  ...versionFields,
  submission_id: z.uuid(),
  provider: NamedProvider,
  file_name: z.string(),
  received_at: time(),
  published_at: time().nullable().describe('When the version last went live.'),
  superseded_at: time().nullable(),
  note: note(),
  processed_by: processedBy(),
  processing_fee_cents: cents(
    'The fee that rolling back charges. Cents, excluding GST; null if none.',
  ).nullable(),
});
export type Version = z.output<typeof Version>;

/** @throws CovermapError `dataset_unknown`, also where the viewer may not see it */
export async function requireVersion(db: Queryable, id: number, viewer: Viewer): Promise<Version> {
  const [version] = await listVersions(db, { ...viewer, id, limit: 1 });
  if (!version) throw new CovermapError('dataset_unknown');
  return version;
}

/** Versions of coverage: the live ones first, those whose rows are removed last, each newest first. */
export async function listVersions(
  db: Queryable,
  filter: Viewer & {
    id?: number | undefined;
    provider?: string | undefined;
    technology?: string | undefined;
    state?: z.output<typeof DatasetState> | undefined;
    limit: number;
  },
): Promise<Version[]> {
  const { rows } = await db.query<Version>(sql`
    select d.id, d.submission_id, json_build_object('id', p.id, 'name', p.name) as provider, t.name as technology,
      d.scope, d.state, d.area_km2, case when published.id <> d.id then published.id end as replaces, s.file_name,
      s.received_at, d.published_at, d.superseded_at,
      d.state = 'superseded' and d.rows_removed_at is null as can_roll_back, s.note, s.processed_by,
      ${processingFeeCents} as processing_fee_cents
    from dataset d
    join submission s on s.id = d.submission_id
    join provider p on p.id = d.provider_id
    join technology t on t.id = d.technology_id
    ${joinPublished}
    where d.state <> 'loading'
      and (${filter.providerId}::integer is null or d.provider_id = ${filter.providerId})
      and (${filter.id}::integer is null or d.id = ${filter.id})
      and (${filter.provider}::text is null or lower(p.name) = lower(${filter.provider}))
      and (${filter.technology}::text is null or t.name = ${filter.technology})
      and (${filter.state}::text is null or d.state = ${filter.state})
    order by d.rows_removed_at is not null, d.state <> 'published', d.id desc
    limit ${filter.limit}`);
  return rows;
}

export const PublishedCoverage = named('PublishedCoverage', {
  provider_id: z.int(),
  technology: z.string(),
  scope: scope(),
  dataset_id: z.int(),
  area_km2: z.number().nullable().describe('Overlapping areas each count.'),
  bbox: box().nullable().describe('Of its file: west, south, east, north.'),
  published_at: time(),
});
type PublishedCoverage = z.output<typeof PublishedCoverage>;

/** Published coverage by technology and scope. @param providerId null: every provider's */
export async function listPublished(db: Queryable, providerId: number | null): Promise<PublishedCoverage[]> {
  const { rows } = await db.query<PublishedCoverage>(sql`
    select d.provider_id, t.name as technology, d.scope, d.id as dataset_id, d.area_km2, s.report -> 'bbox' as bbox, d.published_at
    from dataset d join technology t on t.id = d.technology_id join submission s on s.id = d.submission_id
    where d.state = 'published' and (${providerId}::integer is null or d.provider_id = ${providerId})
    order by d.provider_id, t.nominal_rank, d.scope_key`);
  return rows;
}
