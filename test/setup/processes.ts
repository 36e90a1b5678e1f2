import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import os from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { isAlive } from './is-alive.ts';
import { root } from './project.ts';

export interface Command {
  child: ChildProcess;
  /** All that it has printed so far, on both outputs. */
  output(): string;
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Its exit status, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

const running = new Set<ChildProcess>();

/** Runs one of the project's commands in an environment that has what `env` says and little more. */
export function runCommandProcess(name: string, words: string[], env: Record<string, string>): Command {
  return runNode(['commands/main.mjs', name, ...words], env);
}

/** Starts one that stays, and waits until it is ready. @returns with the address at which it answers; that of a worker is empty */
export async function startCommand(name: 'start' | 'api' | 'worker', env: Record<string, string>) {
  const command = runCommandProcess(name, [], env);
  const ready = {
    start: /Map\s+(http:\S+)\//,
    api: /covermap answers at (http:\S+)/,
    worker: /covermap works on submissions/,
  };
  const [, url = ''] = await command.printed(ready[name]);
  return { ...command, url: url.replace('localhost', '127.0.0.1') };
}

export async function runCommandToEnd(name: string, words: string[], env: Record<string, string>) {
  const command = runCommandProcess(name, words, env);
  return { status: await command.ended, output: command.output() };
}

/** Runs a script of the project in the same way. @param words its path below the root, and what it is called with */
export function runScript(words: string[], env: Record<string, string>): Command {
  return runNode(['--import', 'tsx', ...words], env);
}

const runNode = (words: string[], env: Record<string, string>) => runProgram(process.execPath, words, env);

export function runProgram(program: string, words: string[], env: Record<string, string>): Command {
  const child = spawn(program, words, {
    cwd: root,
    // Files that a killed process leaves behind go with the temporary folder of the tests.
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TMPDIR: os.tmpdir(),
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  const news = new EventEmitter().setMaxListeners(0);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += stripVTControlCharacters(chunk);
      news.emit('news');
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    news.emit('news');
    return signal ?? code ?? -1;
  });
  return {
    ...{ child, ended, output: () => text },
    async printed(pattern) {
      for (; ; await once(news, 'news')) {
        const match = pattern.exec(text);
        if (match) return match;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${words.join(' ')} ended without printing ${pattern}:\n${text}`);
      }
    },
  };
}

/** The numbers of all processes that a process has started, and that those have. */
export function startedBy(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    all.filter(([, of]) => of === parent).flatMap(([child = 0]) => [child, ...below(child)]);
  return below(pid);
}

/** For the end of a test file: leaves no process behind, also where a test failed. */
export function endCommandProcesses(): void {
  for (const child of running) {
    const others = startedBy(child.pid as number);
    child.kill('SIGKILL');
    for (const pid of others) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
}
