import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { demoPosition } from '../../../commands/demo.ts';
import { isAlive } from '../../setup/is-alive.ts';
import { freePort } from '../../setup/private-servers.ts';
import {
  endCommandProcesses,
  runCommandProcess,
  runCommandToEnd,
  runProgram,
  startedBy,
} from '../../setup/processes.ts';
import type { Entry } from '../../setup/registry.ts';
import { makePlace, usePlace } from '../../setup/service.ts';
import { useSmtpServer } from '../../setup/smtp.ts';

/* `npm start`, and commands beside it: on the embedded database the running process does their work. */

const place = await usePlace({}, { onDisk: true });
const good = path.join(place.config.dataDir, 'good.zip');
writeFileSync(good, (await zippedRectangle(174.7, -36.95, 174.9, -36.85)).bytes);
afterAll(endCommandProcesses);

const run = (name: string, ...words: string[]) => runCommandToEnd(name, words, place.env);

const described = [
  ...['--provider', 'Command Networks', '--url', 'https://command-networks.example/'],
  ...['--technology', 'fibre', '--max-down', '100', '--max-up', '20'],
];

/** The lines of the registry's page to try it, pasted one after the other. */
async function tryRegistry(url: string): Promise<void> {
  const page = readFileSync(new URL('../../../docs/user/registry.md', import.meta.url), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith('Try it\n')) ?? '';
  const lines = [...section.matchAll(/^ {4}(curl .*)$/gm)].map((match) => match[1] as string);
  expect(lines).toHaveLength(5);
  // The droplist says that it has changed until the second of its last change is over.
  for (;;) {
    const { headers } = await fetch(`${url}/1.0/droplist`, { method: 'HEAD' });
    const [date, modified] = ['date', 'last-modified'].map((name) => Date.parse(headers.get(name) as string));
    if ((date as number) > (modified as number)) break;
    await sleep(50);
  }
  const printed = lines.map((line) => {
    const command = `${line.replace('http://127.0.0.1:3000', url)} -sS --fail`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: place.config.dataDir,
      encoding: 'utf8',
    });
    expect([status, stderr], command).toEqual([0, '']);
    return stdout;
  });
  const codes = (text?: string) =>
    JSON.parse(text ?? '').map(({ domain, code }: Entry) => `${domain} ${code}`);
  expect(codes(printed[0]).slice(0, 4)).toEqual([
    'kauri.nz 200',
    'kauri.ac.nz 220',
    'kauri.co.nz 200',
    'kauri.cri.nz 220',
  ]);
  expect(codes(printed[1])).toEqual(['kauri.nz 200', 'old-ferry.co.nz 210']);
  expect(JSON.parse(printed[2] ?? '')).toEqual([
    { status: 'Active', code: '200', domain: 'xn--phutukawa-vxb.nz', original: 'pōhutukawa.nz' },
    { status: 'Available', code: '220', domain: 'free.nz' },
  ]);
  const droplist = JSON.parse(readFileSync(path.join(place.config.dataDir, 'droplist.json'), 'utf8'));
  // Before five in the morning in New Zealand the run of midnight may release another overdue name.
  expect(droplist.map(({ domain }: Entry) => domainToUnicode(domain))).toEqual(
    expect.arrayContaining(['blue-duck.net.nz', 'quay-lights.co.nz', 'ōtautahi.nz']),
  );
  expect(printed[4]).toBe('304');
}

/** An answer by which a technology is available. */
const withAvailable = (technology: string) => ({
  results: expect.arrayContaining([expect.objectContaining({ technology, availability: 'available' })]),
});

const smtp = await useSmtpServer();
const embedded = inject('backend').kind === 'embedded';
let service: ReturnType<typeof runCommandProcess>;
/** A key that a command creates. */
let key: string;
/** The lines that the service prints for a first try: by position, and by address. */
let curl: string;
let curlByAddress: string;
let url: string;
/** The first answers, from the moment in which the service answers at all. */
let first: { availability: string | undefined; ready: number; providers: number; registry: number };
beforeAll(async () => {
  const port = await freePort();
  // The prepared demo is only used with the usual thresholds of holding back.
  const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => !name.startsWith('HOLD_')));
  // As npm does, without what npm runs before it.
  // Without npm's own news at the end.
  const quiet = { npm_config_update_notifier: 'false' };
  const words = ['run', '--ignore-scripts', 'start'];
  const mail = {
    ...{ SMTP_URL: smtp.url, MAIL_FROM: 'billing@maps.example', PUBLIC_URL: `http://127.0.0.1:${port}` },
  };
  service = runProgram('npm', words, { ...env, ...quiet, ...mail, PORT: String(port) });
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': 'demo' } }).catch(() => undefined);
  const status = async (path: string) => (await ask(path))?.status ?? 0;
  const watching = (async () => {
    const { lat, lng } = demoPosition;
    let answer: Response | undefined;
    while (service.child.exitCode === null && !answer) {
      answer = await ask(`/api/2.0/availability/${lat}/${lng}`);
      if (!answer) await sleep(20);
    }
    const body = (await answer?.json()) as { results?: Record<string, string>[] } | undefined;
    return {
      availability: body?.results?.find(({ technology }) => technology === 'fibre')?.availability,
      ready: await status('/readyz'),
      providers: await status('/api/2.0/providers'),
      registry: await status('/1.0/availability?string=kauri'),
    };
  })();
  curl = (await service.printed(/(curl -H .*)\n/))[1] ?? '';
  curlByAddress = /(curl -H .*address\?q=.*)\n/.exec(service.output())?.[1] ?? '';
  url = /http:\/\/\S+?(?=\/api)/.exec(curl)?.[0] ?? '';
  first = await watching;
});

