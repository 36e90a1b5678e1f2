import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { forgetDeaths } from '../coverage/attempts.ts';
import { waitingRows } from '../coverage/jobs/waiting.ts';
import { premisesFile } from '../coverage/premises/premises-list.ts';
import { eachSpeed } from '../coverage/speeds.ts';
import { keepGround } from '../coverage/stops/tower-grounds.ts';
import type { Manifest } from '../coverage/submissions/manifest.ts';
import {
  advanceModelling,
  attachModelled,
  declineModelling,
  findModelling,
  type Modelling,
} from '../coverage/submissions/modelling.ts';
import type { ModellingParameters } from '../coverage/submissions/modelling-parameters.ts';
import { keepSite, readSite } from '../coverage/submissions/predicted-sites.ts';
import {
  advanceTrial,
  failTrial,
  findTrial,
  finishTrial,
  type TriedOffer,
} from '../coverage/submissions/trials.ts';
import { IngestError } from '../ingest/errors.ts';
import type { ReaderMessage } from '../ingest/messages.ts';
import { readerLimits, readFile } from '../ingest/reader.ts';
import { terrainModels } from '../ingest/towers/terrain-index.ts';
import { CovermapError, type ErrorReport, errorReport } from '../platform/errors.ts';
import { keptScratch } from '../platform/scratch.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, TurnOver } from './step.ts';

/** After this long others have their turn; finished sites are kept. */
const usualTurnMs = 10 * 60_000;
/** The number of towers bounds the work: this stops a run that would never end. */
const deadlineMs = 24 * 3_600_000;
const maxLogged = 20;

type Message<Type> = Extract<ReaderMessage, { type: Type }>;

/** What is modelled: for a submission, or to try towers on it. */
interface Run {
  id: string;
  /** Of the list of towers. */
  storage_key: string;
  parameters: ModellingParameters;
  trial?: TriedOffer | undefined;
  /** Records progress. @returns false once nobody wants it */
  /** Absent of a trial. */
  keepGround?(message: Message<'ground'>): Promise<void>;
  advance(sites: { done: number; total: number }): Promise<boolean>;
  /** @returns what to do with the result @throws IngestError `modelling_technology_missing` */
  begin(): (message: Message<'predicted' | 'tried'>, signal: AbortSignal) => Promise<void>;
  /** @param reason not of a file or folder of this server */
  decline(reason: ErrorReport): Promise<void>;
}

/** Models coverage from the towers of a submission, or of a trial on it. Each site is kept at once, so a killed run resumes. Failures are left to staff. */
export function predictCoverage(context: WorkerContext, turnMs = usualTurnMs): StepWork {
  const { database, logger } = context;
  return {
    step: 'predict',
    async work(id, signal) {
      const run = (await modellingRun(context, id)) ?? (await trialRun(context, id));
      if (!run) return;
      try {
        await model(context, run, signal, turnMs);
      } catch (error) {
        if (!(error instanceof IngestError)) throw error;
        logger.warn({ submission: id, code: error.code }, `towers are not modelled: ${error.message}`);
        await run.decline(reasonOf(error));
      }
      return [['load', id]];
    },
    async fail(id, error) {
      const modelling = await findModelling(database, id);
      if (modelling) await declineModelling(database, id, modelling.run, errorReport(error));
      else await failTrial(database, id, errorReport(error));
    },
  };
}

async function modellingRun(context: WorkerContext, id: string): Promise<Run | undefined> {
  const { database } = context;
  const modelling = await findModelling(database, id);
  if (!modelling) return undefined;
  return {
    ...modelling,
    advance: (sites) => advanceModelling(database, modelling, sites),
    keepGround: ({ ground, served }) => keepGround(database, modelling, ground, served),
    begin() {
      const manifest = manifestOf(modelling.manifest);
      return async (message, signal) => {
        if (message.type === 'predicted') await attachResults(context, modelling, manifest, message, signal);
      };
    },
    decline: (reason) => declineModelling(database, id, modelling.run, reason),
  };
}

async function trialRun({ config, database }: WorkerContext, id: string): Promise<Run | undefined> {
  const trial = await findTrial(database, id);
  if (!trial) return undefined;
  const premises = await premisesFile(database, keptScratch(config));
  if (premises === undefined) throw new CovermapError('premises_missing');
  const { storage_key, parameters, towers } = trial;
  return {
    ...{ id, storage_key, parameters: { ...parameters, towers }, trial: { ...trial, premises } },
    advance: (sites) => advanceTrial(database, trial, sites),
    begin: () => async (message) => {
      if (message.type === 'tried') await finishTrial(database, trial, message.tried);
    },
    decline: (reason) => failTrial(database, id, reason, trial.run),
  };
}

