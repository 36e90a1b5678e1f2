import { type AddressSource, type ImportHooks, importAddresses } from '../../addresses/import.ts';
import type { ImportOptions } from '../../addresses/import-options.ts';
import type { ImportReport } from '../../addresses/import-report.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AddressWork } from '../messages.ts';
import { readerLimits, readFile } from '../reader.ts';

/**
 * Imports a file of addresses: a whole list, changes of it, ids of another system or postcodes. All of it or nothing; until it is done, the old list answers.
 * @param file `name`: what its sender calls it @throws CovermapError of the import, IngestError of the file, the signal's reason
 */
export async function importAddressFile(
  { config, database }: { config: Config; database: Database },
  { path, name }: { path: string; name: string; size: number },
  options: ImportOptions,
  hooks: ImportHooks,
): Promise<ImportReport> {
  const { system, columns, postcodes } = options;
  const form = system !== undefined ? 'aliases' : postcodes ? 'postcodes' : 'list';
  const { serviceArea } = config;
  const work: AddressWork = { kind: 'addresses', file: path, name, form, system, columns, serviceArea };
  const source = async function* (): AddressSource {
    for await (const message of readFile(work, readerLimits(config), hooks.signal)) {
      if (message.type === 'addressRows') yield message.batch;
      if (message.type === 'addresses') yield message.read;
    }
  };
  return importAddresses(database, name, source(), options, hooks);
}
