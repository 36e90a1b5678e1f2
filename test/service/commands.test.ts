import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { demoPosition } from '../../commands/demo.ts';
import { openArchive } from '../../ingest/read/archive.ts';
import { isAlive } from '../setup/is-alive.ts';
import { endCommandProcesses, runCommandProcess, runNpmScript, startedBy } from '../setup/processes.ts';
import type { Entry } from '../setup/registry.ts';
import { makePlace, type Place } from '../setup/service.ts';
import { zippedRectangle } from '../setup/shapes.ts';

/* The commands of the README, each in a process of its own. */

let place: Place;
let good: string;
let bad: string;

beforeAll(async () => {
  place = await makePlace({}, { onDisk: true });
  good = path.join(place.config.dataDir, 'good.zip');
  bad = path.join(place.config.dataDir, 'bad.zip');
  writeFileSync(good, (await zippedRectangle(174.7, -36.95, 174.9, -36.85)).bytes);
  writeFileSync(bad, 'no archive');
});
afterAll(async () => {
  endCommandProcesses();
  await place?.remove();
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const run = (name: string, ...words: string[]) => runAt(place, name, ...words);

async function runAt({ env }: Place, name: string, ...words: string[]) {
  const command = runCommandProcess(name, words, env);
  return { status: await command.ended, output: command.output() };
}

const described = [
  '--provider',
  'Command Networks',
  '--url',
  'https://command-networks.example/',
  '--technology',
  'fibre',
  '--max-down',
  '100',
  '--max-up',
  '20',
];

describe('npm run migrate', () => {
  test('says that there is nothing to do where that is so', async () => {
    expect(await run('migrate')).toEqual({ status: 0, output: 'The schema is up to date.\n' });
  });
});

describe('npm run ingest', () => {
  test('loads a file and prints its report', async () => {
    const { status, output } = await run('ingest', good, ...described);
    expect(output).toMatch(/Layer coverage: ESRI Shapefile, GCS_WGS_1984/);
    expect(output).toMatch(/Read 1 feature, 5 vertices/);
    expect(output).toMatch(/Area 19\d\.\d+ km2/);
    expect(output).toMatch(
      /Loaded, not published: Command Networks, fibre\. To publish it: npm run admin -- submission publish [0-9a-f-]{36}/,
    );
    expect(status).toBe(0);
  });
  test('publishes it where asked to', async () => {
    const { status, output } = await run('ingest', good, ...described, '--publish');
    expect(output).toContain('Published: Command Networks, fibre.');
    expect(status).toBe(0);
  });
  test('takes a .gdb folder as it is, and no other folder', async () => {
    const at = path.join(place.config.dataDir, 'kinds.gdb');
    mkdirSync(at);
    const archive = await openArchive(new URL('../fixtures/kinds.gdb.zip', import.meta.url).pathname, at);
    for (const entry of archive.entries) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry.read()) chunks.push(chunk);
      writeFileSync(path.join(at, path.basename(entry.path)), Buffer.concat(chunks));
    }
    archive.close();
    const { output } = await run('ingest', at, ...described);
    expect(output).toMatch(
      /Layer \w+: File Geodatabase|\((?:outside_service_area|reference_system_missing)\)/,
    );
    const other = await run('ingest', place.config.dataDir, ...described);
    expect(other.output).toContain('is a folder, and no file geodatabase');
    expect(other.status).toBe(2);
  });
  test('says what is wrong with a file, and exits with 1', async () => {
    const { status, output } = await run('ingest', bad, ...described);
    expect(output).toContain('is no zip archive, or its beginning is damaged. (format_unknown)');
    expect(output).toContain('Live coverage is unchanged.');
    expect(status).toBe(1);
  });
  test.each<[string, string[], string]>([
    ['an unknown technology', ['--technology', 'pigeon'], 'Use one of fibre, cable, vdsl, wireless, adsl.'],
    ['a file that is not there', ['--technology', 'fibre', 'gone'], 'cannot be read'],
    [
      'a new provider without its address',
      ['--technology', 'fibre'],
      'Strangers is a new provider and has no web address yet.',
    ],
  ])('with %s, says so', async (_, words, message) => {
    const file = words.includes('gone') ? '/nowhere/at/all.zip' : good;
    const { status, output } = await run(
      'ingest',
      file,
      '--provider',
      words.includes('gone') ? 'Command Networks' : 'Strangers',
      ...words.slice(0, 2),
    );
    expect(output).toContain(message);
    expect(status).toBe(4);
  });
});

