import { createReadStream } from 'node:fs';
import path from 'node:path';
import { premisesVersion } from '../addresses/premises.ts';
import {
  advanceExport,
  beginExport,
  completeExport,
  type ExportProgress,
  failExport,
  requireRoomForExport,
} from '../coverage/exports/exports.ts';
import { exportFileName } from '../coverage/exports/file-name.ts';
import { countedWith, readPremises } from '../coverage/exports/premises.ts';
import { countAreas, readAreas, requireKept, tiersOf } from '../coverage/exports/versions.ts';
import { IngestError } from '../ingest/errors.ts';
import { rowsFile } from '../ingest/exports/rows-file.ts';
import type { ExportWork } from '../ingest/messages.ts';
import { readerLimits, readFile } from '../ingest/reader.ts';
import { CovermapError, errorReport } from '../platform/errors.ts';
import { makeScratch, removeScratch } from '../platform/scratch.ts';
import type { WorkerContext } from './context.ts';
import { progressWriter } from './progress-writer.ts';
import type { StepWork } from './step.ts';

type Begun = NonNullable<Awaited<ReturnType<typeof beginExport>>>;
type Tell = (progress: ExportProgress) => void;

/**
 * Writes published coverage as a file. It reads the rows into a scratch folder, and the reading process makes the file of them. Can be stopped or killed
 * anywhere and run again: the versions stay those of its first beginning.
 */
export function exportCoverage(context: WorkerContext): StepWork {
  const { config, database, storage, logger } = context;
  return {
    step: 'export-coverage',
    async work(id, given) {
      const begun = await beginExport(database, id);
      if (!begun) return;
      const removed = new AbortController();
      const progress = progressWriter<ExportProgress>(
        (now) => advanceExport(database, id, now),
        () => removed.abort(new CovermapError('export_unknown')),
      );
      const signal = AbortSignal.any([given, removed.signal]);
      const scratch = await makeScratch();
      try {
        const { work, premises } = await readCoverage(context, begun, scratch, progress.soon, signal);
        for await (const message of readFile(work, readerLimits(config), signal)) {
          if (message.type === 'exporting') progress.soon(message.progress);
          if (message.type !== 'exported') continue;
          const name = exportFileName(begun);
          const file = await storage.store(name, createReadStream(message.file));
          await progress.settled();
          const areas = work.format === 'csv' ? null : work.areas;
          const owner = { providerId: begun.provider.id, byStaff: begun.byStaff };
          const isKept = await requireRoomForExport(database, owner, file.size, config.exports)
            .then(() => completeExport(database, id, { file, name, areas, premises }, config.exports))
            .catch(async (error) => {
              await storage.remove(file.key).catch(() => undefined);
              throw error;
            });
          if (!isKept) await storage.remove(file.key).catch(() => undefined);
          else logger.info({ export: id, name, size: file.size, areas, premises }, 'coverage was exported');
        }
      } catch (error) {
        throw isOfReader(error) ? new CovermapError('export_failed') : error;
      } finally {
        await removeScratch(scratch);
      }
    },
    async fail(id, error) {
      logger.warn({ err: error, export: id }, 'coverage could not be exported');
      await failExport(database, id, errorReport(error), config.exports);
    },
  };
}

/** Its limits of memory and time: their sentences are about files that are read. */
const isOfReader = (error: unknown) => error instanceof IngestError && error.code.startsWith('reader_');

/** Reads areas and premises into a scratch folder. @returns the work for the reading process @throws CovermapError `export_not_kept`, `premises_being_counted` */
async function readCoverage(
  { database }: WorkerContext,
  { format, datasetIds, day }: Begun,
  scratch: string,
  tell: Tell,
  signal: AbortSignal,
): Promise<{ work: ExportWork; premises: number | null }> {
  const tiers = await tiersOf(database, datasetIds, day);
  const version = await countedWith(database, datasetIds);
  const [areasFile, premisesFile] = ['areas', 'premises'].map((name) => path.join(scratch, name)) as [
    string,
    string,
  ];
  let areas = 0;
  await writing(areasFile, async (out) => {
    if (format === 'csv') return;
    const total = await countAreas(database, tiers);
    await readAreas(database, tiers, async (tier, some) => {
      signal.throwIfAborted();
      await out.areas(tier, some);
      areas += some.length;
      tell({ step: 'reading areas', percent: Math.min(100, Math.floor((100 * areas) / total)) });
    });
  });
  await requireKept(database, datasetIds);
  const work = { kind: 'export' as const, file: areasFile, format, tiers, areas };
  if (version === undefined) return { work: { ...work, addresses: 0 }, premises: null };
  let addresses = 0;
  let premises = 0;
  await writing(premisesFile, async (out) => {
    premises = await readPremises(database, tiers, async (some, share) => {
      signal.throwIfAborted();
      await out.premises(
        some.map(({ tier, address, aliases }) => [
          ...([tier, address.id, address.text, aliases.join(' ')] as const),
          ...([address.lat, address.lng] as const),
        ]),
      );
      addresses += some.length;
      tell({ step: 'reading premises', percent: Math.floor(100 * share) });
    });
  });
  // Who removes the rows of a version removes its premises, too.
  await requireKept(database, datasetIds);
  // An import of addresses meanwhile has added or removed some.
  if ((await premisesVersion(database)) !== version) throw new CovermapError('premises_being_counted');
  return { work: { ...work, premises: premisesFile, addresses }, premises };
}

async function writing(
  file: string,
  write: (out: ReturnType<typeof rowsFile>) => Promise<void>,
): Promise<void> {
  const out = rowsFile(file);
  try {
    await write(out);
    await out.end();
  } finally {
    out.close();
  }
}
