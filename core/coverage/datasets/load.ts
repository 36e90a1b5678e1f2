import type { Database, Queryable } from '../../database/database.ts';
import { CovermapError, storableJson } from '../../errors.ts';
import type { Availability } from '../submissions/manifest.ts';
import { isUnfinished } from '../submissions/states.ts';
import { removeRows } from './archive.ts';
import { scopeKey } from './scopes.ts';

/* A dataset from its beginning until it is ready to be published. */

/** A distinct combination of availability and speeds within a dataset. Speeds in Mbps. */
export interface TierDefinition {
  availability: Availability;
  bandwidth_min_mbps: number;
  bandwidth_max_mbps: number;
  bandwidth_up_min_mbps: number;
  bandwidth_up_max_mbps: number;
  /** YYYY-MM-DD */
  planned_date: string | null;
}

/**
 * Removes what an earlier attempt has loaded of a submission, so that a job that starts again gives the same rows.
 * @throws CovermapError `submission_ended` where its datasets are ready or were published
 */
export async function beginSubmission(database: Database, submissionId: string): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select id from dataset where submission_id = $1 and state <> 'loading' limit 1`,
    [submissionId],
  );
  if (rows[0]) throw new CovermapError('submission_ended', 'This submission has been processed already.');
  await discardDatasets(database, submissionId);
}

/** Creates the empty dataset of one technology of a submission. @returns its id */
export async function beginDataset(
  database: Database,
  submissionId: string,
  technology: string,
): Promise<number> {
  const { rows: submissions } = await database.query<{ scope: string }>(
    `select coalesce(manifest ->> 'scope', '') as scope from submission where id = $1`,
    [submissionId],
  );
  const scope = submissions[0]?.scope ?? '';
  const { rows } = await database.query<{ id: number }>(
    `insert into dataset (submission_id, provider_id, technology_id, scope, scope_key)
     select s.id, s.provider_id, t.id, $3, $4
     from submission s cross join technology t
     where s.id = $1 and t.name = $2
     returning id`,
    [submissionId, technology, scope, scopeKey(scope)],
  );
  return (rows[0] as { id: number }).id;
}

/** Of one dataset, as every process keeps all published tiers in memory. The database has the same limit. */
export const maxTiers = 500;

/** Adds a tier to a dataset that is loading, unless it has it. @returns its id */
export async function addTier(db: Queryable, datasetId: number, tier: TierDefinition): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into tier as t (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps,
       bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps,
       bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date) do update set availability = t.availability
     returning id`,
    [
      datasetId,
      tier.availability,
      tier.bandwidth_min_mbps,
      tier.bandwidth_max_mbps,
      tier.bandwidth_up_min_mbps,
      tier.bandwidth_up_max_mbps,
      tier.planned_date,
    ],
  );
  return (rows[0] as { id: number }).id;
}

/**
 * Marks a submission and its loaded datasets as ready, in one transaction.
 * @param areas km2 by dataset
 * @throws CovermapError `submission_withdrawn` where it was withdrawn meanwhile
 */
export async function readySubmission(
  database: Database,
  submissionId: string,
  areas: ReadonlyMap<number, number>,
  report: unknown,
): Promise<void> {
  await database.transaction(async (connection) => {
    const { rowCount } = await connection.query(
      `update submission
       set state = 'ready', report = $2::jsonb, finished_at = clock_timestamp()
       where id = $1 and ${isUnfinished}`,
      [submissionId, storableJson(report)],
    );
    if (rowCount === 0) throw new CovermapError('submission_withdrawn');
    for (const [datasetId, areaKm2] of areas) {
      await connection.query(
        `update dataset set state = 'ready', area_km2 = $2 where id = $1 and state = 'loading'`,
        [datasetId, areaKm2],
      );
    }
  });
}

/** Removes the datasets of a submission that will never be published. @param signal stops it between batches */
export async function discardDatasets(
  database: Database,
  submissionId: string,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select id from dataset where submission_id = $1 and state in ('loading', 'withdrawn')`,
    [submissionId],
  );
  for (const { id } of rows) {
    await removeRows(database, id, 'coverage', signal);
    await removeRows(database, id, 'coverage_change', signal);
    await database.query('delete from dataset where id = $1', [id]);
  }
}
