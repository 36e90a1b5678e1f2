import { type Actor, serviceActor } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import { accrueProcessingFee } from '../../billing/processing-fees.ts';
import type { Connection, Database, Queryable } from '../../database/database.ts';
import { CovermapError, storableJson } from '../../errors.ts';
import { applyManifestProfile, requireAddress } from '../lookup/providers.ts';
import type { Availability } from '../submissions/manifest.ts';
import { type Blocking, type BlockingRules, type Candidate, judge, type Verdict } from './blocking.ts';
import { isCompared, joinPublished, maxScopes, requireRoomForScope, scopeKey } from './scopes.ts';

/** What a place gets: a distinct combination of availability and speeds within a dataset. Speeds in Mbps. */
export interface TierDefinition {
  availability: Availability;
  bandwidth_min_mbps: number;
  bandwidth_max_mbps: number;
  bandwidth_up_min_mbps: number;
  bandwidth_up_max_mbps: number;
  /** YYYY-MM-DD */
  planned_date: string | null;
}

/** How many rows one statement moves or removes: few enough that lookups beside it do not notice. */
const moveBatch = 2000;

/**
 * Makes sure that a submission has nothing loaded, so that the work on it can begin: what an earlier attempt left behind
 * is removed, and a job that starts again ends with the same rows.
 * @throws CovermapError `submission_ended` where the submission's datasets were made ready or published already
 */
export async function beginSubmission(database: Database, submissionId: string): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select id from dataset where submission_id = $1 and state <> 'loading' limit 1`,
    [submissionId],
  );
  if (rows.length > 0) {
    throw new CovermapError('submission_ended', 'The work on this submission has been done already.');
  }
  await discardDatasets(database, submissionId);
}

/**
 * Begins the dataset of one of the technologies that a submission holds, empty.
 * @returns the dataset's id
 */
export async function beginDataset(
  database: Database,
  submissionId: string,
  technology: string,
): Promise<number> {
  const { rows: said } = await database.query<{ scope: string | null }>(
    `select manifest ->> 'scope' as scope from submission where id = $1`,
    [submissionId],
  );
  const scope = said[0]?.scope ?? '';
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

/** Of one dataset. Every process has those of all published datasets in memory. The database knows the same number. */
export const maxTiers = 500;

/** Adds a tier to a dataset that is being loaded, or finds it there; gives its id. */
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
 * Marks the loaded datasets of a submission, and it, as ready to be published: all of them, or where this fails none.
 * @param areas km2 by dataset
 * @throws CovermapError `submission_withdrawn` where that was done meanwhile
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
       where id = $1 and state in ('received', 'reading', 'loading', 'checking')`,
      [submissionId, storableJson(report)],
    );
    if (rowCount === 0) throw submissionWithdrawn();
    for (const [datasetId, areaKm2] of areas) {
      await connection.query(
        `update dataset set state = 'ready', area_km2 = $2 where id = $1 and state = 'loading'`,
        [datasetId, areaKm2],
      );
    }
  });
}

/**
 * Removes all that a submission has loaded and that will never be published.
 * @param signal stops it between batches
 */
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

/**
 * `superseded`: later submissions' versions of all its coverage were published before. `outdated`: it has not been
 * compared with what is published now. `unconfirmed`: something is blocking, and who publishes has not said that they
 * saw this.
 */
export type Publication = 'published' | 'superseded' | 'outdated' | 'unconfirmed';

export interface PublishOptions {
  /** What may not be published unseen. */
  rules: BlockingRules;
  /** Who publishes; the service by itself where absent. */
  actor?: Actor;
  /** Whether a later submission that is published stays. For what publishes itself: by hand, what is named counts. */
  laterStays?: boolean;
  /** The datasets that were published when somebody decided on this: only those are replaced. */
  replaces?: readonly number[] | undefined;
  /** The comparison that was shown to who publishes: what it says is blocking is published all the same. */
  comparison?: string | undefined;
}

