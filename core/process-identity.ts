import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/** Identifies a process, unlike its number, which a later one may have. */
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

/** Whether this process can see whether another is alive. */
export function sharesProcesses({ within }: ProcessIdentity): boolean {
  return within === undefined || within === processSpace();
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return started === undefined || startTime(pid) === started;
}

/** Field 22 of /proc/PID/stat, in clock ticks since boot; undefined where the system has no /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** The machine's name and, on Linux, the namespace of its process numbers. */
function processSpace(): string {
  try {
    return `${os.hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}
