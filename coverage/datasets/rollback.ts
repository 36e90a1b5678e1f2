import { type Actor, serviceActor } from '../../access/actor.ts';
import { type Action, record } from '../../access/audit.ts';
import { accrueProcessingFee } from '../../billing/processing-fees.ts';
import { type Connection, type Database, withKeyInTurn } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { inSpan } from '../../platform/tracing/tracing.ts';
import { type Attempts, endWork, isExhausted } from '../attempts.ts';
import { lackingExclusions } from '../exclusions/remakes.ts';
import { moveRows, restoring } from './archive.ts';
import { requireExclusions, requireUnchanged, setState } from './publish.ts';
import { joinPublished, requireRoomForScope } from './scopes.ts';

/*
 * A rollback moves the rows of an earlier version back to the table that lookups read, in batches that no lookup shows yet; then one
 * transaction publishes the version. If the process ends meanwhile, the dataset is still `restoring`, and a worker finishes it.
 */

/**
 * Publishes an earlier version again, in place of the current one.
 * @param replaces the dataset that the caller expects to replace; null: none is published; undefined: not checked
 * @returns the replaced dataset, or null
 * @throws CovermapError `dataset_unknown`, `version_not_superseded`, `version_not_kept`, `published_meanwhile`, `exclusions_lacking`
 */
export async function rollBack(
  database: Database,
  attempts: Attempts,
  datasetId: number,
  actor: Actor,
  replaces?: number | null,
): Promise<number | null> {
  const begun = await database.transaction(async (connection) => {
    const version = await lockVersion(connection, datasetId);
    if (version.state === 'published') return false;
    const expected = replaces === null ? [] : replaces === undefined ? undefined : [replaces];
    requireUnchanged([version.published_id], expected);
    // An earlier request was interrupted: this one finishes its rollback.
    if (version.state === 'restoring') return true;
    if (version.state !== 'superseded') throw new CovermapError('version_not_superseded');
    if (version.removed) throw new CovermapError('version_not_kept');
    await requireRoomForScope(connection, datasetId);
    await requireExclusions(connection, [version]);
    await connection.query(sql`
      update dataset set state = 'restoring', rollback_replaces = ${version.published_id} where id = ${datasetId}`);
    await recordOf(connection, actor, 'dataset_rolled_back', version, { replaces: version.published_id });
    return true;
  });
  if (!begun) return null;
  return inSpan('roll back dataset', {}, () => finishRollback(database, attempts, datasetId));
}

/** Takes a published version offline; a rollback publishes it again. @throws CovermapError `dataset_unknown`, `version_not_published` */
export async function unpublish(database: Database, datasetId: number, actor: Actor): Promise<void> {
  await database.transaction(async (connection) => {
    const version = await lockVersion(connection, datasetId);
    if (version.state !== 'published') throw new CovermapError('version_not_published');
    await setState(connection, datasetId, 'superseded');
    await recordOf(connection, actor, 'dataset_unpublished', version);
    await connection.query('update catalog set version = version + 1');
  });
}

/**
 * Finishes the rollback to a version that is `restoring`, after any other process that does so. @returns the replaced dataset, or null
 * @throws CovermapError `attempts_exhausted` where this has killed its process too often, `published_meanwhile` where another
 * publication since the rollback began stays published
 */
export async function finishRollback(database: Database, attempts: Attempts, datasetId: number) {
  const id = String(datasetId);
  const finish = async () => {
    try {
      const replaced = await attempts.run('rollback', id, () => restore(database, datasetId));
      await endWork(database, 'rollback', id);
      return replaced;
    } catch (error) {
      if (isExhausted(error)) await abandonRollback(database, datasetId);
      throw error;
    }
  };
  return withKeyInTurn(database, `rollback ${id}`, finish);
}

/** As {@link finishRollback}; the caller holds the key. */
export async function restore(database: Database, datasetId: number, signal?: AbortSignal) {
  for (;;) {
    await moveRows(database, datasetId, restoring, signal);
    const end = await database.transaction((connection) => changeOver(connection, datasetId));
    if (end === 'abandoned') throw new CovermapError('published_meanwhile');
    if (end !== 'rows left') return end;
  }
}

/** Ends a rollback that cannot be finished: published coverage stays. */
export async function abandonRollback(database: Database, datasetId: number): Promise<void> {
  await database.transaction(async (connection) => {
    const version = await lockVersion(connection, datasetId);
    if (version.state === 'restoring') await abandon(connection, version);
  });
}

/** Makes a version that cannot be restored superseded again; a worker moves its rows back. */
async function abandon(connection: Connection, version: LockedVersion): Promise<void> {
  await connection.query(sql`update dataset set state = 'superseded' where id = ${version.id}`);
  const details = { current: version.published_id };
  await recordOf(connection, serviceActor, 'dataset_rollback_failed', version, details);
  await endWork(connection, 'rollback', String(version.id));
}

async function changeOver(connection: Connection, datasetId: number) {
  // The lock on the version's row excludes running batches, so the remaining archived rows are visible.
  const version = await lockVersion(connection, datasetId);
  // Another process has finished it.
  if (version.state !== 'restoring') return version.state === 'published' ? null : 'abandoned';
  // Only the expected version is replaced, and by none without an exclusion that was added meanwhile.
  const lacking = await lackingExclusions(connection, [datasetId]);
  if (version.published_id !== version.rollback_replaces || lacking.length > 0) {
    await abandon(connection, version);
    return 'abandoned';
  }
  const { rows: left } = await connection.query(sql`
    select from tier t join coverage_archive c on c.tier_id = t.id where t.dataset_id = ${datasetId} limit 1`);
  if (left.length > 0) return 'rows left';
  if (version.published_id !== null) await setState(connection, version.published_id, 'superseded');
  await setState(connection, datasetId, 'published');
  await accrueProcessingFee(connection, version.submission_id);
  await connection.query('update catalog set version = version + 1');
  return version.published_id;
}

/** SQL: the versions being restored, by a worker or by the process of the request. `since`: the time of its audit entry. */
export const waitingRollbacks = `
  select d.id::text as id, d.provider_id::text as owner, coalesce((
      select max(at) from audit_event e
      where e.provider_id = d.provider_id and e.dataset_id = d.id and e.action = 'dataset_rolled_back'), d.superseded_at) as since
  from dataset d where d.state = 'restoring'`;

interface LockedVersion {
  id: number;
  state: string;
  provider_id: number;
  submission_id: string;
  rollback_replaces: number | null;
  removed: boolean;
  published_id: number | null;
}

async function recordOf(
  connection: Connection,
  actor: Actor,
  action: Action,
  { id, provider_id, submission_id }: LockedVersion,
  details = {},
): Promise<void> {
  const version = { providerId: provider_id, submissionId: submission_id, datasetId: id };
  await record(connection, actor, { action, ...version, details });
}

/** A version, and the published dataset of its scope. Locks it and its provider's row. */
async function lockVersion(connection: Connection, datasetId: number): Promise<LockedVersion> {
  await connection.query(sql`
    select 1 from provider where id = (select provider_id from dataset where id = ${datasetId}) for no key update`);
  const { rows } = await connection.query<LockedVersion>(sql`
    select d.id, d.state, d.provider_id, d.submission_id, d.rollback_replaces,
      d.rows_removed_at is not null as removed, published.id as published_id
    from dataset d
    ${joinPublished}
    where d.id = ${datasetId}
    for update of d`);
  if (!rows[0]) throw new CovermapError('dataset_unknown');
  return rows[0];
}