/**
 * Makes the ready datasets of a submission what lookups answer from, each in place of the provider's previous version
 * with its technology in its scope. One transaction: every lookup sees the old versions or the new ones. Two processes
 * publishing versions of the same coverage go one after the other. What is lost is judged against what is published at
 * this moment. Publishing what is published changes nothing.
 * @throws CovermapError `submission_not_ready`, `submission_superseded`, `submission_failed`, `submission_withdrawn`,
 *   `published_meanwhile`, `scopes_too_many`, `provider_url_missing`
 */
export async function publishSubmission(
  database: Database,
  submissionId: string,
  { actor = serviceActor, laterStays = false, replaces, comparison, rules }: PublishOptions,
): Promise<Publication> {
  return database.transaction(async (connection) => {
    const datasets = await lockVersions(connection, submissionId);
    let published = datasets.some(({ state }) => state === 'published');
    const ready = datasets.filter(({ state }) => state === 'ready');
    if (ready.length === 0 && !published) throw await notReady(connection, submissionId);
    if (ready.length === 0) return 'published';
    requireUnchanged(
      ready.map(({ published_id }) => published_id),
      replaces,
    );
    const next = ready.filter(({ later_is_published }) => !(laterStays && later_is_published));
    const verdict = await judgeNow(connection, submissionId, next, rules);
    if (next.length > 0) {
      if (verdict.comparison === null) return 'outdated';
      if (comparison !== undefined && comparison !== verdict.comparison) throw publishedMeanwhile();
      if (verdict.blocking.length > 0 && comparison === undefined) {
        if (laterStays) await hold(connection, submissionId, verdict.blocking);
        return 'unconfirmed';
      }
    }
    const current: number[] = [];
    const replaced: number[] = [];
    for (const dataset of ready) {
      if (!next.includes(dataset)) {
        await setState(connection, dataset.id, 'superseded');
        continue;
      }
      if (dataset.published_id !== null) {
        await setState(connection, dataset.published_id, 'superseded');
        replaced.push(dataset.published_id);
      } else {
        await requireRoomForScope(connection, dataset.id);
      }
      await setState(connection, dataset.id, 'published');
      current.push(dataset.id);
      published = true;
    }
    if (published) {
      await applyManifestProfile(connection, submissionId);
      await requireAddress(connection, submissionId);
      await accrueProcessingFee(connection, submissionId);
      await record(connection, actor, {
        action: 'submission_published',
        providerId: ready[0]?.provider_id,
        submissionId,
        details: {
          datasets: current,
          replaced,
          ...(verdict.blocking.length > 0 ? { confirmed: verdict.blocking } : {}),
        },
      });
      await connection.query('update catalog set version = version + 1');
    }
    return published ? 'published' : 'superseded';
  });
}

/** What it means to publish datasets, against what is published now and stays so while the provider's row is held. */
async function judgeNow(
  connection: Connection,
  submissionId: string,
  datasets: readonly LockedDataset[],
  rules: BlockingRules,
): Promise<Verdict> {
  const { rows } = await connection.query<{ warnings: { code: string; message: string }[] | null }>(
    `select report -> 'warnings' as warnings from submission where id::text = $1`,
    [submissionId],
  );
  return judge(datasets, rows[0]?.warnings ?? [], rules);
}

/** Notes why a submission did not publish itself: from now on it waits for somebody who decides. */
async function hold(
  connection: Connection,
  submissionId: string,
  blocking: readonly Blocking[],
): Promise<void> {
  await connection.query('update submission set blocking = $2::jsonb where id::text = $1', [
    submissionId,
    storableJson(blocking),
  ]);
}

export function submissionWithdrawn(): CovermapError {
  return new CovermapError(
    'submission_withdrawn',
    'This submission has been withdrawn.',
    'Hand the file in again.',
  );
}

