import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Connection, Database, Queryable } from '../platform/database/database.ts';
import { nzTimeSql } from '../platform/database/nz-time.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
import { CovermapError, storableJson } from '../platform/errors.ts';
import { named, time } from '../platform/schemas.ts';
import { type Block, cleaned } from './content.ts';
import { type DataOf, type TemplateName, templateNames, templateOf } from './templates/all.ts';

/* The outbox: what is told, to whom, and how far it has come. What happened and its message commit together, and each is told an account once. */

/** Whom the service writes to: a customer, or an operator by its provider. */
export interface MailAccount {
  kind: 'customer' | 'operator';
  id: number;
}

export const ownerIds = ({ kind, id }: MailAccount) => ({
  customerId: kind === 'customer' ? id : null,
  providerId: kind === 'operator' ? id : null,
});

/** An account as the column `account` has it. */
export const accountKey = ({ kind, id }: MailAccount): string => `${kind}:${id}`;

export const messageStates = [
  ...(['no_address', 'queued', 'sending', 'sent'] as const),
  ...(['uncertain', 'failed', 'cancelled'] as const),
] as const;

interface NewMessage<Name extends TemplateName> {
  account: MailAccount;
  /** What happened, as `invoice:12`. The second message of an account for it is none. */
  event: string;
  template: Name;
  data: DataOf<Name>;
  /** The invoice that it is about. */
  invoice?: number;
  /** What the paper that goes with it is printed from, where it has no number of its own. */
  paper?: object;
}

/** SQL: the e-mail address of an account; null where none is known. */
const addressOf = ({ customerId, providerId }: ReturnType<typeof ownerIds>): Sql => sql`
  (select nullif(email, '') from billing_contact where customer_id = ${customerId} or provider_id = ${providerId})`;

/** SQL: whether an account has turned the topic of a template off at an address. @param account SQL, as the others: of its key */
export const isTurnedOff = (account: Sql, address: Sql, template: Sql): Sql => {
  const off = templateNames.map((name) => templateOf(name).topic);
  return sql`exists (
    select from mail_opt_out o join unnest(${templateNames}::text[], ${off}::text[]) as t (template, topic) on t.topic = o.topic
    where o.account = ${account} and o.address = lower(${address}) and t.template = ${template})`;
};

/** Queues a message, in the transaction of what happened, unless its account has turned its topic off or was told before. @param at billing's clock */
export async function enqueue<Name extends TemplateName>(
  connection: Queryable,
  { account, event, template, data, invoice, paper }: NewMessage<Name>,
  at: Date,
): Promise<void> {
  const { isMissed, write } = templateOf(template);
  const owner = ownerIds(account);
  const { subject, blocks } = cleaned(write(data));
  await connection.query(sql`
    insert into mail_message (customer_id, provider_id, event, template, invoice_number, address, subject, content, paper, state, queued_on)
    select ${owner.customerId}, ${owner.providerId}, ${event}, ${template}, ${invoice}, a.address, ${subject}, ${storableJson(blocks)}::jsonb, ${paper === undefined ? null : storableJson(paper)}::jsonb,
      case when a.address is null then 'no_address' else 'queued' end, ${at}
    from (select ${addressOf(owner)} as address) as a
    where (a.address is not null or ${isMissed})
      and not ${isTurnedOff(sql`${accountKey(account)}`, raw('a.address'), sql`${template}`)}
    on conflict (account, event) do nothing`);
}

const Account = z.object({ kind: z.enum(['customer', 'operator']), id: z.int(), name: z.string() });

export const ListedMessage = named('MailMessage', {
  id: z.int(),
  account: Account,
  template: z.enum(templateNames),
  title: z.string().describe('What the template is called.'),
  event: z.string(),
  address: z.string().nullable().describe('Null if none was known.'),
  subject: z.string(),
  state: z.enum(messageStates),
  reason: z.string().describe('What the mail server said, or why it was cancelled; may be empty.'),
  attempts: z.int(),
  queued_on: time(),
  retry_at: time().nullable().describe('When it is tried again.'),
  sent_at: time().nullable(),
});
export type ListedMessage = z.output<typeof ListedMessage>;

const listed =
  raw(`m.id, json_build_object('kind', case when m.customer_id is null then 'operator' else 'customer' end,
    'id', coalesce(m.customer_id, m.provider_id), 'name', coalesce(c.name, p.name)) as account,
  m.template, m.event, m.address, m.subject, m.state, m.reason, m.attempts, m.queued_on, m.retry_at, m.sent_at`);
const joined = raw(
  `mail_message m left join customer c on c.id = m.customer_id left join provider p on p.id = m.provider_id`,
);

interface Filter {
  state?: (typeof messageStates)[number] | undefined;
  template?: TemplateName | undefined;
  account?: MailAccount | undefined;
  /** What the subject, the name or the address of its account has, case aside. */
  q?: string | undefined;
  /** Only older ones than this. */
  before?: number | undefined;
  limit: number;
}

