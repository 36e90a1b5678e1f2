import { findUpload, noteInspection } from '../core/coverage/uploads.ts';
import { CovermapError, errorReport } from '../core/errors.ts';
import type { JobProcessor } from '../core/queue.ts';
import { inspectFile } from '../ingest/inspect.ts';
import type { WorkerContext } from './worker.ts';

/** Somebody waits at a form for it. */
const deadlineMs = 120_000;

/** The job that looks into an upload that nobody has described yet. It can be run again, and does nothing then. */
export function inspectUpload({ config, database, storage, logger }: WorkerContext): JobProcessor {
  return async (job) => {
    const { id } = job.data;
    const upload = await findUpload(database, id, { providerId: null });
    if (!upload?.storage_key || upload.submission_id || upload.inspection || upload.error) return;
    const { storage_key, file_name } = upload;
    try {
      const inspection = await storage.withLocalFile(storage_key, (file) =>
        inspectFile(database, {
          file,
          name: file_name,
          serviceArea: config.serviceArea,
          limits: { memoryMb: config.readerMemoryMb, deadlineMs },
        }),
      );
      await noteInspection(database, id, { inspection });
    } catch (error) {
      const again = !(error instanceof CovermapError) || error.code === 'storage_unavailable';
      if (again && job.attemptsMade + 1 < (job.opts.attempts ?? 1)) throw error;
      logger.info({ err: error, upload: id }, 'an upload could not be looked into');
      await noteInspection(database, id, { error: errorReport(error) });
    }
  };
}