/** Why a submission that has nothing ready cannot be published. */
async function notReady(connection: Connection, submissionId: string): Promise<CovermapError> {
  const { rows } = await connection.query<{ state: string }>(
    'select state from submission where id::text = $1',
    [submissionId],
  );
  switch (rows[0]?.state) {
    case 'superseded':
      return new CovermapError(
        'submission_superseded',
        'Another version has taken the place of this submission.',
        'Roll back to one of its datasets to make it current again.',
      );
    case 'failed':
      return new CovermapError(
        'submission_failed',
        'This submission failed, so there is nothing to publish.',
        'Its error says what to change. Hand the file in again after that.',
      );
    case 'withdrawn':
      return submissionWithdrawn();
    default:
      return new CovermapError(
        'submission_not_ready',
        `There is no loaded submission ${submissionId}.`,
        'One that is still being worked on can be published once it is ready.',
      );
  }
}

/** Refuses where what is about to be replaced is not what somebody had before them when they decided to. */
export function requireUnchanged(
  published: readonly (number | null)[],
  expected: readonly number[] | undefined,
): void {
  if (expected === undefined) return;
  const now = published.filter((id) => id !== null);
  if (now.length === expected.length && now.every((id) => expected.includes(id))) return;
  throw publishedMeanwhile();
}

export function publishedMeanwhile(): CovermapError {
  return new CovermapError(
    'published_meanwhile',
    'Another version has been published since you looked.',
    'Look at the difference to that one, and decide again.',
  );
}

/**
 * Moves the rows of superseded versions out of the table that lookups read, in small batches, and forgets those of
 * versions past the newest `keep` of their scope; of scopes that come and go, no more are kept than of as many as may be
 * published. Lookups are not affected: a snapshot in which rows have gone is one in which their
 * version is superseded. Safe to stop anywhere and to run again.
 */
export async function archiveSuperseded(
  database: Database,
  submissionId: string,
  keep: number,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await database.query<{ id: number; kept: boolean }>(
    `select id, kept
     from (
       select old.id, mine.scope_key = old.scope_key as is_alike, old.rows_removed_at is not null as removed,
         old.rows_removed_at is null and $2 >= row_number() over (
           partition by old.technology_id, old.scope_key, old.rows_removed_at is null
           order by old.superseded_at desc, old.id desc) and $3 >= row_number() over (
           partition by old.technology_id, old.rows_removed_at is null
           order by old.superseded_at desc, old.id desc) as kept
       from dataset old
       join dataset mine on mine.provider_id = old.provider_id and mine.technology_id = old.technology_id
       where mine.submission_id = $1 and old.state = 'superseded'
     ) as version
     where is_alike or (not kept and not removed)`,
    [submissionId, keep, keep * maxScopes],
  );
  let moved = 0;
  for (const { id, kept } of rows) {
    if (kept) {
      moved += await archiveRows(database, id, signal);
      continue;
    }
    // First that it is gone, so that nobody takes back to what is half removed.
    const { rowCount } = await database.query(
      `update dataset set rows_removed_at = coalesce(rows_removed_at, clock_timestamp())
       where id = $1 and state = 'superseded'`,
      [id],
    );
    if (rowCount === 0) continue;
    for (const table of ['coverage', 'coverage_archive', 'coverage_change', 'coverage_overview'] as const) {
      moved += await removeRows(database, id, table, signal);
    }
  }
  if (moved > 0) await tidy(database);
}

/** Lets the planner know what is in the table now, and lets the space of removed rows be used again. */
export async function tidy(database: Database): Promise<void> {
  // A server has autovacuum for this; the embedded database has none.
  await database.query(database.kind === 'embedded' ? 'vacuum (analyze) coverage' : 'analyze coverage');
}

interface LockedDataset extends Candidate {
  provider_id: number;
  state: string;
  /** What is published of the same coverage. */
  published_id: number | null;
  /** Whether that was handed in after this. */
  later_is_published: boolean;
}

