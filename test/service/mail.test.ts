import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { openMailSender } from '../../mail/sender.ts';
import { deliver } from '../../mail/smtp.ts';
import { createLogger } from '../../platform/logger.ts';
import { makeCustomer } from '../setup/billing.ts';
import { clientWith, expectCode } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';
import { type Received, refusal, useSmtpServer } from '../setup/smtp.ts';

/* E-mails that the service sends, through a real SMTP server: docs/administrator/mail.md. */

const clock = new Date('2031-05-20T00:00:00Z');
const origin = 'https://coverage.example.nz';
const { place, database } = await useDatabase({
  publicUrl: origin,
  invoiceIssuer: { name: 'Maps & Co', address: '1 Queen Street', gstNumber: '123', payment: 'To 01-23' },
});
const api = await useApi(place, database, undefined, { now: () => clock });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));
const smtp = await useSmtpServer();

type Message = {
  id: number;
  state: string;
  reason: string;
  subject: string;
  attempts: number;
  address: string;
};
type Listed = { messages: Message[]; counts: Record<string, number> };

/** A sender for the test that asks for it. @param url of another server */
async function sending(url = smtp.url) {
  const server = { url, from: 'Maps & Co <billing@maps.example>', origin };
  const sender = await openMailSender({ database, logger: createLogger('silent') }, server, 50);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= sender.close());
  onTestFinished(close);
  return close;
}

let customers = 0;
const nextAddress = () => `c${++customers}@example.com`;
/** A customer with an e-mail address, whose plan starts and is invoiced. */
async function invoiced(email = nextAddress(), name = `Customer ${++customers}`) {
  const { id } = await makeCustomer(database, name, {}, clock);
  if (email) await staff.post(`/api/staff/customers/${id}/mail`, { email });
  await staff.post(`/api/staff/customers/${id}/plan`, { plan: 'low', begins: '2031-05-01' });
  const read = async () =>
    (await staff.json<Listed>(`/api/staff/mail?customer=${id}`)).messages[0] as Message;
  return { id, email, read, message: await read() };
}
const decide = (id: number, decision: string) => staff.post(`/api/staff/mail/${id}`, { decision });
const untilState = (read: () => Promise<Message>, state: string) =>
  vi.waitFor(async () => expect(await read()).toMatchObject({ state }), { timeout: 20_000, interval: 20 });
const to = (email: string) => smtp.accepted.filter((one) => one.to === email);
/** Runs out the time until the next attempt. */
const retryNow = (id: number) =>
  database.query(`update mail_message set retry_at = now() where id = $1 and state = 'queued'`, [id]);

test('an invoice is told once, when it is issued, with what is due', async () => {
  const { email, message, read } = await invoiced();
  expect(message).toMatchObject({ state: 'queued', address: email });
  await sending();
  await untilState(read, 'sent');
  const [{ raw }] = to(email) as [Received];
  expect(raw).toMatch(/^From: "?Maps & Co"? <billing@maps\.example>\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).not.toMatch(/^List-Unsubscribe/m);
  expect(raw).toMatch(/^Subject: Invoice \d+ from Maps & Co: \$\d+\.\d\d due 20 June 2031\r$/m);
  expect(raw).toContain('How to pay: To 01-23');
  expect(raw).toContain(`${origin}/account#/invoices/`);
  expect(to(email)).toHaveLength(1);
});

test('without an address staff see that it was not sent, and send it once there is one', async () => {
  const { id, message, read } = await invoiced('');
  expect(message).toMatchObject({ state: 'no_address', address: null });
  await expectCode(decide(message.id, 'again'), 409, 'mail_address_missing');
  await staff.post(`/api/staff/customers/${id}/mail`, { email: 'late@example.com' });
  expect((await decide(message.id, 'again')).status).toBe(200);
  await sending();
  await untilState(read, 'sent');
  expect(to('late@example.com')).toHaveLength(1);
});

test('several processes send no message twice', async () => {
  const told = [];
  for (let count = 0; count < 12; count++) told.push(await invoiced());
  await Promise.all([sending(), sending(), sending()]);
  for (const { read, email } of told) {
    await untilState(read, 'sent');
    expect(to(email)).toHaveLength(1);
  }
});

