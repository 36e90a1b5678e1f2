import { beginSubmission, discardDatasets, readySubmission } from '../coverage/datasets/load.ts';
import { ExclusionsChanged } from '../coverage/exclusions/remakes.ts';
import { findModelled, liveArea } from '../coverage/submissions/modelling.ts';
import { modellingDoubts } from '../coverage/submissions/modelling-report.ts';
import { type CoverageFile, findPrediction } from '../coverage/submissions/predictions.ts';
import type { IngestReport } from '../coverage/submissions/report.ts';
import {
  advanceSubmission,
  failSubmission,
  findSubmission,
  nothingDone,
  type Progress,
  type Submission,
} from '../coverage/submissions/submissions.ts';
import { makeOverview } from '../coverage/tiles/overview.ts';
import { readerLimits } from '../ingest/reader.ts';
import { type LoadTask, loadFile } from '../ingest/rows/load.ts';
import { CovermapError, errorReport } from '../platform/errors.ts';
import {
  ingestedBytes,
  ingestedFeatures,
  ingestedFiles,
  ingestedRows,
  ingestSeconds,
} from '../platform/metrics/process-metrics.ts';
import { keptScratch } from '../platform/scratch.ts';
import type { WorkerContext } from './context.ts';
import { progressWriter } from './progress-writer.ts';
import { type StepWork, submissionKey, TurnOver } from './step.ts';

/** Loads the coverage of a submission: its file, or coverage modelled from its towers. Can be stopped or killed anywhere and run again. */
export function loadCoverage(context: WorkerContext): StepWork {
  const { database } = context;
  return {
    step: 'load',
    // One load keeps both the reader and the database busy; the second is there for small ones beside a large one.
    slots: 2,
    key: submissionKey,
    async work(id, signal) {
      const submission = (await findSubmission(database, id)) as Submission;
      const source = submission.kind === 'coverage' ? submission : await findPrediction(database, id);
      if (source) await load(context, id, source, signal);
      return [['compare', id], ['publish', id], ['draw']];
    },
    async fail(id, error) {
      // In this order, so that a process killed in between leaves an unfinished submission and not unowned rows.
      await discardDatasets(database, id);
      await failSubmission(database, id, errorReport(error));
    },
  };
}

async function load(
  context: WorkerContext,
  id: string,
  { file_name, storage_key, size_bytes, manifest }: CoverageFile,
  given: AbortSignal,
): Promise<void> {
  const { config, database, storage, logger } = context;
  const withdrawn = new AbortController();
  const report = progressWriter<Progress>(
    (progress) => advanceSubmission(database, id, progress),
    () => withdrawn.abort(new CovermapError('submission_withdrawn')),
  );
  logger.info({ submission: id, file: file_name }, 'ingest begins');
  report.soon({ ...nothingDone, step: 'reading', bytes_total: size_bytes });
  await report.settled();
  await beginSubmission(database, id);
  const signal = AbortSignal.any([given, withdrawn.signal]);
  const steps = stepClock();
  const draw: LoadTask['draw'] = async (datasets, canvases, ofLoad) => {
    for (const datasetId of datasets) {
      const drawn = canvases.get(datasetId);
      const canvas = drawn?.complete ? drawn : undefined;
      await makeOverview(database, datasetId, { canvas, signal: ofLoad }).catch((error) => {
        signal.throwIfAborted();
        // The map then draws from shapes, which is slower.
        logger.warn({ err: error, dataset: datasetId }, 'coverage could not be drawn for the map');
      });
    }
  };
  const loaded = await storage
    .withLocalFile(
      storage_key,
      (file) =>
        loadFile(database, {
          submissionId: id,
          file,
          name: file_name,
          manifest,
          serviceArea: config.serviceArea,
          scratchDir: keptScratch(config),
          limits: readerLimits(config),
          plausibility: config.plausibility,
          onProgress: (progress) => {
            logger.debug({ submission: id, ...progress }, 'ingest goes on');
            report.soon(progress);
            steps.turnTo(progress.step);
          },
          draw,
          signal,
        }),
      signal,
    )
    .finally(() => steps.end());
  recordIngest(loaded.report, size_bytes);
  await report.settled();
  signal.throwIfAborted();
  const modelled = await findModelled(database, id);
  if (modelled) {
    const km2 = [...loaded.areas.values()].reduce((sum, area) => sum + area, 0);
    const areas = { km2, liveKm2: await liveArea(database, id) };
    const doubts = modellingDoubts(modelled.report, areas, config.modelling);
    loaded.report.warnings.push(...doubts);
    loaded.report.text?.push(...doubts.map(({ message }) => `Warning: ${message}`));
  }
  await readySubmission(database, id, loaded.areas, loaded.report, loaded.premises, loaded.made).catch(
    (error) => {
      // An exclusion was added or removed meanwhile: the file is loaded again, after others have had a turn.
      throw error instanceof ExclusionsChanged ? new TurnOver() : error;
    },
  );
}

function stepClock() {
  let step: Progress['step'] = 'reading';
  let since = performance.now();
  const turnTo = (next: Progress['step']) => {
    if (next === step) return;
    end();
    step = next;
  };
  const end = () => {
    const now = performance.now();
    ingestSeconds.inc({ step }, (now - since) / 1000);
    since = now;
  };
  return { turnTo, end };
}

/** Counts loaded features and rows by the format of the first layer: all layers of a file share it. */
function recordIngest({ features, layers, rows }: IngestReport, bytes: number): void {
  const format = layers[0]?.format ?? 'none';
  ingestedFiles.inc({ format });
  ingestedBytes.inc({ format }, bytes);
  ingestedFeatures.inc({ format }, features.read);
  ingestedRows.inc({ format }, rows);
}
