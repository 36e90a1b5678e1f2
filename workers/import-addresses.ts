import { serviceActor } from '../access/actor.ts';
import {
  advanceImport,
  completeImport,
  failImport,
  findImport,
  type ImportProgress,
} from '../addresses/imports.ts';
import { importAddressFile } from '../ingest/addresses/import-file.ts';
import { CovermapError, errorReport } from '../platform/errors.ts';
import type { WorkerContext } from './context.ts';
import { progressWriter } from './progress-writer.ts';
import type { StepWork } from './step.ts';

/** Imports a file of addresses that staff uploaded: all of it or nothing. Can be stopped or killed anywhere and run again. */
export function importAddresses({ config, database, storage, logger }: WorkerContext): StepWork {
  return {
    step: 'import-addresses',
    // One import at a time, whichever process does it.
    key: () => 'import-addresses',
    async work(id, given) {
      const asked = await findImport(database, id);
      if (!asked?.storage_key) return [];
      const { storage_key, file_name: name, size_bytes: size, options } = asked;
      const cancelled = new AbortController();
      const progress = progressWriter<ImportProgress>(
        (now) => advanceImport(database, id, now),
        () => cancelled.abort(new CovermapError('import_ended')),
      );
      const signal = AbortSignal.any([given, cancelled.signal]);
      const report = await storage.withLocalFile(
        storage_key,
        (path) =>
          importAddressFile({ config, database }, { path, name, size }, options, {
            onProgress: progress.soon,
            signal,
            // The audit has who sent the file.
            actor: serviceActor,
            async complete(connection, report) {
              if (!(await completeImport(connection, id, report))) throw new CovermapError('import_ended');
            },
          }),
        signal,
      );
      await progress.settled();
      // A rehearsal's own transaction was undone.
      await completeImport(database, id, report);
      await storage.remove(storage_key).catch(() => undefined);
      const { kind, read, taken } = report;
      logger.info({ import: id, kind, read, taken }, 'addresses were imported');
      return [['count-premises']];
    },
    async fail(id, error) {
      logger.warn({ err: error, import: id }, 'addresses could not be imported');
      const key = (await findImport(database, id))?.storage_key;
      if ((await failImport(database, id, errorReport(error))) && key)
        await storage.remove(key).catch(() => undefined);
    },
  };
}
