import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../platform/database/database.ts';
import { follow } from '../platform/database/notified-cache.ts';
import { raw, sql } from '../platform/database/sql.ts';
import type { Logger } from '../platform/logger.ts';
import { type Attachment, addressIn, compose, type Sender } from './compose.ts';
import { isTurnedOff, type StoredMessage, storedColumns } from './outbox.ts';
import { deliver, type Outcome } from './smtp.ts';

/*
 * Sends what is queued, each message once as far as SMTP allows. One process sends at a time, by a lock that ends with it. Before the server is given a
 * byte of the text, the row says so: killed before, the message is sent again; killed after, nobody knows whether the server has it, and a person decides.
 */

/** Messages at once, so that a slow answer holds up few. */
const atOnce = 4;
/** How long after a failed attempt the next one is made, in minutes; then again and again by the last. */
const backoffMinutes = [1, 5, 15, 60, 240];
/** Attempts end this long after a message was queued. */
const givenUpHours = 96;
/** How long a process that stops waits for the server's answer to a text that it was given. */
const stopMs = 10_000;

export interface MailServer extends Sender {
  url: string;
}

/** Messages that were at work in a process that is gone. Nobody else sends while this process has the lock. */
const reclaim = (db: Queryable) =>
  db.query(sql`
    update mail_message set
      state = case when data_begun_at is null then 'queued' else 'uncertain' end,
      reason = case when data_begun_at is null then reason else 'The process that sent it ended before the mail server had answered.' end
    where state = 'sending'`);

/** Reminders that are to be tried again, and whose invoice was settled, or their stop asked for, while an attempt was under way. */
const dropSettled = (db: Queryable) =>
  db.query(sql`
    update mail_message m set state = 'cancelled', retry_at = null, reason = 'The invoice is settled, or its reminders were stopped.'
    where state = 'queued' and template = 'reminder' and attempts > 0
      and (not exists (select from open_invoice o where o.number = m.invoice_number)
        or exists (select from reminder_stop s where s.invoice_number = m.invoice_number))`);

/** Takes the message that waits longest. What was turned off while an attempt was under way ends. Nothing is sent while a month is rehearsed. */
async function claim(db: Queryable, attempt: string): Promise<StoredMessage | undefined> {
  await dropSettled(db);
  const off = isTurnedOff(raw('m.account'), raw('m.address'), raw('m.template'));
  const { rows } = await db.query<StoredMessage & { state: 'sending' | 'cancelled' }>(sql`
    update mail_message m set data_begun_at = null, attempts = attempts + 1, attempt = ${attempt}, retry_at = null,
      (state, reason) = (select case when off then 'cancelled' else 'sending' end,
        case when off then 'E-mails of this kind were turned off.' else reason end from (select ${off} as off) as o)
    where id = (
      select id from mail_message
      where state = 'queued' and coalesce(retry_at, '-infinity') <= now() and not exists (select from rehearsal)
      order by coalesce(retry_at, '-infinity'), id limit 1 for update skip locked)
    returning ${storedColumns}, state`);
  return rows[0]?.state === 'cancelled' ? claim(db, attempt) : rows[0];
}

