import { afterAll, expect, test } from 'vitest';
import { commandActor, type Identity } from '../../access/actor.ts';
import { findToken, revokeToken } from '../../access/tokens.ts';
import { delegate } from '../setup/billing.ts';
import { type Client, client, cookieOf, expectCode, signIn } from '../setup/operator.ts';
import { submitFile, useApi, useDatabase } from '../setup/service.ts';
import { textOf } from '../setup/statement.ts';

/* Streams of events: their number, their cost, and who may go on watching. No worker is up. */

/** Looks at the submission. */
let looks = 0;
const streams: Stream[] = [];

const { place, database } = await useDatabase({ eventHeartbeatSeconds: 1 });
const id = await submitFile(place, database, 'Kauri Fibre', { name: 'in.zip', bytes: Buffer.from('none') });
const events = `/api/operator/submissions/${id}/events`;
const counting = delegate(database, {
  query: (statement, values) => {
    if (/from\s+submission s/.test(textOf(statement))) looks++;
    return database.query(statement, values);
  },
});
const api = await useApi(place, counting);
afterAll(() => Promise.all(streams.map((stream) => stream.leave())));

interface Stream {
  status: number;
  /** All that was received so far. */
  text(): string;
  ended: Promise<void>;
  leave(): Promise<void>;
}

async function follow(headers: Record<string, string>): Promise<Stream> {
  const stop = new AbortController();
  const response = await fetch(`${api.url}${events}`, { headers, signal: stop.signal });
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  };
  const ended = read().catch(() => undefined);
  const leave = () => {
    stop.abort();
    return ended;
  };
  const stream = { status: response.status, text: () => text, ended, leave };
  streams.push(stream);
  return stream;
}

const kauri = () => client(api.url, database, 'Kauri Fibre');
const followTenTimes = ({ headers }: Client) =>
  Promise.all(Array.from({ length: 10 }, () => follow(headers)));
const until = (good: () => boolean) => expect.poll(good, { timeout: 60_000, interval: 20 }).toBe(true);

test('a token follows ten submissions at once, and another one when it has left one', async () => {
  const one = await kauri();
  const ten = await followTenTimes(one);
  expect(new Set(ten.map(({ status }) => status))).toEqual(new Set([200]));
  await expectCode(one.call(events), 429, 'too_many_streams');
  expect((await follow((await kauri()).headers)).status).toBe(200);
  await ten[0]?.leave();
  // The server hears of it a moment later.
  await expect.poll(async () => (await follow(one.headers)).status, { timeout: 60_000 }).toBe(200);
});

test('a change is looked up once, however many watch', async () => {
  const tokens = await Promise.all(Array.from({ length: 4 }, kauri));
  const watchers = (await Promise.all(tokens.map(followTenTimes))).flat();
  await until(() => watchers.every((stream) => stream.text().includes('event: submission')));
  const before = looks;
  await database.query("update submission set file_name = 'other.zip'");
  await until(() => watchers.every((stream) => stream.text().split('event: submission').length > 2));
  expect(looks - before).toBeLessThan(5);
});

test('a stream ends with the token or the session that it was asked for with, at the next heartbeat', async () => {
  const leaving = await kauri();
  const cookie = cookieOf(await signIn(api.url, (await kauri()).token));
  const [staying, byToken, bySession] = await Promise.all([
    follow((await kauri()).headers),
    follow(leaving.headers),
    follow({ cookie }),
  ]);
  const { tokenId } = (await findToken(database, leaving.token)) as Identity;
  await revokeToken(database, tokenId, commandActor);
  await fetch(`${api.url}/api/session`, { method: 'DELETE', headers: { cookie, origin: api.url } });
  await Promise.all([byToken.ended, bySession.ended]);
  for (const { text } of [byToken, bySession]) expect(text()).not.toContain('event: end');
  const heard = staying.text().length;
  await until(() => staying.text().length > heard);
});
