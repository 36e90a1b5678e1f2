import type { Polygon } from '@covermap/geometry/polygon.ts';
import { z } from 'zod';
import { premisesVersion } from '../../addresses/premises.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { ErrorReport } from '../../platform/error-report.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import { timeText } from '../../platform/schemas.ts';
import { joinPublished, publishedBeside } from '../datasets/scopes.ts';
import { exclusionsFor } from '../exclusions/exclusions.ts';
import { isInForce } from '../exclusions/remakes.ts';
import type { ChangeKind } from '../premises/change.ts';
import { readStoredTiers, type StoredTier } from '../premises/counted.ts';
import type { Manifest } from './manifest.ts';
import { requireTowers } from './modelling.ts';
import { type TowerChanges, towerChanges } from './modelling-parameters.ts';
import type { ModelledWith, ModellingReport } from './modelling-report.ts';
import { interruptModelling } from './predictions.ts';

/* What modelled coverage would give premises with other speeds or towers, tried before it is published. */

/** Speeds by received power on what is modelled, the strongest first, and what is published in their place. */
export interface TriedOffer {
  speeds: readonly { dbm: number; bandwidth_max_mbps: number }[];
  availability: StoredTier['availability'];
  /** What is published in this scope, and in the others of the technology. */
  live: readonly StoredTier[];
  beside: readonly StoredTier[];
  /** The rings of exclusions, in degrees. */
  excluded: readonly Polygon[];
  /** The file of all premises (`coverage/premises/premises-list.ts`). */
  premises: string;
}

const premises = () => z.int().min(0);

export const triedFields = {
  speeds: z
    .array(
      z.object({
        dbm: z.number(),
        bandwidth_max_mbps: z.number(),
        area_km2: z.number().describe('With the ground of exclusions.'),
        premises: premises().describe('Those that get this speed at best.'),
      }),
    )
    .describe('The strongest first.'),
  premises: premises().describe('All that would be covered.'),
  change: z
    .object({ gained: premises(), lost: premises(), faster: premises(), slower: premises() } satisfies Record<
      ChangeKind,
      unknown
    >)
    .describe('Against what is published now: the best speed of all scopes of the technology counts.'),
};
export type TriedPremises = z.output<z.ZodObject<typeof triedFields>>;

/** Modelled coverage to try something on, with its own speeds. */
export interface TriedCoverage extends Omit<TriedOffer, 'premises'> {
  /** Of the list of towers. */
  storage_key: string;
  /** Of the signal that was modelled from it. */
  signal_key: string;
  parameters: ModelledWith;
  /** What the outcome depends on besides: the version of the premises, published versions, exclusions. */
  against: string;
}

/** SQL: a submission `s` with unpublished coverage that the service has modelled, `m`; its dataset `d`, and what is published. */
const fromTried = sql`from modelling m
  join submission s on s.id = m.submission_id and s.state = 'ready' and m.state = 'done'
  join dataset d on d.submission_id = s.id and d.state = 'ready'
  ${joinPublished}`;
const against =
  () => sql`concat_ws(' ', (select premises_version from address_list), coalesce(published.id, 0), array_to_string(${publishedBeside}, ' '),
  (select string_agg('x' || e.id, ' ' order by e.id) from exclusion e where e.provider_id = s.provider_id and ${isInForce()}))`;

/**
 * Unpublished coverage that the service has modelled, and what is published in its place.
 * @throws CovermapError `submission_not_modelled`, `premises_missing`, `premises_counting`
 */
export async function requireTried(db: Queryable, id: string): Promise<TriedCoverage> {
  const { rows } = await db.query<{
    storage_key: string;
    signal_key: string;
    report: ModellingReport;
    manifest: Manifest;
    published: number[];
    beside: number[];
    against: string;
  }>(sql`
    select s.storage_key, m.storage_key as signal_key, m.report, s.manifest, ${publishedBeside} as beside,
      array_remove(array[published.id], null) as published, ${against()} as against
    ${fromTried} where s.id = ${id}`);
  const [found] = rows;
  if (!found) throw new CovermapError('submission_not_modelled');
  if ((await premisesVersion(db)) === 0) throw new CovermapError('premises_missing');
  const { report, manifest, published, ...keys } = found;
  const exclusions = await exclusionsFor(db, id);
  const excluded = exclusions.filter(
    ({ technology }) => (technology ?? manifest.technology) === manifest.technology,
  );
  const [live, beside] = [await readStoredTiers(db, published), await readStoredTiers(db, found.beside)];
  if (!live || !beside) throw new CovermapError('premises_counting');
  return {
    ...{ ...keys, live, beside, parameters: report.parameters, availability: manifest.availability },
    excluded: excluded.map(({ rings }) => rings),
    speeds: report.speeds.map(({ dbm, bandwidth_max_mbps }) => ({ dbm, bandwidth_max_mbps })),
  };
}

