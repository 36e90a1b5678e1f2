import { type Actor, serviceActor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import { accrueProcessingFee } from '../../billing/processing-fees.ts';
import type { Connection, Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import { inSpan } from '../../platform/tracing/tracing.ts';
import { excludedKm2, lackingExclusions, ownWarnings } from '../exclusions/remakes.ts';
import { applyManifestProfile, requireAddress } from '../providers/providers.ts';
import { tellOfSubmission } from '../submission-mail.ts';
import { type Blocking, type BlockingRules, type Candidate, judge } from './blocking.ts';
import { isCompared, joinPublished, premisesState, requireRoomForScope } from './scopes.ts';

/**
 * `superseded`: later submissions of all its coverage are published. `outdated`: not compared with what is published now.
 * `unconfirmed`: the publisher has not confirmed a blocking message.
 */
export type Publication = 'published' | 'superseded' | 'outdated' | 'unconfirmed';

export interface PublishOptions {
  rules: BlockingRules;
  /** The publisher; absent: the service, automatically. */
  actor?: Actor;
  /** True keeps a later submission published, as automatic publication does; by hand the named one is published. */
  laterStays?: boolean;
  /** The datasets that the publisher expects to replace; others are not replaced. */
  replaces?: readonly number[] | undefined;
  /** The comparison that the publisher has seen, which confirms its blocking messages. */
  comparison?: string | undefined;
}

/**
 * Publishes the ready datasets of a submission: each replaces the provider's version of its technology and scope. One transaction, so that a
 * lookup sees all old versions or all new ones; publications of one provider take turns. Losses are judged against what is published at that
 * moment. Publishing a published submission changes nothing.
 * @throws CovermapError `submission_not_ready`, `submission_superseded`, `submission_failed`, `submission_withdrawn`,
 * `exclusions_lacking`, `published_meanwhile`, `scopes_too_many`, `provider_url_missing`
 */
export function publishSubmission(database: Database, submissionId: string, options: PublishOptions) {
  return inSpan('publish submission', {}, async (span) => {
    const outcome = await publish(database, submissionId, options);
    span?.set({ 'covermap.publication': outcome });
    return outcome;
  });
}

function publish(
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
    const live = ready.map(({ published_id }) => published_id);
    requireUnchanged(live, replaces);
    const next = ready.filter(
      ({ later_is_published, excluded_km2 }) =>
        !((laterStays || excluded_km2 !== null) && later_is_published),
    );
    await requireExclusions(connection, next);
    // The lock on the provider's row keeps other publications out.
    const { rows } = await connection.query<{ warnings: Blocking[] | null }>(sql`
      select ${ownWarnings} as warnings from submission s where s.id::text = ${submissionId}`);
    const verdict = judge(next, rows[0]?.warnings ?? [], rules);
    if (next.length > 0) {
      if (verdict.comparison === null) return 'outdated';
      const hasSeenOther = comparison !== undefined && comparison !== verdict.comparison;
      if (hasSeenOther) throw new CovermapError('published_meanwhile');
      if (verdict.blocking.length > 0 && comparison === undefined) {
        // From now on it waits for a decision.
        if (laterStays) {
          await connection.query(sql`
            update submission set blocking = ${storableJson(verdict.blocking)}::jsonb
            where id::text = ${submissionId}`);
          const reasons = verdict.blocking.map(({ message }) => message);
          await tellOfSubmission(connection, submissionId, 'review', reasons);
        }
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
      const confirmed = verdict.blocking.length > 0 ? { confirmed: verdict.blocking } : {};
      const details = { datasets: current, replaced, ...confirmed };
      const providerId = ready[0]?.provider_id;
      await record(connection, actor, { action: 'submission_published', providerId, submissionId, details });
      await tellOfSubmission(connection, submissionId, 'published');
      await connection.query('update catalog set version = version + 1');
    }
    return published ? 'published' : 'superseded';
  });
}

/** Refuses to publish versions that were made without an exclusion that is in force now. @throws CovermapError `exclusions_lacking` */
export async function requireExclusions(
  connection: Connection,
  versions: readonly { id: number }[],
): Promise<void> {
  const lacking = await lackingExclusions(
    connection,
    versions.map(({ id }) => id),
  );
  if (lacking.length === 0) return;
  const named = lacking.slice(0, 3).map(({ id, reason }) => `${id} (${reason})`);
  const others = lacking.length > named.length ? ` and ${lacking.length - named.length} more` : '';
  throw new CovermapError(
    'exclusions_lacking',
    `This version was made without what is excluded now: exclusion ${named.join(', ')}${others}.`,
  );
}

async function notReady(connection: Connection, submissionId: string): Promise<CovermapError> {
  const { rows } = await connection.query<{ state: string }>(sql`
    select state from submission where id::text = ${submissionId}`);
  const state = rows[0]?.state;
  return state === 'superseded' || state === 'failed' || state === 'withdrawn'
    ? new CovermapError(`submission_${state}`)
    : new CovermapError('submission_not_ready', `There is no loaded submission ${submissionId}.`);
}

/** Refuses to replace other datasets than the publisher expects. @throws CovermapError `published_meanwhile` */
export function requireUnchanged(
  published: readonly (number | null)[],
  expected: readonly number[] | undefined,
): void {
  if (expected === undefined) return;
  const now = published.filter((id) => id !== null);
  if (now.length !== expected.length || !now.every((id) => expected.includes(id))) {
    throw new CovermapError('published_meanwhile');
  }
}

interface LockedDataset extends Candidate {
  provider_id: number;
  state: string;
  published_id: number | null;
  later_is_published: boolean;
}

/** The datasets of a submission. Locks their provider's row: one publication of a provider at a time. */
async function lockVersions(connection: Connection, submissionId: string): Promise<LockedDataset[]> {
  await connection.query(sql`
    select 1 from provider
    where id = (select provider_id from submission where id::text = ${submissionId}) for no key update`);
  const { rows } = await connection.query<LockedDataset>(sql`
    select d.id, d.provider_id, d.state, t.name as technology, d.scope, ${isCompared} as is_compared, d.compared_with,
      d.change, d.premises_change, ${premisesState} as premises_state, ${excludedKm2} as excluded_km2, published.id as published_id,
      -- What is made again for exclusions replaces nothing but what it is made of, and is as old as that.
      case when mine.remakes is null then coalesce(theirs.received_at > mine.received_at, false)
        else published.submission_id is distinct from mine.remakes end as later_is_published
    from dataset d
    join technology t on t.id = d.technology_id
    join submission mine on mine.id = d.submission_id
    ${joinPublished}
    cross join lateral (
      with recursive made_of as (
        select received_at, remakes from submission where id = published.submission_id
        union all select s.received_at, s.remakes from made_of join submission s on s.id = made_of.remakes
      )
      select min(received_at) as received_at from made_of
    ) as theirs
    where d.submission_id::text = ${submissionId}
    order by d.id`);
  return rows;
}

/** Sets the state of a dataset and of its submission. The provider's row has to be locked. */
export async function setState(connection: Connection, datasetId: number, state: 'published' | 'superseded') {
  await connection.query(sql`
    update dataset set
      state = ${state},
      published_at = case when ${state} = 'published' then clock_timestamp() else published_at end,
      superseded_at = case when ${state} = 'superseded' then clock_timestamp() end
    where id = ${datasetId}`);
  // A submission is published as long as any of its datasets is.
  await connection.query(sql`
    update submission s set state = case when exists (
        select from dataset where submission_id = s.id and state = 'published') then 'published' else 'superseded' end
    where id = (select submission_id from dataset where id = ${datasetId})`);
}