test.each([
  ['a temporary error is tried again', 451, 'queued'],
  ['a permanent error is for staff, with the server’s sentence', 550, 'failed'],
])('%s', async (_, code, state) => {
  for (const at of ['onRecipient', 'onMessage'] as const) {
    smtp.behaviour[at] = () => {
      throw refusal(code, 'No room for Kea');
    };
    const { read, email, message } = await invoiced();
    const close = await sending();
    await vi.waitFor(async () => expect(await read()).toMatchObject({ state, attempts: 1 }), {
      timeout: 20_000,
    });
    expect((await read()).reason).toBe(`${code} No room for Kea`);
    delete smtp.behaviour[at];
    if (state === 'failed') await decide(message.id, 'again');
    else await retryNow(message.id);
    await untilState(read, 'sent');
    expect(to(email)).toHaveLength(1);
    await close();
  }
});

test('a reminder that is to be tried again is not sent once its invoice is settled', async () => {
  const { id, read, email, message } = await invoiced();
  await database.query(`update mail_message set template = 'reminder' where id = $1`, [message.id]);
  const { rows } = await database.query<{ number: number; total_cents: number }>(
    'select number, total_cents from invoice where customer_id = $1',
    [id],
  );
  const { number: invoice, total_cents: amount_cents } = rows[0] as (typeof rows)[0];
  let refuse = () => {};
  smtp.behaviour.onRecipient = () =>
    new Promise<void>((_, reject) => (refuse = () => reject(refusal(451, 'Later'))));
  await sending();
  await untilState(read, 'sending');
  const payment = { customer: id, day: '2031-05-20', amount_cents, allocations: [{ invoice, amount_cents }] };
  await staff.post('/api/staff/payments', payment);
  await vi.waitFor(async () => {
    refuse();
    expect(await read()).toMatchObject({ state: 'cancelled', attempts: 1 });
  });
  delete smtp.behaviour.onRecipient;
  expect(to(email)).toEqual([]);
});

test('an e-mail whose kind is turned off while it is sent is not tried again, nor sent again by staff', async () => {
  const { id, read, email, message } = await invoiced();
  await database.query(`update mail_message set template = 'reminder' where id = $1`, [message.id]);
  let refuse = () => {};
  smtp.behaviour.onRecipient = () =>
    new Promise<void>((_, reject) => (refuse = () => reject(refusal(451, 'Later'))));
  const close = await sending();
  await untilState(read, 'sending');
  const settings = `/api/staff/customers/${id}/mail`;
  await staff.post(settings, { topics: { reminders: false } });
  await vi.waitFor(async () => {
    refuse();
    expect(await read()).toMatchObject({ state: 'queued', attempts: 1 });
  });
  delete smtp.behaviour.onRecipient;
  await retryNow(message.id);
  await untilState(read, 'cancelled');
  await close();
  await expectCode(decide(message.id, 'again'), 409, 'mail_state');
  expect(to(email)).toEqual([]);
  await staff.post(settings, { topics: { reminders: true } });
  expect((await decide(message.id, 'again')).status).toBe(200);
  await sending();
  await untilState(read, 'sent');
});

