import { type Actor, serviceActor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../platform/errors.ts';
import type { NamedFile, StoredFile } from '../../platform/storage/storage.ts';
import { isUnfinished } from '../submission-states.ts';
import type { Manifest } from './manifest.ts';
import type { ModellingParameters, TowerChanges } from './modelling-parameters.ts';
import type { ModellingReport } from './modelling-report.ts';
import {
  type CoverageFile,
  interruptModelling,
  lockForPrediction,
  putPrediction,
  waitsForPrediction,
} from './predictions.ts';
import { nothingDone, type Progress } from './submissions.ts';

/* Modelling of a submission's towers by the service itself; workers/predict.ts does it. */

export const modellingStates = ['waiting', 'done', 'declined', 'cancelled'] as const;

/** Modelling for a worker. */
export interface Modelling extends Omit<CoverageFile, 'size_bytes'> {
  id: string;
  run: number;
  parameters: ModellingParameters;
}

const isWaiting = sql`(m.state = 'waiting' and ${waitsForPrediction})`;

/** SQL: submissions with towers to model. Providers take turns. */
export const waitingModelling = `
  select s.id::text as id, s.provider_id::text as owner, m.requested_at as since
  from modelling m join submission s on s.id = m.submission_id where ${isWaiting}`;

/** The waiting or running modelling of a submission; undefined where there is none. */
export async function findModelling(db: Queryable, id: string): Promise<Modelling | undefined> {
  const { rows } = await db.query<Modelling>(sql`
    select s.id, m.run, m.parameters, s.file_name, s.storage_key, s.manifest
    from modelling m join submission s on s.id = m.submission_id where s.id = ${id} and ${isWaiting}`);
  return rows[0];
}

/** Queues the modelling of coverage from the towers of a submission. */
export async function beginModelling(db: Queryable, id: string, parameters: ModellingParameters) {
  await db.query(sql`
    insert into modelling as m (submission_id, state, parameters)
    values (${id}, 'waiting', ${storableJson(parameters)}::jsonb)
    on conflict (submission_id) do update set
      state = 'waiting', run = m.run + 1, parameters = excluded.parameters, reason = null, report = null,
      storage_key = null, size_bytes = null, picture_key = null, requested_at = clock_timestamp(), finished_at = null`);
}

/** Models unpublished coverage of the service again, or instead of an awaited prediction by staff. @throws CovermapError `submission_not_waiting` */
export function modelAgain(database: Database, id: string, parameters: ModellingParameters, actor: Actor) {
  return database.transaction(async (connection) => {
    const { providerId } = await lockForPrediction(connection, id);
    await requestModelling(connection, id, parameters, { ...actor, providerId });
  });
}

type Speeds = NonNullable<ModellingParameters['speeds']>;

/** Maps received power at the kept sites to other speeds, in unpublished modelled coverage. @throws CovermapError `submission_not_modelled` */
export const changeSpeeds = (database: Database, id: string, speeds: Speeds, actor: Actor) =>
  changeModelling(database, id, { speeds }, actor);

/** Models unpublished coverage again with changes to towers, in place of those before. @throws CovermapError `submission_not_modelled`, `tower_unchangeable` */
export const changeTowers = (database: Database, id: string, towers: TowerChanges, actor: Actor) =>
  changeModelling(database, id, { towers }, actor);

function changeModelling(
  database: Database,
  id: string,
  changes: Partial<ModellingParameters>,
  actor: Actor,
) {
  return database.transaction(async (connection) => {
    const { providerId, hadModelled } = await lockForPrediction(connection, id).catch((error) => {
      throw error instanceof CovermapError ? new CovermapError('submission_not_modelled') : error;
    });
    if (!hadModelled) throw new CovermapError('submission_not_modelled');
    // Read under the lock: staff may have changed the parameters a moment ago.
    const { rows } = await connection.query<{ parameters: ModellingParameters }>(sql`
      select parameters from modelling where submission_id = ${id}`);
    if (changes.towers) await requireTowers(connection, id, changes.towers);
    await requestModelling(connection, id, { ...rows[0]?.parameters, ...changes }, { ...actor, providerId });
  });
}

/** @throws CovermapError `tower_unchangeable` where a list has no such tower, or it no azimuth */
export async function requireTowers(db: Queryable, id: string, changes: TowerChanges): Promise<void> {
  const { rows } = await db.query<{ number: number; exists: boolean }>(sql`
    select c.number, t.number is not null as exists
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (number integer, azimuth_deg float8)
    left join tower t on t.submission_id = ${id} and t.number = c.number
    where t.number is null or (c.azimuth_deg is not null and t.azimuth_deg is null)
    order by c.number limit 1`);
  if (!rows[0]) return;
  const { number, exists } = rows[0];
  const why = exists
    ? `Tower ${number} radiates all round: it has no azimuth.`
    : `The list has no tower ${number}.`;
  throw new CovermapError('tower_unchangeable', why);
}

async function requestModelling(
  connection: Queryable,
  id: string,
  parameters: ModellingParameters,
  { providerId, ...actor }: Actor & { providerId: number },
): Promise<void> {
  await connection.query(sql`delete from prediction where submission_id = ${id}`);
  await beginModelling(connection, id, parameters);
  await interruptModelling(connection, id);
  const details = { parameters };
  await record(connection, actor, { action: 'modelling_requested', providerId, submissionId: id, details });
}

/** Records a worker's progress, unless its request is over. @returns false once it is over */
export async function advanceModelling(
  db: Queryable,
  { id, run }: Modelling,
  sites: { done: number; total: number },
): Promise<boolean> {
  const steps = { sites_done: sites.done, sites_total: sites.total };
  const progress: Progress = { ...nothingDone, step: 'predicting', ...steps };
  const { rowCount } = await db.query(sql`
    update submission s set progress = ${JSON.stringify(progress)}::jsonb,
      started_at = coalesce(started_at, clock_timestamp())
    from modelling m
    where m.submission_id = s.id and s.id = ${id} and m.run = ${run} and ${isWaiting}`);
  return rowCount > 0;
}

/** Leaves towers to staff, with the reason. */
export async function declineModelling(database: Database, id: string, run: number, reason: ErrorReport) {
  await database.transaction(async (connection) => {
    const { rowCount } = await connection.query(sql`
      update modelling set state = 'declined', reason = ${storableJson(reason)}::jsonb, finished_at = clock_timestamp()
      where submission_id = ${id} and run = ${run} and state = 'waiting'`);
    // Notifies the watchers.
    if (rowCount > 0) {
      await connection.query(sql`
        update submission set progress = null where id = ${id} and ${isUnfinished}`);
    }
  });
}

/** A worker's result. `picture`: the signal as a PNG of greys. */
interface Modelled {
  areas: NamedFile;
  signal: StoredFile;
  picture: StoredFile;
  report: ModellingReport;
  manifest: Manifest;
}

/**
 * Attaches modelled areas as the prediction of the submission, like a file of staff.
 * @throws CovermapError `submission_not_waiting` where staff or the operator have decided otherwise meanwhile
 */
export async function attachModelled(
  database: Database,
  { id, run }: Modelling,
  { areas, signal, picture, report, manifest }: Modelled,
): Promise<void> {
  await database.transaction(async (connection) => {
    const { providerId } = await lockForPrediction(connection, id);
    const { rowCount } = await connection.query(sql`
      update modelling set state = 'done', report = ${storableJson(report)}::jsonb, storage_key = ${signal.key},
        size_bytes = ${signal.size}, picture_key = ${picture.key}, finished_at = clock_timestamp()
      where submission_id = ${id} and run = ${run} and state = 'waiting'`);
    if (rowCount === 0) throw new CovermapError('submission_not_waiting');
    await putPrediction(connection, id, areas, manifest, { ...serviceActor, providerId });
  });
}

/** The modelled signal of a submission, and its picture. @throws CovermapError `signal_missing` */
export async function requireSignal(db: Queryable, id: string) {
  const { rows } = await db.query<{ storage_key: string; size_bytes: number; picture_key: string }>(sql`
    select storage_key, size_bytes, picture_key from modelling where submission_id = ${id} and storage_key is not null`);
  if (!rows[0]) throw new CovermapError('signal_missing');
  return rows[0];
}

/** A submission's list of towers, what was changed of it, and the report of its modelling; undefined where the service modelled none, or staff's file replaced it. */
export async function findModelled(db: Queryable, id: string) {
  const { rows } = await db.query<{
    storage_key: string;
    report: ModellingReport;
    changes: TowerChanges;
  }>(sql`
    select s.storage_key, m.report, coalesce(m.parameters -> 'towers', '[]') as changes from modelling m join submission s on s.id = m.submission_id where s.id = ${id} and m.state = 'done'`);
  return rows[0];
}

/** The area in km2 of live coverage that a submission's datasets would replace. */
export async function liveArea(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ km2: number | null }>(sql`
    select sum(live.area_km2) as km2
    from dataset d join dataset live on live.provider_id = d.provider_id and live.technology_id = d.technology_id
      and live.scope_key = d.scope_key and live.state = 'published'
    where d.submission_id = ${id} and d.state = 'loading'`);
  return rows[0]?.km2 ?? 0;
}
