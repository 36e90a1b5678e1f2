import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { threadFile } from '../core/programs.ts';
import { makeScratch, removeScratch } from '../core/scratch.ts';

/** The variables passed to the reader, without secrets. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

/** The caller ends it with {@link endReader}. */
export async function startReader(memoryMb: number): Promise<{ child: ChildProcess; scratch: string }> {
  const scratch = await makeScratch();
  const entry = fileURLToPath(new URL('./reader-process.mjs', import.meta.url));
  const known = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const child = spawn(process.execPath, [entry, String(memoryMb), threadFile('reader')], {
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
  return { child, scratch };
}

export async function endReader({ child, scratch }: Awaited<ReturnType<typeof startReader>>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close').catch(() => undefined);
    child.kill('SIGKILL');
    await closed;
  }
  await removeScratch(scratch);
}