describe('npm run registry:import', () => {
  const header = 'domain,registered,cancelled\n';
  const time = '2020-01-01T00:00:00Z';
  /** The demo start imports its register only where nobody has imported another. */
  let own: Place;
  beforeAll(async () => {
    own = await makePlace({}, { onDisk: true });
  });
  afterAll(() => own?.remove());
  const register = async (text: string, ...options: string[]) => {
    const file = path.join(own.config.dataDir, 'register.csv');
    writeFileSync(file, text);
    return runAt(own, 'registry-import', file, ...options);
  };

  test('imports a register and prints its summary', async () => {
    const first = await register(`${header}a.nz,${time},\nb.nz,${time},\nmāori.nz,${time},\n`);
    expect(first.output).toMatch(
      /Imported in \d+\.\d s: 3 added, 0 changed, 0 cancelled, 0 removed, 0 unchanged\.\n$/,
    );
    expect(first.status).toBe(0);
    const changes = await register(
      `{"domain":"a.nz","registered":"${time}","cancelled":"2021-01-01T00:00:00Z"}`,
      '--changes',
    );
    expect(changes.output).toContain('0 added, 0 changed, 1 cancelled, 0 removed, 0 unchanged.');
    expect(changes.status).toBe(0);
  });
  test('prints the numbers of invalid lines, changes nothing, and exits with 1', async () => {
    const { status, output } = await register(`${header}new.nz,${time},\n_.nz,${time},\nd.nz,never,\n`);
    expect(output).toContain('Nothing was imported: 2 lines are invalid.\n  line 3: "_.nz" has characters');
    expect(output).toContain('  line 4: registered is not a time with an offset');
    expect(status).toBe(1);
  });
});

describe('npm run admin', () => {
  test('keeps the list of addresses that registrars ask from', async () => {
    expect((await run('admin', 'registrar', 'allow', 'Best Names', '192.0.2.0/24')).output).toBe(
      'Best Names may ask from 192.0.2.0/24.\n',
    );
    expect((await run('admin', 'registrar', 'list')).output).toMatch(
      /^registrar +network +since\nBest Names +192\.0\.2\.0\/24 +\d{4}-\d\d-\d\d\n/,
    );
  });
  test('prints its usage with --help, and no error', async () => {
    const { status, output } = await run('admin', '--help');
    expect([status, output]).toEqual([0, expect.stringMatching(/^Usage: npm run admin/)]);
  });
  test('called wrongly prints its usage', async () => {
    expect(await run('admin', 'make', 'coffee')).toMatchObject({
      status: 2,
      output: expect.stringContaining('key create'),
    });
  });
});

/** The lines of the registry's page to try it, pasted one after the other. */
async function tryRegistry(url: string): Promise<void> {
  const page = readFileSync(new URL('../../docs/user/registry.md', import.meta.url), 'utf8');
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
  // Before five in the morning in New Zealand the run of midnight may take another that is overdue.
  expect(droplist.map(({ domain }: Entry) => domainToUnicode(domain))).toEqual(
    expect.arrayContaining(['blue-duck.net.nz', 'quay-lights.co.nz', 'ōtautahi.nz']),
  );
  expect(printed[4]).toBe('304');
}

