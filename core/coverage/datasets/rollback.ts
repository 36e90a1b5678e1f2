import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, serviceActor } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import { accrueProcessingFee } from '../../billing/processing-fees.ts';
import type { Connection, Database } from '../../database/database.ts';
import { CovermapError } from '../../errors.ts';
import { type Attempts, endWork, isExhausted } from '../../work.ts';
import { restoreRows } from './archive.ts';
import { publishedMeanwhile, requireUnchanged, setState } from './publish.ts';
import { joinPublished, requireRoomForScope } from './scopes.ts';

/*
 * Rolling back and unpublishing. A rollback moves the rows of an earlier version back to the table that lookups read, in
 * small batches that no lookup shows yet; then one transaction publishes the version. If the process ends meanwhile, the
 * dataset is still `restoring`, and a worker finishes the rollback.
 */

/** How often to check whether another process has finished a rollback. */
const pollMs = 100;

/**
 * Publishes an earlier version again, in place of the current one.
 * @param replaces the dataset that the caller expects to replace; null: none is published; undefined: not checked
 * @returns the dataset that was replaced, or null
 * @throws CovermapError `dataset_unknown`, `version_not_superseded`, `version_not_kept`, `published_meanwhile`
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
    if (version.state !== 'superseded') {
      throw new CovermapError(
        'version_not_superseded',
        'This version was never published, so you cannot roll back to it.',
        'Publish its submission instead.',
      );
    }
    if (version.removed) {
      throw new CovermapError(
        'version_not_kept',
        'This version is no longer kept.',
        'Submit its file again.',
      );
    }
    await requireRoomForScope(connection, datasetId);
    await connection.query(`update dataset set state = 'restoring', rollback_replaces = $2 where id = $1`, [
      datasetId,
      version.published_id,
    ]);
    await record(connection, actor, {
      action: 'dataset_rolled_back',
      providerId: version.provider_id,
      submissionId: version.submission_id,
      datasetId,
      details: { replaces: version.published_id },
    });
    return true;
  });
  return begun ? finishRollback(database, attempts, datasetId) : null;
}

/**
 * Takes a published version offline. Nothing replaces it: lookups answer from the provider's other scopes. Rolling back to
 * it publishes it again.
 * @throws CovermapError `dataset_unknown`, `version_not_published`
 */
export async function unpublish(database: Database, datasetId: number, actor: Actor): Promise<void> {
  await database.transaction(async (connection) => {
    const version = await lockVersion(connection, datasetId);
    if (version.state !== 'published') {
      throw new CovermapError('version_not_published', 'This version is not published.');
    }
    await setState(connection, datasetId, 'superseded');
    await record(connection, actor, {
      action: 'dataset_unpublished',
      providerId: version.provider_id,
      submissionId: version.submission_id,
      datasetId,
    });
    await connection.query('update catalog set version = version + 1');
  });
}

/**
 * Finishes the rollback to a version that is `restoring`, in one process at a time; waits for another process that does so.
 * @returns the dataset that was replaced, or null
 * @throws CovermapError `attempts_exhausted` where this has killed its process too often, `published_meanwhile` where what
 *   is published has changed since the rollback began: that stays published
 */
export async function finishRollback(
  database: Database,
  attempts: Attempts,
  datasetId: number,
  signal?: AbortSignal,
): Promise<number | null> {
  const id = String(datasetId);
  for (;;) {
    signal?.throwIfAborted();
    const done = await database.withExclusiveKey(`rollback ${id}`, async () => {
      try {
        const replaced = await attempts.run('rollback', id, () => restore(database, datasetId, signal));
        await endWork(database, 'rollback', id);
        return { replaced };
      } catch (error) {
        if (isExhausted(error)) await abandonRollback(database, datasetId);
        throw error;
      }
    });
    if (done) return done.replaced;
    await sleep(pollMs);
  }
}

async function restore(
  database: Database,
  datasetId: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  for (;;) {
    await restoreRows(database, datasetId, signal);
    const end = await database.transaction((connection) => changeOver(connection, datasetId));
    if (end === 'abandoned') throw publishedMeanwhile();
    if (end !== 'rows left') return end;
  }
}

async function abandonRollback(database: Database, datasetId: number): Promise<void> {
  await database.transaction(async (connection) => {
    const version = await lockVersion(connection, datasetId);
    if (version.state === 'restoring') await abandon(connection, datasetId, version);
  });
}

/** Makes a version superseded again that cannot be restored; a worker moves its rows back. */
async function abandon(connection: Connection, datasetId: number, version: LockedVersion): Promise<void> {
  await connection.query(`update dataset set state = 'superseded' where id = $1`, [datasetId]);
  await record(connection, serviceActor, {
    action: 'dataset_rollback_failed',
    providerId: version.provider_id,
    submissionId: version.submission_id,
    datasetId,
    details: { current: version.published_id },
  });
  await endWork(connection, 'rollback', String(datasetId));
}

async function changeOver(
  connection: Connection,
  datasetId: number,
): Promise<number | null | 'rows left' | 'abandoned'> {
  // With the version's row locked no batch is running, and the archived rows that are left can be seen.
  const version = await lockVersion(connection, datasetId);
  // Another process has finished it.
  if (version.state !== 'restoring') return version.state === 'published' ? null : 'abandoned';
  // Only the version that was expected is replaced.
  if (version.published_id !== version.rollback_replaces) {
    await abandon(connection, datasetId, version);
    return 'abandoned';
  }
  const { rows: left } = await connection.query(
    'select from tier t join coverage_archive c on c.tier_id = t.id where t.dataset_id = $1 limit 1',
    [datasetId],
  );
  if (left.length > 0) return 'rows left';
  if (version.published_id !== null) await setState(connection, version.published_id, 'superseded');
  await setState(connection, datasetId, 'published');
  await accrueProcessingFee(connection, version.submission_id);
  await connection.query('update catalog set version = version + 1');
  return version.published_id;
}

/** Ids of the versions whose rollback may have been interrupted. */
export async function unfinishedRollbacks(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(`select id from dataset where state = 'restoring'`);
  return rows.map(({ id }) => id);
}

interface LockedVersion {
  state: string;
  provider_id: number;
  submission_id: string;
  /** What was published when its rollback began. */
  rollback_replaces: number | null;
  removed: boolean;
  published_id: number | null;
}

/** A version, and what is published of the same coverage. Locks it and its provider's row. */
async function lockVersion(connection: Connection, datasetId: number) {
  await connection.query(
    'select 1 from provider where id = (select provider_id from dataset where id = $1) for no key update',
    [datasetId],
  );
  const { rows } = await connection.query<LockedVersion>(
    `select d.state, d.provider_id, d.submission_id, d.rollback_replaces, d.rows_removed_at is not null as removed, published.id as published_id
     from dataset d
     ${joinPublished}
     where d.id = $1
     for update of d`,
    [datasetId],
  );
  const version = rows[0];
  if (!version) throw new CovermapError('dataset_unknown', 'There is no such version.');
  return version;
}