/** Messages, newest first. */
export async function listMessages(db: Queryable, filter: Filter): Promise<ListedMessage[]> {
  const owner = filter.account && ownerIds(filter.account);
  const { rows } = await db.query<Omit<ListedMessage, 'title'>>(sql`
    select ${listed} from ${joined}
    where (${filter.state}::text is null or m.state = ${filter.state})
      and (${filter.template}::text is null or m.template = ${filter.template})
      and (${owner?.customerId}::integer is null or m.customer_id = ${owner?.customerId})
      and (${owner?.providerId}::integer is null or m.provider_id = ${owner?.providerId})
      and (${filter.q}::text is null or strpos(lower(concat_ws(' ', m.subject, c.name, p.name, m.address)), lower(${filter.q})) > 0)
      and (${filter.before}::bigint is null or m.id < ${filter.before})
    order by m.id desc limit ${filter.limit}`);
  return rows.map((row) => ({ ...row, title: templateOf(row.template).title }));
}

/** How many messages are in each state. */
export async function countMessages(db: Queryable): Promise<Record<(typeof messageStates)[number], number>> {
  const { rows } = await db.query<{ state: string; count: number }>(sql`
    select state, count(*)::integer as count from mail_message group by state`);
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return Object.fromEntries(messageStates.map((state) => [state, counts.get(state) ?? 0])) as never;
}

/** A message as it is sent. */
export interface StoredMessage {
  id: number;
  account: MailAccount;
  event: string;
  template: TemplateName;
  address: string | null;
  subject: string;
  content: Block[];
  paper: unknown;
  message_id: string;
  off_token: string;
  queued_at: Date;
  queued_on: Date;
}
export const storedColumns =
  raw(`id, json_build_object('kind', case when customer_id is null then 'operator' else 'customer' end,
    'id', coalesce(customer_id, provider_id)) as account, event, template, address, subject, content, paper, message_id, off_token, queued_at, queued_on`);

/** @throws CovermapError `mail_unknown` */
export async function findMessage(db: Queryable, id: number): Promise<ListedMessage & StoredMessage> {
  const { rows } = await db.query<ListedMessage & StoredMessage>(sql`
    select ${listed}, m.content, m.paper, m.message_id, m.off_token, m.queued_at from ${joined} where m.id = ${id}`);
  if (!rows[0]) throw new CovermapError('mail_unknown');
  return { ...rows[0], title: templateOf(rows[0].template).title };
}

/** What staff decide on a message that waits for them. `again`: it is sent, to the address that its account has now. */
export const decisions = ['again', 'arrived', 'cancel'] as const;
export type Decision = (typeof decisions)[number];

/** Decides on a message. @throws CovermapError `mail_unknown`, `mail_state`, `mail_address_missing` */
export async function decide(db: Database, id: number, decision: Decision, actor: Actor): Promise<void> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<Decided>(sql`
      select state, subject, address, customer_id, provider_id from mail_message where id = ${id} for update`);
    const message = rows[0];
    if (!message) throw new CovermapError('mail_unknown');
    const may: Record<Decision, readonly string[]> = {
      again: ['no_address', 'uncertain', 'failed', 'cancelled'],
      arrived: ['uncertain', 'queued'],
      cancel: ['no_address', 'queued', 'uncertain', 'failed'],
    };
    if (!may[decision].includes(message.state)) throw new CovermapError('mail_state');
    await apply[decision](connection, id, message);
    await record(connection, actor, {
      action: 'mail_decided',
      ...{ customerId: message.customer_id, providerId: message.provider_id },
      details: { id, subject: message.subject, decision, was: message.state },
    });
  });
}

type Decided = Pick<ListedMessage, 'state' | 'subject' | 'address'> &
  Record<'customer_id' | 'provider_id', number | null>;

const apply: Record<Decision, (connection: Connection, id: number, of: Decided) => Promise<void>> = {
  async again(connection, id, { address, customer_id: customerId, provider_id: providerId }) {
    const { rows } = await connection.query<{ address: string | null }>(
      sql`select ${addressOf({ customerId, providerId })} as address`,
    );
    const to = rows[0]?.address ?? address;
    if (to === null) throw new CovermapError('mail_address_missing');
    const { rowCount: turnedOff } = await connection.query(sql`
      select from mail_message m where id = ${id} and ${isTurnedOff(raw('m.account'), sql`${to}`, raw('m.template'))}`);
    if (turnedOff > 0)
      throw new CovermapError('mail_state', 'Its recipient has turned e-mails of this kind off.');
    await connection.query(sql`
      update mail_message set state = 'queued', address = ${to}, attempt = null, attempts = 0, data_begun_at = null,
        retry_at = null, reason = '', queued_at = clock_timestamp()
      where id = ${id}`);
  },
  async arrived(connection, id) {
    await connection.query(sql`
      update mail_message set state = 'sent', sent_at = clock_timestamp(), attempt = null, retry_at = null where id = ${id}`);
  },
  async cancel(connection, id) {
    await connection.query(sql`
      update mail_message set state = 'cancelled', attempt = null, retry_at = null where id = ${id}`);
  },
};

/** How many messages wait for a person, by their state, and the day in New Zealand on which the oldest was queued. By the index of open ones. */
export async function waitingMail(db: Queryable) {
  type Waiting = { state: 'no_address' | 'uncertain' | 'failed'; count: number; oldest: string };
  const { rows } = await db.query<Waiting>(sql`
    select state, count(*)::integer as count, min(${raw(nzTimeSql('queued_on'))})::date as oldest
    from mail_message where state in ('no_address', 'uncertain', 'failed') group by state`);
  return rows;
}
