import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openArchive } from '@covermap/coverage-files/archive.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { listOf, madeAddress, madeStreet } from '../setup/address-lists.ts';
import { runCommandHere } from '../setup/command-here.ts';
import { endCommandProcesses, runCommandToEnd } from '../setup/processes.ts';
import { usePlace } from '../setup/service.ts';

/* Commands that end by themselves: the first of each in a process of its own, the others in this one. */

const place = await usePlace({}, { onDisk: true });
const good = path.join(place.config.dataDir, 'good.zip');
const bad = path.join(place.config.dataDir, 'bad.zip');
writeFileSync(good, (await zippedRectangle(174.7, -36.95, 174.9, -36.85)).bytes);
writeFileSync(bad, 'no archive');
afterAll(() => endCommandProcesses());

const run = (name: string, ...words: string[]) => runCommandToEnd(name, words, place.env);
const runHere = (name: string, ...words: string[]) => runCommandHere(name, words, place.env);

const described = [
  ...['--provider', 'Command Networks', '--url', 'https://command-networks.example/'],
  ...['--technology', 'fibre', '--max-down', '100', '--max-up', '20'],
];

test('npm run migrate says that there is nothing to do where that is so', async () => {
  expect(await run('migrate')).toEqual({ status: 0, output: 'The schema is up to date.\n' });
});

test('a command that takes no words refuses one in a line', async () => {
  const output = 'Error: Unknown argument "--port=1". Use --help for the usage. (usage)\n';
  expect(await run('worker', '--port=1')).toEqual({ status: 2, output });
});

describe('npm run ingest', () => {
  test('loads a file and prints its report', async () => {
    const { status, output } = await run('ingest', good, ...described);
    expect(output).toMatch(/Layer coverage: ESRI Shapefile, GCS_WGS_1984/);
    expect(output).toMatch(/Read 1 feature, 5 vertices/);
    expect(output).toMatch(/Area 19\d\.\d+ km2/);
    expect(output).toMatch(
      /Loaded, not published: Command Networks, fibre\. Look at it and publish it at \/operator#\/submission\/[0-9a-f-]{36}\n/,
    );
    expect(status).toBe(0);
  });
  test('publishes it where asked to', async () => {
    const { status, output } = await runHere('ingest', good, ...described, '--publish');
    expect(output).toContain('Published: Command Networks, fibre.');
    expect(status).toBe(0);
  });
  test('takes a .gdb folder as it is, and no other folder', async () => {
    const at = path.join(place.config.dataDir, 'kinds.gdb');
    mkdirSync(at);
    const archive = await openArchive(
      new URL('../../packages/coverage-files/test/kinds.gdb.zip', import.meta.url).pathname,
      at,
    );
    for (const entry of archive.entries)
      writeFileSync(path.join(at, path.basename(entry.path)), await buffer(entry.read()));
    archive.close();
    const { output } = await runHere('ingest', at, ...described);
    expect(output).toMatch(
      /Layer \w+: File Geodatabase|\((?:outside_service_area|reference_system_missing)\)/,
    );
    const other = await runHere('ingest', place.config.dataDir, ...described);
    expect(other.output).toContain('is a folder, and no file geodatabase');
    expect(other.status).toBe(2);
  });
  test('says what is wrong with a file, and exits with 1', async () => {
    const { status, output } = await runHere('ingest', bad, ...described);
    expect(output).toContain('is no zip archive, or its beginning is damaged. (format_unknown)');
    expect(output).toContain('Live coverage is unchanged.');
    expect(status).toBe(1);
  });
  const strangers = ['--provider', 'Strangers', '--technology'];
  test.each([
    [
      'an unknown technology',
      [good, ...strangers, 'pigeon'],
      'Use one of fibre, cable, vdsl, wireless, adsl.',
    ],
    ['a file that is not there', ['/nowhere/at/all.zip', ...described], 'cannot be read'],
    ['a new provider without its address', [good, ...strangers, 'fibre'], 'and has no web address yet.'],
  ])('with %s, says so', async (_, words, message) => {
    const { status, output } = await runHere('ingest', ...words);
    expect(output).toContain(message);
    expect(status).toBe(4);
  });
});

