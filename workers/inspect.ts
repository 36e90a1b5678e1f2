import { firstSteps } from '../coverage/attempts.ts';
import { submitAnswered } from '../coverage/submissions/answers.ts';
import { ignoredBefore } from '../coverage/submissions/ignored-before.ts';
import { everybody, findUpload, recordInspection, type Upload } from '../coverage/submissions/uploads.ts';
import type { Inspection } from '../ingest/messages.ts';
import { readerLimits, readResult } from '../ingest/reader.ts';
import { knownTechnologies } from '../ingest/rows/load.ts';
import type { Database } from '../platform/database/database.ts';
import { errorReport } from '../platform/errors.ts';
import { today } from '../platform/nz-time.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Short, as a person waits for it at a form. */
const deadlineMs = 120_000;

export function inspectUpload({ config, database, storage, logger }: WorkerContext): StepWork {
  return {
    step: 'inspect',
    slots: 2,
    async work(id, signal) {
      const upload = await findUpload(database, id, everybody);
      if (!upload?.storage_key) return;
      const { storage_key, file_name: name } = upload;
      const { serviceArea } = config;
      const technologies = await knownTechnologies(database);
      const inspection = await storage.withLocalFile(
        storage_key,
        (file) => {
          const work = { kind: 'inspection' as const, file, name, technologies, today: today(), serviceArea };
          return readResult(work, { ...readerLimits(config), deadlineMs }, signal);
        },
        signal,
      );
      signal.throwIfAborted();
      await recordInspection(database, id, {
        inspection: await withEarlierAnswers(database, inspection, upload),
      });
      const received = await submitAnswered(database, storage, id, config.providerQuotas);
      if (received) return firstSteps.map((step) => [step, received.id]);
    },
    async fail(id, error) {
      logger.info({ err: error, upload: id }, 'an upload could not be inspected');
      await recordInspection(database, id, { error: errorReport(error) });
      await submitAnswered(database, storage, id, config.providerQuotas);
    },
  };
}

/** Ignores the attributes that the operator's earlier files were to ignore, of those that are asked about. */
async function withEarlierAnswers(
  database: Database,
  inspection: Inspection,
  { provider_id }: Upload,
): Promise<Inspection> {
  const names = inspection.questions.flatMap(({ attribute }) => attribute ?? []);
  if (provider_id === null || names.length === 0) return inspection;
  const ignored = await ignoredBefore(database, provider_id);
  const ignore = [...new Set(names)].filter((name) => ignored.has(name.toLowerCase()));
  return ignore.length > 0 ? { ...inspection, manifest: { ...inspection.manifest, ignore } } : inspection;
}
