/* The messages between the caller, the process and its thread. */

/** A task for the thread: a file, and other input of the thread's program. */
export interface Task {
  file: string;
  /** An empty folder of this task alone, which its caller removes, for unpacked files. It is the process's working directory. */
  scratch: string;
}

export interface Limits {
  /** For the process, decoders included. */
  memoryMb: number;
  /** For the whole task. */
  deadlineMs: number;
  /** For a time without progress: see `pulse.ts`. */
  stalledMs: number;
}

export interface ThreadData {
  /** A number in shared memory that grows with progress. */
  pulse: Int32Array;
}

export interface ThreadStart<T extends Task = Task> {
  task: T;
  /** The number of messages that the thread may send before the first is acknowledged. */
  ahead: number;
}

export interface ProcessStart extends ThreadStart {
  stalledMs: number;
  /** True for work that is long even on a small file. */
  isLong: boolean;
}

/** Ends a task: the last message of the thread; or `stalled`, of the process, after `stalledMs` without progress. */
export type EndMessage<Fault> = { type: 'end' } | { type: 'error'; fault: Fault } | { type: 'stalled' };

/** An error as it is sent between processes. Only a `FileError` has a code: others are bugs and faults of the machine. */
export interface Fault {
  code: string | undefined;
  message: string;
  hint?: string | undefined;
  /** A library's message, for a log. */
  cause?: string | undefined;
}
