import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findOrInstallChromium } from './chromium.ts';
import { findOrInstallGdal } from './gdal.ts';
import { isAlive } from './is-alive.ts';
import { findOrInstallProxy } from './nginx.ts';
import { findOrInstallServers } from './server-binaries.ts';

// npm test [-- <vitest's own options>]: the tests without a database, those of every route and step on private PostgreSQL and Redis servers, the
// contract of the embedded database, and a journey through each page in a browser.
// --all, as npm run test:all has it: also the pages in all looks, exhaustive and long tests, all of it on the embedded database, too, and a round of
// each fault and of lasting load.
// --thorough <project>, as npm run test:faults and test:soak have it: that one alone, with many rounds.

const given = process.argv.slice(2);
const all = given[0] === '--all';
const only = given[0] === '--thorough' ? given[1] : undefined;
const options = given.slice(all ? 1 : only ? 2 : 0);
const servers = findOrInstallServers();
const chromium = findOrInstallChromium();
const proxy = findOrInstallProxy();
const noGdal = findOrInstallGdal();
const projects = ['unit', ...(all ? ['exhaustive', 'embedded'] : ['embedded-walk'])];
const skipped: string[] = [];
if (typeof servers === 'string')
  skipped.push(`THE TESTS ON REAL SERVERS, THOSE IN A BROWSER AMONG THEM, ARE SKIPPED: ${servers}.`);
else projects.push('server', ...(all ? ['long', 'faults', 'soak'] : only ? [only] : []));
if (typeof chromium === 'string') {
  skipped.push(`THE TESTS IN A BROWSER ARE SKIPPED: ${chromium}.`);
  options.push('--exclude', 'test/browser/**', '--exclude', 'test/long/browser/**');
}
if (typeof proxy === 'string') skipped.push(`THE TESTS OF THE PROXY ARE SKIPPED: ${proxy}.`);
if (noGdal) skipped.push(`THE COMPARISON WITH GDAL IS SKIPPED: ${noGdal}.`);
const tellSkipped = () => {
  for (const line of skipped) console.error(`\n!!! ${line} !!!\n`);
};
tellSkipped();
if (skipped.length > 0 && process.env.CI === 'true') {
  console.error('With CI=true that is a failure.');
  process.exit(1);
}

const vitest = path.join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
// All temporary folders of the tests are in this one, and are removed with it, also after an interruption.
const scratch = mkdtempSync(path.join(os.tmpdir(), 'covermap-tests-'));
// PostgreSQL runs as a user of its own, and its data is within.
chmodSync(scratch, 0o711);

// A signal may end npm or this process without a word to the tests: the leash notices, and ends them.
const leash = path.join(import.meta.dirname, 'leash.mjs');
const tests = spawn(
  process.execPath,
  [
    ...[leash, scratch, process.execPath, vitest, 'run'],
    ...projects.filter((one) => one === (only ?? one)).flatMap((one) => ['--project', one]),
    ...options,
  ],
  {
    stdio: ['pipe', 'inherit', 'inherit'],
    // Ctrl-C goes to the whole group of a terminal: the leash outlives the tests by the time it needs.
    detached: true,
    env: {
      ...process.env,
      TMPDIR: scratch,
      ...(only ? { THOROUGH: 'yes' } : {}),
      ...(all ? { TEST_ALL: 'yes' } : {}),
      ...(typeof servers === 'string' ? {} : { TEST_SERVERS: JSON.stringify(servers) }),
    },
  },
);
const endTests = () => tests.stdin.end();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endTests);
const [parent, npm] = [process.ppid, npmsPid()];
const watch = setInterval(() => (process.ppid !== parent || !isAlive(npm)) && endTests(), 500);
tests.on('exit', (code) => {
  clearInterval(watch);
  tellSkipped();
  process.exitCode = code ?? 1;
});

/** The process id of the npm that runs this, maybe through a shell that outlives it; without npm, that of the parent. */
function npmsPid(): number {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(process.ppid)], { encoding: 'utf8' });
  const [, grandparent, name] = /^\s*(\d+)\s+(.*sh)$/.exec(stdout?.trimEnd() ?? '') ?? [];
  return process.env.npm_lifecycle_event && name ? Number(grandparent) : process.ppid;
}
