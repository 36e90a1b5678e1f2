import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { queriesOf } from '../setup/billing.ts';
import { type Asked, type Got, request, startLoad } from '../setup/load.ts';
import { findOrInstallProxy, type ProxyBinaries, type RunningProxy, startProxy } from '../setup/nginx.ts';
import { client } from '../setup/operator.ts';
import { freePort } from '../setup/private-servers.ts';
import { type Command, endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { useDatabaseIf } from '../setup/service.ts';

/*
 * Two API processes behind nginx with deploy/nginx.conf, restarted in turn as deploy/covermap.env has it, while clients look up by GET
 * and POST, and upload a file in pieces. nginx without its paid part asks nobody for /readyz: it learns by the answers.
 */

const binaries = findOrInstallProxy();
const [, drainSeconds = ''] =
  /^DRAIN_SECONDS=(\d+)$/m.exec(
    readFileSync(new URL('../../deploy/covermap.env', import.meta.url), 'utf8'),
  ) ?? [];
const host = { host: 'covermap.example' };
const positionsInList = 10;

const { place, database } = await useDatabaseIf(typeof binaries !== 'string');
const ports = [await freePort(), await freePort()];
const processes: Command[] = [];
let proxy: RunningProxy;
let url: string;
let token: string;
let key: string;

beforeAll(async () => {
  processes.push(...(await Promise.all(ports.map(startApi))));
  proxy = await startProxy(binaries as ProxyBinaries, ports);
  url = `https://127.0.0.1:${proxy.ports.https}`;
  key = await createKey(database, 'Customer');
  await database.query('update customer set overage_allowed = true');
  ({ token } = await client(url, database, 'Kauri Fibre'));
});
afterAll(async () => {
  endCommandProcesses();
  await proxy?.stop();
});

async function startApi(port: number): Promise<Command> {
  const started = runCommandProcess('api', [], {
    ...place.env,
    PORT: String(port),
    TRUST_PROXY: 'loopback',
    DRAIN_SECONDS: drainSeconds,
    // For minutes of lists.
    BULK_RATE: '100000',
    BULK_BURST: '1000000',
  });
  await started.printed(/covermap answers at/);
  return started;
}

/** Tells a process to stop, sees that it says so while it still answers, and starts another in its place. */
async function restart(index: number): Promise<void> {
  const stopped = processes[index] as Command;
  const address = `http://127.0.0.1:${ports[index]}`;
  stopped.child.kill('SIGTERM');
  for (;;) {
    const ready = await fetch(`${address}/readyz`);
    const said = (await ready.json()) as { status: string };
    if (said.status === 'stopping') break;
  }
  expect((await fetch(`${address}/healthz`)).headers.get('connection')).toBe('close');
  expect(await stopped.ended).toBe(0);
  processes[index] = await startApi(ports[index] as number);
}

const ask = (number: number): Asked => {
  const lat = (-36 - (number % 100) / 50).toFixed(2);
  const headers = { ...host, 'x-api-key': key };
  const list = Array.from({ length: positionsInList }, (_, i) => [Number(lat), 170 + i / 10]);
  const requests: Asked[] = [
    { path: `/api/2.0/availability/${lat}/175`, headers },
    { path: `/api/1.0/availability/yx/${lat}/175?api_key=${key}`, headers: host },
    {
      path: '/api/2.0/availability/bulk',
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(list),
    },
  ];
  return requests[number % requests.length] as Asked;
};

/** Uploads files in pieces that take some time each. @returns how many, and the answers that were not good */
async function upload(until: AbortSignal): Promise<{ pieces: number; bad: string[] }> {
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
  const headers = { ...host, authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' };
  const [pieces, chunks, size] = [4, 3, 10_000];
  const bad: string[] = [];
  let sent = 0;
  const send = async (asked: Asked, good: number) => {
    const answer = await request(url, agent, { ...asked, headers: { ...headers, ...asked.headers } });
    sent++;
    if (answer.status !== good) bad.push(`${asked.method} ${answer.status} ${answer.text}`);
    return answer;
  };
  const uploadOne = async () => {
    const bytes = randomBytes(pieces * chunks * size);
    const metadata = `filename ${Buffer.from(`${hash('md5', bytes)}.bin`).toString('base64')}`;
    const announced = { 'upload-length': String(bytes.length), 'upload-metadata': metadata };
    const begun = await send({ method: 'POST', path: '/api/operator/uploads', headers: announced }, 201);
    const { pathname } = new URL(begun.headers.location ?? '', url);
    for (let piece = 0; piece < pieces; piece++) {
      const from = piece * chunks * size;
      const slowly = async function* () {
        for (let chunk = 0; chunk < chunks; chunk++) {
          await sleep(100);
          yield bytes.subarray(from + chunk * size, from + (chunk + 1) * size);
        }
      };
      const described = {
        'upload-offset': String(from),
        'content-type': 'application/offset+octet-stream',
      };
      const asked = { method: 'PATCH', path: pathname, headers: described, body: slowly() };
      const answer = await send(asked, 204);
      if (Number(answer.headers['upload-offset']) !== from + chunks * size) return;
    }
    await send({ method: 'DELETE', path: pathname.replace('/uploads/', '/files/') }, 204);
  };
  while (!until.aborted && bad.length === 0) await uploadOne();
  agent.destroy();
  return { pieces: sent, bad };
}

const title =
  'while APIs are restarted, no request is refused, cut or answered otherwise than usual, and each query counts once';
test.runIf(typeof binaries !== 'string')(title, async () => {
  // nginx lets an address ask 200 times a second.
  const load = startLoad(url, 8, ask, 50);
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const uploads = upload(over.signal);
  await load.until(({ status }) => status === 200);
  const restarts = 2 * rounds(1, 20);
  for (let number = 0; number < restarts; number++) await restart(number % 2);
  await load.until(({ status }) => status === 200);
  over.abort();
  const [got, uploaded] = [await load.stop(), await uploads];

  const bad = got.filter(({ status }) => status !== 200);
  expect(bad.map(({ asked, status, text }) => `${asked.path} ${status} ${text}`)).toEqual([]);
  expect(uploaded.bad).toEqual([]);
  const queries = got.reduce((sum, answer) => sum + queriesIn(answer), 0);
  console.log(
    `${restarts} restarts: ${got.length} answers with ${queries} queries, ${uploaded.pieces} requests of uploads; ` +
      `the longest answer ${Math.max(...got.map(({ sentAt, gotAt }) => gotAt - sentAt))} ms`,
  );
  await expect.poll(() => queriesOf(database), { timeout: 100_000 }).toBe(queries);
  // A batch that came twice would come within that.
  await sleep(500);
  expect(await queriesOf(database)).toBe(queries);
});

const queriesIn = ({ asked }: Got) => (asked.method === 'POST' ? positionsInList : 1);