/** A reason without file names: messages about the terrain name folders of the server, so they go to its log only. */
function reasonOf(error: IngestError): ErrorReport {
  const isOurs =
    ['terrain_unusable', 'clutter_unusable'].includes(error.code) || error.code.startsWith('reader_');
  return (isOurs ? new CovermapError('modelling_failed') : error).toJSON();
}

async function model(context: WorkerContext, run: Run, given: AbortSignal, turnMs: number) {
  const { config, database, storage, logger } = context;
  const { id, storage_key, parameters, trial } = run;
  const folder = config.terrainDir;
  if (folder === undefined) throw new IngestError('terrain_not_set');
  const finish = run.begin();
  const limits = { ...readerLimits(config), deadlineMs };
  const models = await terrainModels(folder, limits, (unusable) => {
    const files = unusable.slice(0, maxLogged);
    logger.warn({ files, count: unusable.length }, 'elevation models are left out');
  });
  const work = {
    ...{ kind: 'prediction' as const, parameters, trial, serviceArea: config.serviceArea },
    terrain: { folder, models },
    clutter: config.clutterDir,
    maxTowers: config.modelling.maxTowers,
    threads: availableParallelism(),
  };
  const superseded = new AbortController();
  const signal = AbortSignal.any([given, superseded.signal]);
  const turnEnds = performance.now() + turnMs;
  let site: Uint8Array | undefined;
  await storage
    .withLocalFile(
      storage_key,
      async (file) => {
        for await (const message of readFile({ ...work, file }, limits, signal, () => ({ site }))) {
          site = undefined;
          if (message.type === 'site') {
            site = await readSite(database, storage, message.digest);
          } else if (message.type === 'siteDone') {
            if (!(await recordSite(context, run, message))) {
              superseded.abort(new CovermapError('submission_not_waiting'));
              signal.throwIfAborted();
            }
            // Each turn computes at least one site: rereading kept ones makes no progress.
            const isOver = message.file && performance.now() > turnEnds;
            if (!isOver || message.sites.done === message.sites.total) continue;
            if ((await waitingRows(database, 'predict')).some((one) => one.id !== id)) throw new TurnOver();
          } else if (message.type === 'ground') await run.keepGround?.(message);
          else if (message.type === 'predicted' || message.type === 'tried') await finish(message, signal);
        }
      },
      signal,
    )
    .catch((error) => {
      // Staff or the operator have decided otherwise.
      if (error instanceof CovermapError && error.code === 'submission_not_waiting') return;
      throw error;
    });
}

/** Keeps a site and reports progress. @returns false where the prediction was cancelled */
async function recordSite(
  { database, storage, logger }: WorkerContext,
  run: Run,
  { digest, file, sites }: Message<'siteDone'>,
): Promise<boolean> {
  if (file) {
    await keepSite(database, storage, digest, file);
    await forgetDeaths(database, 'predict', run.id);
  }
  const isWanted = await run.advance(sites);
  if (isWanted) logger.debug({ submission: run.id, ...sites }, 'a site is modelled');
  return isWanted;
}

/** Stores the modelled coverage as the prediction of the submission. */
async function attachResults(
  { database, storage, logger }: WorkerContext,
  modelling: Modelling,
  manifest: Manifest,
  message: Message<'predicted'>,
  signal: AbortSignal,
): Promise<void> {
  const { id, file_name } = modelling;
  const { report } = message;
  const name = `${file_name.replace(/\.[^.]*$/, '')}-modelled.gpkg`;
  const areas = { ...(await storage.store(name, createReadStream(message.areas))), name };
  const strongest = await storage.store('signal.tif', createReadStream(message.signal));
  const picture = await storage.store('signal.png', createReadStream(message.picture));
  signal.throwIfAborted();
  await attachModelled(database, modelling, { areas, signal: strongest, picture, report, manifest });
  logger.info({ submission: id, sites: report.sites, reused: report.sites_reused }, 'modelled');
}

/** The manifest of modelled areas, without the fields of a tower list. @throws IngestError `modelling_technology_missing` */
function manifestOf(ofTowers: Manifest): Manifest {
  const manifest = { ...ofTowers };
  for (const field of ['tiers', 'classes', 'layers', 'crs', 'sieve'] as const) delete manifest[field];
  if (manifest.technology === undefined) throw new IngestError('modelling_technology_missing');
  return { ...manifest, attributes: eachSpeed((field) => ({ field })), speeds: {}, smoothing: false };
}
