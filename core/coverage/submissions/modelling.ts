import { z } from 'zod';
import { type Actor, serviceActor } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { Config } from '../../config.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../errors.ts';
import type { StoredFile } from '../../storage/storage.ts';
import type { Manifest } from './manifest.ts';
import type { ModellingParameters } from './modelling-parameters.ts';
import { putPrediction, takesPrediction, waitsForPrediction } from './predictions.ts';
import { isUnfinished } from './states.ts';

/* What the service itself models of a submission's towers; workers/predict-coverage.ts does it. */

export const modellingStates = ['waiting', 'done', 'declined', 'cancelled'] as const;
export type ModellingState = (typeof modellingStates)[number];

const share = () => z.number().min(0).max(1);

/** What was modelled, and of what. */
export const modellingReportFields = {
  model: z.string().describe('With its version: another may give other coverage.'),
  profile: z.string(),
  speeds: z
    .array(z.record(z.string(), z.number()))
    .describe('From each received power on, the strongest first.'),
  parameters: z.record(z.string(), z.number()).describe('All, with those that are the default.'),
  terrain: z
    .array(z.object({ name: z.string(), resolution_m: z.number() }))
    .describe('The elevation models around the towers, the finest first; at most 100.'),
  clutter: z
    .object({
      classes: z.array(
        z.object({
          class: z.int(),
          name: z.string().nullable(),
          loss_db: z.number().describe('At the height of the receiver.'),
          share: share(),
        }),
      ),
      unlisted_share: share().describe('Ground without a class that the table knows, which counts as open.'),
    })
    .nullable()
    .describe(
      'The land cover that weakens the signal, by its part of all ground with a signal; null: none was used.',
    ),
  picture: z
    .object({
      place: z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() }),
      floor_dbm: z.number(),
    })
    .describe(
      'Where the picture of the signal lies, in degrees (WGS 84), its rows even in Web Mercator, and the power at a grey of 0.',
    ),
  unknown_share: share().describe('The part of the surroundings without terrain, which was taken as sea.'),
  areas: z.int().describe('The number of areas.'),
  sites: z.int().describe('Towers of one place, height, frequency and polarisation are one site.'),
  sites_reused: z.int().describe('Sites that had been worked out before, from the same data.'),
  towers: z.array(
    z.object({
      name: z.string().nullable(),
      lat: z.number(),
      lng: z.number(),
      area_km2: z.number().describe('Where its signal is the strongest, whatever the speed.'),
      share: share().describe('The part of all ground with a signal.'),
      unknown_share: share(),
    }),
  ),
};
export type ModellingReport = z.output<z.ZodObject<typeof modellingReportFields>>;

/** Modelling that a worker has to do. */
export interface Modelling {
  id: string;
  run: number;
  parameters: ModellingParameters;
  file_name: string;
  storage_key: string;
  manifest: Manifest;
}

const isWaiting = sql`(m.state = 'waiting' and ${waitsForPrediction})`;

/** SQL: submissions whose towers a worker has to model. Providers take turns. */
export const waitingModelling = `
  select s.id::text as id, s.provider_id::text as owner, m.requested_at as since
  from modelling m join submission s on s.id = m.submission_id where ${isWaiting}`;

/** Modelling that waits for a worker, or is under way; undefined where there is none. */
export async function findModelling(db: Queryable, id: string): Promise<Modelling | undefined> {
  const { rows } = await db.query<Modelling>(sql`
    select s.id, m.run, m.parameters, s.file_name, s.storage_key, s.manifest
    from modelling m join submission s on s.id = m.submission_id where s.id = ${id} and ${isWaiting}`);
  return rows[0];
}

/** Has a worker model coverage from the towers of a submission. */
export async function beginModelling(db: Queryable, id: string, parameters: ModellingParameters) {
  await db.query(sql`
    insert into modelling as m (submission_id, state, parameters)
    values (${id}, 'waiting', ${storableJson(parameters)}::jsonb)
    on conflict (submission_id) do update set
      state = 'waiting', run = m.run + 1, parameters = excluded.parameters, reason = null, report = null,
      storage_key = null, size_bytes = null, picture_key = null, requested_at = clock_timestamp(), finished_at = null`);
}

/**
 * Models coverage again, with other parameters: in place of staff's work that is awaited, or of coverage that the service has modelled and
 * that has not been published.
 * @throws CovermapError `submission_not_waiting`
 */
export async function modelAgain(
  database: Database,
  id: string,
  parameters: ModellingParameters,
  actor: Actor,
): Promise<void> {
  await database.transaction(async (connection) => {
    const { providerId } = await takesPrediction(connection, id);
    await requestModelling(connection, id, parameters, { ...actor, providerId });
  });
}

/**
 * Gives coverage that the service has modelled, and that has not been published, other speeds by received power. What is received is not
 * worked out again: the sites are kept.
 * @throws CovermapError `submission_not_modelled`
 */
