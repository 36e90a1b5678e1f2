import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { FileError } from '../errors.ts';
import type { Fault, Task, ThreadData, ThreadStart } from './messages.ts';
import { countPulseIn, pulse } from './pulse.ts';

/* The thread that reads a file. It waits between messages, so that it never runs far ahead of the caller. */

export interface Sink<Message, Reply> {
  /** Resolves when it may be sent. */
  send(message: Message, transfer?: ArrayBuffer[]): Promise<void>;
  /** Waits until all messages are acknowledged. @returns the reply to this one */
  ask(message: Message): Promise<Reply>;
}

/**
 * Runs the task of this thread, if it is one: `work` sends messages, and anything that it throws ends the task.
 * @param faultOf makes the fault of an error; by default {@link describeFault}
 */
export function serveTask<T extends Task, Message, Reply>(
  work: (task: T, sink: Sink<Message, Reply>) => Promise<void>,
  faultOf: (error: unknown) => Fault = describeFault,
): void {
  if (!parentPort) return;
  const port = parentPort;
  countPulseIn((workerData as ThreadData).pulse);
  once(port, 'message')
    .then(async ([start]) => {
      const { task, ahead } = start as ThreadStart<T>;
      pulse();
      await work(task, sinkOf<Message, Reply>(port, ahead));
      port.postMessage({ type: 'end' });
    })
    .catch((error) =>
      port.postMessage({ type: 'error', fault: faultOf(isTooMuch(error) ? tooMuch(error) : error) }),
    )
    .finally(() => port.close());
}

function sinkOf<Message, Reply>(port: MessagePort, ahead: number): Sink<Message, Reply> {
  let free = ahead;
  let last = {} as Reply;
  const sink: Sink<Message, Reply> = {
    async send(message, transfer = []) {
      while (free === 0) await once(port, 'message');
      free--;
      port.postMessage(message, transfer);
    },
    async ask(message) {
      await sink.send(message);
      while (free < ahead) await once(port, 'message');
      return last;
    },
  };
  port.on('message', (reply: Reply) => {
    free++;
    last = reply;
  });
  return sink;
}

export function describeFault(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof FileError)) return { code: undefined, message };
  const { code, hint, cause } = error;
  return { code, message, hint, cause: cause instanceof Error ? cause.message : undefined };
}

/** Tells if a file exceeds the stack, or the size of a string or list. A retry would fail the same way; V8 has no codes for these. */
const isTooMuch = (error: unknown) =>
  (error instanceof RangeError &&
    /^Maximum call stack|^Invalid (?:string|array|typed array) length|^Array buffer allocation/.test(
      error.message,
    )) ||
  (error as NodeJS.ErrnoException)?.code === 'ERR_STRING_TOO_LONG';

const tooMuch = (cause: unknown) =>
  new FileError(
    'reader_broke_off',
    'A value in the file is too long, or nested too deep, to be read.',
  ).causedBy(cause);
