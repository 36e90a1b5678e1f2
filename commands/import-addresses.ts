import { stat } from 'node:fs/promises';
import path from 'node:path';
import { commandActor } from '../access/actor.ts';
import type { ImportOptions } from '../addresses/import-options.ts';
import type { ImportReport } from '../addresses/import-report.ts';
import { completeImport, failImport, type ImportProgress, recordImport } from '../addresses/imports.ts';
import { importAddressFile } from '../ingest/addresses/import-file.ts';
import { errorReport, fileNotReadable } from '../platform/errors.ts';
import type { Application } from './application.ts';
import { following } from './following.ts';

/** An import, in JSON for the process that has the embedded database open. */
export type AddressCall = { file: string; options: ImportOptions };

export type FollowedAddresses = { progress: ImportProgress } | { outcome: ImportReport };

/** Imports a file of addresses, which staff see among their imports: gives its progress from time to time, and the report at the end. */
export const importAddressesAndFollow = (
  { config, database }: Pick<Application, 'config' | 'database'>,
  { file, options }: AddressCall,
): AsyncGenerator<FollowedAddresses> =>
  following<ImportProgress, ImportReport>(async (onProgress) => {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) throw fileNotReadable(file);
    const given = { path: file, name: path.basename(file), size: found.size };
    const importWith = (more: Pick<Parameters<typeof importAddressFile>[3], 'complete'>) =>
      importAddressFile({ config, database }, given, options, { onProgress, actor: commandActor, ...more });
    if (options.dry_run) return importWith({});
    const id = await recordImport(database, { file: given, options, actor: commandActor });
    try {
      return await importWith({
        complete: async (connection, report) => void (await completeImport(connection, id, report)),
      });
    } catch (error) {
      await failImport(database, id, errorReport(error)).catch(() => undefined);
      throw error;
    }
  });