/** @returns false where the attempt is not this one any more */
async function begin(db: Queryable, id: number, attempt: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update mail_message set data_begun_at = clock_timestamp() where id = ${id} and attempt = ${attempt} and state = 'sending'`);
  return rowCount > 0;
}

/** Records how an attempt ended, unless somebody has decided on the message since. */
async function end(db: Queryable, id: number, attempt: string, { kind, reason }: Outcome): Promise<void> {
  // What was thought uncertain is known now.
  const isThis = sql`id = ${id} and attempt = ${attempt} and state in ('sending', 'uncertain')`;
  if (kind === 'kept') {
    const minutes = raw(`(array[${backoffMinutes.join()}])[least(attempts, ${backoffMinutes.length})]`);
    await db.query(sql`
      update mail_message set
        state = case when queued_at < now() - make_interval(hours => ${givenUpHours}) then 'failed' else 'queued' end,
        retry_at = case when queued_at < now() - make_interval(hours => ${givenUpHours}) then null
          else clock_timestamp() + make_interval(mins => ${minutes}) end,
        reason = ${reason}
      where ${isThis}`);
    return;
  }
  await db.query(sql`
    update mail_message set state = ${kind}, reason = ${reason}, retry_at = null,
      sent_at = case when ${kind} = 'sent' then clock_timestamp() end
    where ${isThis}`);
}

/**
 * Sends everything that is due, if no other process is at it. @param everyMs how often to look for what is to be tried again
 * @param attachmentsOf the files that go with a message, the same bytes at each attempt
 */
export async function openMailSender(
  { database, logger }: { database: Database; logger: Logger },
  server: MailServer,
  everyMs: number,
  attachmentsOf: (message: StoredMessage) => Promise<Attachment[]> = async () => [],
) {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  let again = false;

  const attempted = async (message: StoredMessage, attempt: string): Promise<Outcome> => {
    let raw: Buffer;
    try {
      raw = await compose(message, server, await attachmentsOf(message));
    } catch (error) {
      logger.error({ err: error, message: message.id }, 'the paper of an e-mail could not be printed');
      return { kind: 'kept', reason: 'Its paper could not be printed.', away: false };
    }
    return deliver(server.url, {
      ...{ from: addressIn(server.from), to: message.address as string, raw },
      begin: () => begin(database, message.id, attempt),
      signal: stopping.signal,
    });
  };
  /** @returns true where the server was out of reach */
  const sendOne = async (message: StoredMessage, attempt: string): Promise<boolean> => {
    const outcome = await attempted(message, attempt);
    // The server has answered: that is written down however long the database is away.
    for (let tries = 0; ; tries++) {
      try {
        await end(database, message.id, attempt, outcome);
        break;
      } catch (error) {
        if (tries >= 5 || stopping.signal.aborted) throw error;
        await sleep(1000);
      }
    }
    const about = { message: message.id, outcome: outcome.kind, reason: outcome.reason };
    if (outcome.kind === 'sent') logger.info(about, 'an e-mail was sent');
    else if (!stopping.signal.aborted) logger.warn(about, 'an e-mail was not sent');
    return outcome.kind === 'kept' && outcome.away;
  };
  let closing = false;
  /** Starts as many attempts as may run at once; set while this process has the lock. */
  let fill: (() => void) | undefined;
  const drain = async (lost: AbortSignal) => {
    await reclaim(database);
    let away = false;
    const active = new Set<Promise<void>>();
    const slot = async () => {
      while (!closing && !lost.aborted && !away) {
        const attempt = randomUUID();
        const message = await claim(database, attempt);
        if (!message) return;
        if (await sendOne(message, attempt)) away = true;
      }
    };
    fill = () => {
      while (active.size < atOnce) {
        const one: Promise<void> = slot().finally(() => active.delete(one));
        active.add(one);
      }
    };
    fill();
    try {
      while (active.size > 0) await Promise.race(active);
    } finally {
      fill = undefined;
      await Promise.allSettled(active);
    }
  };
  const wake = () => {
    again = true;
    if (!closing) fill?.();
    running ??= (async () => {
      while (again && !closing) {
        again = false;
        await database.withExclusiveKey('covermap mail', drain).catch((error) => {
          if (!closing) logger.error({ err: error }, 'e-mails could not be sent');
        });
      }
      running = undefined;
    })();
  };
  const stopFollowing = await follow(database, 'mail', wake, wake, everyMs);
  wake();
  return {
    async close() {
      closing = true;
      await stopFollowing();
      const timer = setTimeout(() => stopping.abort(), stopMs);
      await running;
      clearTimeout(timer);
    },
  };
}
