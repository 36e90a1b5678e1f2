import { domainToASCII } from 'node:url';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Connection, Database, Queryable } from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';
import { named } from '../platform/schemas.ts';
import { accountKey, type MailAccount, ownerIds, type StoredMessage, storedColumns } from './outbox.ts';
import { templateNames, templateOf } from './templates/all.ts';
import type { Topic } from './templates/template.ts';

/* Where an account is written to, and what it has turned off. */

export const topics: Readonly<Record<MailAccount['kind'], readonly Topic[]>> = {
  customer: ['usage', 'reminders', 'statements'],
  operator: ['coverage', 'fees', 'reminders', 'statements'],
};
const allTopics = [...new Set(Object.values(topics).flat())] as [Topic, ...Topic[]];

/** Plainly: one @, a name before it and a domain behind it. Whether somebody reads it only a message tells. */
function isEmail(text: string): boolean {
  const [name = '', domain = '', ...more] = text.split('@');
  return (
    more.length === 0 &&
    text.length <= 254 &&
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/.test(name) &&
    !/^\.|\.\.|\.$/.test(name) &&
    // It is read as the host of a URL: what ends one, as a slash, is not of it.
    /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) &&
    /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/.test(domainToASCII(domain))
  );
}

const email = z
  .string()
  .max(254)
  .trim()
  .refine((text) => text === '' || isEmail(text), {
    error: 'has to be an e-mail address, as accounts@example.com.',
  });

export const MailSettings = named('MailSettings', {
  email: z.string().describe('Where e-mails are sent; empty: nowhere.'),
  topics: z
    .array(z.object({ topic: z.enum(allTopics), on: z.boolean() }))
    .describe('What can be turned off. Invoices are always sent.'),
});
export type MailSettings = z.output<typeof MailSettings>;

/** What is to change: the address, and topics by whether they are told. */
export const MailChange = z.object({
  email: email.optional().describe('Empty for none.'),
  topics: z.partialRecord(z.enum(allTopics), z.boolean()).optional(),
});
export type MailChange = z.output<typeof MailChange>;

export async function mailSettings(db: Queryable, account: MailAccount): Promise<MailSettings> {
  const { customerId, providerId } = ownerIds(account);
  const { rows } = await db.query<{ email: string; off: Topic[] }>(sql`
    select b.email, array(
      select topic from mail_opt_out where account = ${accountKey(account)} and address = lower(b.email)) as off
    from billing_contact b where b.customer_id = ${customerId} or b.provider_id = ${providerId}`);
  const { email = '', off = [] } = rows[0] ?? {};
  return { email, topics: topics[account.kind].map((topic) => ({ topic, on: !off.includes(topic) })) };
}

/** Changes where an account is written to, and what of. What it turns off is its own, at the address that it has then. */
export async function changeMailSettings(
  db: Database,
  account: MailAccount,
  change: MailChange,
  actor: Actor,
): Promise<MailSettings> {
  return db.transaction(async (connection) => {
    const owner = ownerIds(account);
    if (change.email !== undefined) {
      const column = raw(account.kind === 'customer' ? 'customer_id' : 'provider_id');
      await connection.query(sql`
        insert into billing_contact (${column}, email) values (${account.id}, ${change.email})
        on conflict (${column}) do update set email = excluded.email`);
    }
    const { email } = await mailSettings(connection, account);
    for (const topic of topics[account.kind]) {
      const on = change.topics?.[topic];
      if (on === undefined || email === '') continue;
      if (on) {
        await connection.query(sql`
          delete from mail_opt_out
          where account = ${accountKey(account)} and address = ${email.toLowerCase()} and topic = ${topic}`);
      } else await turnOff(connection, account, email, topic);
    }
    await record(connection, actor, { action: 'mail_settings_changed', ...owner, details: change });
    return mailSettings(connection, account);
  });
}

const templatesOf = (topic: Topic) => templateNames.filter((name) => templateOf(name).topic === topic);

/** From now on the account is told none of a topic at the address, nor what is queued of it. Others that have the address are told theirs. */
async function turnOff(
  connection: Connection,
  account: MailAccount,
  address: string,
  topic: Topic,
): Promise<void> {
  await connection.query(sql`
    insert into mail_opt_out (account, address, topic) values (${accountKey(account)}, lower(${address}), ${topic})
    on conflict do nothing`);
  await connection.query(sql`
    update mail_message set state = 'cancelled', retry_at = null, reason = 'E-mails of this kind were turned off.'
    where account = ${accountKey(account)} and lower(address) = lower(${address})
      and state = 'queued' and template = any(${templatesOf(topic)})`);
}

/** The message whose link turns a topic off; undefined for a link that nobody was sent. */
export async function offLink(db: Queryable, token: string) {
  const { rows } = await db.query<Pick<StoredMessage, 'account' | 'address' | 'template'>>(sql`
    select ${storedColumns} from mail_message where off_token = ${token}`);
  const { account, address, template } = rows[0] ?? {};
  const topic = template && templateOf(template).topic;
  return account && address && topic ? { account, address, topic } : undefined;
}

/** Turns off what a link of {@link offLink} names. @returns false for no such link */
export function turnOffByLink(db: Database, token: string, actor: Actor): Promise<boolean> {
  return db.transaction(async (connection) => {
    const link = await offLink(connection, token);
    if (!link) return false;
    const { account, ...details } = link;
    await turnOff(connection, account, link.address, link.topic);
    await record(connection, actor, {
      ...{ action: 'mail_settings_changed', ...ownerIds(account), details: { ...details, on: false } },
    });
    return true;
  });
}
