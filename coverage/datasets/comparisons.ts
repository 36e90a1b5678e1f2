import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { CellOptions } from './cells.ts';
import { compareWithPublished, isOfTheData, recordComparison, targetOf } from './compare.ts';
import { comparePremisesWithPublished, giveUpPremises, isPremisesComparisonDue } from './compare-premises.ts';
import { isGroundCompared, joinPublished } from './scopes.ts';

/* The comparisons of loaded submissions with what is published, and their processes. */

/**
 * SQL: submissions to compare now: never compared, being viewed or published, or to be published automatically; and those whose premises are counted anew.
 * Providers take turns.
 */
export const waitingComparisons = `
  select s.id::text as id, s.provider_id::text as owner, min(coalesce(d.comparison_wanted_at, s.finished_at)) as since
  from submission s
  join dataset d on d.submission_id = s.id and d.state = 'ready'
  ${joinPublished}
  where s.state = 'ready' and (${isPremisesComparisonDue} or (not ${isGroundCompared}
    and (d.compared_at is null or d.comparison_wanted_at is not null or (s.manifest ->> 'publish' = 'auto' and s.blocking is null))))
  group by s.id`;

/** SQL: the ids of a submission's ready datasets whose ground is not compared with the published ones. */
const uncompared = (submissionId: string) => sql`select d.id from dataset d ${joinPublished}
  where d.submission_id = ${submissionId} and d.state = 'ready' and not ${isGroundCompared}`;

/** Records that a client waits for the comparison of a ready submission. */
export async function wantComparison(database: Database, submissionId: string): Promise<void> {
  await database.query(sql`
    update dataset set comparison_wanted_at = clock_timestamp()
    where comparison_wanted_at is null and id in (${uncompared(submissionId)})`);
}

/** Compares a submission's ready datasets with what is published now, unless done. The caller holds the step's key. @throws ComparisonStale */
export async function compareReadyAnew(database: Database, submissionId: string, options: CellOptions = {}) {
  for (const id of await uncomparedDatasets(database, submissionId)) {
    await compareWithPublished(database, id, options).catch((error) => {
      if (!isOfTheData(error)) throw error;
    });
  }
  for (const id of await readyDatasets(database, submissionId))
    await comparePremisesWithPublished(database, id, options.signal);
  await endComparison(database, submissionId);
}

/** Records that the changes of a submission cannot be determined: no retry until something else is published. */
export async function giveUpComparison(database: Database, submissionId: string): Promise<void> {
  for (const id of await uncomparedDatasets(database, submissionId)) {
    const target = await targetOf(database, id);
    if (target) await recordComparison(database, id, target);
  }
  for (const id of await readyDatasets(database, submissionId)) await giveUpPremises(database, id);
  await endComparison(database, submissionId);
}

async function uncomparedDatasets(database: Database, submissionId: string): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(sql`${uncompared(submissionId)} order by d.id`);
  return rows.map(({ id }) => id);
}

async function readyDatasets(database: Database, submissionId: string): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(sql`
    select id from dataset where submission_id = ${submissionId} and state = 'ready' order by id`);
  return rows.map(({ id }) => id);
}

/** Ends the wait for a comparison, adds the change to the report, and notifies watchers of the submission. */
async function endComparison(database: Database, submissionId: string): Promise<void> {
  await database.query(
    sql`update dataset set comparison_wanted_at = null where submission_id = ${submissionId}`,
  );
  await database.query(sql`
    update submission set report = report || jsonb_build_object('change', (
      select coalesce(jsonb_agg(
        jsonb_strip_nulls(jsonb_build_object('technology', t.name, 'scope', nullif(d.scope, '')))
          || case when d.premises_change is null then '{}' else jsonb_build_object('premises', d.premises_change) end || d.change
        order by t.nominal_rank), '[]')
      from dataset d join technology t on t.id = d.technology_id
      where d.submission_id = submission.id and d.change is not null))
    where id = ${submissionId}`);
}
