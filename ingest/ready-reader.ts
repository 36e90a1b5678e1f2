import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { threadFile } from '../core/programs.ts';
import { makeScratch, removeScratch } from '../core/scratch.ts';

/*
 * The process that reads a file, started. Two starts of Node and the reader's program take a third of a second, most of what somebody
 * waits for with a small file: a worker keeps one process that has them behind it, and waits for its one file.
 */

/** A process that takes one task, in its scratch folder. */
export interface StartedReader {
  child: ChildProcess;
  scratch: string;
}

interface Keeper {
  memoryMb: number;
}

/** The environment of the reader, without secrets. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
/** After the start of a worker, which has other things to do first. */
const firstAfterMs = 5_000;

const keepers = new Set<Keeper>();
let ready: { key: string; reader: Promise<StartedReader | undefined> } | undefined;

/** Has a process ready for the next file from now on. @returns what ends that */
export function keepReaderReady(memoryMb: number): () => Promise<void> {
  const keeper = { memoryMb };
  keepers.add(keeper);
  const timer = setTimeout(readyNext, firstAfterMs).unref();
  return async () => {
    clearTimeout(timer);
    keepers.delete(keeper);
    if (keepers.size === 0) await discard();
  };
}

/** Gives a process, the one that is ready or a new one. The caller ends it with {@link endReader}. */
export async function takeReader(memoryMb: number): Promise<StartedReader> {
  const program = [threadFile('reader')];
  if (ready?.key === keyOf(program, memoryMb)) {
    const taken = ready;
    ready = undefined;
    const reader = await taken.reader;
    // That it has been killed is known once the event loop has been all the way round.
    await setImmediate();
    await setImmediate();
    // Programs that tidy up temporary folders may have taken its own.
    if (reader && isAlive(reader.child) && existsSync(reader.scratch)) {
      holdProcess(reader.child, 'ref');
      return reader;
    }
    if (reader) await end(reader);
  } else {
    // For another limit, or of a program that has changed.
    await discard();
  }
  return start(program, memoryMb);
}

/** Kills a process and removes its folder. The next one is made ready, where somebody keeps one. */
export async function endReader(reader: StartedReader): Promise<void> {
  await end(reader);
  readyNext();
}

async function end({ child, scratch }: StartedReader): Promise<void> {
  await kill(child);
  await removeScratch(scratch);
}

const isAlive = ({ connected, exitCode, signalCode }: ChildProcess) =>
  connected && exitCode === null && signalCode === null;

function readyNext(): void {
  const [keeper] = keepers;
  if (!keeper || ready) return;
  // Before anything is awaited, so that there is never more than one.
  const starting = { key: '', reader: Promise.resolve<StartedReader | undefined>(undefined) };
  ready = starting;
  starting.reader = (async () => {
    const program = [threadFile('reader')];
    starting.key = keyOf(program, keeper.memoryMb);
    const reader = await start(program, keeper.memoryMb);
    holdProcess(reader.child, 'unref');
    reader.child.once('exit', () => {
      // It ended by itself or was killed: the next file starts one.
      if (ready === starting) discard().catch(() => undefined);
    });
    return reader;
  })().catch(() => undefined);
}

async function discard(): Promise<void> {
  const reader = await takeAway();
  if (reader) await end(reader);
}

function takeAway(): Promise<StartedReader | undefined> | undefined {
  const reader = ready?.reader;
  ready = undefined;
  return reader;
}

async function start(program: string[], memoryMb: number): Promise<StartedReader> {
  const scratch = await makeScratch();
  const entry = fileURLToPath(new URL('./reader-process.mjs', import.meta.url));
  const known = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const child = spawn(process.execPath, [entry, String(memoryMb), ...program], {
    cwd: scratch,
    env: Object.fromEntries(known),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Copies typed arrays as they are.
    serialization: 'advanced',
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    await removeScratch(scratch);
    throw error;
  }
  // While it waits, its end says as much.
  child.on('error', () => undefined);
  return { child, scratch };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  // Whoever waits for its end would end before it.
  holdProcess(child, 'ref');
  const closed = once(child, 'close').catch(() => undefined);
  child.kill('SIGKILL');
  await closed;
}

/** A process that only waits keeps nobody from ending. */
function holdProcess(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]();
  child.channel?.[how]();
  (child.stderr as (NodeJS.ReadableStream & Record<typeof how, () => void>) | null)?.[how]();
}

const keyOf = (program: string[], memoryMb: number) => JSON.stringify([memoryMb, ...program]);
