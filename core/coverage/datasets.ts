import type { Connection, Database, Queryable } from '../database/database.ts';
import { CovermapError, storableJson } from '../errors.ts';
import type { Availability, ProviderDescription } from './manifest.ts';
import { describeProvider } from './providers.ts';

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
  const { rows } = await database.query<{ id: number }>(
    `insert into dataset (submission_id, provider_id, technology_id)
     select s.id, s.provider_id, t.id
     from submission s cross join technology t
     where s.id = $1 and t.name = $2
     returning id`,
    [submissionId, technology],
  );
  return (rows[0] as { id: number }).id;
}

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
 */
export async function readySubmission(
  database: Database,
  submissionId: string,
  areas: ReadonlyMap<number, number>,
  report: unknown,
): Promise<void> {
  await database.transaction(async (connection) => {
    for (const [datasetId, areaKm2] of areas) {
      await connection.query(
        `update dataset set state = 'ready', area_km2 = $2 where id = $1 and state = 'loading'`,
        [datasetId, areaKm2],
      );
    }
    await connection.query(
      `update submission set state = 'ready', report = $2::jsonb, finished_at = clock_timestamp()
       where id = $1 and state in ('received', 'reading', 'loading', 'checking')`,
      [submissionId, storableJson(report)],
    );
  });
}

/** Removes all that a submission has loaded and that will not be published. */
export async function discardDatasets(database: Database, submissionId: string): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select id from dataset where submission_id = $1 and state = 'loading'`,
    [submissionId],
  );
  for (const { id } of rows) {
    await removeRows(database, id, 'coverage');
    await database.query('delete from dataset where id = $1', [id]);
  }
}

/** `superseded` where later submissions' versions of all its coverage were published before. */
export type Publication = 'published' | 'superseded';

/**
 * Makes the ready datasets of a submission what lookups answer from, each in place of the provider's previous version
 * with its technology. One transaction: every lookup sees the old versions or the new ones. Two processes publishing
 * versions of the same coverage go one after the other, and the later submission stays, whichever was ready first.
 * Publishing what is published changes nothing.
 * @throws CovermapError `submission_not_loaded`
 */
export async function publishSubmission(database: Database, submissionId: string): Promise<Publication> {
  return database.transaction(async (connection) => {
    const datasets = await lockVersions(connection, submissionId);
    if (datasets.length === 0 || datasets.some(({ state }) => state === 'loading')) {
      throw new CovermapError(
        'submission_not_loaded',
        `There is no loaded submission ${submissionId}.`,
        'The ids are in: npm run admin -- submission list',
      );
    }
    const ready = datasets.filter(({ state }) => state === 'ready');
    let published = datasets.some(({ state }) => state === 'published');
    for (const dataset of ready) {
      if (dataset.later_is_published) {
        await setState(connection, dataset.id, 'superseded');
        continue;
      }
      if (dataset.published_id !== null) await setState(connection, dataset.published_id, 'superseded');
      await setState(connection, dataset.id, 'published');
      published = true;
    }
    if (ready.length > 0 && published) {
      const { rows: described } = await connection.query<{ provider: ProviderDescription }>(
        `select manifest -> 'provider' as provider from submission where id = $1`,
        [submissionId],
      );
      if (described[0]?.provider) await describeProvider(connection, described[0].provider);
      await connection.query('update catalog set version = version + 1');
    }
    return published ? 'published' : 'superseded';
  });
}

/**
 * Moves the rows of superseded versions out of the table that lookups read, in small batches, and forgets those of
 * versions past the newest `keep`. Lookups are not affected: a snapshot in which rows have gone is one in which their
 * version is superseded. Safe to stop anywhere and to run again.
 */
export async function archiveSuperseded(
  database: Database,
  submissionId: string,
  keep: number,
): Promise<void> {
  const { rows } = await database.query<{ id: number; kept: boolean }>(
    `select id, number <= $2 as kept
     from (
       select old.id, row_number() over (
           partition by old.technology_id order by old.superseded_at desc, old.id desc) as number
       from dataset old
       join dataset mine on mine.provider_id = old.provider_id and mine.technology_id = old.technology_id
       where mine.submission_id = $1 and old.state = 'superseded'
     ) as versions`,
    [submissionId, keep],
  );
  let moved = 0;
  for (const { id, kept } of rows) {
    if (kept) moved += await archiveRows(database, id);
    else
      moved +=
        (await removeRows(database, id, 'coverage')) + (await removeRows(database, id, 'coverage_archive'));
  }
  if (moved > 0) await tidy(database);
}

/** Lets the planner know what is in the table now, and lets the space of removed rows be used again. */
export async function tidy(database: Database): Promise<void> {
  // A server has autovacuum for this; the embedded database has none.
  await database.query(database.kind === 'embedded' ? 'vacuum (analyze) coverage' : 'analyze coverage');
}

interface LockedDataset {
  id: number;
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
    `select d.id, d.state, published.id as published_id,
       coalesce(theirs.received_at > mine.received_at, false) as later_is_published
     from dataset d
     join submission mine on mine.id = d.submission_id
     left join dataset published on published.provider_id = d.provider_id
       and published.technology_id = d.technology_id and published.state = 'published'
     left join submission theirs on theirs.id = published.submission_id
     where d.submission_id::text = $1
     order by d.id`,
    [submissionId],
  );
  return rows;
}

/** Sets a dataset's state, and that of the submission it came from. */
async function setState(
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

async function archiveRows(database: Database, datasetId: number): Promise<number> {
  return inBatches(async () => {
    const { rows } = await database.query<{ moved: number }>(
      `with moved as (
         delete from coverage where ctid = any (array(
           select c.ctid from coverage c join tier t on t.id = c.tier_id where t.dataset_id = $1 limit $2))
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

async function removeRows(
  database: Database,
  datasetId: number,
  table: 'coverage' | 'coverage_archive',
): Promise<number> {
  return inBatches(async () => {
    const { rowCount } = await database.query(
      `delete from ${table} where ctid = any (array(
         select c.ctid from ${table} c join tier t on t.id = c.tier_id where t.dataset_id = $1 limit $2))`,
      [datasetId, moveBatch],
    );
    return rowCount;
  });
}

async function inBatches(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step();
    if (count === 0) return total;
    total += count;
  }
}
