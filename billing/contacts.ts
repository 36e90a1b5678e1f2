import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import {
  type Connection,
  type Database,
  inOneTransaction,
  type Queryable,
} from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';
import { named } from '../platform/schemas.ts';
import { type AccountId, accountKey, ownerColumn, ownerOf, requireAccount } from './ledger.ts';

/** The contact of a recipient of invoices. */
export const BillingContact = named('BillingContact', {
  address: z.string().describe('As printed on invoices; empty if unknown.'),
  contact: z.string().describe('An email address, phone number, NZBN or website; may be empty.'),
});
export type Contact = z.output<typeof BillingContact>;

/** The contacts of accounts, by {@link accountKey}. Who has none is reached by its e-mail address, an operator else by its website. */
export async function contactsOf(db: Queryable, accounts: readonly AccountId[]) {
  const ids = (kind: AccountId['kind']) => accounts.filter((one) => one.kind === kind).map(({ id }) => id);
  const { rows } = await db.query<Contact & { key: string }>(sql`
    select 'customer:' || customer_id as key, address,
      coalesce(nullif(contact, ''), email) as contact from billing_contact where customer_id = any(${ids('customer')})
    union all
    select 'operator:' || p.id, coalesce(b.address, ''), coalesce(nullif(b.contact, ''), nullif(b.email, ''), p.url)
    from provider p left join billing_contact b on b.provider_id = p.id where p.id = any(${ids('operator')})`);
  return new Map(rows.map(({ key, ...contact }) => [key, contact]));
}

/** The contact of an account; unknown fields are empty. */
export const contactOf = async (db: Queryable, account: AccountId): Promise<Contact> =>
  (await contactsOf(db, [account])).get(accountKey(account)) ?? { address: '', contact: '' };

/** Stores the contact of an account. @throws CovermapError `customer_unknown`, `provider_unknown` */
export async function setContact(
  db: Database | Connection,
  account: AccountId,
  { address, contact }: Contact,
  actor: Actor,
) {
  await inOneTransaction(db, async (connection) => {
    await requireAccount(connection, account);
    const column = raw(ownerColumn(account));
    await connection.query(sql`
      insert into billing_contact (${column}, address, contact) values (${account.id}, ${address}, ${contact})
      on conflict (${column}) do update set address = excluded.address, contact = excluded.contact`);
    const action = 'billing_contact_changed';
    await record(connection, actor, { action, ...ownerOf(account), details: { address, contact } });
  });
}
