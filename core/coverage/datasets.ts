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
 * Begins a dataset for a submission, empty. What an earlier attempt on the same submission left behind is removed, so
 * a job that starts again ends with the same rows.
 * @returns the dataset's id
 * @throws CovermapError `submission_ended` where the submission's dataset was made ready or published already
 */
export async function beginDataset(database: Database, submissionId: string): Promise<number> {
  const { rows } = await database.query<{ id: number; state: string }>(
    `insert into dataset as d (submission_id, provider_id, technology_id)
     select s.id, s.provider_id, t.id
     from submission s join technology t on t.name = s.manifest ->> 'technology'
     where s.id = $1
     on conflict (submission_id, technology_id) do update set state = d.state
     returning id, state`,
    [submissionId],
  );
  const dataset = rows[0];
  if (dataset?.state !== 'loading') {
    throw new CovermapError('submission_ended', 'The work on this submission has been done already.');
  }
  await removeRows(database, dataset.id, 'coverage');
  await database.query('delete from tier where dataset_id = $1', [dataset.id]);
  return dataset.id;
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

/** Marks a loaded dataset and its submission as ready to be published. */
export async function readyDataset(
  database: Database,
  datasetId: number,
  areaKm2: number,
  report: unknown,
): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.query(
      `update dataset set state = 'ready', area_km2 = $2 where id = $1 and state = 'loading'`,
      [datasetId, areaKm2],
    );
    await connection.query(
      `update submission set state = 'ready', report = $2::jsonb, finished_at = clock_timestamp()
       where id = (select submission_id from dataset where id = $1)
         and state in ('received', 'reading', 'loading', 'checking')`,
      [datasetId, storableJson(report)],
    );
  });
}

/** Removes all that a dataset that will not be published has loaded, and the dataset. */
export async function discardDataset(database: Database, submissionId: string): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select id from dataset where submission_id = $1 and state = 'loading'`,
    [submissionId],
  );
  for (const { id } of rows) {
    await removeRows(database, id, 'coverage');
    await database.query('delete from dataset where id = $1', [id]);
  }
}

export interface Publication {
  /** `published`; or `superseded` where a later submission's version was published before this one. */
  state: 'published' | 'superseded';
  datasetId: number;
  /** The version that was published until now. */
  previousId: number | undefined;
}

/**
 * Makes a ready dataset what lookups answer from, in place of the provider's previous version with the technology. One
 * transaction: every lookup sees the old version or the new one. Two processes publishing versions of the same
 * coverage go one after the other, and the later submission stays, whichever was ready first. Publishing what is
 * published changes nothing.
 * @throws CovermapError `dataset_not_ready`
 */
export async function publishDataset(database: Database, datasetId: number): Promise<Publication> {
  return database.transaction(async (connection) => {
    const dataset = await lockVersions(connection, datasetId);
    if (dataset?.state === 'published') return { state: 'published', datasetId, previousId: undefined };
    if (dataset?.state === 'superseded') return { state: 'superseded', datasetId, previousId: undefined };
    if (dataset?.state !== 'ready') {
      throw new CovermapError('dataset_not_ready', `Dataset ${datasetId} is not ready to be published.`);
    }
    const { rows } = await connection.query<{ id: number; submission_id: string; later: boolean }>(
      `select d.id, d.submission_id, s.received_at > mine.received_at as later
       from dataset d
       join submission s on s.id = d.submission_id
       join submission mine on mine.id = $3
       where d.provider_id = $1 and d.technology_id = $2 and d.state = 'published'`,
      [dataset.provider_id, dataset.technology_id, dataset.submission_id],
    );
    const current = rows[0];
    if (current?.later) {
      await setState(connection, datasetId, 'superseded');
      return { state: 'superseded', datasetId, previousId: current.id };
    }
    if (current) await setState(connection, current.id, 'superseded');
    const { rows: described } = await connection.query<{ provider: ProviderDescription }>(
      `select manifest -> 'provider' as provider from submission where id = $1`,
      [dataset.submission_id],
    );
    if (described[0]?.provider) await describeProvider(connection, described[0].provider);
    await setState(connection, datasetId, 'published');
    await connection.query('update catalog set version = version + 1');
    return { state: 'published', datasetId, previousId: current?.id };
  });
}

/**
 * Moves the rows of superseded versions out of the table that lookups read, in small batches, and forgets those of
 * versions past the newest `keep`. Lookups are not affected: a snapshot in which rows have gone is one in which their
 * version is superseded. Safe to stop anywhere and to run again.
 */
export async function archiveSuperseded(database: Database, datasetId: number, keep: number): Promise<void> {
  const { rows } = await database.query<{ id: number; kept: boolean }>(
    `select id, number <= $2 as kept
     from (
       select old.id, row_number() over (order by old.superseded_at desc, old.id desc) as number
       from dataset old
       join dataset mine on mine.provider_id = old.provider_id and mine.technology_id = old.technology_id
       where mine.id = $1 and old.state = 'superseded'
     ) as versions`,
    [datasetId, keep],
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
  state: string;
  submission_id: string;
  provider_id: number;
  technology_id: number;
}

/** Lets one publication a provider in at a time, until the end of the transaction. */
async function lockVersions(connection: Connection, datasetId: number): Promise<LockedDataset | undefined> {
  await connection.query(
    'select 1 from provider where id = (select provider_id from dataset where id = $1) for no key update',
    [datasetId],
  );
  const { rows } = await connection.query<LockedDataset>(
    'select state, submission_id, provider_id, technology_id from dataset where id = $1',
    [datasetId],
  );
  return rows[0];
}

/** Sets a dataset's state and that of the submission it came from. */
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
  await connection.query(
    'update submission set state = $2 where id = (select submission_id from dataset where id = $1)',
    [datasetId, state],
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
