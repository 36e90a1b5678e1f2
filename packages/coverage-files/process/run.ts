import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FaultCode, FileError } from '../errors.ts';
import type { EndMessage, Fault, Limits, ProcessStart, Task } from './messages.ts';

/* Runs a task on a file in a process of its own, which is ended at its limits of memory, time and silence. No decoder can harm the caller. */

/** The variables passed to the process, without secrets. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
const maxErrorOutput = 4000;

interface Running<Message, Reply, OwnFault> {
  /** The JavaScript of the thread, which calls `serveTask`. */
  program: string;
  limits: Limits;
  signal?: AbortSignal | undefined;
  /** How many messages the thread may be ahead of the caller. */
  ahead?: number;
  /** True for work that is long even on a small file. */
  isLong?: boolean;
  /** Called after each message that the caller has taken: the answer for the thread. */
  reply?: (message: Message) => Reply;
  /** The error of a fault; by default {@link errorOf}. */
  errorOf?: (fault: OwnFault) => Error;
}

/**
 * Yields the messages of a task until it ends. The process is a few messages ahead at most. It is killed when the caller stops iterating, when the
 * signal is aborted, or when a limit is exceeded.
 * @throws FileError of the thread, and `reader_out_of_memory`, `reader_too_slow`, `reader_stalled`, `reader_broke_off`; Error for a fault that is not
 * the file's; the signal's reason
 */
export async function* runTask<
  Message extends { type: string },
  Reply = unknown,
  OwnFault extends Fault = Fault,
>(
  task: Task,
  {
    program,
    limits,
    signal,
    ahead = 3,
    isLong = false,
    reply,
    errorOf: errorOfFault,
  }: Running<Message, Reply, OwnFault>,
): AsyncGenerator<Message> {
  signal?.throwIfAborted();
  const child = await startProcess(program, task.scratch, limits.memoryMb);
  const failed = new AbortController();
  const stop = AbortSignal.any(signal ? [signal, failed.signal] : [failed.signal]);
  stop.addEventListener('abort', () => child.kill('SIGKILL'));
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorOutput);
  });
  child.on('error', (error) => failed.abort(error));
  child.on('close', (code, killedBy) => failed.abort(causeOfDeath(code, killedBy, errorOutput, limits)));
  const deadline = setTimeout(() => failed.abort(tooSlow(limits)), limits.deadlineMs);
  const start: ProcessStart = {
    task: { ...task, file: path.resolve(task.file) },
    ...{ stalledMs: limits.stalledMs, ahead, isLong },
  };
  child.send(start, ignoreClosed);
  try {
    const messages = on(child, 'message', { signal: stop }) as AsyncIterable<
      [Message | EndMessage<OwnFault>]
    >;
    for await (const [message] of messages) {
      stop.throwIfAborted();
      if (isEnd(message)) {
        if (message.type === 'end') return;
        if (message.type === 'stalled') throw stalled(limits);
        const { message: text, cause } = message.fault;
        if (isOutOfMemory(`${text} ${cause ?? ''}`)) throw outOfMemory(limits);
        throw (errorOfFault ?? errorOf)(message.fault);
      }
      yield message;
      child.send((reply?.(message) ?? {}) as object, ignoreClosed);
    }
  } catch (error) {
    throw stop.aborted ? stop.reason : error;
  } finally {
    clearTimeout(deadline);
    await endProcess(child);
  }
}

const isEnd = <M extends { type: string }, F>(message: M | EndMessage<F>): message is EndMessage<F> =>
  message.type === 'end' || message.type === 'error' || message.type === 'stalled';

/** The error of a fault that crossed the process. */
export function errorOf({ code, message, hint, cause }: Fault): Error {
  if (code === undefined) return new Error(message);
  const error = new FileError(code as FaultCode, message, hint);
  return cause === undefined ? error : error.causedBy(new Error(cause));
}

async function startProcess(program: string, scratch: string, memoryMb: number): Promise<ChildProcess> {
  const entry = fileURLToPath(new URL('./reader-process.mjs', import.meta.url));
  const variables = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const child = spawn(process.execPath, [entry, String(memoryMb), program], {
    cwd: scratch,
    env: Object.fromEntries(variables),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Copies typed arrays as they are.
    serialization: 'advanced',
  });
  await once(child, 'spawn');
  return child;
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close').catch(() => undefined);
  child.kill('SIGKILL');
  await closed;
}

/** The `close` event reports the end of the process. */
function ignoreClosed(): void {}

/** The reason why a process ended that was not killed here. */
function causeOfDeath(
  code: number | null,
  killedBy: string | null,
  errorOutput: string,
  limits: Limits,
): Error {
  // The process kills itself at its limit, like the system if memory runs out.
  if (killedBy === 'SIGKILL' || isOutOfMemory(errorOutput)) return outOfMemory(limits);
  // The signal to the whole service came before the process ignored it.
  if (killedBy === 'SIGTERM' || killedBy === 'SIGINT' || killedBy === 'SIGHUP') {
    return new Error(`the reader was ended by ${killedBy}`);
  }
  if (killedBy !== null)
    return new FileError('reader_broke_off', `The reader crashed on this file (${killedBy}).`);
  return new Error(`the reader ended by itself (${code}): ${errorOutput.slice(-500)}`);
}

/** Messages of V8, C++, GLib, libvips and Node. */
function isOutOfMemory(text: string): boolean {
  return /out of memory|bad_alloc|failed to allocate|allocation failed|cannot allocate/i.test(text);
}

const outOfMemory = ({ memoryMb }: Limits) =>
  new FileError(
    'reader_out_of_memory',
    `Reading the file takes more memory than the limit of ${memoryMb} MB.`,
  );

const tooSlow = ({ deadlineMs }: Limits) =>
  new FileError(
    'reader_too_slow',
    `Reading the file took longer than the limit of ${Math.round(deadlineMs / 60_000)} min.`,
  );

const stalled = ({ stalledMs }: Limits) =>
  new FileError('reader_stalled', `Reading the file made no progress for ${Math.round(stalledMs / 1000)} s.`);
