import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { isAlive } from '../setup/is-alive.ts';
import { root } from '../setup/project.ts';
import { sampled } from '../setup/rounds.ts';

/* When `npm test` is ended, all that it started ends. */

const config = path.join(root, 'test/fixtures/endless/vitest.config.ts');
const folder = scratchFolder();

const npm = ['npm', 'test', '--ignore-scripts', '--'];
const script = [process.execPath, '--import', 'tsx', 'test/setup/run.ts'];

const cases: { what: string; command: string[]; signal: NodeJS.Signals }[] = [
  { what: 'npm', command: npm, signal: 'SIGKILL' },
  { what: 'what npm runs', command: script, signal: 'SIGTERM' },
  { what: 'npm', command: npm, signal: 'SIGTERM' },
  { what: 'what npm runs', command: script, signal: 'SIGKILL' },
];
test.concurrent.for(sampled(cases.slice(0, 2), cases))(
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
      while (pids.some(isAlive) || existsSync(scratch)) await sleep(50);
    } finally {
      for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  },
);
