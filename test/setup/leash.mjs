// Runs a program in a process group of its own: leash.mjs <folder> <program> <argument...>. When the standard input closes,
// because whoever started this has ended, however that ended, the whole group ends. The folder goes with it.
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long the group may take to end by itself. */
const graceMs = 5000;

const [folder, program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ? 1 : code)));

process.stdin.on('end', end).on('error', end).resume();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);

process.exitCode = await ended;
await endGroup();
await removeFolder();
process.exit();

function end() {
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), graceMs);
}

/** What the program started and left running goes, too. */
async function endGroup() {
  for (const deadline = Date.now() + graceMs; signalGroup('SIGTERM') && Date.now() < deadline; )
    await sleep(50);
  signalGroup('SIGKILL');
}

function signalGroup(signal) {
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Servers of the tests, in groups of their own, may still be ending. */
async function removeFolder() {
  for (let attempt = 0; attempt < 50 && existsSync(folder); attempt++) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    await sleep(100);
  }
}
