import type { Actor } from '../../access/actor.ts';
import type { ImportOptions } from '../../addresses/import-options.ts';
import type { ImportReport } from '../../addresses/import-report.ts';
import type { ImportProgress } from '../../addresses/imports.ts';
import type { Config } from '../../platform/config.ts';
import type { Connection, Database } from '../../platform/database/database.ts';

export interface ImportHooks {
  onProgress: (progress: ImportProgress) => void;
  signal?: AbortSignal | undefined;
  /** The importer; unless given, the terminal. */
  actor?: Actor;
  /** Called in the transaction that changes the list, at its end: to record the import with it. */
  complete?: (connection: Connection, report: ImportReport) => Promise<void>;
}

/**
 * Imports a file of addresses: a whole list, changes of it, ids of another system or postcodes. All of it or nothing; until it is done, the old list answers.
 * @param file `name`: what its sender calls it @throws CovermapError, IngestError
 */
export async function importAddressFile(
  _parts: { config: Config; database: Database },
  _file: { path: string; name: string; size: number },
  _options: ImportOptions,
  _hooks: ImportHooks,
): Promise<ImportReport> {
  throw new Error('it is to come');
}