/** Lets one publication a provider in at a time, until the end of the transaction. */
async function lockVersions(connection: Connection, submissionId: string): Promise<LockedDataset[]> {
  await connection.query(
    'select 1 from provider where id = (select provider_id from submission where id::text = $1) for no key update',
    [submissionId],
  );
  const { rows } = await connection.query<LockedDataset>(
    `select d.id, d.provider_id, d.state, t.name as technology, d.scope, ${isCompared} as is_compared, d.compared_with,
       d.change, published.id as published_id,
       coalesce(theirs.received_at > mine.received_at, false) as later_is_published
     from dataset d
     join technology t on t.id = d.technology_id
     join submission mine on mine.id = d.submission_id
     ${joinPublished}
     left join submission theirs on theirs.id = published.submission_id
     where d.submission_id::text = $1
     order by d.id`,
    [submissionId],
  );
  return rows;
}

/** Sets a dataset's state, and that of the submission it came from. The provider's row has to be locked. */
export async function setState(
  connection: Connection,
  datasetId: number,
  state: 'published' | 'superseded',
): Promise<void> {
  await connection.query(
    `update dataset set
       state = $2,
       published_at = case when $2 = 'published' then clock_timestamp() else published_at end,
       superseded_at = case when $2 = 'superseded' then clock_timestamp() end
     where id = $1`,
    [datasetId, state],
  );
  // A submission is published as long as any of its datasets is.
  await connection.query(
    `update submission s set state = case when exists (
         select from dataset where submission_id = s.id and state = 'published') then 'published' else 'superseded' end
     where id = (select submission_id from dataset where id = $1)`,
    [datasetId],
  );
}

/** A batch holds the dataset's row: nobody makes the version current again while its rows are on their way out. */
async function archiveRows(database: Database, datasetId: number, signal?: AbortSignal): Promise<number> {
  return inBatches(signal, async () => {
    const { rows } = await database.query<{ moved: number }>(
      `with old as materialized (
         select id from dataset where id = $1 and state = 'superseded' and rows_removed_at is null for share
       ), moved as (
         delete from coverage where ctid = any (array(
           select c.ctid from old join tier t on t.dataset_id = old.id join coverage c on c.tier_id = t.id limit $2))
         returning tier_id, geom
       ), kept as (
         insert into coverage_archive (tier_id, geom) select tier_id, geom from moved
       )
       select count(*) as moved from moved`,
      [datasetId, moveBatch],
    );
    return rows[0]?.moved ?? 0;
  });
}

/** Brings archived rows of a version that is `restoring` back to where lookups read. */
export async function restoreRows(
  database: Database,
  datasetId: number,
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(signal, async () => {
    const { rows } = await database.query<{ moved: number }>(
      `with version as materialized (
         select id from dataset where id = $1 and state = 'restoring' for share
       ), moved as (
         delete from coverage_archive where ctid = any (array(
           select c.ctid from version join tier t on t.dataset_id = version.id
           join coverage_archive c on c.tier_id = t.id limit $2))
         returning tier_id, geom
       ), back as (
         insert into coverage (tier_id, geom) select tier_id, geom from moved
       )
       select count(*) as moved from moved`,
      [datasetId, moveBatch],
    );
    return rows[0]?.moved ?? 0;
  });
}

/** Removes a dataset's rows from a table, in small batches. */
export async function removeRows(
  database: Database,
  datasetId: number,
  table: 'coverage' | 'coverage_archive' | 'coverage_change' | 'coverage_overview',
  signal?: AbortSignal,
): Promise<number> {
  const chosen =
    table === 'coverage_change' || table === 'coverage_overview'
      ? `select c.ctid from ${table} c where c.dataset_id = $1 limit $2`
      : `select c.ctid from ${table} c join tier t on t.id = c.tier_id where t.dataset_id = $1 limit $2`;
  return inBatches(signal, async () => {
    const { rowCount } = await database.query(`delete from ${table} where ctid = any (array(${chosen}))`, [
      datasetId,
      moveBatch,
    ]);
    return rowCount;
  });
}

async function inBatches(signal: AbortSignal | undefined, step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const count = await step();
    if (count === 0) return total;
    total += count;
  }
}
