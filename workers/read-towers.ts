import { failSubmission, findSubmission, type Submission } from '../coverage/submissions/submissions.ts';
import { storeTowers } from '../coverage/submissions/towers.ts';
import { readerLimits, readResult } from '../ingest/reader.ts';
import { errorReport } from '../platform/errors.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, submissionKey } from './step.ts';

/** Reads the towers of a submission; the service or staff model their coverage. */
export const readTowerFile = ({ config, database, storage }: WorkerContext): StepWork => ({
  step: 'read-towers',
  key: submissionKey,
  async work(id, signal) {
    const { storage_key, manifest } = (await findSubmission(database, id)) as Submission;
    const work = { kind: 'towers' as const, speeds: manifest.speeds, serviceArea: config.serviceArea };
    const towers = await storage.withLocalFile(
      storage_key,
      (file) => readResult({ ...work, file }, readerLimits(config), signal),
      signal,
    );
    const isModelled = config.terrainDir !== undefined;
    await storeTowers(database, id, towers, isModelled ? (manifest.prediction ?? {}) : undefined);
    return [['predict', id]];
  },
  fail: (id, error) => failSubmission(database, id, errorReport(error)),
});
