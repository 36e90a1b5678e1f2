import { failSubmission, findSubmission, type Submission } from '../core/coverage/submissions/submissions.ts';
import { storeTowers } from '../core/coverage/submissions/towers.ts';
import { errorReport } from '../core/errors.ts';
import { readerLimits, readTowers } from '../ingest/reader.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, submissionKey } from './step.ts';

/** Reads the towers of a submission, whose coverage the service or staff make of them. */
export function readTowerFile({ config, database, storage }: WorkerContext): StepWork {
  return {
    step: 'read-towers',
    key: ({ id }) => submissionKey(id),
    async work(id, signal) {
      const { storage_key, manifest } = (await findSubmission(database, id)) as Submission;
      const towers = await storage.withLocalFile(
        storage_key,
        (file) => readTowers(file, manifest.speeds, config.serviceArea, readerLimits(config), signal),
        signal,
      );
      const isModelled = config.terrainDir !== undefined;
      await storeTowers(database, id, towers, isModelled ? (manifest.prediction ?? {}) : undefined);
      return [['predict', id]];
    },
    fail: (id, error) => failSubmission(database, id, errorReport(error)),
  };
}