/** @throws CovermapError `trial_superseded`, `trials_too_many`, `trial_too_large`, `trial_failed`, `premises_missing` */
export type TrySpeeds = (
  coverage: TriedCoverage,
  caller: string,
  signal: AbortSignal,
) => Promise<TriedPremises>;

const trialStates = ['waiting', 'done', 'failed'] as const;
const sites = z.object({ done: z.int(), total: z.int() });

export const towerTrialFields = {
  state: z.enum(trialStates),
  towers: towerChanges.describe('What differs from the list of towers.'),
  sites: sites.nullable().describe('Sites that are modelled, of all; null before the first.'),
  result: z.object(triedFields).nullable(),
  current: z.boolean().describe('Whether the result is against what is published now.'),
  reason: ErrorReport.nullable(),
  requested_at: timeText(),
  finished_at: timeText().nullable(),
};
export type TowerTrial = z.output<z.ZodObject<typeof towerTrialFields>>;

/** SQL: submissions with towers to try. Providers take turns. */
export const waitingTrials = `
  select s.id::text as id, s.provider_id::text as owner, t.requested_at as since
  from tower_trial t
  join modelling m on m.submission_id = t.submission_id and m.state = 'done'
  join submission s on s.id = t.submission_id and s.state = 'ready'
  where t.state = 'waiting'`;

/** Queues a trial of towers, in place of the one before. @throws CovermapError as `requireTried`, and `tower_unchangeable` */
export async function beginTrial(database: Database, id: string, changes: TowerChanges): Promise<void> {
  await requireTried(database, id);
  await requireTowers(database, id, changes);
  await database.transaction(async (connection) => {
    await connection.query(sql`
      insert into tower_trial as t (submission_id, state, towers) values (${id}, 'waiting', ${JSON.stringify(changes)}::jsonb)
      on conflict (submission_id) do update set run = t.run + 1, state = 'waiting', towers = excluded.towers, sites = null,
        result = null, against = null, reason = null, requested_at = clock_timestamp(), finished_at = null`);
    await interruptModelling(connection, id);
  });
}

/** A trial for a worker. */
export interface Trial extends TriedCoverage {
  id: string;
  run: number;
  towers: TowerChanges;
}

/** The waiting or running trial of a submission; undefined where there is none. @throws CovermapError as `requireTried` */
export async function findTrial(db: Queryable, id: string): Promise<Trial | undefined> {
  const { rows } = await db.query<{ run: number; towers: TowerChanges }>(sql`
    select run, towers from tower_trial
    where submission_id = ${id} and exists (select from (${raw(waitingTrials)}) as waiting where waiting.id = ${id})`);
  return rows[0] && { ...(await requireTried(db, id)), id, ...rows[0] };
}

/** Records a worker's progress. @returns false once the trial is over, or its submission is published, withdrawn or modelled again */
export async function advanceTrial(
  db: Queryable,
  { id, run }: Trial,
  sites: { done: number; total: number },
) {
  const { rowCount } = await db.query(sql`
    update tower_trial set sites = ${JSON.stringify(sites)}::jsonb
    where submission_id = ${id} and run = ${run} and state = 'waiting'
      and exists (select from (${raw(waitingTrials)}) as waiting where waiting.id = ${id})`);
  return rowCount > 0;
}

export async function finishTrial(db: Queryable, { id, run, against }: Trial, result: TriedPremises) {
  await db.query(sql`
    update tower_trial set state = 'done', result = ${JSON.stringify(result)}::jsonb, against = ${against}, finished_at = clock_timestamp()
    where submission_id = ${id} and run = ${run} and state = 'waiting'`);
}

/** @param run absent: whatever trial of the submission waits */
export async function failTrial(db: Queryable, id: string, reason: ErrorReport, run: number | null = null) {
  await db.query(sql`
    update tower_trial set state = 'failed', reason = ${storableJson(reason)}::jsonb, finished_at = clock_timestamp()
    where submission_id = ${id} and state = 'waiting' and (${run}::integer is null or run = ${run})`);
}

/** The last trial of towers on unpublished modelled coverage; null where there is none. */
export async function lastTrial(db: Queryable, id: string): Promise<TowerTrial | null> {
  const { rows } = await db.query<{ trial: TowerTrial }>(sql`
    select to_jsonb(t) - 'submission_id' - 'run' - 'against' || jsonb_build_object('current', t.against is not distinct from ${against()}) as trial
    ${fromTried} join tower_trial t on t.submission_id = s.id where s.id = ${id}`);
  return rows[0]?.trial ?? null;
}
