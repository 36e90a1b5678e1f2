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
 * Taking offline, and taking back. Taking back: an earlier version becomes current again. Its rows come back to the table that lookups read in small
 * batches, where no lookup shows them yet, and then one transaction changes over. A rollback that was accepted is
 * finished also where its process ends: the row says `restoring`, and a worker goes on from there.
 */

/** How often it is looked whether another process has finished a rollback. */
const lookAgainMs = 100;

/**
 * Makes an earlier version current again in place of the one that is.
 * @param replaces the dataset that was published when somebody decided on this; null: none was; undefined: not checked
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
    // Where an earlier request was cut off, this one ends its work.
    if (version.state === 'restoring') return true;
    if (version.state !== 'superseded') {
      throw new CovermapError(
        'version_not_superseded',
        'This version was never current, so it cannot be gone back to.',
        'Publish its submission instead.',
      );
    }
    if (version.removed) {
      throw new CovermapError(
        'version_not_kept',
        'The areas of this version have been removed by now.',
        'Hand its file in again.',
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
 * Takes a published version offline: nothing takes its place, and lookups answer from what the provider's other scopes
 * have. Rolling back to it brings it back.
 * @throws CovermapError `dataset_unknown`, `version_not_published`
 */
export async function unpublish(database: Database, datasetId: number, actor: Actor): Promise<void> {
  await database.transaction(async (connection) => {
    const version = await lockVersion(connection, datasetId);
    if (version.state !== 'published') {
      throw new CovermapError('version_not_published', 'This version is not published, or not any more.');
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
 * Brings a version that is `restoring` to its end, in one process at a time; where another does so, waits for it.
 * @returns the dataset that this replaced, or null
 * @throws CovermapError `attempts_exhausted` where this has killed its process too often, `published_meanwhile` where
 *   another version became current, or none is any more, since it was begun: what is current stays so
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
    await sleep(lookAgainMs);
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
    if (end === 'given up') throw publishedMeanwhile();
    if (end !== 'rows left') return end;
  }
}

async function abandonRollback(database: Database, datasetId: number): Promise<void> {
  await database.transaction(async (connection) => {
    const version = await lockVersion(connection, datasetId);
    if (version.state === 'restoring') await giveUp(connection, datasetId, version);
  });
}

/** Makes a version that cannot be restored what it was before; a worker moves its rows back. */
async function giveUp(connection: Connection, datasetId: number, version: LockedVersion): Promise<void> {
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
): Promise<number | null | 'rows left' | 'given up'> {
  // No batch is under way once this has the version's row, and what all of them have left shows.
  const version = await lockVersion(connection, datasetId);
  // Another process has brought it to its end.
  if (version.state !== 'restoring') return version.state === 'published' ? null : 'given up';
  // What is replaced is what somebody agreed to, or nothing.
  if (version.published_id !== version.rollback_replaces) {
    await giveUp(connection, datasetId, version);
    return 'given up';
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

/** Rollbacks that were begun and whose end nobody may be working on. */
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

/** A version, held, and what is published of the same coverage; one publication a provider until the transaction ends. */
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
