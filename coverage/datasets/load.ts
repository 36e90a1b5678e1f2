import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import { keepProposals, type Proposal } from '../exclusions/proposed.ts';
import { keepExclusions, type MadeWith } from '../exclusions/remakes.ts';
import type { Availability } from '../offer.ts';
import { keepPremises, type PremisesOfDatasets } from '../premises/counted.ts';
import type { SpeedField } from '../speeds.ts';
import { tellOfSubmission } from '../submission-mail.ts';
import { isUnfinished } from '../submission-states.ts';
import { removeRows } from './archive.ts';
import { scopeKey } from './scopes.ts';

/* A dataset from its beginning until it is ready for publication. */

/** A distinct combination of availability and speeds within a dataset. `planned_date`: YYYY-MM-DD */
export interface TierDefinition extends Record<SpeedField, number> {
  availability: Availability;
  planned_date: string | null;
}

/** Removes the rows of an earlier attempt on a submission, so that a job that starts again gives the same. @throws CovermapError `submission_ended` */
export async function beginSubmission(database: Database, submissionId: string): Promise<void> {
  // Its datasets get ready together. Withdrawn ones belong to a replaced prediction.
  const { rowCount } = await database.query(sql`
    select from dataset where submission_id = ${submissionId} and state not in ('loading', 'withdrawn') limit 1`);
  if (rowCount > 0)
    throw new CovermapError('submission_ended', 'This submission has been processed already.');
  await discardDatasets(database, submissionId);
}

/** Creates the empty dataset of one technology of a submission. @returns its id */
export async function beginDataset(database: Database, submissionId: string, technology: string) {
  const { rows: submissions } = await database.query<{ scope: string | null }>(sql`
    select manifest ->> 'scope' as scope from submission where id = ${submissionId}`);
  const scope = submissions[0]?.scope ?? '';
  const { rows } = await database.query<{ id: number }>(sql`
    insert into dataset (submission_id, provider_id, technology_id, scope, scope_key)
    select s.id, s.provider_id, t.id, ${scope}, ${scopeKey(scope)}
    from submission s cross join technology t
    where s.id = ${submissionId} and t.name = ${technology}
    returning id`);
  return (rows[0] as { id: number }).id;
}

/** Adds a tier to a dataset that is loading, unless it has it. @returns its id */
export async function addTier(db: Queryable, datasetId: number, tier: TierDefinition): Promise<number> {
  const { rows } = await db.query<{ id: number }>(sql`
    insert into tier as t (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps,
      bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date)
    values (${datasetId}, ${tier.availability}, ${tier.bandwidth_min_mbps}, ${tier.bandwidth_max_mbps},
      ${tier.bandwidth_up_min_mbps}, ${tier.bandwidth_up_max_mbps}, ${tier.planned_date})
    on conflict (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps,
      bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date) do update set availability = t.availability
    returning id`);
  return (rows[0] as { id: number }).id;
}

/**
 * Marks a submission and its datasets as ready, together. @param areas km2 by dataset @param made the exclusions that they were made with, and those that the file proposes
 * @throws CovermapError `submission_withdrawn` @throws ExclusionsChanged where they are to be loaded again
 */
export function readySubmission(
  database: Database,
  submissionId: string,
  areas: ReadonlyMap<number, number>,
  report: unknown,
  premises?: PremisesOfDatasets,
  made: MadeWith & { proposals?: readonly Proposal[] } = { exclusions: [], taken: [] },
): Promise<void> {
  return database.transaction(async (connection) => {
    await connection.query(sql`
      select from provider where id = (select provider_id from submission where id = ${submissionId}) for no key update`);
    await keepExclusions(connection, [...areas.keys()], made);
    const { rows, rowCount } = await connection.query<{ waits: boolean }>(sql`
      update submission
      set state = 'ready', report = ${storableJson(report)}::jsonb, finished_at = clock_timestamp()
      where id = ${submissionId} and ${isUnfinished}
      returning manifest ->> 'publish' = 'review' as waits`);
    if (rowCount === 0) throw new CovermapError('submission_withdrawn');
    if (rows[0]?.waits) await tellOfSubmission(connection, submissionId, 'review');
    for (const [datasetId, areaKm2] of areas) {
      await connection.query(sql`
        update dataset set state = 'ready', area_km2 = ${areaKm2} where id = ${datasetId} and state = 'loading'`);
    }
    await keepProposals(connection, made.proposals ?? []);
    for (const [datasetId, tiers] of premises?.datasets ?? [])
      await keepPremises(connection, datasetId, (premises as PremisesOfDatasets).version, tiers);
  });
}

/** SQL: the submissions with loaded rows that were withdrawn, or whose towers were refused after their coverage was to be modelled again. */
export const waitingDiscards = `
  select s.id::text as id, s.provider_id::text as owner, s.finished_at as since from submission s
  where s.state in ('withdrawn', 'failed') and exists (select from dataset d where d.submission_id = s.id)`;

/** Removes the datasets of a submission that will never be published. @param signal stops it between batches */
export async function discardDatasets(database: Database, submissionId: string, signal?: AbortSignal) {
  const { rows } = await database.query<{ id: number }>(sql`
    select id from dataset where submission_id = ${submissionId} and state in ('loading', 'withdrawn')`);
  for (const { id } of rows) {
    for (const table of ['coverage', 'coverage_change'] as const)
      await removeRows(database, id, table, signal);
    await database.query(sql`delete from dataset where id = ${id}`);
  }
}
