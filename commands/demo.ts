import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceActor } from '../core/access/actor.ts';
import { createKey } from '../core/access/api-keys.ts';
import { allowNetwork } from '../core/access/registrars.ts';
import { createToken, type TokenOwner, tokenIsActive } from '../core/access/tokens.ts';
import { customerByName } from '../core/billing/customers.ts';
import { parseManifest } from '../core/coverage/submissions/manifest.ts';
import type { Database } from '../core/database/database.ts';
import type { Application } from './application.ts';
import { seedBilling } from './demo-billing.ts';
import { seedRegister } from './demo-register.ts';
import { progressDisplay } from './progress.ts';
import { stepOf, submitAndFollow } from './submit.ts';

export const demoKey = 'demo';
export const demoOperatorToken = 'operator-demo';
export const demoStaffToken = 'staff-demo';
export const demoCustomerToken = 'customer-demo';
/** Whose the demo key is. */
export const demoCustomer = 'Demo';
/** Whom the demo operator acts for. */
export const demoProvider = 'Demo Networks';
const demoProviderUrl = 'https://demo-networks.example/';
/** Where the samples show fibre as available. */
export const demoPosition = { lat: '-36.9026834', lng: '174.8075834' };

const samplesFolder = fileURLToPath(new URL('../samples/', import.meta.url));
const manifestEnding = '.manifest.json';
/** Samples that count as worked out by the service, so that there are processing fees. */
const workedOut = ['wireless-prediction.kmz', 'wireless-signal.tif'];

/** What only callers on this machine may use: everybody knows it. */
export interface DemoAccess {
  key: boolean;
  registrar: boolean;
  operator: boolean;
  staff: boolean;
  customer: boolean;
}

/**
 * Makes the embedded database worth asking: a public key, public tokens of an operator, of staff and of a customer, this
 * machine as a registrar, a small register, some customers with usage and invoices, and the samples through the queue and the worker like any
 * other file. It does not submit again what an earlier start submitted.
 */
export async function seedDemo(application: Application): Promise<void> {
  const { database } = application;
  await seedAccess(database);
  await seedRegister(database);
  await seedBilling(database, new Date());
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
        display.show(stepOf(submission));
        last = submission.error?.message ?? submission.blocking?.[0]?.message ?? '';
      }
    } finally {
      display.stop();
    }
    if (process.stdout.isTTY) console.log(`  samples/${file}: ${last || 'published'}`);
    else if (last) console.log(`  samples/${file}: ${last}`);
  }
}

/** Makes what gives access, each part once: what was revoked or removed since stays so. */
export async function seedAccess(database: Database): Promise<void> {
  await once(database, 'key', () => createKey(database, demoCustomer, demoKey, true));
  await once(database, 'registrar', async () => {
    const options = { actor: serviceActor, localOnly: true };
    for (const network of ['127.0.0.0/8', '::1']) await allowNetwork(database, 'Demo', network, options);
  });
  const token = (part: keyof DemoAccess, owner: TokenOwner, localSecret: string) =>
    once(database, part, () => createToken(database, owner, `Demo ${part}`, serviceActor, { localSecret }));
  await token(
    'operator',
    { role: 'operator', provider: demoProvider, url: demoProviderUrl },
    demoOperatorToken,
  );
  await token('staff', { role: 'staff' }, demoStaffToken);
  const customerId = await customerByName(database, demoCustomer);
  await token('customer', { role: 'customer', customerId }, demoCustomerToken);
}

/** Makes a part of the demo, and notes that it was made. */
async function once(database: Database, part: keyof DemoAccess, make: () => Promise<unknown>): Promise<void> {
  const { rows } = await database.query('select from demo_part where name = $1', [part]);
  if (rows[0]) return;
  // There already where a start was broken off between making it and noting that.
  await make().catch((error) => {
    if ((error as { code?: string }).code !== '23505') throw error;
  });
  await database.query('insert into demo_part (name) values ($1) on conflict do nothing', [part]);
}

/** What of the demo's access there still is. */
export async function demoAccess(database: Database): Promise<DemoAccess> {
  const { rows } = await database.query<DemoAccess>(
    `select
       exists (select from api_key where local_only and revoked_at is null) as key,
       exists (select from registrar_network where network >>= '127.0.0.1') as registrar,
       exists (select from access_token t where t.local_only and t.role = 'operator' and ${tokenIsActive}) as operator,
       exists (select from access_token t where t.local_only and t.role = 'staff' and ${tokenIsActive}) as staff,
       exists (select from access_token t where t.local_only and t.role = 'customer' and ${tokenIsActive}) as customer`,
  );
  return rows[0] as DemoAccess;
}
