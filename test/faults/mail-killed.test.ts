import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, randomNumbers } from '@covermap/testing/random.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { enqueue } from '../../mail/outbox.ts';
import { makeCustomer } from '../setup/billing.ts';
import { type Command, endCommandProcesses, runScript } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp.ts';

/*
 * The process that sends e-mails is killed (SIGKILL) at any moment, before, within and after what it tells a real mail server. None is doubled and none is
 * lost: each has arrived once and counts as sent, or is listed as uncertain for a person, whether it has arrived or not.
 */

const seed = anySeed();
const random = randomNumbers(seed);
const kills = rounds(12, 1000);
/** E-mails that wait while it is killed. */
const queued = 6;

afterAll(endCommandProcesses);

const { place, database } = await useDatabase();
const smtp = await useSmtpServer();
// So that kills meet it at work: the server takes a while for each step.
smtp.behaviour.onRecipient = () => sleep(random() * 15);
smtp.behaviour.onMessage = () => sleep(random() * 25);
const { id } = await makeCustomer(database, 'Kea Homes');
await database.query("update billing_contact set email = 'kea@example.com' where customer_id = $1", [id]);

let events = 0;
const queue = () =>
  enqueue(
    database,
    {
      account: { kind: 'customer', id },
      event: `test:${++events}`,
      template: 'usage',
      data: { of: 'free', month: '', percent: 50, queries: 1, limit: 2, isCharged: false },
    },
    new Date(),
  );
const count = async (state: string) =>
  (await database.query(`select from mail_message where state = $1`, [state])).rowCount;
const start = () =>
  runScript(['test/setup/mail-sender.ts'], {
    ...place.env,
    ...{ SMTP_URL: smtp.url, MAIL_FROM: 'billing@maps.example', PUBLIC_URL: 'https://maps.example' },
  });

test(`killed ${kills} times at any moment, no e-mail is doubled or lost`, {
  timeout: 3_600_000,
}, async () => {
  let process: Command | undefined;
  for (let killed = 0; killed < kills; killed++) {
    while ((await count('queued')) + (await count('sending')) < queued) await queue();
    // Of two processes now and then: the other takes over at once.
    const other = random() < 0.1 ? start() : undefined;
    process ??= start();
    const before = smtp.received.length;
    await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(before), {
      timeout: 60_000,
      interval: 1,
    });
    await sleep(random() * 60);
    process.child.kill('SIGKILL');
    expect(await process.ended).toBe('SIGKILL');
    process = other;
  }
  process?.child.kill('SIGKILL');
  await process?.ended;
  const last = start();
  await vi.waitFor(async () => expect((await count('queued')) + (await count('sending'))).toBe(0), {
    timeout: 120_000,
    interval: 50,
  });
  last.child.kill('SIGTERM');
  await last.ended;

  const { rows } = await database.query<{ message_id: string; state: string }>(
    'select message_id, state from mail_message',
  );
  const arrived = new Map<string, number>();
  for (const { messageId } of smtp.received) arrived.set(messageId, (arrived.get(messageId) ?? 0) + 1);
  const times = (messageId: string) => arrived.get(messageId) ?? 0;
  const wrong = {
    doubled: rows.filter(({ message_id: one }) => times(one) > 1),
    lost: rows.filter(({ message_id: one, state }) => state === 'sent' && times(one) === 0),
    neither: rows.filter(({ state }) => state !== 'sent' && state !== 'uncertain'),
  };
  const uncertain = rows.filter(({ state }) => state === 'uncertain');
  const got = uncertain.filter(({ message_id: one }) => times(one) > 0).length;
  console.log(
    `seed ${seed}: ${kills} kills, ${rows.length} e-mails, ${uncertain.length} uncertain, of which ${got} had arrived`,
  );
  expect(wrong, `seed ${seed}`).toEqual({ doubled: [], lost: [], neither: [] });
});