describe('npm start', () => {
  const embedded = inject('backend').kind === 'embedded';
  let service: ReturnType<typeof runCommandProcess>;
  /** What it prints to try. */
  let curl: string;
  let url: string;
  /** What is answered at the moment in which it first answers anything. */
  let first: { availability: string | undefined; ready: number; providers: number; registry: number };
  beforeAll(async () => {
    const port = await freePort();
    // What is kept of the samples' loading is taken with the usual thresholds only.
    const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => !name.startsWith('HOLD_')));
    service = runNpmScript('start', { ...env, PORT: String(port) });
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
    url = /http:\/\/\S+?(?=\/api)/.exec(curl)?.[0] ?? '';
    first = await watching;
  });

  test.runIf(embedded)('the line that it prints works when pasted, with the demo key', async () => {
    const answer = JSON.parse(spawnSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' }).stdout);
    expect(answer.results).toContainEqual(
      expect.objectContaining({ technology: 'fibre', availability: 'available' }),
    );
    await tryRegistry(url);
  });
  test.runIf(embedded)('answers nothing before all of the demo is there, and then answers from it', () => {
    expect(first).toEqual({ availability: 'available', ready: 200, providers: 200, registry: 200 });
  });
  test.runIf(!embedded)('on servers nothing is seeded that anyone knows', async () => {
    const response = await fetch(`${url}/api/2.0/providers`, { headers: { 'x-api-key': 'demo' } });
    expect(response.status).toBe(403);
  });
  test('answers from files that other commands submit, with keys that they create', async () => {
    const key = /^cvm\w+/.exec((await run('admin', 'key', 'create', 'Visitor')).output)?.[0] ?? '';
    expect((await run('ingest', good, ...described, '--technology', 'adsl', '--publish')).status).toBe(0);
    const response = await fetch(`${url}/api/2.0/availability/-36.9/174.8`, {
      headers: { 'x-api-key': key },
    });
    expect(await response.json()).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ technology: 'adsl', availability: 'available' }),
      ]),
    });
  });
  // On the embedded database it is the running process that does what these ask for.
  test('makes, lists and revokes keys', async () => {
    const made = await run('admin', 'key', 'create', 'Corner Shop');
    expect(made.output).toMatch(/^cvm[0-9A-Za-z]{40}\n/);
    const listed = await run('admin', 'key', 'list');
    const number = /^(\d+) +Corner Shop +cvm/m.exec(listed.output)?.[1] ?? '';
    expect(listed.output).not.toContain(made.output.slice(0, 43));
    expect(await run('admin', 'key', 'revoke', number)).toMatchObject({ status: 0 });
    expect((await run('admin', 'key', 'list')).output).toMatch(
      /Corner Shop +cvm\S+ +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d/,
    );
  });
  test('publishes a submission that waits for it', async () => {
    await run('ingest', good, ...described);
    const id =
      /^([0-9a-f-]{36}) .* ready /m.exec((await run('admin', 'submission', 'list')).output)?.[1] ?? '';
    expect(await run('admin', 'submission', 'publish', id)).toEqual({
      status: 0,
      output: 'Published. Lookups answer from it now.\n',
    });
  });
  test.runIf(embedded)('is not started twice on one folder', async () => {
    const second = runCommandProcess('start', [], place.env);
    expect(await second.ended).toBe(4);
    expect(second.output()).toContain('data_directory_in_use');
  });
  test('keeps what it writes to its own user', () => {
    const written = readdirSync(place.config.uploadDir, { recursive: true, encoding: 'utf8' });
    expect(written.length).toBeGreaterThan(0);
    for (const name of ['', ...written]) {
      expect(statSync(path.join(place.config.uploadDir, name)).mode & 0o077, name).toBe(0);
    }
  });
  test('stops cleanly, and leaves no process, when npm is told to', async () => {
    await endsWithNpm(service);
    // What was refused since the last report is logged in between.
    expect(service.output()).toMatch(/SIGTERM: .*\n(?:\{.*\}\n)*Stopped\.\n$/);
  });
  test.runIf(!embedded).each([
    ['api', /answers at/],
    ['worker', /works on submissions/],
  ])('so does npm run %s', async (name, works) => {
    const part = runNpmScript(name, place.env);
    await part.printed(works);
    await endsWithNpm(part);
    expect(part.output()).toMatch(/Stopped\.\n$/);
  });
});

/** Tells npm to end, as supervisors and `docker stop` do. */
async function endsWithNpm({ child, ended }: ReturnType<typeof runNpmScript>) {
  const others = startedBy(child.pid as number);
  expect(others.length).toBeGreaterThan(0);
  child.kill('SIGTERM');
  const status = await Promise.race([ended, sleep(30_000, 'nothing ends')]);
  const left = others.filter(isAlive);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  expect({ status, left }).toEqual({ status: 0, left: [] });
}
