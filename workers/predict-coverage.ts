import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { eachSpeed } from '../core/coverage/speeds.ts';
import type { Manifest } from '../core/coverage/submissions/manifest.ts';
import {
  advanceModelling,
  attachModelled,
  declineModelling,
  findModelling,
  type Modelling,
  waitingModelling,
} from '../core/coverage/submissions/modelling.ts';
import { keepSite, readSite } from '../core/coverage/submissions/predicted-sites.ts';
import { CovermapError, type ErrorReport, errorReport } from '../core/errors.ts';
import { inTurn } from '../core/turns.ts';
import { IngestError } from '../ingest/errors.ts';
import { readerLimits, readFile } from '../ingest/reader.ts';
import { terrainModels } from '../ingest/terrain-index.ts';
import type { WorkerContext } from './context.ts';
import { TurnOver, type TurnWork } from './take-turns.ts';

/** After this long others have their turn, and the sites that are done stay so. */
const usualTurnMs = 10 * 60_000;
/** The number of towers bounds the work: this is for what would never end. */
const deadlineMs = 24 * 3_600_000;
const maxLogged = 20;

/**
 * Models coverage from the towers of a submission, in a process of its own. What cannot be modelled is left to staff, with the reason. Each
 * site is kept as soon as it is done, so that work that was stopped or killed goes on from there.
 */
export function predictCoverage(context: WorkerContext, turnMs = usualTurnMs): TurnWork {
  const { database, logger } = context;
  return {
    kind: 'predict',
    waiting: waitingModelling,
    async work(id, signal) {
      const modelling = await findModelling(database, id);
      if (!modelling) return;
      try {
        await model(context, modelling, signal, turnMs);
      } catch (error) {
        if (!(error instanceof IngestError)) throw error;
        logger.warn({ submission: id, code: error.code }, `towers are left to staff: ${error.message}`);
        await declineModelling(database, id, modelling.run, reasonOf(error));
      }
    },
    async fail(id, error) {
      const modelling = await findModelling(database, id);
      if (modelling) await declineModelling(database, id, modelling.run, errorReport(error));
    },
    isWanted: async (id) => (await findModelling(database, id)) !== undefined,
  };
}

/** What operators may read: messages about the terrain name folders of the server, and its log has them. */
function reasonOf(error: IngestError): ErrorReport {
  const isOurs =
    ['terrain_unusable', 'clutter_unusable'].includes(error.code) || error.code.startsWith('reader_');
  return (isOurs ? new CovermapError('modelling_failed') : error).toJSON();
}

async function model(
  context: WorkerContext,
  modelling: Modelling,
  given: AbortSignal,
  turnMs: number,
): Promise<void> {
  const { config, database, queue, storage, logger } = context;
  const { id, storage_key, file_name, parameters } = modelling;
  const folder = config.terrainDir;
  if (folder === undefined) throw new IngestError('terrain_not_set');
  const manifest = manifestOf(modelling.manifest);
  const over = new AbortController();
  const signal = AbortSignal.any([given, over.signal]);
  const advance = async (sites: { done: number; total: number }) => {
    if (await advanceModelling(database, modelling, sites)) return;
    over.abort(new CovermapError('submission_not_waiting'));
    signal.throwIfAborted();
  };
  const limits = { ...readerLimits(config), deadlineMs };
  const models = await terrainModels(folder, limits, (unusable) => {
    const files = unusable.slice(0, maxLogged);
    logger.warn({ files, count: unusable.length }, 'elevation models are left out');
  });
  const work = {
    ...{ kind: 'prediction' as const, name: file_name, parameters, serviceArea: config.serviceArea },
    terrain: { folder, models },
    clutter: config.clutterDir,
    maxTowers: config.modelling.maxTowers,
    threads: availableParallelism(),
  };
  const began = performance.now();
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
            if (message.file) await keepSite(database, storage, message.digest, message.file);
            await advance(message.sites);
            logger.debug({ submission: id, ...message.sites }, 'a site is modelled');
            // Each turn works out a site at least: reading those that are kept brings nobody further.
            const isOver = message.file && performance.now() - began > turnMs;
            if (isOver && message.sites.done < message.sites.total && (await othersWait(context, id)))
              throw new TurnOver();
          } else if (message.type === 'predicted') {
            const name = `${file_name.replace(/\.[^.]*$/, '')}-modelled.gpkg`;
            const [areas, strongest, picture] = [
              await storage.store(name, createReadStream(message.areas)),
              await storage.store('signal.tif', createReadStream(message.signal)),
              await storage.store('signal.png', createReadStream(message.picture)),
            ];
            signal.throwIfAborted();
            const { report } = message;
            await attachModelled(database, modelling, {
              ...{ areas: { ...areas, name }, signal: strongest, picture, report, manifest },
            });
            logger.info({ submission: id, sites: report.sites, reused: report.sites_reused }, 'modelled');
          }
        }
      },
      signal,
    )
    .catch((error) => {
      // Staff or the operator have decided otherwise.
      if (error instanceof CovermapError && error.code === 'submission_not_waiting') return;
      throw error;
    });
  // Where the queue is away, the sweep sends it.
  await queue.send('ingest', id).catch(() => undefined);
}

async function othersWait({ database }: WorkerContext, id: string): Promise<boolean> {
  return (await inTurn(database, 'predict', waitingModelling)).some((one) => one.id !== id);
}

/** Of modelled areas: what the operator says of the file of towers does not hold for them. @throws IngestError `modelling_technology_missing` */
function manifestOf({
  tiers: _,
  classes: __,
  layers: ___,
  crs: ____,
  sieve: _____,
  ...own
}: Manifest): Manifest {
  if (own.technology === undefined) throw new IngestError('modelling_technology_missing');
  const attributes = eachSpeed((field) => ({ field }));
  return { ...own, attributes, speeds: {}, smoothing: false };
}
