import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { openBasemapFile } from '../../coverage/tiles/basemap-file.ts';
import { streetsAround } from '../setup/pmtiles.ts';
import { root } from '../setup/project.ts';

/* deploy/streets.sh: an archive of streets for BASEMAP_FILE. curl, pmtiles and date are the test's own: builds are on some days only. */

const home = scratchFolder();
const tools = path.join(home, 'tools');
const file = path.join(home, 'basemap.pmtiles');
const script = path.join(home, 'checkout/deploy/streets.sh');
mkdirSync(tools);
mkdirSync(path.dirname(script), { recursive: true });
spawnSync('cp', [path.join(root, 'deploy/streets.sh'), script]);

function use(tool: string, lines: string): void {
  writeFileSync(path.join(tools, tool), `#!/bin/sh\n${lines}\n`);
  chmodSync(path.join(tools, tool), 0o755);
}

function makeStreets(env: Record<string, string> = {}) {
  const PATH = `${tools}:${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync(script, { env: { ...env, PATH }, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('one command cuts the service area out of the newest build; what fails changes nothing', async () => {
  use('date', 'set -- $3; echo "2026112$((8 - $1))"');
  use('curl', 'case "$*" in *https://build.protomaps.com/20261126.pmtiles) ;; *) exit 22 ;; esac');
  const source = path.join(home, 'source.pmtiles');
  writeFileSync(source, streetsAround(174.8, -36.9));
  use('pmtiles', `[ "$1" = extract ] && cp ${source} "$3" && echo "$2 $4"`);
  const build = 'https://build.protomaps.com/20261126.pmtiles';
  const done = `${file} is of ${build}. Set BASEMAP_FILE=${file}, and restart the APIs.\n`;
  expect(makeStreets()).toEqual({ status: 0, output: `${build} --bbox=166.2,-47.5,178.6,-34.2\n${done}` });
  expect(await openBasemapFile(file)).toMatchObject({ schema: 'protomaps' });
  expect(makeStreets({ SERVICE_AREA: '-44,172,-43,173' }).output).toContain('--bbox=172,-44,173,-43\n');
  use('pmtiles', 'echo half > "$3"; exit 3');
  expect(makeStreets().status).toBe(3);
  expect(readFileSync(file)).toEqual(readFileSync(source));
  use('curl', 'exit 6');
  expect(makeStreets()).toMatchObject({
    status: 1,
    output: expect.stringContaining('has no build of the last 30 days'),
  });
  expect(readdirSync(home).sort()).toEqual(['basemap.pmtiles', 'checkout', 'source.pmtiles', 'tools']);
});
