import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
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

async function run(name: string, ...words: string[]) {
  const command = runCommandProcess(name, words, place.env);
  return { status: await command.ended, output: command.output() };
}

const described = [
  '--provider',
  'Command Networks',
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
  test('loads a file and says what was made of it', async () => {
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
  test('says what is wrong with a file, and exits with 1', async () => {
    const { status, output } = await run('ingest', bad, ...described);
    expect(output).toContain('is in no format that can be read here. (format_unknown)');
    expect(output).toContain('What was published before still is.');
    expect(status).toBe(1);
  });
  test.each<[string, string[], RegExp]>([
    ['no file', described, /Name one file/],
    ['no provider', ['x.zip', '--technology', 'fibre'], /--provider and --technology are needed/],
    ['an unknown option', ['x.zip', '--colour', 'red'], /Unknown option/],
    ['a speed that is none', ['x.zip', ...described, '--min-up', 'fast'], /--min-up takes a number/],
    [
      'a date that does not exist',
      ['x.zip', ...described, '--availability', 'planned', '--planned-date', '2027-02-30'],
      /planned_date/,
    ],
  ])('called with %s, says so and exits with 2', async (_, words, message) => {
    const { status, output } = await run('ingest', ...words);
    expect(output).toMatch(message);
    expect(output).toContain('Usage: npm run ingest');
    expect(status).toBe(2);
  });
  test.each<[string, string[], string]>([
    ['an unknown technology', ['--technology', 'pigeon'], 'Use one of fibre, cable, vdsl, wireless, adsl.'],
    ['a file that is not there', ['--technology', 'fibre', 'gone'], 'cannot be read'],
  ])('with %s, says so', async (_, words, message) => {
    const file = words.includes('gone') ? '/nowhere/at/all.zip' : good;
    const { status, output } = await run('ingest', file, '--provider', 'X', ...words.slice(0, 2));
    expect(output).toContain(message);
    expect(status).toBe(4);
  });
});

describe('npm run admin', () => {
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
  test('called wrongly says how it is called', async () => {
    expect(await run('admin', 'make', 'coffee')).toMatchObject({
      status: 2,
      output: expect.stringContaining('key create'),
    });
  });
});

describe('a wrong environment', () => {
  test('is named, with every variable that is wrong', async () => {
    const command = runCommandProcess('migrate', [], { PORT: 'x', DATABASE_URL: 'mysql://x' });
    expect(await command.ended).toBe(4);
    expect(command.output()).toMatch(/PORT must be a whole number.*DATABASE_URL must look like postgres:/);
  });
});

describe('npm start', () => {
  test('serves, works on files that other commands hand in, and stops cleanly', async () => {
    const embedded = inject('backend').kind === 'embedded';
    const service = runCommandProcess('start', [], place.env);
    const [, curl] = await service.printed(/(curl -H .*)\n/);
    const url = /http:\/\/\S+?(?=\/api)/.exec(curl ?? '')?.[0] ?? '';
    if (embedded) {
      // The line that it prints works when pasted, with the demo key.
      const answer = JSON.parse(spawnSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' }).stdout);
      expect(answer.results).toContainEqual(
        expect.objectContaining({ technology: 'fibre', availability: 'available' }),
      );
    } else {
      // On servers nothing is seeded that anyone knows.
      expect((await fetch(`${url}/api/2.0/providers`, { headers: { 'x-api-key': 'demo' } })).status).toBe(
        403,
      );
    }
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
    if (embedded) {
      const second = runCommandProcess('start', [], place.env);
      expect(await second.ended).toBe(4);
      expect(second.output()).toContain('data_directory_in_use');
    }
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.output()).toMatch(/SIGTERM: .*\nStopped\.\n$/);
  });
});