describe('npm run registry:import', () => {
  const header = 'domain,registered,cancelled\n';
  const time = '2020-01-01T00:00:00Z';
  const register = async (by: typeof run, text: string, ...options: string[]) => {
    const file = path.join(place.config.dataDir, 'register.csv');
    writeFileSync(file, text);
    return by('registry-import', file, ...options);
  };

  test('imports a register and prints its summary', async () => {
    const first = await register(run, `${header}a.nz,${time},\nb.nz,${time},\nkōrero.nz,${time},\n`);
    expect(first.output).toMatch(
      /Imported in \d+\.\d s: 3 added, 0 changed, 0 cancelled, 0 removed, 0 unchanged\.\n$/,
    );
    expect(first.status).toBe(0);
    const cancelled = `{"domain":"a.nz","registered":"${time}","cancelled":"2021-01-01T00:00:00Z"}`;
    const changes = await register(runHere, cancelled, '--changes');
    expect(changes.output).toContain('0 added, 0 changed, 1 cancelled, 0 removed, 0 unchanged.');
    expect(changes.status).toBe(0);
  });
  test('prints the numbers of invalid lines, changes nothing, and exits with 1', async () => {
    const text = `${header}new.nz,${time},\n_.nz,${time},\nd.nz,never,\n`;
    const { status, output } = await register(runHere, text);
    expect(output).toContain('Nothing was imported: 2 lines are invalid.\n  line 3: "_.nz" has characters');
    expect(output).toContain('  line 4: registered is not a time with an offset');
    expect(status).toBe(1);
  });
});

describe('npm run addresses:import', () => {
  const imported = async (by: typeof run, text: string, ...options: string[]) => {
    const file = path.join(place.config.dataDir, 'addresses.csv');
    writeFileSync(file, text);
    return by('addresses-import', file, ...options);
  };

  test('imports a list and prints its report', async () => {
    const { status, output } = await imported(
      run,
      listOf(...madeStreet(3), madeAddress({ lifecycle: 'Proposed' })),
    );
    expect(output).toMatch(
      /Imported in \d+\.\d s\.\n4 rows read, 3 taken: 3 added, 0 changed, 0 removed, 0 unchanged\./,
    );
    expect(output).toContain('1 row not taken: not current, such as a proposed address (line 5).');
    expect(output).toContain('The list has 3 addresses at 3 points, on 1 street.');
    expect(status).toBe(0);
  });
  test('refuses what looks wrong, with what accepts it; --dry-run changes nothing', async () => {
    const { status, output } = await imported(runHere, listOf(...madeStreet(2)).replaceAll('POINT', 'LINE'));
    expect(output).toContain('2 of 2 rows would not be taken: the position is missing, or cannot be read');
    expect(output).toContain('--accept-dropped');
    expect(status).toBe(4);
    const named = `no,road,x,y\n1,Rata Street,174.5,-36.5\n2,Rata Street,174.5,-36.5\n`;
    const columns = ['--columns', 'id=no,road=road', '--columns', 'lng=x,lat=y'];
    const rehearsed = await imported(runHere, named, ...columns, '--dry-run');
    expect(rehearsed.output).toMatch(
      /Would change, and has not in .*2 taken: 0 added, 2 changed, 1 removed/s,
    );
  });
});

test('npm run admin, called wrongly, says what is wrong', async () => {
  const answer = (text: string) => ({ status: 2, output: expect.stringContaining(text) });
  expect(await runHere('admin', 'make', 'coffee')).toEqual(answer('key create'));
  expect(await runHere('admin', 'key', 'rotate', 'one')).toEqual(answer('one is not a whole number'));
});
