import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandActor } from '../core/access/actor.ts';
import { createKey } from '../core/access/api-keys.ts';
import { allowNetwork } from '../core/access/registrars.ts';
import { createToken } from '../core/access/tokens.ts';
import { customerByName } from '../core/billing/customers.ts';
import { parseManifest } from '../core/coverage/manifest.ts';
import type { Application } from './application.ts';
import { seedBilling } from './demo-billing.ts';
import { seedRegister } from './demo-register.ts';
import { progressDisplay } from './progress-bar.ts';
import { submitAndFollow } from './submit.ts';

export const demoKey = 'demo';
export const demoOperatorToken = 'operator-demo';
export const demoStaffToken = 'staff-demo';
export const demoCustomerToken = 'customer-demo';
/** Whose the demo key is. */
export const demoCustomer = 'Demo';
/** Whom the demo operator acts for. */
export const demoProvider = 'Demo Networks';
/** Where the samples show fibre as available. */
export const demoPosition = { lat: '-36.9026834', lng: '174.8075834' };

const samplesFolder = fileURLToPath(new URL('../samples/', import.meta.url));
const manifestEnding = '.manifest.json';
/** Samples that count as worked out by the service, so that there are processing fees. */
const workedOut = ['wireless-prediction.kmz', 'wireless-signal.tif'];

/**
 * Makes the embedded database worth asking: a public key, public tokens of an operator, of staff and of a customer, this
 * machine as a registrar, a small register, some customers with usage and invoices, and the samples through the queue and the worker like any
 * other file. Samples that were handed in at an earlier start are not handed in again.
 */
export async function seedDemo(application: Application): Promise<void> {
  const { database } = application;
  await createKey(database, demoCustomer, demoKey);
  for (const network of ['127.0.0.0/8', '::1']) await allowNetwork(database, 'Demo', network);
  await seedRegister(database);
  const operator = { role: 'operator', provider: demoProvider } as const;
  await createToken(database, operator, 'Demo operator', commandActor, demoOperatorToken);
  await createToken(database, { role: 'staff' }, 'Demo staff', commandActor, demoStaffToken);
  await seedBilling(database, new Date());
  const customerId = await customerByName(database, demoCustomer);
  await createToken(
    database,
    { role: 'customer', customerId },
    'Demo customer',
    commandActor,
    demoCustomerToken,
  );
  const { rows } = await database.query<{ file_name: string }>('select distinct file_name from submission');
  const known = new Set(rows.map((row) => row.file_name));
  const manifests = (await readdir(samplesFolder)).filter((name) => name.endsWith(manifestEnding)).sort();
  for (const name of manifests) {
    const { file, ...manifest } = JSON.parse(await readFile(path.join(samplesFolder, name), 'utf8'));
    if (known.has(file)) continue;
    const described = parseManifest(
      workedOut.includes(file) ? { ...manifest, processed_by: 'service' } : manifest,
    );
    const display = progressDisplay(`  samples/${file}`);
    let last = '';
    try {
      const source = { path: path.join(samplesFolder, file), name: file };
      for await (const submission of submitAndFollow(application, source, described)) {
        display.show(submission);
        last = submission.error?.message ?? submission.blocking?.[0]?.message ?? '';
      }
    } finally {
      display.stop();
    }
    if (process.stdout.isTTY) console.log(`  samples/${file}: ${last || 'published'}`);
    else if (last) console.log(`  samples/${file}: ${last}`);
  }
}