export async function changeSpeeds(
  database: Database,
  id: string,
  speeds: NonNullable<ModellingParameters['speeds']>,
  actor: Actor,
): Promise<void> {
  await database.transaction(async (connection) => {
    const { rows } = await connection.query<{ parameters: ModellingParameters }>(sql`
      select m.parameters from modelling m join submission s on s.id = m.submission_id
      where s.id = ${id} and s.state = 'ready' and m.state = 'done'`);
    if (!rows[0]) throw new CovermapError('submission_not_modelled');
    const { providerId } = await takesPrediction(connection, id).catch((error) => {
      // Somebody has published or withdrawn it meanwhile.
      throw error instanceof CovermapError ? new CovermapError('submission_not_modelled') : error;
    });
    await requestModelling(connection, id, { ...rows[0].parameters, speeds }, { ...actor, providerId });
  });
}

async function requestModelling(
  connection: Queryable,
  id: string,
  parameters: ModellingParameters,
  { providerId, ...actor }: Actor & { providerId: number },
): Promise<void> {
  await connection.query(sql`delete from prediction where submission_id = ${id}`);
  await beginModelling(connection, id, parameters);
  await cancelModelling(connection, id);
  await record(connection, actor, {
    action: 'modelling_requested',
    providerId,
    submissionId: id,
    details: { parameters },
  });
}

/** Tells a worker that is at an earlier request for it. */
async function cancelModelling(connection: Queryable, id: string): Promise<void> {
  await connection.query(sql`select pg_notify('work_cancelled', ${`predict ${id}`})`);
}

/** How far a worker is; changes nothing once its request is over. @returns whether it is not */
export async function advanceModelling(
  db: Queryable,
  { id, run }: Modelling,
  sites: { done: number; total: number },
): Promise<boolean> {
  const progress = {
    ...{ step: 'predicting', sites_done: sites.done, sites_total: sites.total },
    ...{ bytes_read: 0, bytes_total: 0, features_read: 0, rows_loaded: 0 },
  };
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
    // Whoever watches it hears of the change.
    if (rowCount > 0) {
      await connection.query(sql`
        update submission set progress = null where id = ${id} and ${isUnfinished}`);
    }
  });
}

/** What a worker has modelled. */
export interface Modelled {
  areas: StoredFile & { name: string };
  signal: StoredFile;
  /** The same as a PNG of greys. */
  picture: StoredFile;
  report: ModellingReport;
  manifest: Manifest;
}

/**
 * Makes modelled areas the prediction of the submission, as a file that staff attach is.
 * @throws CovermapError `submission_not_waiting` where staff or the operator have decided otherwise meanwhile
 */
export async function attachModelled(
  database: Database,
  { id, run }: Modelling,
  { areas, signal, picture, report, manifest }: Modelled,
): Promise<void> {
  await database.transaction(async (connection) => {
    const { providerId } = await takesPrediction(connection, id);
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

/** The list of towers of a submission, and the report of what the service modelled of them; undefined where it did not, or staff's file counts. */
export async function findModelled(db: Queryable, id: string) {
  const { rows } = await db.query<{ storage_key: string; file_name: string; report: ModellingReport }>(sql`
    select s.storage_key, s.file_name, m.report
    from modelling m join submission s on s.id = m.submission_id where s.id = ${id} and m.state = 'done'`);
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

/**
 * Why somebody has to look at modelled coverage before it is published: warnings of its report, which block.
 * @param areas of the coverage, and of the live coverage that it would replace, in km2
 * @param rules percentages above which it waits
 */
export function modellingDoubts(
  { unknown_share, clutter }: ModellingReport,
  { km2, liveKm2 }: { km2: number; liveKm2: number },
  { unknownPercent, grownPercent }: Config['modelling'],
): { code: string; message: string }[] {
  const doubts: { code: string; message: string }[] = [];
  const unknown = 100 * unknown_share;
  if (unknown > unknownPercent) {
    const message = `${unknown.toFixed(0)}% of the ground around the towers has no terrain and was taken as sea: more than the ${unknownPercent}% allowed without review.`;
    doubts.push({ code: 'terrain_unknown', message });
  }
  const unlisted = 100 * (clutter?.unlisted_share ?? 0);
  if (unlisted > unknownPercent) {
    const message = `${unlisted.toFixed(0)}% of the ground with a signal has no class of land cover and counts as open: more than the ${unknownPercent}% allowed without review.`;
    doubts.push({ code: 'clutter_unknown', message });
  }
  const grown = liveKm2 > 0 ? (100 * km2) / liveKm2 : 0;
  if (grown > grownPercent) {
    const message = `The modelled coverage has ${grown.toFixed(0)}% of the area of the live one: more than the ${grownPercent}% allowed without review.`;
    doubts.push({ code: 'area_far_larger', message });
  }
  return doubts;
}
