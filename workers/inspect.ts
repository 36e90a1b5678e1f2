import { submitAnswered } from '../core/coverage/submissions/answers.ts';
import { everybody, findUpload, noteInspection } from '../core/coverage/submissions/uploads.ts';
import { errorReport } from '../core/errors.ts';
import { firstSteps } from '../core/work.ts';
import { inspectFile } from '../ingest/inspect.ts';
import { readerLimits } from '../ingest/reader.ts';
import type { WorkerContext } from './context.ts';
import type { StepWork } from './step.ts';

/** Short, as a person waits for it at a form. */
const deadlineMs = 120_000;

/** Inspects an upload that has no manifest yet. */
export function inspectUpload({ config, database, storage, logger }: WorkerContext): StepWork {
  return {
    step: 'inspect',
    slots: 2,
    async work(id, signal) {
      const upload = await findUpload(database, id, everybody);
      if (!upload?.storage_key) return [];
      const { storage_key, file_name } = upload;
      const inspection = await storage.withLocalFile(
        storage_key,
        (file) =>
          inspectFile(database, {
            file,
            name: file_name,
            serviceArea: config.serviceArea,
            limits: { ...readerLimits(config), deadlineMs },
            signal,
          }),
        signal,
      );
      signal.throwIfAborted();
      await noteInspection(database, id, { inspection });
      const received = await submitAnswered(database, storage, id, config.providerQuotas);
      return received ? firstSteps.map((step) => [step, received.id] as const) : [];
    },
    async fail(id, error) {
      logger.info({ err: error, upload: id }, 'an upload could not be inspected');
      await noteInspection(database, id, { error: errorReport(error) });
      await submitAnswered(database, storage, id, config.providerQuotas);
    },
  };
}
