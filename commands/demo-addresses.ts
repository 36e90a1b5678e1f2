import { readAddressList } from '../addresses/imports.ts';
import type { Application } from './application.ts';
import { once } from './demo.ts';
import { importAddressesAndFollow } from './import-addresses.ts';
import { samplePath } from './samples.ts';

const file = 'addresses.zip';

/** Imports the made-up addresses of the samples, once, and where no other list was imported. */
export const seedAddresses = (application: Application): Promise<void> =>
  once(application.database, 'addresses', async () => {
    if (!(await readAddressList(application.database)).is_empty) return;
    for await (const _ of importAddressesAndFollow(application, { file: samplePath(file), options: {} }));
  });