test.runIf(embedded)('the lines that it prints work when pasted, with the demo key', async () => {
  const paste = (line: string) =>
    JSON.parse(spawnSync('sh', ['-c', `${line} -s`], { encoding: 'utf8' }).stdout);
  expect(paste(curl)).toMatchObject(withAvailable('fibre'));
  const { lat, lng } = demoPosition;
  const text = '1 Harbourview Road, Harbourview, Auckland';
  const address = { id: expect.any(String), text, match: 'exact', score: 1 };
  expect(paste(curlByAddress)).toMatchObject({ ...withAvailable('fibre'), location: { lat, lng }, address });
  await tryRegistry(url);
});
test.runIf(embedded)('answers nothing before all of the demo is there, and then answers from it', () => {
  expect(first).toEqual({ availability: 'available', ready: 200, providers: 200, registry: 200 });
});
test.runIf(!embedded)('on servers nothing is seeded that anyone knows', async () => {
  const response = await fetch(`${url}/api/2.0/providers`, { headers: { 'x-api-key': 'demo' } });
  expect(response.status).toBe(403);
});
// On servers a command does these itself: commands.test.ts, and the tests of `administer`.
test.runIf(embedded)(
  'answers from files that other commands submit, with keys that they create',
  async () => {
    key = /^cvm[0-9A-Za-z]{40}/.exec((await run('admin', 'key', 'create', 'Visitor')).output)?.[0] ?? '';
    expect((await run('ingest', good, ...described, '--technology', 'adsl', '--publish')).status).toBe(0);
    const response = await fetch(`${url}/api/2.0/availability/-36.9/174.8`, {
      headers: { 'x-api-key': key },
    });
    expect(await response.json()).toMatchObject(withAvailable('adsl'));
  },
);
test.runIf(embedded)('lists and revokes keys', async () => {
  const listed = await run('admin', 'key', 'list');
  const number = /^(\d+) +Visitor +cvm/m.exec(listed.output)?.[1] ?? '';
  expect(listed.output).not.toContain(key);
  expect(await run('admin', 'key', 'revoke', number)).toMatchObject({ status: 0 });
  expect((await run('admin', 'key', 'list')).output).toMatch(
    /Visitor +cvm\S+ +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d/,
  );
});
test.runIf(embedded)('is not started twice on one folder', async () => {
  const second = runCommandProcess('start', [], place.env);
  expect(await second.ended).toBe(4);
  expect(second.output()).toContain('data_directory_in_use');
});
test.runIf(embedded)('a port that is taken is named before the samples are loaded', async () => {
  const other = await makePlace();
  onTestFinished(() => other.remove());
  const refused = runCommandProcess('start', [], { ...other.env, PORT: new URL(url).port });
  expect(await refused.ended).toBe(4);
  expect(refused.output()).toContain('port_in_use');
  expect(refused.output()).not.toContain('fibre-north');
});
test.runIf(embedded)('keeps what it writes to its own user', () => {
  const written = readdirSync(place.config.uploadDir, { recursive: true, encoding: 'utf8' });
  expect(written.length).toBeGreaterThan(0);
  for (const name of ['', ...written]) {
    expect(statSync(path.join(place.config.uploadDir, name)).mode & 0o077, name).toBe(0);
  }
});
test.runIf(embedded)('sends the e-mails of the demo, each once, without Redis too', async () => {
  await expect.poll(() => smtp.accepted.length, { timeout: 300_000 }).toBeGreaterThan(5);
  const ids = smtp.accepted.map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(ids.length);
});
test('stops cleanly, and leaves no process, when npm is told to', async () => {
  await endsWithNpm(service);
  // A line about refusals since the last report may come in between.
  expect(service.output()).toMatch(/SIGTERM: .*\n(?:\{.*\}\n)*Stopped\.\n$/);
});
test('so do npm run api and npm run worker: what npm runs takes the place of its shell', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  for (const name of ['start', 'api', 'worker'])
    expect(scripts[name]).toBe(`exec node commands/main.mjs ${name}`);
});

/** Tells npm to end, as supervisors and `docker stop` do. */
async function endsWithNpm({ child, ended }: ReturnType<typeof runProgram>) {
  const others = startedBy(child.pid as number);
  expect(others.length).toBeGreaterThan(0);
  child.kill('SIGTERM');
  const status = await Promise.race([ended, sleep(300_000, 'nothing ends', { ref: false })]);
  const left = others.filter(isAlive);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  expect({ status, left }).toEqual({ status: 0, left: [] });
}
