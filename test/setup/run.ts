import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOrInstallChromium } from './chromium.ts';
import { findOrInstallServers } from './server-binaries.ts';

// npm test [-- <vitest's own words>]: the tests that need no database, then the rest twice: on the embedded database,
// and on private PostgreSQL and Redis servers; and those of the pages in a browser.

const servers = findOrInstallServers();
const chromium = findOrInstallChromium();
const projects = ['unit', 'embedded'];
const skipped: string[] = [];
if (typeof servers === 'string') skipped.push(`THE TESTS ON REAL SERVERS ARE SKIPPED: ${servers}.`);
else projects.push('server');
if (typeof chromium === 'string') skipped.push(`THE TESTS IN A BROWSER ARE SKIPPED: ${chromium}.`);
else projects.push('browser');
const tellSkipped = () => {
  for (const line of skipped) console.error(`\n!!! ${line} !!!\n`);
};
tellSkipped();
if (skipped.length > 0 && process.env.CI === 'true') {
  console.error('With CI=true that is a failure.');
  process.exit(1);
}

const vitest = path.join(
  path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
// Whatever the tests put into temporary folders goes into this one, and goes with it, also when they are interrupted.
const scratch = mkdtempSync(path.join(os.tmpdir(), 'covermap-tests-'));
// PostgreSQL runs as a user of its own, and its data is within.
chmodSync(scratch, 0o711);

const tests = spawn(
  process.execPath,
  [vitest, 'run', ...projects.flatMap((project) => ['--project', project]), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: scratch,
      ...(typeof servers === 'string' ? {} : { TEST_SERVERS: JSON.stringify(servers) }),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
tests.on('exit', async (code, signal) => {
  tellSkipped();
  process.exitCode = signal ? 1 : (code ?? 1);
  await removeScratch();
});

/** Tests that were interrupted may still be ending their processes. */
async function removeScratch(): Promise<void> {
  for (let attempt = 0; attempt < 50 && existsSync(scratch); attempt++) {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
    await sleep(200);
  }
}
