import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isAlive, thisProcess } from '../../platform/process-identity.ts';

test('this process is alive; one with its number that started at another time is not', () => {
  expect(isAlive(thisProcess())).toBe(true);
  expect(isAlive({ ...thisProcess(), started: '1' })).toBe(false);
});

const elsewhere = process.platform !== 'linux';
test.skipIf(elsewhere)('what nobody has taken note of is not alive once it has ended', async () => {
  // `exec` leaves the child to a program that asks for none.
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    // Until then the shell would take note of it.
    while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() !== 'sleep') await sleep(20);
    expect(isAlive({ pid, started: undefined })).toBe(true);
    process.kill(pid, 'SIGKILL');
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await sleep(20);
    expect(isAlive({ pid, started: undefined })).toBe(false);
  } finally {
    parent.kill();
  }
});
