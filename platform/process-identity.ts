import { hash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/** Identifies a process, unlike its number, which a later one may reuse. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in the system's units; undefined where the system does not say. */
  started: string | undefined;
  /** The machine or container in which its number is valid. */
  within?: string;
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startTime(process.pid), within: processSpace() };
}

/** Tells if this process can see if another is alive. */
export const sharesProcesses = ({ within }: ProcessIdentity): boolean =>
  within === undefined || within === processSpace();

/** A zombie, which has ended and still has its number, is not alive. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return !isRemains(pid) && (started === undefined || startTime(pid) === started);
}

/** Tells if a process has ended but for its entry: fields 3 and 20 of /proc/PID/stat, its state and its number of threads. */
function isRemains(pid: number): boolean {
  const fields = statFields(pid);
  return fields?.[0] === 'Z' && Number(fields[17]) <= 1;
}

/** Field 22 of /proc/PID/stat, in clock ticks since boot; undefined where the system has no /proc. */
const startTime = (pid: number): string | undefined => statFields(pid)?.[19];

/** The fields from the third on: the second, a name, may hold any character. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

const self = thisProcess();
const selfSpace = hash('sha256', self.within ?? '').slice(0, 12);

/** This process in names of files: the space in which its number is valid, as several may share a folder, the number, and its start. */
export const processMark = `${selfSpace}_${self.pid}_${self.started ?? ''}`;

/** Tells if the process of a mark at the beginning of a text has ended; undefined without a mark, or where it cannot be seen from here. */
export function hasEnded(text: string): boolean | undefined {
  const [, space, pid, started] = /^([0-9a-f]{12})_(\d+)_(\d*)/.exec(text) ?? [];
  return space === selfSpace ? !isAlive({ pid: Number(pid), started: started || undefined }) : undefined;
}

/** The machine's name and, on Linux, the namespace of its process numbers. */
function processSpace(): string {
  try {
    return `${os.hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}
