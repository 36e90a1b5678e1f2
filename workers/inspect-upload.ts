import { submitAnswered } from '../core/coverage/submissions/answers.ts';
import {
  everybody,
  findUpload,
  noteInspection,
  waitingInspections,
} from '../core/coverage/submissions/uploads.ts';
import { errorReport } from '../core/errors.ts';
import { inspectFile } from '../ingest/inspect.ts';
import { readerLimits } from '../ingest/reader.ts';
import type { WorkerContext } from './context.ts';
import { usualQuickMs } from './slots.ts';
import type { TurnWork } from './take-turns.ts';

/** Short, as a person waits for it at a form. */
const deadlineMs = 120_000;

/** Inspects an upload that has no manifest yet. */
export function inspectUpload({ config, database, queue, storage, logger }: WorkerContext): TurnWork {
  return {
    kind: 'inspect',
    waiting: waitingInspections,
    quickMs: usualQuickMs,
    async work(id, signal) {
      const upload = await findUpload(database, id, everybody);
      if (!upload?.storage_key || upload.submission_id || upload.inspection || upload.error) return;
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
      // Where the queue is away, the sweep sends it.
      if (received) await queue.send('ingest', received.id).catch(() => undefined);
    },
    async fail(id, error) {
      logger.info({ err: error, upload: id }, 'an upload could not be inspected');
      await noteInspection(database, id, { error: errorReport(error) });
      await submitAnswered(database, storage, id, config.providerQuotas);
    },
    async isWanted(id) {
      const upload = await findUpload(database, id, everybody);
      return upload !== undefined && upload.submission_id === null;
    },
  };
}
