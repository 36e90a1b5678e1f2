import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

/* Whoever ends `npm test` ends all that it started. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = path.join(root, 'test/fixtures/endless/vitest.config.ts');
const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-ended-'));
afterAll(() => rmSync(folder, { recursive: true }));

const npm = ['npm', 'test', '--ignore-scripts', '--'];
const script = [process.execPath, '--import', 'tsx', 'test/setup/run.ts'];

test.concurrent.for([
  { what: 'npm', command: npm, signal: 'SIGTERM' },
  { what: 'npm', command: npm, signal: 'SIGKILL' },
  { what: 'what npm runs', command: script, signal: 'SIGTERM' },
  { what: 'what npm runs', command: script, signal: 'SIGKILL' },
] as const)(
  'no process or file of the tests outlives $what that gets $signal',
  async ({ what, command, signal }) => {
    const file = path.join(folder, `${what} ${signal}`);
    const [program, ...args] = [...command, '--config', config];
    const first = spawn(program as string, args, {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, ENDLESS_TEST: file },
    });
    while (!existsSync(file)) {
      expect(first.exitCode).toBeNull();
      await sleep(50);
    }
    const { pids, scratch } = JSON.parse(readFileSync(file, 'utf8')) as { pids: number[]; scratch: string };
    try {
      expect(pids.filter(isAlive)).toEqual(pids);
      first.kill(signal);
      for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
        if (!pids.some(isAlive) && !existsSync(scratch)) break;
      }
      expect([pids.filter(isAlive), existsSync(scratch)]).toEqual([[], false]);
    } finally {
      for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
