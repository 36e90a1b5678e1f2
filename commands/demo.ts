import { serviceActor } from '../access/actor.ts';
import { createKey } from '../access/api-keys.ts';
import { allowNetwork } from '../access/registrars.ts';
import { createToken, type TokenOwner, tokenIsActive } from '../access/tokens.ts';
import { customerByName } from '../billing/customers.ts';
import { operatorOf } from '../coverage/providers/providers.ts';
import type { Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { seedBilling } from './demo-billing.ts';
import { seedRegister } from './demo-register.ts';

export const demoKey = 'demo';
export const demoOperatorToken = 'operator-demo';
export const demoStaffToken = 'staff-demo';
export const demoCustomerToken = 'customer-demo';
const demoCustomer = 'Demo';
/** A position with available fibre in the samples. */
export const demoPosition = { lat: '-36.9026834', lng: '174.8075834' };
/** The address of the samples at that position. */
export const demoAddress = '1 Harbourview Road, Auckland';

/** The demo's credentials. They are public, and so for callers on this machine only. */
export type DemoAccess = Record<'key' | 'registrar' | 'operator' | 'staff' | 'customer', boolean>;

/** Fills the embedded database, except for the samples, unless an earlier start did. */
export async function seedDemo(database: Database): Promise<void> {
  await seedAccess(database);
  await seedRegister(database);
  await seedBilling(database, new Date());
}

/** Creates key, tokens and registrar, each once: revoked or removed ones are not created again. */
export async function seedAccess(database: Database): Promise<void> {
  await once(database, 'key', () => createKey(database, demoCustomer, demoKey, true));
  await once(database, 'registrar', async () => {
    const options = { actor: serviceActor, localOnly: true };
    for (const network of ['127.0.0.0/8', '::1']) await allowNetwork(database, 'Demo', network, options);
  });
  const token = (part: keyof DemoAccess, owner: TokenOwner, localSecret: string) =>
    once(database, part, () => createToken(database, owner, `Demo ${part}`, serviceActor, { localSecret }));
  const url = 'https://demo-networks.example/';
  await token('operator', operatorOf('Demo Networks', url), demoOperatorToken);
  await token('staff', { role: 'staff' }, demoStaffToken);
  const customerId = await customerByName(database, demoCustomer);
  await token('customer', { role: 'customer', customerId }, demoCustomerToken);
}

/** Creates a part of the demo, and records that. */
export async function once(database: Database, part: string, make: () => Promise<unknown>): Promise<void> {
  const { rows } = await database.query(sql`select from demo_part where name = ${part}`);
  if (rows[0]) return;
  // An interrupted start may have created it without a record.
  await make().catch((error) => {
    if ((error as { code?: string }).code !== '23505') throw error;
  });
  await database.query(sql`insert into demo_part (name) values (${part}) on conflict do nothing`);
}

export async function demoAccess(database: Database): Promise<DemoAccess> {
  const token = (role: string) =>
    `exists (select from access_token t where t.local_only and t.role = '${role}' and ${tokenIsActive}) as ${role}`;
  const { rows } = await database.query<DemoAccess>(
    `select
       exists (select from api_key where local_only and revoked_at is null) as key,
       exists (select from registrar_network where network >>= '127.0.0.1') as registrar,
       ${token('operator')}, ${token('staff')}, ${token('customer')}`,
  );
  return rows[0] as DemoAccess;
}