test('a domain in any script is given as servers know it that have no SMTPUTF8', async () => {
  const commands: string[] = [];
  const server = createServer((socket) => {
    socket.write('220 ready\r\n');
    socket.on('data', (bytes) => {
      commands.push(bytes.toString().trim());
      socket.write(commands.at(-1)?.startsWith('RCPT') ? '550 Nobody\r\n' : '250 Yes\r\n');
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?tls=off`;
  const addresses = { from: 'billing@maps.example', to: 'kia@māori.example' };
  const outcome = await deliver(url, {
    ...{ ...addresses, raw: Buffer.from('Kia ora'), begin: async () => true },
    signal: new AbortController().signal,
  });
  expect(outcome).toMatchObject({ kind: 'failed', reason: '550 Nobody' });
  expect(commands).toContain('RCPT TO:<kia@xn--mori-qsa.example>');
});

test('a server that is away for days is asked again until staff are told', async () => {
  const { read, message } = await invoiced();
  const gone = await useSmtpServer();
  await gone.close();
  await sending(gone.url);
  await vi.waitFor(async () => expect(await read()).toMatchObject({ state: 'queued', attempts: 1 }), {
    timeout: 20_000,
  });
  await database.query(
    `update mail_message set queued_at = now() - interval '97 hours', retry_at = now() where id = $1`,
    [message.id],
  );
  await untilState(read, 'failed');
  expect((await read()).reason).toContain('ECONNREFUSED');
  await decide(message.id, 'cancel');
});

test('a server that is away for a day is asked again, and has each message once when it is back', async () => {
  const { read, email, message } = await invoiced();
  const gone = await useSmtpServer();
  await gone.close();
  await sending(gone.url);
  // The attempts of a day: after 1, 5, 15 and 60 minutes, then every four hours.
  for (let attempts = 1; attempts <= 9; attempts++) {
    await vi.waitFor(async () => expect(await read()).toMatchObject({ state: 'queued', attempts }), {
      timeout: 20_000,
      interval: 20,
    });
    await database.query(
      `update mail_message set queued_at = queued_at - (retry_at - now()), retry_at = now() where id = $1`,
      [message.id],
    );
  }
  const { rows } = await database.query<{ hours: number }>(
    'select extract(epoch from now() - queued_at)::float8 / 3600 as hours from mail_message where id = $1',
    [message.id],
  );
  expect(rows[0]?.hours).toBeGreaterThan(20);
  const back = await useSmtpServer(gone.port);
  await retryNow(message.id);
  await untilState(read, 'sent');
  expect(back.accepted.filter(({ to }) => to === email)).toHaveLength(1);
});

test('a server that is slow has each message once, and others are not held up', async () => {
  const [slow, other] = [await invoiced(), await invoiced()];
  let answer = () => {};
  smtp.behaviour.onMessage = ({ to }) => {
    if (to === slow.email) return new Promise<void>((resolve) => (answer = resolve));
  };
  const close = await sending();
  await untilState(other.read, 'sent');
  expect(await slow.read()).toMatchObject({ state: 'sending' });
  // A second process takes nothing over from one that waits for its answer.
  await sending();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(smtp.received.filter(({ to }) => to === slow.email)).toHaveLength(1);
  const stopped = close();
  answer();
  await stopped;
  delete smtp.behaviour.onMessage;
  await untilState(slow.read, 'sent');
  expect(smtp.received.filter(({ to }) => to === slow.email)).toHaveLength(1);
});

test.each(['arrived', 'again'])(
  'a server that dies after DATA leaves the message uncertain: never sent again unasked (%s)',
  async (decision) => {
    const dying = await useSmtpServer();
    dying.behaviour.onMessage = () => {
      for (const client of dying.server.connections as Set<{ _socket: { destroy(): void } }>)
        client._socket.destroy();
      return new Promise(() => undefined);
    };
    const { read, email, message } = await invoiced();
    const close = await sending(dying.url);
    await untilState(read, 'uncertain');
    expect(dying.received).toHaveLength(1);
    await close();
    // Another process that starts leaves it.
    const other = await invoiced();
    await sending();
    await untilState(other.read, 'sent');
    expect(await read()).toMatchObject({ state: 'uncertain' });
    expect((await decide(message.id, decision)).status).toBe(200);
    await untilState(read, 'sent');
    expect(to(email)).toHaveLength(decision === 'again' ? 1 : 0);
    await expectCode(decide(message.id, decision), 409, 'mail_state');
  },
);

test('names in any script, with markup, line breaks and turned text, are text', async () => {
  const name = 'Māui 地図 <b>&"\u202e gnp.exe';
  await database.query(
    `insert into invoice_issuer (name, address, gst_number, payment) values ($1, '', '123', '')`,
    [`Line\r\nBcc: other@example.com ${'x'.repeat(400)}`],
  );
  const { id, message, email, read } = await invoiced('names@example.com', name);
  const shown = await staff.json<{ html: string; text: string }>(`/api/staff/mail/${message.id}`);
  expect(shown.html).toContain('Māui 地図 &lt;b&gt;&amp;&quot;  gnp.exe');
  expect(shown.html).not.toContain('<b>');
  await sending();
  await untilState(read, 'sent');
  const [{ raw }] = to(email) as [Received];
  expect(raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^Bcc/m);
  const page = await staff.call(`/api/staff/mail/${message.id}?format=html`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(id).toBeGreaterThan(0);
});

test('a file for a mail program, and a list of all', async () => {
  const { message } = await invoiced();
  const eml = await staff.call(`/api/staff/mail/${message.id}/eml`);
  expect(eml.headers.get('content-type')).toBe('message/rfc822');
  expect(await eml.text()).toMatch(/^Subject: .*Invoice/m);
  expect(await (await staff.call('/api/staff/mail?format=csv')).text()).toContain(
    message.subject.slice(0, 10),
  );
});

test.each([
  'a',
  'a@b',
  'a b@example.com',
  'a@example.com\r\nBcc: x@y.nz',
  '<a@example.com>',
  'a@example.com/b',
  'a@exam\tple.com',
  'a@ex%61mple.com',
  `${'x'.repeat(250)}@e.nz`,
])('is no e-mail address: %j', async (email) => {
  const { id } = await makeCustomer(database, `No address ${++customers}`, {}, clock);
  await expectCode(staff.post(`/api/staff/customers/${id}/mail`, { email }), 400, 'request_invalid');
});
