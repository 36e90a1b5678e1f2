/* What the caller, the process and its thread send one another. */

/** A task for the thread: a file, and whatever else the program of the thread needs. */
export interface Task {
  file: string;
  /** An empty folder of this task alone, which its caller removes: what is unpacked goes there. It is the process's working directory. */
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
  /** True for work that takes its time whatever the size of the file. */
  isLong: boolean;
}

/** What the thread sends at its end, beside the messages of its program; and the process, where it made no progress for `stalledMs`. */
export type EndMessage<Fault> = { type: 'end' } | { type: 'error'; fault: Fault } | { type: 'stalled' };

/** A fault as it crosses the process. Of others than {@link FileError}, the code is undefined: they are bugs and faults of the machine. */
export interface Fault {
  code: string | undefined;
  message: string;
  hint?: string | undefined;
  /** A library's message, for a log. */
  cause?: string | undefined;
}
